import { expect, test } from "vitest";
import { find, has, primary, sortOptions } from "../src/table/options";

const verbs = { pick: ["unit"], enter: ["unit", "hex"], step: ["hex"], commit: ["number"], take: ["chit"], end: [], halt: [] };

test("options are sorted by what one points at", () => {
  const options = sortOptions(
    [["pick", "1-pz"], ["enter", "58-inf", "0111"], ["step", "0210"], ["commit", "1"], ["take", "chit-6a"], ["end"]],
    verbs,
  );
  expect([...options.byUnit.keys()]).toEqual(["1-pz", "58-inf"]);
  expect([...options.byHex.keys()]).toEqual(["0210"]);
  expect(options.plain).toEqual([["end"]]);
  expect(options.numbers).toEqual([["commit", "1"]]);
  expect(options.pieces).toEqual([["take", "chit-6a"]]);
});

test("the main button moves the game on, and a choice between equals has none", () => {
  expect(primary(sortOptions([["end"], ["halt"]], verbs))).toEqual(["halt"]);
  expect(primary(sortOptions([["retreat"]], {}))).toEqual(["retreat"]);
  expect(primary(sortOptions([["left"], ["right"]], {}))).toBeUndefined();
});

test("an option is found word for word", () => {
  const options = sortOptions([["enter", "a", "0101"]], verbs);
  expect(has(options, "enter")).toBe(true);
  expect(find(options, "enter", "a", "0101")).toBeDefined();
  expect(find(options, "enter", "a")).toBeUndefined();
});
