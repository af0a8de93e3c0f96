/** The map's pictures: square tiles at several sizes, each fetched when it is first shown, the coarsest at once. A server
 *  without a picture library sends the map as SVG only; then the pictures are made here, one for the whole map. */
import type { Box, MapInfo } from "../lib/types";
import { Scaler } from "./scaler";

interface Level {
  /** Pixels a hex. */
  scale: number;
  columns: number;
  rows: number;
  /** Of a tile, in hex widths. */
  width: number;
  height: number;
  load: (column: number, row: number) => Promise<ImageBitmap>;
}

/** A tile by its place. */
interface Place {
  level: number;
  column: number;
  row: number;
}

interface Tile {
  /** Decoded pixels: an image element would be decoded anew for every scale it is drawn at. */
  image: ImageBitmap | null;
  state: "wanted" | "sent" | "there" | "failed";
  used: number;
  /** Whether it has been in sight: what comes before that changes no picture. */
  seen: boolean;
}

/** How many tiles are kept: a megabyte each, for a map of thousands. */
const KEPT = 160;
/** So many of them may be sent for before they come into sight. */
const AHEAD = 64;
/** Milliseconds in which a tile comes where the line is quick. */
const QUICK = 250;
/** So many tiles that have come last say how quick the line is, and so few already do. */
const SAMPLE = 4;
const ENOUGH = 2;
/** Requests at a time for what nobody has asked for. Where the line is slow, or the server draws what is
 *  sent for, there is one, and then a pause. */
const AT_LEISURE = 2;
/** How long that pause is, in parts of what the tile took. */
const PAUSE = 2;
/** How much nearer or farther a step of zoom takes the view. */
const STEP = 1.35;
/** Requests at a time: browsers allow six, and one stays free for what the table says. */
const AT_ONCE = 5;

