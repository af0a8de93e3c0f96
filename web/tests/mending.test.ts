import { describe, expect, it } from "vitest";
import type { Drawn, Unit } from "../src/lib/types";
import { differing } from "../src/map/mending";
import type { Scene } from "../src/map/scene";

const unit = (id: string): Unit => ({ id, side: "amber", kind: "inf", badges: [], hex: null }) as unknown as Unit;
const [a, b] = [unit("a"), unit("b")];
const NONE: ReadonlySet<string> = new Set();
const scene = (stacks: [string, Unit[]][], more: Partial<Scene> = {}): Scene => ({
  stacks: new Map(stacks), marks: [], markers: [], holders: [], ready: NONE, done: NONE, selected: NONE, marked: NONE, goals: NONE,
  targets: [], reach: null, path: [], origin: null, hover: null, cursor: null, open: null, shake: null, overlays: [],
  supply: null, pointed: [], aims: [], trails: [], from: null, ghost: null, front: false, ...more,
});
const kit = { hexes: { "01": { x: 0, y: 0 }, "20": { x: 20, y: 0 } } } as unknown as Drawn;

describe("what is painted anew", () => {
  it("is nothing where nothing differs, whoever made the sets", () => {
    expect(differing(scene([["01", [a]]]), scene([["01", [a]]], { ready: new Set() }), kit, 100)).toEqual([]);
  });
  it("is the hex that a unit left and the hex where it came", () => {
    const boxes = differing(scene([["01", [a, b]]]), scene([["01", [a]], ["20", [b]]]), kit, 100)!;
    const holds = (x: number): boolean => boxes.some((box) => box[0] < x && x < box[2]);
    expect([boxes.length, holds(0), holds(20), holds(10)]).toEqual([2, true, true, false]);
  });
  it("is one box where two would overlap", () => {
    const boxes = differing(scene([["01", [a]]]), scene([], { trails: [["01", "20"]] }), kit, 100)!;
    expect(boxes.length).toBe(1);
  });
  it("is everything where more than stacks and trails differ", () => {
    expect(differing(scene([]), scene([], { targets: ["01"] }), kit, 100)).toBeNull();
    expect(differing(scene([], { front: true }), scene([["01", [a]]], { front: true }), kit, 100)).toBeNull();
  });
});
