import { describe, expect, test } from "vitest";
import type { Family, LogEntry } from "../src/lib/types";
import { deeds, telling, verdict } from "../src/table/deeds";

let next = 0;
const line = (family: Family, units: string[] = [], hexes: string[] = []): LogEntry => ({
  n: next++, turn: 1, kind: "k", family, case: "", text: `${family} ${units.join()} ${hexes.join("-")}`, units, hexes, dice: [],
});
const told = (...lines: LogEntry[]) => deeds(lines).map((deed) => [deed.kind, deed.path.join(" "), deed.lines.length]);

describe("deeds", () => {
  test("the steps of one march are one deed", () => {
    expect(told(line("move", ["a"], ["1", "2"]), line("move", ["a"], ["2", "3"]), line("move", ["b"], ["3", "4"]))).toEqual([
      ["march", "1 2 3", 2], ["march", "3 4", 1],
    ]);
  });

  test("a march that begins elsewhere is another one", () => {
    expect(told(line("move", ["a"], ["1", "2"]), line("move", ["a"], ["5", "6"]))).toHaveLength(2);
  });

  test("a battle has its dice and losses; who retreats and advances goes on his own", () => {
    const lines = [
      line("battle", ["a"], ["9"]), line("odds"), line("chance", ["x"]), line("result"), line("loss", ["x"], ["9"]),
      line("retreat", ["y"], ["9", "10"]), line("advance", ["a"], ["9"]), line("phase"),
    ];
    const found = deeds(lines);
    expect(found.map((deed) => deed.kind)).toEqual(["battle", "march", "march", "event"]);
    expect(verdict(found[0]!)).toBe(lines[3]);
    expect(found[0]!.units).toEqual(["a", "x"]);
    expect(found.map((deed) => deed.end - lines[0]!.n)).toEqual([5, 6, 7, 8]);
    expect(telling(found[3]!)).toBe(false);
  });

  test("what is lost outside a battle stands alone", () => {
    expect(told(line("move", ["a"], ["1", "2"]), line("loss", ["b"], ["3"]))).toEqual([["march", "1 2", 1], ["event", "", 1]]);
  });
});
