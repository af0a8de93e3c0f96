import { expect, test } from "vitest";
import { march } from "../src/table/counsel.svelte";

test("a stack that is taken up and walked is one order", () => {
  const actions = [["pick", "1-pz"], ["add", "6-pz"], ["step", "0210"], ["step", "0310"], ["halt"]];
  expect(march(actions)).toEqual({ units: ["1-pz", "6-pz"], path: ["0210", "0310"] });
  expect(march([["pick", "1-pz"], ["step", "0210"]])).toEqual({ units: ["1-pz"], path: ["0210"] });
});

test("anything else is played answer by answer", () => {
  expect(march([["step", "0210"], ["halt"]])).toBeNull();
  expect(march([["pick", "1-pz"], ["step", "0210"], ["overrun", "0310"]])).toBeNull();
  expect(march([["target", "0310"], ["join", "1-pz"], ["fight"]])).toBeNull();
  expect(march([["march", "1-pz"], ["step", "0210"]])).toBeNull();
});
