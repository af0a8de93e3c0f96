/** The map picture at the scale in use, kept so that panning only copies pixels. */
import type { Box } from "../lib/types";
import type { Camera } from "./camera";
import { PAPER } from "./glide";
import type { Mosaic } from "./mosaic";
import type { Pictures } from "./pictures";

/** How much more than the window is kept, on each side. */
const MARGIN = 0.35;
/** Milliseconds. */
const BRIEF = 600;

export class Ground {
  private readonly sheet = document.createElement("canvas");
  private made = -1e9;
  private exact = false;
  private kept: { version: number; scale: number; ratio: number; view: Box } | null = null;

  constructor(
    private readonly pictures: Pictures,
    private readonly box: Box,
    /** What is painted until the whole map is there as a picture. */
    private readonly mosaic: Mosaic | null = null,
  ) {}

  /** `direct`: for a picture that will be kept itself and is wider than the window already. `again`: a part of the picture
   *  painted last, as it was painted then. */
  paint(pen: CanvasRenderingContext2D, camera: Camera, ratio: number, direct: boolean, again = false): void {
    const half = { x: camera.width / 2 / camera.scale, y: camera.height / 2 / camera.scale };
    const view: Box = [camera.x - half.x, camera.y - half.y, camera.x + half.x, camera.y + half.y];
    const kept = this.kept;
    const same = kept && kept.version === this.pictures.version && kept.scale === camera.scale && kept.ratio === ratio;
    const fits =
      same && kept.view[0] <= view[0] && kept.view[1] <= view[1] && kept.view[2] >= view[2] && kept.view[3] >= view[3];
    // Tiles that need no scaling are copied as fast as a kept picture of them would be.
    if (!again) this.exact = this.pictures.exact(view, camera.scale, ratio);
    if (this.exact) {
      this.draw(pen, view, camera.scale, ratio);
      return;
    }
    // While the zoom changes nothing drawn now will serve again; while the view only wanders, it will.
    if (direct && !same) {
      this.draw(pen, view, camera.scale, ratio);
      return;
    }
    if (!fits) this.keep(camera.scale, view, ratio, direct || this.jumping() ? MARGIN / 7 : MARGIN);
    const [left, top] = this.kept!.view;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(
      this.sheet, Math.round((left - view[0]) * camera.scale * ratio), Math.round((top - view[1]) * camera.scale * ratio),
    );
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Whether the last picture served for a moment only: what lies around the next is not drawn beforehand. */
  private jumping(): boolean {
    const now = performance.now();
    const soon = now - this.made < BRIEF;
    this.made = now;
    return soon;
  }

  private keep(scale: number, view: Box, ratio: number, margin: number): void {
    const mx = (view[2] - view[0]) * margin;
    const my = (view[3] - view[1]) * margin;
    const wide: Box = [view[0] - mx, view[1] - my, view[2] + mx, view[3] + my];
    this.sheet.width = Math.ceil((wide[2] - wide[0]) * scale * ratio);
    this.sheet.height = Math.ceil((wide[3] - wide[1]) * scale * ratio);
    this.kept = { version: this.pictures.version, scale, ratio, view: wide };
    const pen = this.sheet.getContext("2d", { alpha: false });
    if (!pen) return;
    pen.scale(ratio, ratio);
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, this.sheet.width, this.sheet.height);
    this.draw(pen, wide, scale, ratio);
  }

  private draw(pen: CanvasRenderingContext2D, view: Box, scale: number, ratio: number): void {
    // Nothing beyond the sheet.
    const [x0, y0, x1, y1] = this.box;
    const from = { x: (x0 - view[0]) * scale, y: (y0 - view[1]) * scale };
    pen.save();
    pen.beginPath();
    pen.rect(from.x, from.y, (x1 - x0) * scale, (y1 - y0) * scale);
    pen.clip();
    pen.fillStyle = "#f2e9d4";
    pen.fillRect(from.x, from.y, (x1 - x0) * scale, (y1 - y0) * scale);
    if (!this.pictures.ready) this.mosaic?.paint(pen, view, scale);
    // The tiles are within a factor of two of what is wanted, and copies made with more care are on their way.
    pen.imageSmoothingQuality = "low";
    this.pictures.paint(pen, view, scale, ratio);
    pen.restore();
  }
}
