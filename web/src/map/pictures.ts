/** The map's pictures, coarse to fine: each is fetched when the zoom first needs it. A server without a picture
 *  library sends the map as SVG only; then the pictures are made here. */
import type { Kit } from "../lib/types";

interface Level {
  load: () => Promise<ImageBitmap>;
  width: number;
  /** Decoded pixels: an image element would be decoded anew for every scale it is drawn at. */
  image: ImageBitmap | null;
  sent: boolean;
}

async function picture(url: string): Promise<ImageBitmap> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(answer.statusText);
  return createImageBitmap(await answer.blob());
}

/** A drawing painted at this width. Browsers make a bitmap of an SVG only by way of an image and a canvas. */
async function painted(url: string, width: number): Promise<ImageBitmap> {
  const drawing = new Image();
  drawing.src = url;
  await drawing.decode();
  const height = Math.round((width * drawing.naturalHeight) / drawing.naturalWidth);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.drawImage(drawing, 0, 0, width, height);
  return createImageBitmap(canvas);
}

export class Pictures {
  private readonly levels: Level[];

  constructor(
    kit: Kit,
    private readonly loaded: () => void,
  ) {
    const [left, , right] = kit.map.box;
    this.span = right - left;
    const level = (width: number, load: () => Promise<ImageBitmap>): Level => ({ width, load, image: null, sent: false });
    this.levels = kit.map.png.length
      ? kit.map.png.map(({ url, width }) => level(width, () => picture(url)))
      : kit.map.widths.map((width) => level(width, () => painted(kit.map.svg, width)));
    if (this.levels[0]) this.fetch(this.levels[0]);
  }

  private readonly span: number;

  private fetch(level: Level): void {
    level.sent = true;
    level.load().then(
      (image) => {
        level.image = image;
        this.loaded();
      },
      () => setTimeout(() => (level.sent = false), 4000),
    );
  }

  /** The best picture at hand for this many device pixels a hex. Better ones are sent for. */
  best(pixels: number): ImageBitmap | null {
    const wanted = this.levels.findIndex((level) => level.width / this.span >= pixels * 0.9);
    const goal = wanted < 0 ? this.levels.length - 1 : wanted;
    const level = this.levels[goal];
    // One at a time: the coarse one must be on screen before finer ones compete with it.
    if (level && !level.sent && this.levels[0]?.image) this.fetch(level);
    for (let k = goal; k >= 0; k--) if (this.levels[k]!.image) return this.levels[k]!.image;
    for (const finer of this.levels) if (finer.image) return finer.image;
    return null;
  }
}
