/** Hexes in the plane: one unit is the width of a hex across its flat sides. */
import type { HexInfo } from "../lib/types";

export interface Point {
  x: number;
  y: number;
}

const RADIUS = 1 / Math.sqrt(3);

/** The six corners around a centre at the origin. */
export function corners(flat: boolean): Point[] {
  const first = flat ? 0 : Math.PI / 6;
  return Array.from({ length: 6 }, (_, k) => ({
    x: RADIUS * Math.cos(first + (k * Math.PI) / 3),
    y: RADIUS * Math.sin(first + (k * Math.PI) / 3),
  }));
}

/** Finds hexes by place and by direction. Numbers are only names here: schemes differ from game to game. */
export class HexIndex {
  private readonly buckets = new Map<string, string[]>();
  private readonly near = new Map<string, string[]>();

  constructor(readonly hexes: Record<string, HexInfo>) {
    for (const [number, hex] of Object.entries(hexes)) {
      const key = this.key(hex.x, hex.y);
      const bucket = this.buckets.get(key);
      if (bucket) bucket.push(number);
      else this.buckets.set(key, [number]);
    }
  }

  private key(x: number, y: number): string {
    return `${Math.floor(x)},${Math.floor(y)}`;
  }

  private *around(x: number, y: number): Generator<[string, HexInfo]> {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const number of this.buckets.get(this.key(x + dx, y + dy)) ?? []) {
          yield [number, this.hexes[number]!];
        }
      }
    }
  }

  /** The hex under a point, or null off the map. */
  at(x: number, y: number): string | null {
    let best: string | null = null;
    let least = RADIUS;
    for (const [number, hex] of this.around(x, y)) {
      const away = Math.hypot(hex.x - x, hex.y - y);
      if (away < least) [best, least] = [number, away];
    }
    return best;
  }

  neighbours(number: string): string[] {
    const known = this.near.get(number);
    if (known) return known;
    const here = this.hexes[number];
    const found: string[] = [];
    if (here) {
      for (const [other, hex] of this.around(here.x, here.y)) {
        if (other !== number && Math.hypot(hex.x - here.x, hex.y - here.y) < 1.2) found.push(other);
      }
    }
    this.near.set(number, found);
    return found;
  }

  /** The neighbour that lies most in a direction. */
  towards(number: string, dx: number, dy: number): string | null {
    const here = this.hexes[number];
    if (!here) return null;
    let best: string | null = null;
    let most = 0.3;
    for (const other of this.neighbours(number)) {
      const hex = this.hexes[other]!;
      // A small lean to one side, so that an arrow between two neighbours always has an answer.
      const along = (hex.x - here.x) * dx + (hex.y - here.y) * dy + (hex.y - here.y) * 1e-3;
      if (along > most) [best, most] = [other, along];
    }
    return best;
  }

  distance(a: string, b: string): number {
    const from = this.hexes[a];
    const to = this.hexes[b];
    return from && to ? Math.hypot(from.x - to.x, from.y - to.y) : Infinity;
  }
}
