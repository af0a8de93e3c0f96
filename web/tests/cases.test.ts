import { expect, test } from "vitest";
import { sections, toldUnder } from "../src/lib/cases";

test("sections are found however a book counts", () => {
  expect([...sections(["1.0", "1.1", "1.1.2", "10.0", "10.1"])]).toEqual(["1.0", "10.0"]);
  expect([...sections(["1.1", "1.1.1", "1.10", "S2.5", "S2.5.1"])]).toEqual(["1.1", "1.10", "S2.5"]);
  expect([...sections(["1", "3", "3A", "3A1", "14B12", "36", "14B1"])]).toEqual(["1", "3", "14B12", "36", "14B1"]);
});

test("a case without an article is told under the nearest above it", () => {
  const cases = new Set(["7.0", "7.4", "14", "14B"]);
  expect(toldUnder("7.4", cases)).toBe("7.4");
  expect(toldUnder("7.4.1", cases)).toBe("7.4");
  expect(toldUnder("7.5", cases)).toBe("7.0");
  expect(toldUnder("14B1", cases)).toBe("14B");
  expect(toldUnder("14C", cases)).toBe("14");
  expect(toldUnder("1.1", cases)).toBeNull();
});
