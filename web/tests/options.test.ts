import { expect, test } from "vitest";
import type { Role, Verb } from "../src/lib/types";
import { about, expand, firstOf, offers, pairs, placings, sortOptions, wordsOf } from "../src/table/options";

const verb = (role: Role, ...kinds: string[]): Verb => ({ kinds, role, label: "", labels: {} });
/** The words of no game: only roles and kinds count. */
const verbs = {
  lift: verb("take", "unit"), land: verb("enter", "unit", "hex"), walk: verb("step", "hex"), send: verb("choose", "number"),
  keep: verb("choose", "chit"), done: verb("end"), weld: verb("choose", "unit", "unit"),
  put: verb("place", "unit", "hex"), span: verb("place", "hex", "hex"), raze: verb("place", "hex"),
};

test("groups stand for answers, in their order", () => {
  expect(expand([["lift", ["a", "b"]], ["land", "c", ["0101", "0102"]], ["done"]])).toEqual([
    ["lift", "a"], ["lift", "b"], ["land", "c", "0101"], ["land", "c", "0102"], ["done"],
  ]);
  expect(expand([["lift", "a"], ["walk", []]])).toEqual([["lift", "a"]]);
});

test("options are sorted by what one points at", () => {
  const options = sortOptions(
    [["lift", "a"], ["land", "c", "0111"], ["walk", "0210"], ["send", "1"], ["keep", "chit-x"], ["done"]],
    verbs,
  );
  expect([...options.byUnit.keys()]).toEqual(["a", "c"]);
  expect([...options.byHex.keys()]).toEqual(["0210"]);
  expect(options.plain).toEqual([["done"]]);
  expect(options.numbers).toEqual([["send", "1"]]);
  expect(options.pieces).toEqual([["keep", "chit-x"]]);
});

test("options are found by role, never by word", () => {
  const options = sortOptions([["land", "c", "0111"], ["land", "c", "0112"], ["done"]], verbs);
  expect(offers(options, "enter")).toBe(true);
  expect(offers(options, "take", "step")).toBe(false);
  expect(about(options, "enter", "c", "0112")).toEqual(["land", "c", "0112"]);
  expect(about(options, "enter", "d")).toBeUndefined();
  expect(about(options, "end")).toEqual(["done"]);
  expect(wordsOf(verbs, "take")).toEqual(["lift"]);
});

test("an answer about two units is found from either, and each pair once", () => {
  const both = [["weld", "a", "b"], ["weld", "b", "a"], ["weld", "c", "a"]];
  const options = sortOptions([["lift", "a"], ...both, ["land", "d", "0111"]], verbs);
  expect([...options.byUnit.keys()]).toEqual(["a", "b", "c", "d"]);
  expect(pairs(options, [])).toEqual([]);
  expect(pairs(options, ["a"])).toEqual([["weld", "a", "b"], ["weld", "c", "a"]]);
  expect(pairs(options, ["b"])).toEqual([["weld", "b", "a"]]);
  expect(pairs(options, ["a", "c"])).toEqual([["weld", "c", "a"]]);
  expect(pairs(options, ["b", "c"])).toEqual([]);
  expect(pairs(options, ["a", "b", "c"])).toEqual([]);
  expect(pairs(options, ["d"])).toEqual([]);
});

test("all units go to a hex by the answers of one question, and by no others", () => {
  const question = sortOptions([["put", "a", "0101"], ["put", "b", "0101"], ["put", "b", "0102"], ["done"]], verbs);
  expect(placings(question).length).toBe(3);
  const wanted = placings(question, "0101");
  expect(wanted).toEqual([["put", "a", "0101"], ["put", "b", "0101"]]);
  expect(firstOf(wanted, question)).toEqual(["put", "a", "0101"]);
  expect(firstOf(wanted, sortOptions([["put", "b", "0102"], ["put", "b", "0101"]], verbs))).toEqual(["put", "b", "0101"]);
  // What is asked next may be about the same hex.
  const next = sortOptions([["span", "0102", "0101"], ["put", "c", "0101"], ["raze", "0101"]], verbs);
  expect(firstOf(wanted, next)).toBeUndefined();
  expect(placings(next, "0101")).toEqual([["put", "c", "0101"]]);
});
