import { describe, expect, test } from "vitest";
import type { Family, LogEntry } from "../src/lib/types";
import { battleIn } from "../src/table/news";

let next = 0;
const line = (family: Family, hexes: string[] = []): LogEntry => ({
  n: next++, turn: 1, kind: "k", family, case: "", text: family, units: [], hexes, dice: [],
});

describe("the news of a battle", () => {
  test("is its result, with what announced it and what it cost", () => {
    const log = [line("move"), line("battle", ["9"]), line("odds"), line("result"), line("loss")];
    const found = battleIn(log, 5)!;
    expect(found.result).toBe(log[3]);
    expect(found.hexes).toEqual(["9"]);
    expect(found.lines).toEqual([log[1], log[2], log[4]]);
  });

  test("is what it cost, where nobody rolled for it", () => {
    const log = [line("battle"), line("result"), line("battle", ["7"]), line("odds"), line("loss")];
    expect(battleIn(log, 3)).toMatchObject({ hexes: ["7"], result: log[4] });
    expect(battleIn(log, 3)!.lines).toEqual([log[2], log[3]]);
  });

  test("is none while an attack is only declared, whatever else is lost", () => {
    expect(battleIn([line("battle"), line("move"), line("loss")], 3)).toBeNull();
    expect(battleIn([line("loss")], 1)).toBeNull();
  });
});
