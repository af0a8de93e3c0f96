/** Counters as small pictures, drawn once for each look and size and then only copied. */
import type { Badge, Counter, Drawn, Unit } from "../lib/types";
import type { Dress, Liveries } from "./colours";
import { symbol, type Pen } from "./symbols";

/** All that decides how a counter looks. */
export interface Look {
  side: string;
  nation: string;
  kind: string;
  size: string;
  name: string;
  corps: string;
  strengths: string;
  reduced: boolean;
  elite: boolean;
  badges: string;
  done: boolean;
}

const SANS = "'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";

/** The numbers that a counter shows: those the server says or, failing that, those printed for its strength. */
export function face(unit: Unit, counter: Counter): string[] {
  const lost = counter.faces.length - (unit.steps ?? counter.faces.length);
  return unit.face ?? counter.faces[Math.max(0, lost)] ?? [counter.movement];
}

export function look(unit: Unit, counter: Counter, done = false): Look {
  return {
    side: unit.side,
    nation: counter.nation ?? "",
    kind: unit.kind,
    size: counter.size,
    name: counter.name,
    corps: counter.corps ?? "",
    strengths: face(unit, counter).join("-"),
    reduced: unit.steps != null && unit.steps < counter.faces.length,
    elite: counter.elite ?? false,
    badges: unit.badges.join(" "),
    done,
  };
}

/** What a picture of a counter is drawn with. */
export interface Palette {
  liveries: Liveries;
  badges: Drawn["badges"];
  kinds: Drawn["kinds"];
}

/** How much of a counter is drawn: its kind; its kind and its numbers, as large as they go; everything. */
export type Detail = "chip" | "numbers" | "all";

/** What can be made out of a counter on the map, by pixels a hex. */
export const detailAt = (scale: number): Detail => (scale < 22 ? "chip" : scale < 44 ? "numbers" : "all");

/** Below this many pixels not even a kind can be made out. */
const BLOCK = 9;
/** Below this many pixels the small print is left out. */
const SMALL_PRINT = 44;
/** Below this many pixels only badges that warn are drawn. */
const FULL_PRINT = 84;

export function drawCounter(pen: Pen, face: Look, size: number, palette: Palette, detail: Detail = "all"): void {
  const style = palette.liveries.of(face.side, face.nation);
  const worn = face.badges.split(" ").map((id) => palette.badges[id]).filter((badge): badge is Badge => !!badge);
  const radius = size * 0.07;
  pen.save();
  pen.lineJoin = "round";
  pen.beginPath();
  pen.roundRect(0, 0, size, size, radius);
  pen.fillStyle = style.body;
  pen.fill();
  pen.save();
  pen.clip();
  bar(pen, style, size);
  if (face.reduced) band(pen, size);
  pen.restore();
  const kind = palette.kinds[face.kind]?.symbol ?? face.kind;
  if (face.corps && detail !== "chip") formation(pen, face.corps, size);
  if (size < BLOCK) ticks(pen, face, style, size);
  else if (detail === "chip") box(pen, face, style, size, kind, [0.14, 0.24, 0.72, 0.5]);
  else if (detail === "numbers") {
    box(pen, face, style, size, kind, [0.22, 0.13, 0.56, 0.34]);
    strengths(pen, face, style, size, 0.46, 0.745);
  } else details(pen, face, style, size, kind);
  if (face.done || worn.some((each) => each.tone === "spent")) {
    pen.beginPath();
    pen.roundRect(0, 0, size, size, radius);
    pen.fillStyle = "rgba(244, 238, 222, 0.24)";
    pen.fill();
  }
  const told = worn.filter((each) => each.tone === "warning" || each.tone === "danger" || size >= FULL_PRINT);
  if (detail !== "chip") told.slice(0, 3).forEach((each, k) => badge(pen, size, each, k));
  pen.beginPath();
  pen.roundRect(0.5, 0.5, size - 1, size - 1, radius);
  pen.lineWidth = Math.max(1, size * 0.018);
  pen.strokeStyle = style.edge;
  pen.stroke();
  pen.restore();
}

function bar(pen: Pen, style: Dress, size: number): void {
  pen.fillStyle = style.bar;
  if (style.barAt === "top") pen.fillRect(0, 0, size, size * 0.09);
  if (style.barAt === "left") pen.fillRect(0, 0, size * 0.09, size);
}

function band(pen: Pen, size: number): void {
  pen.beginPath();
  pen.moveTo(0, size * 0.78);
  pen.lineTo(0, size);
  pen.lineTo(size * 0.1, size);
  pen.lineTo(size, size * 0.22);
  pen.lineTo(size, 0);
  pen.lineTo(size * 0.9, 0);
  pen.closePath();
  pen.fillStyle = "rgba(255, 253, 244, 0.55)";
  pen.fill();
}

function ticks(pen: Pen, face: Look, style: Dress, size: number): void {
  const count = Math.min(4, face.size.length || 1);
  pen.fillStyle = style.ink;
  for (let k = 0; k < count; k++) {
    pen.fillRect(size * (0.5 + (k - (count - 1) / 2) * 0.22) - size * 0.05, size * 0.35, size * 0.1, size * 0.35);
  }
}

