/** The map's pictures, coarse to fine: each is fetched when the zoom first needs it. */
import type { Kit } from "../lib/types";

interface Level {
  url: string;
  width: number;
  image: HTMLImageElement | null;
  ready: boolean;
}

export class Pictures {
  private readonly levels: Level[];

  constructor(
    kit: Kit,
    private readonly loaded: () => void,
  ) {
    const [left, , right] = kit.map.box;
    this.span = right - left;
    this.levels = kit.map.png.map(({ url, width }) => ({
      url,
      width,
      image: null,
      ready: false,
    }));
    if (this.levels[0]) this.fetch(this.levels[0]);
  }

  private readonly span: number;

  private fetch(level: Level): void {
    const image = new Image();
    level.image = image;
    image.decoding = "async";
    image.src = level.url;
    image.decode().then(
      () => {
        level.ready = true;
        this.loaded();
      },
      () => {
        level.image = null;
      },
    );
  }

  /** The best picture at hand for this many device pixels a hex. Better ones are sent for. */
  best(pixels: number): HTMLImageElement | null {
    const wanted = this.levels.findIndex((level) => level.width / this.span >= pixels * 0.9);
    const goal = wanted < 0 ? this.levels.length - 1 : wanted;
    const level = this.levels[goal];
    // One at a time: the coarse one must be on screen before finer ones compete with it.
    if (level && !level.image && this.levels[0]?.ready) this.fetch(level);
    for (let k = goal; k >= 0; k--) if (this.levels[k]!.ready) return this.levels[k]!.image;
    for (const finer of this.levels) if (finer.ready) return finer.image;
    return null;
  }
}
