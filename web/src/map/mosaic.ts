/** The ground hex by hex, in the colours of its terrain: what is to be seen of a map before any picture of it has come. */
import type { Box, Drawn } from "../lib/types";
import { corners } from "./geometry";
import { REACH } from "./scene";

const GRID = "rgba(92, 81, 64, 0.38)";
/** Below this many pixels a hex the grid would be all there is to see. */
const GRIDDED = 12;

export class Mosaic {
  /** The middles of the hexes of each colour. */
  private readonly middles = new Map<string, { x: number; y: number }[]>();

  constructor(private readonly kit: Drawn) {
    for (const hex of Object.values(kit.hexes)) {
      const colour = kit.map.ground[hex.terrain];
      if (!colour) continue;
      const list = this.middles.get(colour);
      if (list) list.push(hex);
      else this.middles.set(colour, [hex]);
    }
  }

  paint(pen: CanvasRenderingContext2D, [left, top, right, bottom]: Box, scale: number): void {
    // Neighbours overlap by half a pixel: no seam of paper shows between them.
    const grown = 1 + 0.5 / scale;
    const shape = corners(this.kit.flat).map(({ x, y }) => ({ x: x * scale * grown, y: y * scale * grown }));
    const last = shape.at(-1)!;
    pen.lineWidth = 1;
    pen.strokeStyle = GRID;
    for (const [colour, middles] of this.middles) {
      pen.beginPath();
      for (const { x, y } of middles) {
        if (x < left - REACH || x > right + REACH || y < top - REACH || y > bottom + REACH) continue;
        const [a, b] = [(x - left) * scale, (y - top) * scale];
        // Back to the first corner, and not shut: see `areas`.
        pen.moveTo(a + last.x, b + last.y);
        for (const corner of shape) pen.lineTo(a + corner.x, b + corner.y);
      }
      pen.fillStyle = colour;
      pen.fill();
      if (scale >= GRIDDED) pen.stroke();
    }
  }
}