/** Tones that can be told apart, and from both sides of a counter; none is a side's own. */
const FORMATIONS = ["#e8b21e", "#2f7fc1", "#5b9a3d", "#8a4fa3", "#d96f1c", "#17908a", "#c2447e", "#f2eee2"];

/** The parent formation: a bar along the right edge, the same for all that belong together. */
function formation(pen: Pen, name: string, size: number): void {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  pen.fillStyle = FORMATIONS[sum % FORMATIONS.length]!;
  pen.fillRect(size * 0.92, size * 0.06, size * 0.08, size * 0.88);
}

/** The kind of a unit in its box, which takes this part of the counter: left, top, width, height. */
function box(pen: Pen, face: Look, style: Dress, size: number, kind: string, part: readonly [number, number, number, number]): void {
  const [x, y, w, h] = part.map((each) => each * size) as [number, number, number, number];
  const paper = face.elite ? style.bar : style.box;
  const ink = face.elite ? style.box : "#1e1c18";
  pen.fillStyle = paper;
  pen.fillRect(x, y, w, h);
  pen.strokeStyle = ink;
  pen.fillStyle = ink;
  pen.lineWidth = Math.max(1, size * 0.028);
  symbol(pen, kind, x, y, w, h);
  pen.strokeStyle = "#1e1c18";
  pen.strokeRect(x, y, w, h);
}

/** The numbers, of one height whatever they are: more of them are set closer. */
function strengths(pen: Pen, face: Look, style: Dress, size: number, height: number, y: number): void {
  pen.fillStyle = style.ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = `700 ${size * height}px ${SANS}`;
  pen.fillText(face.strengths, size * (style.barAt === "left" ? 0.53 : 0.5), size * y, size * 0.86);
}

function details(pen: Pen, face: Look, style: Dress, size: number, kind: string): void {
  box(pen, face, style, size, kind, [0.27, 0.26, 0.46, 0.29]);
  pen.fillStyle = style.ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  if (size >= SMALL_PRINT) {
    pen.font = `600 ${size * 0.125}px ${SANS}`;
    pen.fillText(face.size, size / 2, size * 0.185);
    sideways(pen, face.name, size * 0.17, size * 0.42, size * 0.125, size * 0.6, -1);
    if (face.corps) sideways(pen, face.corps, size * 0.83, size * 0.42, size * 0.12, size * 0.5, 1);
  }
  strengths(pen, face, style, size, 0.36, 0.8);
}

function sideways(pen: Pen, text: string, x: number, y: number, height: number, most: number, turn: number): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate((turn * Math.PI) / 2);
  pen.font = `600 ${height}px ${SANS}`;
  pen.fillText(text, 0, 0, most);
  pen.restore();
}

/** Paper and ink of a badge: light for warnings, dark for dangers. */
const TONES: Record<Badge["tone"], [string, string]> = {
  warning: ["#ffd43a", "#2b2208"],
  danger: ["#2b2208", "#ffd43a"],
  info: ["#f4f0e2", "#23303a"],
  spent: ["#8d8674", "#fffaf0"],
};

/** Down the right edge, from the top corner. */
function badge(pen: Pen, size: number, worn: Badge, place: number): void {
  const r = size * 0.15;
  const [x, y] = [size - r * 0.95, r * (0.95 + place * 1.9)];
  const [paper, ink] = TONES[worn.tone];
  pen.beginPath();
  if (worn.shape === "square") pen.rect(x - r * 0.85, y - r * 0.85, r * 1.7, r * 1.7);
  else if (worn.shape === "bar") pen.rect(x - r * 0.95, y - r * 0.6, r * 1.9, r * 1.2);
  else if (worn.shape === "disc") pen.arc(x, y, r * 0.92, 0, Math.PI * 2);
  else {
    pen.moveTo(x, y - r);
    pen.lineTo(x + r, worn.shape === "diamond" ? y : y + r * 0.85);
    if (worn.shape === "diamond") pen.lineTo(x, y + r);
    pen.lineTo(x - r, worn.shape === "diamond" ? y : y + r * 0.85);
    pen.closePath();
  }
  pen.fillStyle = paper;
  pen.fill();
  pen.lineWidth = Math.max(1, size * 0.02);
  pen.strokeStyle = ink;
  pen.stroke();
  pen.fillStyle = ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = `800 ${r * 1.15}px ${SANS}`;
  pen.fillText(worn.letter, x, y + r * (worn.shape === "triangle" ? 0.25 : 0.06));
}

/** How far the outline of a counter reaches beyond it, in CSS pixels. */
export const RING = 5;

/** The colour and the width of an outline, and of what lies under it. */
const RINGS = {
  selected: ["#ffd21f", 4.5, "rgba(25, 20, 8, 0.75)"],
  marked: ["#e01f1f", 4, "rgba(25, 20, 8, 0.75)"],
  ready: ["#0a62c9", 2.5, "#ffffff"],
} as const;

/** So many pictures lie in a row of a sheet, and so many rows. */
const ACROSS = 12;
/** A larger picture has a sheet of its own. */
const SHEETED = 160;

