/** A die on a canvas. */
import type { Die } from "../lib/types";

/** Where the pips of a die are, in quarters of its side. */
export const PIPS: Record<number, [number, number][]> = {
  1: [[2, 2]],
  2: [[1, 1], [3, 3]],
  3: [[1, 1], [2, 2], [3, 3]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]],
  5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

/** The part of the time that a die tumbles before it lies. */
export const TUMBLING = 0.35;

/** A die with its middle at a point. */
export function drawDie(pen: CanvasRenderingContext2D, { sides, value }: Die, x: number, y: number, size: number): void {
  pen.save();
  pen.translate(x, y);
  pen.beginPath();
  pen.roundRect(-size / 2, -size / 2, size, size, size * 0.18);
  pen.fillStyle = "#fffdf4";
  pen.fill();
  pen.lineWidth = Math.max(1.5, size * 0.05);
  pen.strokeStyle = "#2a261e";
  pen.stroke();
  pen.fillStyle = "#2a261e";
  if (sides === 6 && PIPS[value]) {
    for (const [px, py] of PIPS[value]) {
      pen.beginPath();
      pen.arc((px / 4 - 0.5) * size, (py / 4 - 0.5) * size, size * 0.09, 0, Math.PI * 2);
      pen.fill();
    }
  } else {
    pen.font = `700 ${size * 0.55}px sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(String(value), 0, size * 0.03);
  }
  pen.restore();
}