async function fetched(url: string): Promise<ImageBitmap> {
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

function levels(map: MapInfo): Level[] {
  const [left, top, right, bottom] = map.box;
  const tiles = map.tiles;
  if (!tiles) {
    return map.widths.map((width) => ({
      scale: width / (right - left), columns: 1, rows: 1, width: right - left, height: bottom - top,
      load: () => painted(map.svg, width),
    }));
  }
  return tiles.levels.map(({ scale, columns, rows }, level) => ({
    scale, columns, rows, width: tiles.size / scale, height: tiles.size / scale,
    load: (column, row) =>
      fetched(tiles.url.replace("{level}", `${level}`).replace("{column}", `${column}`).replace("{row}", `${row}`)),
  }));
}

export class Pictures {
  /** Rises whenever a picture has come: what was painted before may be painted better. */
  version = 0;
  private readonly levels: Level[];
  private readonly box: Box;
  private readonly tiles = new Map<string, Tile>();
  private sending = 0;
  private clock = 0;
  private queue: Place[] = [];
  /** What may be wanted next, after what is. */
  private later: Place[] = [];
  private told = false;
  /** Milliseconds that the last tiles took to come, as the browser saw it: a page that is busy asks late and listens late. */
  private took: number[] = [];
  private readonly line = new PerformanceObserver((seen) => {
    const tiles = (seen.getEntries() as PerformanceResourceTiming[]).filter((each) => each.name.includes("/tiles/"));
    this.took = [...this.took, ...tiles.map((each) => each.responseEnd - (each.requestStart || each.startTime))].slice(-SAMPLE);
  });
  /** The line is left to others for a moment. */
  private pausing = false;
  /** Copies of tiles at the size in which they are shown; when all are there, the picture is painted with them. */
  private readonly scaler = new Scaler(() => {
    if (!this.rested || this.rested.exact || !this.exact(this.rested.view, this.rested.scale, this.rested.ratio)) return;
    this.rested.exact = true;
    this.version++;
    this.tell();
  });
  private rested: { goal: number; view: Box; scale: number; ratio: number; exact: boolean } | null = null;

  constructor(
    map: MapInfo,
    private readonly loaded: () => void,
  ) {
    this.box = map.box;
    this.levels = levels(map);
    this.line.observe({ type: "resource" });
    this.want(0, this.levels[0] ? this.within(this.levels[0], this.box) : [], this.box);
  }

  /** The whole map is there, if only coarsely. */
  get ready(): boolean {
    const coarse = this.levels[0];
    return !!coarse && this.within(coarse, this.box).every(([column, row]) => this.at(0, column, row)?.image);
  }

  /** Paint what lies in view, at `scale` CSS pixels a hex, with the best pictures at hand. Better ones are sent for. */
  paint(pen: CanvasRenderingContext2D, view: Box, scale: number, ratio: number): void {
    this.clock++;
    const goal = this.goal(scale * ratio);
    const seen = this.within(this.levels[goal]!, view);
    for (const [column, row] of seen) {
      const tile = this.at(goal, column, row);
      if (tile) tile.seen = true;
    }
    // Coarse pictures under fine ones that are still on their way.
    const gaps = seen.some(([column, row]) => !this.at(goal, column, row)?.image);
    for (let k = gaps ? 0 : goal; k <= goal; k++) {
      const level = this.levels[k]!;
      for (const [column, row] of k === goal ? seen : this.within(level, view)) this.lay(pen, k, column, row, view, scale, ratio);
    }
    this.want(goal, seen, view);
  }

  /** The view rests here, at this scale: what surrounds it, what a step of zoom would show, and copies of the tiles at
   *  the size in which they are shown are made ready. */
  rest(view: Box, scale: number, ratio: number): void {
    const goal = this.goal(scale * ratio);
    const level = this.levels[goal]!;
    this.scaler.at(scale * ratio);
    this.rested = { goal, view, scale, ratio, exact: this.exact(view, scale, ratio) };
    const middle = { x: (view[0] + view[2]) / 2, y: (view[1] + view[3]) / 2 };
    const places = (number: number, box: Box): Place[] => {
      const { width, height } = this.levels[number]!;
      const far = ([column, row]: [number, number]): number =>
        Math.hypot(this.box[0] + (column + 0.5) * width - middle.x, this.box[1] + (row + 0.5) * height - middle.y);
      return this.within(this.levels[number]!, box).sort((a, b) => far(a) - far(b)).map(([column, row]) => ({ level: number, column, row }));
    };
    const wide: Box = [view[0] - level.width, view[1] - level.height, view[2] + level.width, view[3] + level.height];
    const all = places(goal, this.box);
    const finer = goal + 1 < this.levels.length ? places(goal + 1, view) : [];
    const coarser = goal > 0 ? places(goal - 1, wide) : [];
    // What the very next step of zoom would show comes first.
    const [soon, late] = [[] as Place[], [] as Place[]];
    (this.goal(scale * ratio * STEP) > goal ? soon : late).push(...finer);
    (this.goal((scale * ratio) / STEP) < goal ? soon : late).push(...coarser);
    this.later = [...soon, ...places(goal, wide), ...late, ...all]
      .filter((each) => !this.at(each.level, each.column, each.row)).slice(0, AHEAD);
    for (const { column, row } of all) this.prepare(column, row);
    this.send();
  }

  /** Have a copy made of a tile at the size in which it would be shown. */
  private prepare(column: number, row: number): void {
    const { goal, scale, ratio } = this.rested!;
    const image = this.at(goal, column, row)?.image;
    if (image) this.scaler.order(`${goal}/${column}/${row}`, image, ...this.size(goal, scale * ratio));
  }

  /** The whole map, coarsely; nothing is sent for. */
  overview(pen: CanvasRenderingContext2D, scale: number, ratio: number): void {
    const [coarse] = this.levels;
    if (coarse) for (const [column, row] of this.within(coarse, this.box)) this.lay(pen, 0, column, row, this.box, scale, ratio);
  }

  /** Whether everything in view is there in the pictures that it wants, not only in coarser ones. */
  sharp(view: Box, scale: number, ratio: number): boolean {
    const goal = this.goal(scale * ratio);
    return this.within(this.levels[goal]!, view).every(([column, row]) => this.at(goal, column, row)?.image);
  }

  /** Whether all that may be wanted next, where the view is now, has been sent for and has come. */
  foreseen(view: Box, scale: number): boolean {
    const here = this.rested?.scale === scale && this.rested.view.every((edge, k) => edge === view[k]);
    return here && !this.queue.length && !this.later.length && !this.sending;
  }

  close(): void {
    this.line.disconnect();
    this.scaler.close();
  }

  /** Whether the picture of what lies in view can be copied as it is. */
  exact(view: Box, scale: number, ratio: number): boolean {
    const goal = this.goal(scale * ratio);
    return this.within(this.levels[goal]!, view).every(([column, row]) =>
      this.scaler.get(`${goal}/${column}/${row}`, ...this.size(goal, scale * ratio)));
  }

  /** Of a tile at this scale, in whole pixels: a part of one more, so that no seam shows. */
  private size(number: number, pixels: number): [number, number] {
    const { width, height } = this.levels[number]!;
    return [Math.ceil(width * pixels), Math.ceil(height * pixels)];
  }

  private goal(pixels: number): number {
    const found = this.levels.findIndex((level) => level.scale >= pixels * 0.75);
    return found < 0 ? this.levels.length - 1 : found;
  }

  private within(level: Level, [left, top, right, bottom]: Box): [number, number][] {
    const column = (x: number): number => Math.floor((x - this.box[0]) / level.width);
    const row = (y: number): number => Math.floor((y - this.box[1]) / level.height);
    const found: [number, number][] = [];
    for (let r = Math.max(0, row(top)); r <= Math.min(level.rows - 1, row(bottom)); r++) {
      for (let c = Math.max(0, column(left)); c <= Math.min(level.columns - 1, column(right)); c++) found.push([c, r]);
    }
    return found;
  }

  private at(level: number, column: number, row: number): Tile | undefined {
    return this.tiles.get(`${level}/${column}/${row}`);
  }

  private lay(
    pen: CanvasRenderingContext2D, number: number, column: number, row: number, view: Box, scale: number, ratio: number,
  ): void {
    const tile = this.at(number, column, row);
    if (!tile?.image) return;
    tile.used = this.clock;
    const { width, height } = this.levels[number]!;
    // On whole pixels, so that no seam shows between tiles.
    const whole = (length: number): number => Math.round(length * scale * ratio) / ratio;
    const x = whole(this.box[0] + column * width - view[0]);
    const y = whole(this.box[1] + row * height - view[1]);
    const right = whole(this.box[0] + (column + 1) * width - view[0]);
    const bottom = whole(this.box[1] + (row + 1) * height - view[1]);
    const exact = this.scaler.get(`${number}/${column}/${row}`, ...this.size(number, scale * ratio));
    if (exact) pen.drawImage(exact, x, y, exact.width / ratio, exact.height / ratio);
    else pen.drawImage(tile.image, x, y, right - x, bottom - y);
  }

  /** Send for what is missing: the coarsest first, then what is nearest to the middle of the window. */
  private want(goal: number, seen: [number, number][], view: Box): void {
    const middle = { x: (view[0] + view[2]) / 2, y: (view[1] + view[3]) / 2 };
    const level = this.levels[goal];
    if (!level) return;
    const far = ([column, row]: [number, number]): number =>
      Math.hypot(this.box[0] + (column + 0.5) * level.width - middle.x, this.box[1] + (row + 0.5) * level.height - middle.y);
    const first = this.ready ? [] : this.within(this.levels[0]!, this.box).map(([column, row]) => ({ level: 0, column, row }));
    const then = [...seen].sort((a, b) => far(a) - far(b)).map(([column, row]) => ({ level: goal, column, row }));
    // Finer pictures wait until the coarse one is on screen: they would only compete with it.
    this.queue = (first.length ? first : then).filter((each) => {
      const state = this.at(each.level, each.column, each.row)?.state;
      return !state || state === "wanted";
    });
    this.send();
  }

  private send(): void {
    while (this.sending < AT_ONCE) {
      const wanted = this.queue.shift();
      const place = wanted ?? (this.leisure ? this.later.shift() : undefined);
      if (!place) break;
      if (!wanted && this.at(place.level, place.column, place.row)) continue;
      this.fetch(place, !wanted);
    }
    this.forget();
  }

  /** Whether something may be sent for that nobody has asked for. */
  private get leisure(): boolean {
    const line = (navigator as { connection?: { saveData?: boolean } }).connection;
    return !line?.saveData && (this.quick ? this.sending < AT_LEISURE : !this.sending && !this.pausing);
  }

  private get quick(): boolean {
    return this.took.length >= ENOUGH && Math.max(...this.took) < QUICK;
  }

  private fetch({ level, column, row }: Place, ahead: boolean): void {
    const tile: Tile = { image: null, state: "sent", used: this.clock, seen: !ahead };
    this.tiles.set(`${level}/${column}/${row}`, tile);
    this.sending++;
    const began = performance.now();
    this.levels[level]!.load(column, row).then(
      (image) => {
        tile.image = image;
        tile.state = "there";
        if (level === this.rested?.goal) this.prepare(column, row);
        if (!tile.seen) return;
        this.version++;
        this.tell();
      },
      () => {
        tile.state = "failed";
        setTimeout(() => {
          tile.state = "wanted";
          this.tell();
        }, 4000);
      },
    ).finally(() => {
      this.sending--;
      if (ahead && !this.quick) this.pause(PAUSE * (performance.now() - began));
      this.send();
    });
  }

  private pause(time: number): void {
    this.pausing = true;
    setTimeout(() => {
      this.pausing = false;
      this.send();
    }, time);
  }

  /** Several pictures that come together are told of once. */
  private tell(): void {
    if (this.told) return;
    this.told = true;
    requestAnimationFrame(() => {
      this.told = false;
      this.loaded();
    });
  }

  /** The pictures that were not shown for longest make room; the coarsest stay. */
  private forget(): void {
    if (this.tiles.size <= KEPT) return;
    const old = [...this.tiles].filter(([key, tile]) => tile.state === "there" && !key.startsWith("0/"));
    old.sort(([, a], [, b]) => a.used - b.used);
    for (const [key, tile] of old.slice(0, this.tiles.size - KEPT)) {
      if (tile.used === this.clock) return;
      tile.image?.close();
      this.tiles.delete(key);
    }
  }
}
