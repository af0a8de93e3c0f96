import { expect, test } from "vitest";
import { due, inOrder, yours } from "../src/lib/own";
import type { OwnTable } from "../src/lib/types";

const line = (table: string, more: Partial<OwnTable>): OwnTable => ({
  table, name: "", game: "g", turn: 1, phase: "p", actor: "red", over: false, players: {}, updated: 0,
  you: ["red"], asked: ["red"], since: 0, due: {}, away: {}, ...more,
});

test("what waits for oneself comes first, the most urgent at the top", () => {
  const lines = [
    line("theirs, long ago", { asked: ["blue"], updated: 5 }),
    line("no time agreed, later", { since: 20 }),
    line("three days", { due: { red: 300 } }),
    line("theirs", { asked: ["blue"], updated: 50 }),
    line("no time agreed", { since: 10 }),
    line("one day", { due: { red: 100, blue: 900 } }),
  ];
  expect(inOrder(lines).map(({ table }) => table)).toEqual([
    "one day", "three days", "no time agreed", "no time agreed, later", "theirs", "theirs, long ago",
  ]);
});

test("a game that asks several sides at once waits for each of them", () => {
  expect(yours(line("", { asked: ["blue", "red"] }))).toBe(true);
  expect(yours(line("", { asked: ["blue"] }))).toBe(false);
  expect(yours(line("", { over: true }))).toBe(false);
  expect(due(line("", {}))).toBe(null);
});
