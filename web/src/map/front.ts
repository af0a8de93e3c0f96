/** Far out: the line between the nearest units of the two sides, along hexsides. */
import type { Box } from "../lib/types";
import { sides, type Easel, type Scene } from "./scene";

const WATER = new Set(["sea", "lake"]);
/** No farther than the ground that units dispute: behind the lines nearness says nothing. */
const FAR = 3;

export class FrontLine {
  /** Found once for a position, not for every frame. */
  private kept: { stacks: Scene["stacks"] | null; sides: Box[] } = { stacks: null, sides: [] };

  paint(easel: Easel, scene: Scene): void {
    if (this.kept.stacks !== scene.stacks) this.kept = { stacks: scene.stacks, sides: disputed(easel, scene.stacks) };
    const { pen } = easel;
    pen.lineCap = "round";
    pen.beginPath();
    sides(easel, this.kept.sides);
    for (const [width, colour] of [[4.5, "rgba(255, 252, 240, 0.6)"], [3, "#4b1d13"]] as const) {
      pen.lineWidth = width;
      pen.strokeStyle = colour;
      pen.stroke();
    }
  }
}

function owners({ kit, index }: Easel, stacks: Scene["stacks"]): Map<string, string> {
  const owner = new Map<string, string>();
  let edge: string[] = [];
  for (const [number, units] of stacks) {
    if (units[0]) {
      owner.set(number, units[0].side);
      edge.push(number);
    }
  }
  for (let far = 0; far < FAR && edge.length; far++) {
    const next: string[] = [];
    for (const number of edge) {
      for (const other of index.neighbours(number)) {
        const hex = kit.hexes[other];
        if (owner.has(other) || !hex || WATER.has(hex.terrain)) continue;
        owner.set(other, owner.get(number)!);
        next.push(other);
      }
    }
    edge = next;
  }
  // Nearness leaks through gaps in a line: ground mostly among the other side's is that side's.
  for (let pass = 0; pass < 3; pass++) {
    for (const [number, side] of owner) {
      if (stacks.has(number)) continue;
      const around = index.neighbours(number).map((other) => owner.get(other)).filter((each) => each !== undefined);
      const other = around.find((each) => each !== side);
      if (other && around.filter((each) => each === other).length * 2 > around.length) owner.set(number, other);
    }
  }
  return owner;
}

function disputed(easel: Easel, stacks: Scene["stacks"]): Box[] {
  const { kit, index } = easel;
  const owner = owners(easel, stacks);
  const found: Box[] = [];
  for (const [number, side] of owner) {
    const hex = kit.hexes[number]!;
    for (const other of index.neighbours(number)) {
      const theirs = owner.get(other);
      if (!theirs || theirs === side || other < number) continue;
      const there = kit.hexes[other]!;
      const mx = (hex.x + there.x) / 2;
      const my = (hex.y + there.y) / 2;
      const px = -(there.y - hex.y) * 0.2887;
      const py = (there.x - hex.x) * 0.2887;
      found.push([mx + px, my + py, mx - px, my - py]);
    }
  }
  return found;
}
