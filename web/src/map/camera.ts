/** What part of the map the window shows. */
import type { Box } from "../lib/types";
import type { Point } from "./geometry";

/** Pixels from the edge at which something is well in sight. */
const AWAY = 90;

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

  /** True if the view moved: at the end of the range it does not. */
  zoom(factor: number, around: Point): boolean {
    const before = [this.x, this.y, this.scale] as const;
    const fixed = this.toWorld(around);
    this.scale = Math.max(this.least, Math.min(this.most, this.scale * factor));
    const moved = this.toWorld(around);
    this.x += fixed.x - moved.x;
    this.y += fixed.y - moved.y;
    this.keep();
    return this.hasMoved(...before);
  }

  /** True if the view moved: a map that fits the window stays in its middle. */
  pan(dx: number, dy: number): boolean {
    const before = [this.x, this.y, this.scale] as const;
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.keep();
    return this.hasMoved(...before);
  }

  /** By more than rounding: the middle of the window is computed anew each time. */
  private hasMoved(x: number, y: number, scale: number): boolean {
    const least = 0.01 / this.scale;
    return Math.abs(this.x - x) > least || Math.abs(this.y - y) > least || this.scale !== scale;
  }

  /** Whether a point is in the clear part of the window. */
  shows(p: Point): boolean {
    const [top, right, bottom, left] = this.inset;
    const at = this.toScreen(p);
    return at.x > left && at.y > top && at.x < this.width - right && at.y < this.height - bottom;
  }

  /** From the edge of the clear part of the window to what is brought into it. */
  private margin(away: number): number {
    const [top, right, bottom, left] = this.inset;
    return Math.min(away, (this.width - left - right) / 4, (this.height - top - bottom) / 4);
  }

  /** How much can be brought into the clear part of the window at once, in hex widths. */
  room(): [number, number] {
    const [top, right, bottom, left] = this.inset;
    const edges = 2 * this.margin(AWAY);
    return [(this.width - left - right - edges) / this.scale, (this.height - top - bottom - edges) / this.scale];
  }

  /** Bring a point into the clear part of the window, by the least movement, so far from its edge; true if the view
   *  moved. */
  reveal(p: Point, away = AWAY): boolean {
    const [top, right, bottom, left] = this.inset;
    const at = this.toScreen(p);
    const margin = this.margin(away);
    const dx = Math.max(left + margin - at.x, 0) - Math.max(at.x - (this.width - right - margin), 0);
    const dy = Math.max(top + margin - at.y, 0) - Math.max(at.y - (this.height - bottom - margin), 0);
    if (!dx && !dy) return false;
    return this.pan(dx, dy);
  }

  /** No more paper around the map than need be: where the view comes to rest by itself. */
  tidy(): void {
    this.keep(0);
  }

  /** Never lose the map out of sight: its edge may come a third of the way into the clear window. */
  private keep(slack = 1 / 3): void {
    const [top, right, bottom, left] = this.inset;
    const [x0, y0, x1, y1] = this.box;
    const lean = [(right - left) / 2 / this.scale, (bottom - top) / 2 / this.scale] as const;
    this.x = within(this.x - lean[0], x0, x1, (this.width - left - right) / this.scale, slack) + lean[0];
    this.y = within(this.y - lean[1], y0, y1, (this.height - top - bottom) / this.scale, slack) + lean[1];
  }
}

function within(value: number, low: number, high: number, clear: number, part: number): number {
  // A map smaller than the window lies in the middle of it.
  if (high - low <= clear) return (low + high) / 2;
  const slack = clear * part;
  const first = low + clear / 2 - slack;
  const last = high - clear / 2 + slack;
  return Math.max(first, Math.min(last, value));
}
