/** Paints the table: map picture, overlays, counters, what the hand holds. It decides nothing. */
import type { Box, Drawn, Unit } from "../lib/types";
import type { Camera } from "./camera";
import type { Liveries } from "./colours";
import { cursor, highlights, reach, tint } from "./fields";
import { FrontLine } from "./front";
import { corners, type HexIndex, type Point } from "./geometry";
import { PAPER } from "./glide";
import { Ground } from "./ground";
import { labels } from "./labels";
import { aims, arrows, supply, trails, way } from "./lines";
import { flags, markers } from "./markers";
import { marks } from "./marks";
import { Mosaic } from "./mosaic";
import type { Pictures } from "./pictures";
import type { Easel, Scene, Spot } from "./scene";
import { aside, Stacks } from "./stacks";

/** A picture of the window as it stays; of more than the window, to be copied while the view moves; the same while the zoom
 *  changes, with counters of few sizes. */
export type Care = "fine" | "wide" | "coarse";

export class Painter {
  private readonly shape: Point[];
  private readonly ground: Ground;
  private readonly stacks: Stacks;
  private readonly front = new FrontLine();

  constructor(
    private readonly kit: Drawn,
    private readonly index: HexIndex,
    private readonly liveries: Liveries,
    pictures: Pictures,
  ) {
    this.ground = new Ground(pictures, kit.map.box, new Mosaic(kit));
    this.stacks = new Stacks(kit, liveries);
    this.shape = corners(kit.flat);
  }

  spots(hex: string, units: readonly Unit[], camera: Camera, reach: Scene["reach"]): Spot[] {
    return this.stacks.spots(hex, units, camera, aside(reach));
  }

  top(hex: string, count: number, camera: Camera): { x: number; y: number; size: number } | null {
    return this.stacks.top(hex, count, camera);
  }

  /** The side of a counter, in pixels. */
  side(scale: number): number {
    return this.stacks.side(scale);
  }

  /** Counters on their way, in a picture of their own. */
  carried(pen: CanvasRenderingContext2D, scale: number, ghost: NonNullable<Scene["ghost"]>, ratio: number): void {
    this.stacks.ghost(pen, scale, ghost, ratio, 1);
  }

  /** Counters are drawn before they come into sight, from one on until there is no more time; which comes next. */
  foresee(units: readonly Unit[], from: number, scene: Scene, scale: number, ratio: number, late: () => boolean): number {
    let next = from;
    while (next < units.length && !late()) this.stacks.foresee(units[next++]!, scene, scale, ratio);
    return next;
  }

  /** Paint anew what lies in a few boxes, in hex widths; the rest of the picture is as it should be. */
  mend(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene, ratio: number, now: number, boxes: readonly Box[]): void {
    for (const box of boxes) {
      const a = camera.toScreen({ x: box[0], y: box[1] });
      const b = camera.toScreen({ x: box[2], y: box[3] });
      const part = new Path2D();
      pen.setTransform(1, 0, 0, 1, 0, 0);
      const [left, top] = [Math.floor(a.x * ratio), Math.floor(a.y * ratio)];
      part.rect(left, top, Math.ceil(b.x * ratio) - left, Math.ceil(b.y * ratio) - top);
      pen.save();
      pen.clip(part);
      this.paint(pen, camera, scene, ratio, now, "fine", box);
      pen.restore();
    }
  }

  /** True while something moves by itself, and another frame is wanted. */
  paint(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene, ratio: number, now: number, care: Care = "fine", only?: Box): boolean {
    const easel: Easel = { pen, camera, kit: this.kit, index: this.index, shape: this.shape };
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, camera.width, camera.height);
    this.ground.paint(pen, camera, ratio, care !== "fine", !!only);
    for (const overlay of scene.overlays) tint(easel, overlay);
    if (scene.front) this.front.paint(easel, scene);
    reach(easel, scene);
    highlights(easel, scene);
    trails(easel, scene.trails);
    flags(easel, scene, this.liveries);
    markers(easel, scene, this.liveries);
    const moving = this.stacks.paint(easel, scene, ratio, now, care === "coarse", only);
    labels(easel, scene);
    marks(easel, scene);
    aims(easel, scene);
    if (scene.supply) supply(easel, scene.supply);
    arrows(easel, scene);
    way(easel, scene);
    cursor(easel, scene);
    if (scene.open) this.stacks.opened(easel, scene, ratio);
    if (scene.ghost) this.stacks.ghost(pen, camera.scale, scene.ghost, ratio);
    return moving;
  }
}
