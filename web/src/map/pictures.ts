/** The map's pictures, coarse to fine: each is fetched when the zoom first needs it. */
import type { Kit } from "../lib/types";

interface Level {
  url: string;
  width: number;
  /** Decoded pixels: an image element would be decoded anew for every scale it is drawn at. */
  image: ImageBitmap | null;
  sent: boolean;
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
      sent: false,
    }));
    if (this.levels[0]) this.fetch(this.levels[0]);
  }

  private readonly span: number;

  private fetch(level: Level): void {
    level.sent = true;
    fetch(level.url)
      .then((answer) => {
        if (!answer.ok) throw new Error(answer.statusText);
        return answer.blob();
      })
      .then((blob) => createImageBitmap(blob))
      .then(
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
