/** Counters on the map: where they lie, and how stacks of them are drawn. */
import type { Box, Drawn, Unit } from "../lib/types";
import type { Camera } from "./camera";
import { detailAt, RING, Sprites, type Detail } from "./counter";
import { taste } from "../lib/taste.svelte";
import type { Liveries } from "./colours";
import type { Point } from "./geometry";
import type { Easel, Scene, Spot } from "./scene";

/** A counter's side in parts of a hex. */
export const SIZES: Readonly<Record<string, number>> = { small: 0.64, medium: 0.8, large: 0.92 };
const OPEN = 0.78;
const ROW = 5;
/** From the middle of a hex to beyond all six around it, in hex widths. */
const RING_OF_HEXES = 1.56;
const SHAKE = 320;
/** So many counters of a stack are drawn. */
const SHOWN = 4;

/** The next of few sizes: while the zoom changes, drawing every counter anew at each would be felt. */
const rung = (pixels: number): number => 2 ** Math.ceil(Math.log2(pixels));

/** Whether a stack is laid out aside of the hexes around it: where its units could go there. */
export const aside = (reach: Scene["reach"]): boolean => !!reach && Object.keys(reach).length > 0;

export class Stacks {
  private readonly sprites: Sprites;

  private get counterSize(): number {
    return SIZES[taste.of("counters")]!;
  }

  constructor(
    private readonly kit: Drawn,
    liveries: Liveries,
  ) {
    this.sprites = new Sprites(kit, liveries);
  }

  /** The counters of an opened stack, side by side: around their hex or, where the hexes next to it may be clicked, aside
   *  of these, above or else below. */
  spots(hex: string, units: readonly Unit[], camera: Camera, aside: boolean): Spot[] {
    const centre = this.kit.hexes[hex];
    if (!centre) return [];
    const size = Math.max(OPEN, 46 / camera.scale);
    const columns = Math.min(ROW, units.length);
    const rows = Math.ceil(units.length / ROW);
    const step = size * 1.08;
    const [x0, y0, x1, y1] = this.kit.map.box;
    const wide = (columns * step) / 2;
    const high = (rows * step) / 2;
    const cx = Math.min(x1 - wide, Math.max(x0 + wide, centre.x));
    const away = RING_OF_HEXES + high;
    const above = camera.toScreen({ x: cx, y: centre.y - away - high }).y > camera.inset[0];
    const cy = aside
      ? centre.y + (above ? -away : away)
      : Math.min(y1 - high, Math.max(y0 + high, centre.y));
    return units.map((unit, k) => ({
      unit,
      size,
      x: cx + ((k % ROW) - (columns - 1) / 2) * step,
      y: cy + (Math.floor(k / ROW) - (rows - 1) / 2) * step,
    }));
  }

  /** Where the top counter of a closed stack lies. */
  top(hex: string, count: number, camera: Camera): { x: number; y: number; size: number } | null {
    const centre = this.kit.hexes[hex];
    if (!centre) return null;
    const lift = this.fan(count, camera) * (Math.min(count, SHOWN) - 1);
    return { x: centre.x + lift / 2, y: centre.y - lift / 2, size: this.counterSize };
  }

  private fan(count: number, camera: Camera): number {
    return count > 1 ? Math.min(0.07, Math.max(2 / camera.scale, 0.045)) : 0;
  }

  private inSight(camera: Camera, x: number, y: number): boolean {
    const p = camera.toScreen({ x, y });
    const margin = camera.scale;
    return p.x > -margin && p.y > -margin && p.x < camera.width + margin && p.y < camera.height + margin;
  }

  /** True while something shakes. `only`: stacks that may lie in this box. */
  paint(easel: Easel, scene: Scene, ratio: number, now: number, coarse: boolean, only?: Box): boolean {
    const { pen, camera } = easel;
    const pixels = this.pixels(camera.scale, ratio);
    const drawn = coarse ? rung(pixels) : pixels;
    const seen: [string, readonly Unit[]][] = [];
    for (const [number, units] of scene.stacks) {
      const hex = this.kit.hexes[number];
      if (!hex || (only && !near(only, hex)) || !this.inSight(camera, hex.x, hex.y)) continue;
      seen.push([number, units]);
      for (const unit of units.slice(-SHOWN)) this.prepare(unit, scene, camera.scale, drawn);
    }
    let moving = false;
    for (const [number, units] of seen) {
      let dx = 0;
      if (scene.shake?.hex === number) {
        const age = now - scene.shake.start;
        if (age < SHAKE) {
          dx = Math.sin(age / 22) * 5 * (1 - age / SHAKE);
          moving = true;
        }
      }
      if (dx) pen.translate(dx, 0);
      if (number === scene.open) pen.globalAlpha = 0.25;
      this.stack(easel, scene, number, units, ratio, coarse);
      pen.globalAlpha = 1;
      if (dx) pen.translate(-dx, 0);
    }
    return moving;
  }