/** Pictures of one size on one canvas: a canvas for each would take longer to make than to draw on. */
class Sheet {
  readonly canvas = document.createElement("canvas");
  private readonly pen: CanvasRenderingContext2D | null;
  private readonly across: number;
  private used = 0;

  constructor(private readonly size: number) {
    this.across = size > SHEETED ? 1 : ACROSS;
    this.canvas.width = this.canvas.height = this.across * (size + 1);
    this.pen = this.canvas.getContext("2d");
  }

  get full(): boolean {
    return this.used >= this.across ** 2;
  }

  /** Draw one more, and tell where it is. */
  add(draw: (pen: CanvasRenderingContext2D) => void): { x: number; y: number } {
    const x = (this.used % this.across) * (this.size + 1);
    const y = Math.floor(this.used / this.across) * (this.size + 1);
    this.used++;
    this.pen?.setTransform(1, 0, 0, 1, x, y);
    if (this.pen) draw(this.pen);
    return { x, y };
  }
}

/** A picture on a sheet. */
interface Sprite {
  sheet: HTMLCanvasElement;
  x: number;
  y: number;
}

/** Pictures of counters and what goes with them, by look and size. */
export class Sprites {
  private readonly counters = new Map<string, Sprite>();
  /** The sheet of each size that has room left. */
  private readonly sheets = new Map<number, Sheet>();
  private readonly pictures = new Map<string, HTMLCanvasElement>();
  private readonly palette: Palette;

  constructor(kit: Drawn, liveries: Liveries) {
    this.palette = { liveries, badges: kit.badges, kinds: kit.kinds };
  }

  private make(key: string, size: number, draw: (pen: CanvasRenderingContext2D) => void): HTMLCanvasElement {
    const known = this.pictures.get(key);
    if (known) return known;
    if (this.pictures.size > 1000) this.pictures.clear();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const pen = canvas.getContext("2d");
    if (pen) draw(pen);
    this.pictures.set(key, canvas);
    return canvas;
  }

  /** A unit that has not changed is the same object from one picture to the next: how it looks is put in words once. */
  private readonly looks = new WeakMap<Unit, [string?, string?]>();

  /** The picture of a counter, drawn if need be. A sheet that has been copied from is slow to draw on: who needs many
   *  asks for all of them before the first is painted. */
  get(unit: Unit, counter: Counter, done: boolean, size: number, detail: Detail): Sprite {
    let looks = this.looks.get(unit);
    if (!looks) this.looks.set(unit, (looks = []));
    const words = (looks[done ? 1 : 0] ??= Object.values(look(unit, counter, done)).join("|"));
    const key = `${size}|${detail}|${words}`;
    const known = this.counters.get(key);
    if (known) return known;
    // Zooming passes through many sizes; the old ones are cheap to draw again.
    if (this.counters.size > 4000) {
      this.counters.clear();
      this.sheets.clear();
    }
    let sheet = this.sheets.get(size);
    if (!sheet || sheet.full) this.sheets.set(size, (sheet = new Sheet(size)));
    const place = sheet.add((pen) => drawCounter(pen, look(unit, counter, done), size, this.palette, detail));
    const made = { sheet: sheet.canvas, ...place };
    this.counters.set(key, made);
    return made;
  }

  /** Copy the picture of a counter, `size` pixels wide, to a place on a canvas where it takes `side`. */
  paint(
    pen: CanvasRenderingContext2D, unit: Unit, counter: Counter, done: boolean, size: number, detail: Detail,
    x: number, y: number, side: number,
  ): void {
    const sprite = this.get(unit, counter, done, size, detail);
    pen.drawImage(sprite.sheet, sprite.x, sprite.y, size, size, x, y, side, side);
  }

  shadow(size: number): HTMLCanvasElement {
    return this.make(`shadow|${size}`, size, (pen) => {
      pen.beginPath();
      pen.roundRect(0, 0, size, size, size * 0.07);
      pen.fillStyle = "rgba(30, 22, 10, 0.28)";
      pen.fill();
    });
  }

  /** An outline around a counter, `size` pixels with the ring. */
  ring(kind: keyof typeof RINGS, size: number): HTMLCanvasElement {
    const [colour, width, under] = RINGS[kind];
    return this.make(`${kind}|${size}`, size, (pen) => {
      const inner = size - 2 * RING;
      pen.beginPath();
      pen.roundRect(RING, RING, inner, inner, inner * 0.07);
      pen.lineWidth = width + 2.5;
      pen.strokeStyle = under;
      pen.stroke();
      pen.lineWidth = width;
      pen.strokeStyle = colour;
      pen.stroke();
    });
  }

  /** A number on a dark disc. */
  number(value: number, size: number): HTMLCanvasElement {
    return this.make(`number|${value}|${size}`, size, (pen) => {
      pen.beginPath();
      pen.arc(size / 2, size / 2, size / 2, 0, Math.PI * 2);
      pen.fillStyle = "#23211c";
      pen.fill();
      pen.fillStyle = "#fff8e8";
      pen.font = `700 ${size * 0.65}px ${SANS}`;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(String(value), size / 2, size * 0.53);
    });
  }
}
