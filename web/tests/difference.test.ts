import { expect, test } from "vitest";
import type { LogEntry, State, Unit } from "../src/lib/types";
import { ways } from "../src/lib/ways";
import { apply, extend, merged } from "../src/table/difference";
import { battleIn } from "../src/table/news";

const unit = (id: string, hex: string): Unit => ({ id, side: "a", kind: "k", hex, status: "on-map", badges: [] });
const state = {
  version: "1", turn: 1, can_undo: false,
  view: {
    units: [unit("x", "0101"), unit("y", "0102")], scores: { a: 0 },
    parts: [{ part: "count", id: "n", value: 1 }, { part: "pool", id: "p", side: "a", groups: [] }, { part: "pool", id: "p", side: "b", groups: [] }],
  },
} as unknown as State;

test("a difference is applied to what it is from, and leaves the old state as it was", () => {
  const next = apply(state, {
    from: "1", to: "2", set: { can_undo: true }, scores: { a: 3 }, units: { y: unit("y", "0103"), z: unit("z", "0104") },
    parts: { n: null, "p:b": { part: "pool", id: "p", side: "b", groups: [{ id: "g", pieces: [], more: 2 }] } },
  })!;
  expect(next.version).toBe("2");
  expect(next.can_undo).toBe(true);
  expect(next.turn).toBe(1);
  expect(next.view.scores).toEqual({ a: 3 });
  expect(next.view.units.map((each) => each.hex)).toEqual(["0101", "0103", "0104"]);
  expect(next.view.units[0]).toBe(state.view.units[0]);
  expect(next.view.parts).toHaveLength(2);
  expect(next.view.parts[1]).toMatchObject({ side: "b", groups: [{ more: 2 }] });
  expect(state.view.units[1]!.hex).toBe("0102");
});

test("what has changed of a unit is put into the one that was there", () => {
  const next = apply(state, { from: "1", to: "2", units: { y: { hex: null, badges: ["moved"] }, x: null, q: { hex: "0105" } } })!;
  expect(next.view.units).toEqual([{ ...unit("y", "0102"), hex: null, badges: ["moved"] }]);
});

test("what many units have in common is told once", () => {
  const next = apply(state, { from: "1", to: "2", units: { z: unit("z", "0104") }, alike: [[{ badges: ["moved"] }, ["x", "y"]]] })!;
  expect(next.view.units.map((each) => [each.id, each.hex, each.badges])).toEqual([
    ["x", "0101", ["moved"]], ["y", "0102", ["moved"]], ["z", "0104", []],
  ]);
});

test("a difference to something else is not applied", () => {
  expect(apply(state, { from: "0", to: "2" })).toBeNull();
  expect(apply(null, { from: "1", to: "2" })).toBeNull();
});

const line = (n: number, family: LogEntry["family"], text = ""): LogEntry =>
  ({ n, kind: "", family, case: "", text, turn: 1, hexes: [`h${n}`], units: [], dice: [] });

test("pushed lines replace what was taken back, and a gap is noticed", () => {
  const log = [line(0, "turn"), line(1, "move"), line(2, "move")];
  expect(extend(log, { from: 3, lines: [line(3, "move")] })!.map((each) => each.n)).toEqual([0, 1, 2, 3]);
  expect(extend(log, { from: 1, lines: [line(1, "battle", "other")] })!.map((each) => each.text)).toEqual(["", "other"]);
  expect(extend(log, { from: 4, lines: [] })).toBeNull();
});

test("at one screen a side's own lines stand where they were told, among those that everybody reads", () => {
  const open = [line(0, "turn"), line(1, "move"), line(2, "move")];
  const own = [line(1, "other", "mine"), line(3, "other", "mine too")];
  const log = merged(open, own);
  expect(log.map((each) => each.text)).toEqual(["", "mine", "", "mine too", ""]);
  expect(log.map((each) => each.n)).toEqual([0, 1, 2, 3, 4]);
  expect(log.map((each) => each.family)).toEqual(["turn", "other", "move", "other", "move"]);
  expect(merged(open, [])).toEqual(open);
  expect(open[1]!.n).toBe(1);
});

test("a battle is news once, with what announced it and what followed", () => {
  const log = [line(0, "turn"), line(1, "battle"), line(2, "odds"), line(3, "result"), line(4, "loss")];
  const news = battleIn(log, 2)!;
  expect(news.hexes).toEqual(["h1"]);
  expect(news.result.n).toBe(3);
  expect(news.lines.map((each) => each.n)).toEqual([1, 2, 4]);
  expect(battleIn(log, 1)).toBeNull();
});

test("ways lead from where the units stand, and where one may not stay is no goal", () => {
  const found = ways({ "0101": [null, 3], "0102": ["0101", null], "0103": ["0102", 0.5] });
  expect(found).toEqual({
    "0101": { path: ["0101"], points_left: 3 },
    "0103": { path: ["0101", "0102", "0103"], points_left: 0.5 },
  });
});
