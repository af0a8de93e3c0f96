import { describe, expect, it } from "vitest";
import type { Deed } from "../src/table/deeds";
import { together } from "../src/table/together";

const march = (unit: string, ...path: string[]): Deed => ({
  kind: "march", family: "move", lines: [], end: 0, units: [unit], path, hexes: path.slice(-1),
});
const event = (family: Deed["family"]): Deed => ({ kind: "event", family, lines: [], end: 0, units: [], path: [], hexes: [] });

/** Hexes are called by their column. */
const groups = (deeds: Deed[], width: number): string[][] =>
  together(deeds, (deed) => deed.kind === "march", (deed) => deed.family === "other", (hex) => ({ x: Number(hex), y: 0 }), [width, 9])
    .map((group) => group.map((deed) => deed.units[0] ?? deed.family));

describe("marches that are shown together", () => {
  it("are those that can be seen in one view", () => {
    expect(groups([march("a", "1", "2"), march("b", "30", "31"), march("c", "4", "5")], 10)).toEqual([["a", "c"], ["b"]]);
  });
  it("are shown alone where the way is longer than the view", () => {
    expect(groups([march("a", "1", "40"), march("b", "2", "3")], 10)).toEqual([["a"], ["b"]]);
  });
  it("do not pass over a battle", () => {
    expect(groups([march("a", "1", "2"), event("battle"), march("b", "2", "3")], 10)).toEqual([["a"], ["battle"], ["b"]]);
  });
  it("pass over what is not shown", () => {
    expect(groups([march("a", "1", "2"), event("other"), march("b", "2", "3")], 10)).toEqual([["a", "b"]]);
  });
  it("keep the order in which a unit marches", () => {
    const found = groups([march("a", "30", "31"), march("b", "1", "2"), march("b", "2", "30"), march("b", "3", "2")], 10);
    expect(found).toEqual([["a"], ["b"], ["b"], ["b"]]);
  });
});
