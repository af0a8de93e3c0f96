import { expect, test } from "vitest";
import { detailAt } from "../src/map/counter";

test("a counter has three levels of detail, by pixels a hex", () => {
  expect([10, 21.9, 22, 36, 43.9, 44, 90].map(detailAt)).toEqual(["chip", "chip", "numbers", "numbers", "numbers", "all", "all"]);
});
