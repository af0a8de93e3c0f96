/** What part of the map the window shows. */
import type { Box } from "../lib/types";
import type { Point } from "./geometry";

export class Camera {
  /** The middle of the window, in hex widths. */
  x = 0;
  y = 0;
  /** CSS pixels a hex. */
  scale = 40;
  width = 1;
  height = 1;
  /** Pixels at each edge under panels: top, right, bottom, left. */
  inset: [number, number, number, number] = [0, 0, 0, 0];

  constructor(private readonly box: Box) {}

  toScreen(p: Point): Point {
    return { x: (p.x - this.x) * this.scale + this.width / 2, y: (p.y - this.y) * this.scale + this.height / 2 };
  }

  toWorld(p: Point): Point {
    return { x: (p.x - this.width / 2) / this.scale + this.x, y: (p.y - this.height / 2) / this.scale + this.y };
  }

  private get fitScale(): number {
    const [top, right, bottom, left] = this.inset;
    const [x0, y0, x1, y1] = this.box;
    return Math.min((this.width - left - right) / (x1 - x0), (this.height - top - bottom) / (y1 - y0));
  }

  get least(): number {
    return Math.max(4, this.fitScale * 0.8);
  }

  readonly most = 260;

  /** Show the whole of a box in the part of the window that no panel covers. */
  fit(box: Box = this.box, most = this.most): void {
    const [top, right, bottom, left] = this.inset;
    const [x0, y0, x1, y1] = box;
    const scale = Math.min((this.width - left - right) / (x1 - x0), (this.height - top - bottom) / (y1 - y0));
    this.scale = Math.max(this.least, Math.min(most, scale));
    this.x = (x0 + x1) / 2 + (right - left) / 2 / this.scale;
    this.y = (y0 + y1) / 2 + (bottom - top) / 2 / this.scale;
    this.keep();
  }

  zoom(factor: number, around: Point): void {
    const fixed = this.toWorld(around);
    this.scale = Math.max(this.least, Math.min(this.most, this.scale * factor));
    const moved = this.toWorld(around);
    this.x += fixed.x - moved.x;
    this.y += fixed.y - moved.y;
    this.keep();
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.keep();
  }

  /** Bring a point into the clear part of the window; true if the view had to move. */
  reveal(p: Point): boolean {
    const [top, right, bottom, left] = this.inset;
    const at = this.toScreen(p);
    const margin = Math.min(60, this.width / 8);
    const inside =
      at.x > left + margin && at.x < this.width - right - margin &&
      at.y > top + margin && at.y < this.height - bottom - margin;
    if (inside) return false;
    this.x = p.x + (right - left) / 2 / this.scale;
    this.y = p.y + (bottom - top) / 2 / this.scale;
    this.keep();
    return true;
  }

  /** Never lose the map out of sight. */
  private keep(): void {
    const [x0, y0, x1, y1] = this.box;
    this.x = Math.max(x0, Math.min(x1, this.x));
    this.y = Math.max(y0, Math.min(y1, this.y));
  }
}
