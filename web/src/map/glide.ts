/** Moving the view without painting it anew: a wider picture of the table is kept and copied, scaled while the
 *  zoom changes. What rests is always painted finely. */
import type { Box } from "../lib/types";
import { Camera } from "./camera";

/** How much more than the window is kept, on each side, in parts of the window. */
const MARGIN = 0.3;
/** Beyond these the copy would look coarse, or lack detail. */
const SCALES = [0.55, 1.9] as const;

/** What lies around the map. */
export const PAPER = "#d8cfb8";

export class Glide {
  private readonly sheet = document.createElement("canvas");
  private kept: { scene: object; scale: number; ratio: number; box: Box } | null = null;

  /** Something other than the view has changed. */
  forget(): void {
    this.kept = null;
  }

  /** Copy the kept picture, or have a new one painted first: of what lies around, or of all that the view will pass. */
  show(
    pen: CanvasRenderingContext2D, camera: Camera, map: Box, scene: object, ratio: number, way: Box | null,
    paint: (pen: CanvasRenderingContext2D, camera: Camera) => void,
  ): void {
    const half = { x: camera.width / 2 / camera.scale, y: camera.height / 2 / camera.scale };
    if (!this.serves(camera, half, map, scene, ratio)) this.renew(camera, map, scene, ratio, way ?? around(camera, half), paint);
    const { box, scale } = this.kept!;
    const factor = camera.scale / scale;
    const x = (box[0] - (camera.x - half.x)) * camera.scale * ratio;
    const y = (box[1] - (camera.y - half.y)) * camera.scale * ratio;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, camera.width * ratio, camera.height * ratio);
    if (factor === 1) pen.drawImage(this.sheet, Math.round(x), Math.round(y));
    else pen.drawImage(this.sheet, x, y, this.sheet.width * factor, this.sheet.height * factor);
  }

  /** Whether the picture at hand covers what the window shows of the map. */
  private serves(camera: Camera, half: { x: number; y: number }, map: Box, scene: object, ratio: number): boolean {
    const kept = this.kept;
    if (!kept || kept.scene !== scene || kept.ratio !== ratio) return false;
    const factor = camera.scale / kept.scale;
    return (
      factor >= SCALES[0] && factor <= SCALES[1] &&
      kept.box[0] <= Math.max(map[0], camera.x - half.x) && kept.box[1] <= Math.max(map[1], camera.y - half.y) &&
      kept.box[2] >= Math.min(map[2], camera.x + half.x) && kept.box[3] >= Math.min(map[3], camera.y + half.y)
    );
  }

  private renew(
    camera: Camera, map: Box, scene: object, ratio: number, box: Box,
    paint: (pen: CanvasRenderingContext2D, camera: Camera) => void,
  ): void {
    const wide = new Camera(map);
    wide.scale = camera.scale;
    wide.width = Math.ceil((box[2] - box[0]) * camera.scale);
    wide.height = Math.ceil((box[3] - box[1]) * camera.scale);
    const reach = { x: wide.width / 2 / camera.scale, y: wide.height / 2 / camera.scale };
    wide.x = box[0] + reach.x;
    wide.y = box[1] + reach.y;
    this.sheet.width = Math.round(wide.width * ratio);
    this.sheet.height = Math.round(wide.height * ratio);
    const pen = this.sheet.getContext("2d", { alpha: false });
    if (!pen) return;
    paint(pen, wide);
    this.kept = { scene, scale: camera.scale, ratio, box: [box[0], box[1], wide.x + reach.x, wide.y + reach.y] };
  }
}

/** More than the window shows. */
function around(camera: Camera, half: { x: number; y: number }): Box {
  const more = 1 + 2 * MARGIN;
  return [camera.x - half.x * more, camera.y - half.y * more, camera.x + half.x * more, camera.y + half.y * more];
}
