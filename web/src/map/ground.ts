/** The map picture at the scale in use, kept so that panning only copies pixels. */
import type { Box } from "../lib/types";
import type { Camera } from "./camera";
import { PAPER } from "./glide";
import type { Pictures } from "./pictures";

/** How much more than the window is kept, on each side. */
const MARGIN = 0.35;

export class Ground {
  private readonly sheet = document.createElement("canvas");
  private kept: { picture: ImageBitmap; scale: number; ratio: number; left: number; top: number; right: number; bottom: number } | null = null;

  constructor(
    private readonly pictures: Pictures,
    private readonly box: Box,
  ) {}

  /** `direct`: for a picture that will be kept itself, so that none need be kept here. */
  paint(pen: CanvasRenderingContext2D, camera: Camera, ratio: number, direct: boolean): void {
    const picture = this.pictures.best(camera.scale * ratio);
    if (!picture) {
      const from = camera.toScreen({ x: this.box[0], y: this.box[1] });
      const to = camera.toScreen({ x: this.box[2], y: this.box[3] });
      pen.fillStyle = "#f2e9d4";
      pen.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
      return;
    }
    const half = { x: camera.width / 2 / camera.scale, y: camera.height / 2 / camera.scale };
    const view = { left: camera.x - half.x, top: camera.y - half.y, right: camera.x + half.x, bottom: camera.y + half.y };
    const kept = this.kept;
    const fits =
      kept && kept.picture === picture && kept.scale === camera.scale && kept.ratio === ratio &&
      kept.left <= view.left && kept.top <= view.top && kept.right >= view.right && kept.bottom >= view.bottom;
    if (!fits && direct) {
      this.draw(pen, picture, view, camera.scale, camera.width, camera.height);
      return;
    }
    if (!fits) this.keep(picture, camera, view, ratio);
    const at = this.kept!;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.sheet, Math.round((at.left - view.left) * camera.scale * ratio), Math.round((at.top - view.top) * camera.scale * ratio));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  private keep(
    picture: ImageBitmap, camera: Camera,
    view: { left: number; top: number; right: number; bottom: number }, ratio: number,
  ): void {
    const mx = (view.right - view.left) * MARGIN;
    const my = (view.bottom - view.top) * MARGIN;
    const wide = { left: view.left - mx, top: view.top - my, right: view.right + mx, bottom: view.bottom + my };
    const width = (wide.right - wide.left) * camera.scale;
    const height = (wide.bottom - wide.top) * camera.scale;
    this.sheet.width = Math.ceil(width * ratio);
    this.sheet.height = Math.ceil(height * ratio);
    const pen = this.sheet.getContext("2d", { alpha: false });
    if (!pen) return;
    pen.scale(ratio, ratio);
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, width, height);
    pen.imageSmoothingQuality = "high";
    this.draw(pen, picture, wide, camera.scale, width, height);
    this.kept = { picture, scale: camera.scale, ratio, ...wide };
  }

  /** Only the part in sight: scaling the rest would cost more than the whole frame. */
  private draw(
    pen: CanvasRenderingContext2D, picture: ImageBitmap, view: { left: number; top: number },
    scale: number, width: number, height: number,
  ): void {
    const [x0, y0, x1, y1] = this.box;
    const from = { x: (x0 - view.left) * scale, y: (y0 - view.top) * scale };
    const to = { x: (x1 - view.left) * scale, y: (y1 - view.top) * scale };
    const kx = picture.width / (to.x - from.x);
    const ky = picture.height / (to.y - from.y);
    const left = Math.max(0, from.x);
    const top = Math.max(0, from.y);
    const right = Math.min(width, to.x);
    const bottom = Math.min(height, to.y);
    if (right <= left || bottom <= top) return;
    pen.drawImage(
      picture,
      (left - from.x) * kx, (top - from.y) * ky, (right - left) * kx, (bottom - top) * ky,
      left, top, right - left, bottom - top,
    );
  }
}
