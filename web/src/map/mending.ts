/** What has to be painted anew when a scene follows another in the same view. */
import type { Box, Drawn, Unit } from "../lib/types";
import type { Scene } from "./scene";

/** More boxes than these are not worth the pains. */
const MOST = 40;
/** A stack with its rings reaches so far from the middle of its hex, in hex widths. */
const REACH = 0.85;
/** Half of a name above a stack, in pixels. */
const NAME = 80;

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((each, k) => each === b[k]);

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((each) => b.has(each));
  return Array.isArray(a) && Array.isArray(b) && sameList(a, b);
}

/** Boxes in hex widths, or null where everything has to be painted. Stacks and trails may differ, nothing else. */
export function differing(before: Scene, after: Scene, kit: Drawn, scale: number): Box[] | null {
  for (const key of Object.keys(after) as (keyof Scene)[]) {
    if (key !== "stacks" && key !== "trails" && !same(before[key], after[key])) return null;
  }
  // The line of the front runs between all stacks.
  if (after.front) return null;
  const boxes: Box[] = [];
  for (const [one, other] of [[before, after], [after, before]] as const) {
    for (const path of one.trails) if (!other.trails.some((each) => sameList(each, path))) add(boxes, around(path, kit, scale));
    for (const [hex, units] of one.stacks) if (!sameList(units, other.stacks.get(hex) ?? NOBODY)) add(boxes, around([hex], kit, scale));
    if (boxes.length > MOST) return null;
  }
  return boxes;
}

const NOBODY: readonly Unit[] = [];

function around(hexes: readonly string[], kit: Drawn, scale: number): Box {
  const points = hexes.flatMap((hex) => kit.hexes[hex] ?? []);
  const wide = Math.max(REACH, NAME / scale);
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  return [Math.min(...xs) - wide, Math.min(...ys) - REACH, Math.max(...xs) + wide, Math.max(...ys) + REACH];
}

const meet = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Boxes that overlap become one: nothing is painted twice, and none is painted over the edge of another. */
function add(boxes: Box[], box: Box): void {
  if (!(box[0] <= box[2])) return;
  let grown = box;
  for (let k = boxes.findIndex((each) => meet(each, grown)); k >= 0; k = boxes.findIndex((each) => meet(each, grown))) {
    const [other] = boxes.splice(k, 1);
    grown = [Math.min(grown[0], other![0]), Math.min(grown[1], other![1]), Math.max(grown[2], other![2]), Math.max(grown[3], other![3])];
  }
  boxes.push(grown);
}
