/** Tiles of the map at the very size at which they are shown: copied as they are, they cost a tenth of scaling them.
 *  They are made by another thread; until they are there, or where there is none, tiles are scaled as they are painted. */

export interface Order {
  key: string;
  image: ImageBitmap;
  width: number;
  height: number;
}

/** So many pixels are kept; what is wanted beyond that is not made. */
const MOST = 16_000_000;

export class Scaler {
  private worker: Worker | null = null;
  private readonly made = new Map<string, ImageBitmap | null>();
  private scale = 0;
  private pixels = 0;
  private ordered = 0;

  /** `done`: everything ordered is there. */
  constructor(private readonly done: () => void) {}

  /** The picture of this name at this size, if it is there. */
  get(key: string, width: number, height: number): ImageBitmap | null {
    const found = this.made.get(key);
    return found?.width === width && found.height === height ? found : null;
  }

  /** What is made is for pictures at one scale; of others nothing is kept. */
  at(scale: number): void {
    if (this.scale === scale) return;
    this.scale = scale;
    for (const image of this.made.values()) image?.close();
    this.made.clear();
    this.pixels = 0;
  }

  /** Have a picture made at a size. */
  order(key: string, image: ImageBitmap, width: number, height: number): void {
    if (this.made.has(key) || this.pixels + width * height > MOST || !width || !height) return;
    const worker = this.hire();
    if (!worker) return;
    this.made.set(key, null);
    this.pixels += width * height;
    this.ordered++;
    worker.postMessage({ key: `${this.scale} ${key}`, image, width, height } satisfies Order);
  }

  private hire(): Worker | null {
    if (this.worker || typeof OffscreenCanvas === "undefined") return this.worker;
    this.worker = new Worker(new URL("./scaler.worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data: { key, image } }: MessageEvent<{ key: string; image: ImageBitmap }>) => {
      const [scale, name] = key.split(" ") as [string, string];
      if (scale === `${this.scale}` && this.made.has(name)) this.made.set(name, image);
      else image.close();
      if (!--this.ordered) this.done();
    };
    return this.worker;
  }

  close(): void {
    this.at(0);
    this.worker?.terminate();
    this.worker = null;
  }
}
