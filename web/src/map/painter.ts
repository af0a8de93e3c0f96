/** Paints the table: map picture, overlays, counters, what the hand holds. It decides nothing. */
import type { Drawn, Unit } from "../lib/types";
import type { Camera } from "./camera";
import type { Liveries } from "./colours";
import { cursor, highlights, reach, tint } from "./fields";
import { FrontLine } from "./front";
import { corners, type HexIndex, type Point } from "./geometry";
import { PAPER } from "./glide";
import { Ground } from "./ground";
import { labels } from "./labels";
import { arrows, supply, trails, way } from "./lines";
import { flags, markers } from "./markers";
import type { Pictures } from "./pictures";
import type { Easel, Scene, Spot } from "./scene";
import { aside, Stacks } from "./stacks";

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
    this.ground = new Ground(pictures, kit.map.box);
    this.stacks = new Stacks(kit, liveries);
    this.shape = corners(kit.flat);
  }

  spots(hex: string, units: readonly Unit[], camera: Camera, reach: Scene["reach"]): Spot[] {
    return this.stacks.spots(hex, units, camera, aside(reach));
  }

  top(hex: string, count: number, camera: Camera): { x: number; y: number; size: number } | null {
    return this.stacks.top(hex, count, camera);
  }

  /** Counters away from their hexes: dragged, or on their way. */
  carried(pen: CanvasRenderingContext2D, camera: Camera, ghost: NonNullable<Scene["ghost"]>, ratio: number): void {
    this.stacks.ghost({ pen, camera, kit: this.kit, index: this.index, shape: this.shape }, ghost, ratio, 1);
  }

  /** The way that somebody is going. */
  trail(pen: CanvasRenderingContext2D, camera: Camera, path: readonly string[]): void {
    trails({ pen, camera, kit: this.kit, index: this.index, shape: this.shape }, [path]);
  }

  /** True while something moves by itself, and another frame is wanted. */
  paint(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene, ratio: number, now: number, direct = false): boolean {
    const easel: Easel = { pen, camera, kit: this.kit, index: this.index, shape: this.shape };
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, camera.width, camera.height);
    this.ground.paint(pen, camera, ratio, direct);
    for (const overlay of scene.overlays) tint(easel, overlay);
    if (scene.front) this.front.paint(easel, scene);
    reach(easel, scene);
    highlights(easel, scene);
    trails(easel, scene.trails);
    flags(easel, scene, this.liveries);
    markers(easel, scene, this.liveries);
    const moving = this.stacks.paint(easel, scene, ratio, now, direct);
    labels(easel, scene);
    if (scene.supply) supply(easel, scene.supply);
    arrows(easel, scene);
    way(easel, scene);
    cursor(easel, scene);
    if (scene.open) this.stacks.opened(easel, scene, ratio);
    if (scene.ghost) this.stacks.ghost(easel, scene.ghost, ratio);
    return moving;
  }
}