  private stack(
    { pen, camera }: Easel, scene: Scene, number: string, units: readonly Unit[], ratio: number, coarse: boolean,
  ): void {
    const shown = units.slice(-SHOWN);
    const step = this.fan(units.length, camera);
    const place = this.top(number, units.length, camera)!;
    const pixels = this.pixels(camera.scale, ratio);
    const side = pixels / ratio;
    const drawn = coarse ? rung(pixels) : pixels;
    const height = shown.length - 1;
    if (camera.scale > 26) {
      const low = camera.toScreen({ x: place.x - step * height, y: place.y + step * height });
      const drop = 1.5 + height * 1.2;
      pen.drawImage(this.sprites.shadow(drawn), low.x - side / 2 + drop, low.y - side / 2 + drop, side, side);
    }
    shown.forEach((unit, k) => {
      const below = height - k;
      const p = camera.toScreen({ x: place.x - step * below, y: place.y + step * below });
      // That some can act is said once for a stack, around the top of it.
      if (k === height || scene.selected.has(unit.id) || scene.marked.has(unit.id)) {
        this.glow(pen, scene, unit, p, side, k === height ? units : [unit]);
      }
      this.counter(pen, unit, scene.done.has(unit.id), drawn, p.x - side / 2, p.y - side / 2, side, detailAt(camera.scale));
    });
    if (units.length > 2 && detailAt(camera.scale) !== "chip") {
      const p = camera.toScreen({ x: place.x, y: place.y });
      const r = Math.max(7, side * 0.17);
      const wide = Math.round(r * 2 * ratio);
      const disc = this.sprites.number(units.length, coarse ? rung(wide) : wide);
      pen.drawImage(disc, p.x + side / 2 - 1 - r, p.y + side / 2 - 1 - r, r * 2, r * 2);
    }
  }

  private counter(
    pen: CanvasRenderingContext2D, unit: Unit, done: boolean, drawn: number, x: number, y: number, side: number,
    detail: Detail,
  ): void {
    const counter = this.kit.counters[unit.id];
    if (counter) this.sprites.paint(pen, unit, counter, done, drawn, detail, x, y, side);
  }

  /** Selected, in the attack, or able to act: an outline each, heavier in this order. */
  private glow(
    pen: CanvasRenderingContext2D, scene: Scene, unit: Unit, p: Point, side: number, group: readonly Unit[],
  ): void {
    const any = (set: ReadonlySet<string>) => set.has(unit.id) || group.some((other) => set.has(other.id));
    const ring = any(scene.selected) ? "selected" : any(scene.marked) ? "marked" : any(scene.ready) ? "ready" : null;
    if (!ring) return;
    const wide = side + 2 * RING;
    const picture = this.sprites.ring(ring, Math.round(wide));
    pen.drawImage(picture, p.x - wide / 2, p.y - wide / 2, wide, wide);
  }

  /** The stack that is laid out, on a dark plate. */
  opened({ pen, camera }: Easel, scene: Scene, ratio: number): void {
    const units = scene.open ? scene.stacks.get(scene.open) : undefined;
    if (!scene.open || !units) return;
    const spots = this.spots(scene.open, units, camera, aside(scene.reach));
    if (!spots.length) return;
    const box: Box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const spot of spots) {
      box[0] = Math.min(box[0], spot.x - spot.size * 0.6);
      box[1] = Math.min(box[1], spot.y - spot.size * 0.6);
      box[2] = Math.max(box[2], spot.x + spot.size * 0.6);
      box[3] = Math.max(box[3], spot.y + spot.size * 0.6);
    }
    const from = camera.toScreen({ x: box[0], y: box[1] });
    const to = camera.toScreen({ x: box[2], y: box[3] });
    pen.fillStyle = "rgba(38, 33, 24, 0.82)";
    pen.beginPath();
    pen.roundRect(from.x, from.y, to.x - from.x, to.y - from.y, 8);
    pen.fill();
    for (const spot of spots) {
      const pixels = Math.round(spot.size * camera.scale * ratio);
      const side = pixels / ratio;
      const p = camera.toScreen(spot);
      this.glow(pen, scene, spot.unit, p, side, [spot.unit]);
      this.counter(pen, spot.unit, scene.done.has(spot.unit.id), pixels, p.x - side / 2, p.y - side / 2, side, "all");
    }
  }

  /** The side of a counter, in pixels. */
  side(scale: number): number {
    return this.counterSize * scale;
  }

  /** What is dragged, under the pointer, or on its way. */
  ghost(pen: CanvasRenderingContext2D, scale: number, ghost: NonNullable<Scene["ghost"]>, ratio: number, alpha = 0.8): void {
    const pixels = Math.round(this.counterSize * scale * ratio);
    const side = pixels / ratio;
    pen.globalAlpha = alpha;
    ghost.units.forEach((unit, k) => {
      this.counter(pen, unit, false, pixels, ghost.at.x - side / 2 + k * 4, ghost.at.y - side / 2 - k * 4, side, detailAt(scale));
    });
    pen.globalAlpha = 1;
  }

  /** The side of a counter on the map, in pixels of the screen. */
  private pixels(scale: number, ratio: number): number {
    return Math.max(6, Math.round(this.counterSize * scale * ratio));
  }

  private prepare(unit: Unit, scene: Scene, scale: number, drawn: number): void {
    const counter = this.kit.counters[unit.id];
    if (counter && unit.hex) this.sprites.get(unit, counter, scene.done.has(unit.id), drawn, detailAt(scale));
  }

  /** Draw the picture of a counter that is not in sight yet. */
  foresee(unit: Unit, scene: Scene, scale: number, ratio: number): void {
    this.prepare(unit, scene, scale, this.pixels(scale, ratio));
  }
}

/** Whether a stack in this hex may reach into a box. */
const near = (box: Box, { x, y }: Point): boolean => x > box[0] - 1 && y > box[1] - 1 && x < box[2] + 1 && y < box[3] + 1;
