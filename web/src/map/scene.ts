/** One picture's worth of facts, and what the drawing functions share. */
import type { Box, Drawn, Tone, Unit, Way } from "../lib/types";
import type { Camera } from "./camera";
import type { HexIndex, Point } from "./geometry";
import type { Drawn as Mark } from "./marks";

export interface Overlay {
  hexes: readonly string[];
  fill: string;
  pattern?: "hatch" | "dashes" | "dots";
  /** The colour of a line around the whole. */
  edge?: string;
}

export interface Marker {
  hex: string;
  glyph: string;
  tone: Tone;
  side: string | null;
}

export interface Scene {
  stacks: ReadonlyMap<string, readonly Unit[]>;
  markers: readonly Marker[];
  /** Who holds what: a small flag in the holder's colours. */
  holders: readonly { hex: string; side: string }[];
  /** Units that can act now, and those that are done. */
  ready: ReadonlySet<string>;
  done: ReadonlySet<string>;
  selected: ReadonlySet<string>;
  marked: ReadonlySet<string>;
  goals: ReadonlySet<string>;
  targets: readonly string[];
  reach: Readonly<Record<string, Way>> | null;
  path: readonly string[];
  origin: string | null;
  hover: string | null;
  cursor: string | null;
  open: string | null;
  shake: { hex: string; start: number } | null;
  overlays: readonly Overlay[];
  supply: { from: string; line: readonly string[]; road: readonly string[] } | null;
  pointed: readonly string[];
  /** What players have drawn. */
  marks: readonly Mark[];
  /** What markers stand for is aimed from hexes at hexes: attacks that are declared. */
  aims: readonly (readonly [string, string])[];
  /** The ways that others have gone lately. */
  trails: readonly (readonly string[])[];
  /** From where an attack that is only thought of would be made; null for one that is made. */
  from: readonly string[] | null;
  ghost: { units: readonly Unit[]; at: Point } | null;
  front: boolean;
}

/** Where the counters of an opened stack lie, in hex widths. */
export interface Spot {
  unit: Unit;
  x: number;
  y: number;
  size: number;
}

/** A hex reaches so far from its middle, in hex widths. */
export const REACH = 0.6;

/** What every drawing function needs: the pen, where one looks from, and the ground. */
export interface Easel {
  pen: CanvasRenderingContext2D;
  camera: Camera;
  kit: Drawn;
  index: HexIndex;
  /** The corners of a hex around its centre. */
  shape: readonly Point[];
}

/** A hex's outline added to the path; false for hexes that are not on the map. */
export function outline({ pen, camera, kit, shape }: Easel, number: string, grow = 1): boolean {
  const hex = kit.hexes[number];
  if (!hex) return false;
  shape.forEach((corner, k) => {
    const p = camera.toScreen({ x: hex.x + corner.x * grow, y: hex.y + corner.y * grow });
    if (k) pen.lineTo(p.x, p.y);
    else pen.moveTo(p.x, p.y);
  });
  pen.closePath();
  return true;
}

/** The outlines of those of these hexes that lie in sight added to the path, for a fill or a clip: these shut every outline
 *  themselves. To shut one, browsers measure all of the path before it, which takes a second for some thousand hexes. */
export function areas({ pen, camera, kit, shape }: Easel, numbers: readonly string[]): void {
  const { x, y, scale, width, height } = camera;
  const far = { x: width / 2 / scale + REACH, y: height / 2 / scale + REACH };
  const corners = shape.map((corner) => ({ x: corner.x * scale, y: corner.y * scale }));
  for (const number of numbers) {
    const hex = kit.hexes[number];
    if (!hex || Math.abs(hex.x - x) > far.x || Math.abs(hex.y - y) > far.y) continue;
    const p = camera.toScreen(hex);
    corners.forEach((corner, k) => (k ? pen.lineTo(p.x + corner.x, p.y + corner.y) : pen.moveTo(p.x + corner.x, p.y + corner.y)));
  }
}

/** Lines from corner to corner added to the path. */
export function sides({ pen, camera }: Easel, lines: readonly Box[]): void {
  for (const [x1, y1, x2, y2] of lines) {
    const a = camera.toScreen({ x: x1, y: y1 });
    const b = camera.toScreen({ x: x2, y: y2 });
    pen.moveTo(a.x, a.y);
    pen.lineTo(b.x, b.y);
  }
}

/** A line through the middles of hexes added to the path. */
export function trail({ pen, camera, kit }: Easel, numbers: readonly string[]): void {
  pen.beginPath();
  numbers.forEach((number, k) => {
    const hex = kit.hexes[number];
    if (!hex) return;
    const p = camera.toScreen(hex);
    if (k) pen.lineTo(p.x, p.y);
    else pen.moveTo(p.x, p.y);
  });
}
