import { expect, test } from "vitest";
import type { Die, Family, LogEntry } from "../src/lib/types";
import { account } from "../src/table/account";

let next = 0;
const line = (turn: number, family: Family, units: string[] = [], dice: Die[] = []): LogEntry => ({
  n: next++, turn, kind: "k", family, case: "", text: "", units, hexes: [], dice,
});

test("attacks and losses are counted by turn and side, dice by who attacks", () => {
  const told = account(
    [
      line(1, "battle", ["a1"]), line(1, "result", [], [{ sides: 6, value: 6 }]), line(1, "loss", ["b1"]), line(1, "loss", ["b2"]),
      line(2, "battle", ["b3"]), line(2, "result", [], [{ sides: 6, value: 1 }]), line(2, "loss", ["a1"]),
      line(2, "battle", ["a2"]), line(2, "result", [], [{ sides: 6, value: 2 }]),
    ],
    (unit) => unit[0]!,
  );
  expect(told.turns).toEqual([
    { turn: 1, attacks: { a: 1 }, losses: { b: 2 } },
    { turn: 2, attacks: { a: 1, b: 1 }, losses: { a: 1 } },
  ]);
  expect(told.dice).toEqual({ a: { attacks: 2, thrown: 8, expected: 7 }, b: { attacks: 1, thrown: 1, expected: 3.5 } });
});
