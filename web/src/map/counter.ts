/** Counters as small pictures, drawn once for each look and size and then only copied. */
import type { Counter, Unit } from "../lib/types";
import { livery, type Livery } from "./colours";
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
  untried: boolean;
  elite: boolean;
  /** In two grades, where a game has them. */
  supply: "" | "unsupplied" | "isolated";
  done: boolean;
}

const SANS = "'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";

/** In the game's own order: attack-defence-movement, or combat-movement where the two are the same. */
export function strengths(unit: Unit, counter: Counter): string {
  const movement = counter.movement;
  if (unit.untried) return `?-${movement}`;
  const printed = counter.faces[0];
  // Headquarters do not fight: what is printed on them is their radius.
  if (unit.attack === undefined || unit.radius !== undefined) return printed ? printed.join("-") : movement;
  if (printed?.length === 2) return `${unit.attack}-${movement}`;
  return `${unit.attack}-${unit.defence}-${movement}`;
}

export function look(unit: Unit, counter: Counter, done = false): Look {
  return {
    side: unit.side,
    nation: counter.nation ?? "",
    kind: unit.untried ? counter.kind : unit.kind,
    size: counter.size,
    name: counter.name,
    corps: counter.corps ?? "",
    strengths: strengths(unit, counter),
    reduced: unit.steps === 1 && counter.faces.length > 1,
    untried: unit.untried === true,
    elite: /\b(SS|Gds|Guards|Garde)\b/i.test(counter.name),
    supply: unit.supply === "isolated" ? "isolated" : unit.supplied === false ? "unsupplied" : "",
    done,
  };
}

/** Below this many pixels only blocks are drawn. */
export const BLOCK = 15;
/** Below this many pixels the small print is left out. */
const SMALL_PRINT = 34;

/** What stands on the badges of units without supply. */
export type Letters = Readonly<Record<"unsupplied" | "isolated", string>>;

export function drawCounter(pen: Pen, face: Look, size: number, letters: Letters): void {
  const style = livery(face.side, face.nation);
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
  if (size < BLOCK) ticks(pen, face, style, size);
  else details(pen, face, style, size);
  if (face.done) {
    pen.beginPath();
    pen.roundRect(0, 0, size, size, radius);
    pen.fillStyle = "rgba(244, 238, 222, 0.36)";
    pen.fill();
  }
  if (face.supply && size >= BLOCK) badge(pen, size, face.supply, letters[face.supply]);
  pen.beginPath();
  pen.roundRect(0.5, 0.5, size - 1, size - 1, radius);
  pen.lineWidth = Math.max(1, size * 0.018);
  pen.strokeStyle = style.edge;
  pen.stroke();
  pen.restore();
}

function bar(pen: Pen, style: Livery, size: number): void {
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

function ticks(pen: Pen, face: Look, style: Livery, size: number): void {
  const count = Math.min(4, face.size.length || 1);
  pen.fillStyle = style.ink;
  for (let k = 0; k < count; k++) {
    pen.fillRect(size * (0.5 + (k - (count - 1) / 2) * 0.22) - size * 0.05, size * 0.35, size * 0.1, size * 0.35);
  }
}

function details(pen: Pen, face: Look, style: Livery, size: number): void {
  const w = size * 0.46;
  const h = size * 0.29;
  const x = (size - w) / 2;
  const y = size * 0.26;
  const paper = face.elite ? style.bar : style.box;
  const ink = face.elite ? style.box : "#1e1c18";
  pen.fillStyle = paper;
  pen.fillRect(x, y, w, h);
  pen.strokeStyle = ink;
  pen.fillStyle = ink;
  pen.lineWidth = Math.max(1, size * 0.028);
  symbol(pen, face.kind, x, y, w, h);
  pen.strokeStyle = "#1e1c18";
  pen.strokeRect(x, y, w, h);

  pen.fillStyle = style.ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  if (size >= SMALL_PRINT) {
    pen.font = `600 ${size * 0.125}px ${SANS}`;
    pen.fillText(face.size, size / 2, size * 0.185);
    sideways(pen, face.name, size * 0.17, size * 0.42, size * 0.125, size * 0.6, -1);
    if (face.corps) sideways(pen, face.corps, size * 0.85, size * 0.42, size * 0.12, size * 0.5, 1);
  }
  let digits = size * 0.34;
  pen.font = `700 ${digits}px ${SANS}`;
  const wide = pen.measureText(face.strengths).width;
  if (wide > size * 0.84) digits *= (size * 0.84) / wide;
  pen.font = `700 ${digits}px ${SANS}`;
  pen.fillText(face.strengths, size * (style.barAt === "left" ? 0.53 : 0.5), size * 0.81);
}

function sideways(pen: Pen, text: string, x: number, y: number, height: number, most: number, turn: number): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate((turn * Math.PI) / 2);
  pen.font = `600 ${height}px ${SANS}`;
  pen.fillText(text, 0, 0, most);
  pen.restore();
}

/** A light diamond, or a dark square for the graver state: told apart without colour. */
function badge(pen: Pen, size: number, state: keyof Letters, letter: string): void {
  const r = size * 0.15;
  const [x, y] = [size - r * 0.95, r * 0.95];
  const grave = state === "isolated";
  pen.beginPath();
  if (grave) pen.rect(x - r * 0.85, y - r * 0.85, r * 1.7, r * 1.7);
  else {
    pen.moveTo(x, y - r);
    pen.lineTo(x + r, y);
    pen.lineTo(x, y + r);
    pen.lineTo(x - r, y);
    pen.closePath();
  }
  pen.fillStyle = grave ? "#2b2208" : "#ffd43a";
  pen.fill();
  pen.lineWidth = Math.max(1, size * 0.02);
  pen.strokeStyle = grave ? "#ffd43a" : "#2b2208";
  pen.stroke();
  pen.fillStyle = grave ? "#ffd43a" : "#2b2208";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = `800 ${r * 1.15}px ${SANS}`;
  pen.fillText(letter, x, y + r * 0.06);
}

/** How far the outline of a counter reaches beyond it, in CSS pixels. */
export const RING = 5;

const RINGS = {
  selected: ["#ffd21f", 4.5],
  marked: ["#e01f1f", 4],
  ready: ["#fffad6", 3],
} as const;

/** Pictures of counters and what goes with them, by look and size. */
export class Sprites {
  private readonly pictures = new Map<string, HTMLCanvasElement>();

  private make(key: string, size: number, draw: (pen: CanvasRenderingContext2D) => void): HTMLCanvasElement {
    const known = this.pictures.get(key);
    if (known) return known;
    // Zooming passes through many sizes; the old ones are cheap to draw again.
    if (this.pictures.size > 4000) this.pictures.clear();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const pen = canvas.getContext("2d");
    if (pen) draw(pen);
    this.pictures.set(key, canvas);
    return canvas;
  }

  get(face: Look, size: number, letters: Letters): HTMLCanvasElement {
    const key = `${size}|${face.supply && letters[face.supply]}|${Object.values(face).join("|")}`;
    return this.make(key, size, (pen) => drawCounter(pen, face, size, letters));
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
    const [colour, width] = RINGS[kind];
    return this.make(`${kind}|${size}`, size, (pen) => {
      const inner = size - 2 * RING;
      pen.beginPath();
      pen.roundRect(RING, RING, inner, inner, inner * 0.07);
      pen.lineWidth = width + 2;
      pen.strokeStyle = "rgba(25, 20, 8, 0.75)";
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
