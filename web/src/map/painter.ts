/** Paints the table: map picture, overlays, counters, what the hand holds. It decides nothing. */
import { points } from "../lib/points";
import type { Box, Kit, Unit, Way } from "../lib/types";
import type { Camera } from "./camera";
import { livery } from "./colours";
import { BLOCK, look, RING, Sprites, type Letters } from "./counter";
import { corners, type HexIndex, type Point } from "./geometry";
import { PAPER } from "./glide";
import { Ground } from "./ground";
import type { Pictures } from "./pictures";

export interface Overlay {
  hexes: readonly string[];
  fill: string;
  pattern?: "hatch" | "dots";
  /** The colour of a line around the whole. */
  edge?: string;
}

/** One picture's worth of facts. */
export interface Scene {
  stacks: ReadonlyMap<string, readonly Unit[]>;
  markers: readonly { hex: string; kind: string; side?: string }[];
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
  ghost: { units: readonly Unit[]; at: Point } | null;
  badges: Letters;
  front: boolean;
}

/** Where the counters of an opened stack lie, in hex widths. */
export interface Spot {
  unit: Unit;
  x: number;
  y: number;
  size: number;
}

const COUNTER = 0.6;
const OPEN = 0.78;
const ROW = 5;

/** The next of few sizes: while the zoom changes, drawing every counter anew at each would be felt. */
const rung = (pixels: number): number => 2 ** Math.ceil(Math.log2(pixels));

export class Painter {
  private readonly sprites = new Sprites();
  private readonly shape: Point[];
  private readonly ground: Ground;

  constructor(
    private readonly kit: Kit,
    private readonly index: HexIndex,
    pictures: Pictures,
  ) {
    this.ground = new Ground(pictures, kit.map.box);
    this.shape = corners(kit.flat);
  }

  /** The counters of an opened stack, side by side around their hex. */
  spots(hex: string, units: readonly Unit[], camera: Camera): Spot[] {
    const centre = this.kit.hexes[hex];
    if (!centre) return [];
    const size = Math.max(OPEN, 46 / camera.scale);
    const columns = Math.min(ROW, units.length);
    const rows = Math.ceil(units.length / ROW);
    const step = size * 1.08;
    const [x0, y0, x1, y1] = this.kit.map.box;
    const wide = (columns * step) / 2;
    const high = (rows * step) / 2;
    const cx = Math.min(x1 - wide, Math.max(x0 + wide, centre.x));
    const cy = Math.min(y1 - high, Math.max(y0 + high, centre.y));
    return units.map((unit, k) => ({
      unit,
      size,
      x: cx + ((k % ROW) - (columns - 1) / 2) * step,
      y: cy + (Math.floor(k / ROW) - (rows - 1) / 2) * step,
    }));
  }

  /** Where the top counter of a closed stack lies. */
  top(hex: string, count: number, camera: Camera): { x: number; y: number; size: number } | null {
    const centre = this.kit.hexes[hex];
    if (!centre) return null;
    const lift = this.fan(count, camera) * (Math.min(count, 4) - 1);
    return { x: centre.x + lift / 2, y: centre.y - lift / 2, size: COUNTER };
  }

  private fan(count: number, camera: Camera): number {
    return count > 1 ? Math.min(0.09, Math.max(3 / camera.scale, 0.055)) : 0;
  }

  paint(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene, ratio: number, now: number, direct = false): boolean {
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, camera.width, camera.height);
    this.ground.paint(pen, camera, ratio, direct);
    for (const overlay of scene.overlays) this.tint(pen, camera, overlay);
    if (scene.front) this.front(pen, camera, scene);
    this.reach(pen, camera, scene);
    this.highlights(pen, camera, scene);
    this.markers(pen, camera, scene);
    const moving = this.stacks(pen, camera, scene, ratio, now, direct);
    if (scene.supply) this.supply(pen, camera, scene.supply);
    this.arrows(pen, camera, scene);
    this.path(pen, camera, scene);
    this.cursor(pen, camera, scene);
    if (scene.open) this.opened(pen, camera, scene, ratio);
    if (scene.ghost) this.ghost(pen, camera, scene, ratio);
    return moving;
  }

  private outline(pen: CanvasRenderingContext2D, camera: Camera, number: string, grow = 1): boolean {
    const hex = this.kit.hexes[number];
    if (!hex) return false;
    this.shape.forEach((corner, k) => {
      const p = camera.toScreen({ x: hex.x + corner.x * grow, y: hex.y + corner.y * grow });
      if (k) pen.lineTo(p.x, p.y);
      else pen.moveTo(p.x, p.y);
    });
    pen.closePath();
    return true;
  }

  private tint(pen: CanvasRenderingContext2D, camera: Camera, overlay: Overlay): void {
    pen.beginPath();
    for (const number of overlay.hexes) this.outline(pen, camera, number);
    pen.save();
    if (overlay.pattern) {
      pen.clip();
      pen.strokeStyle = overlay.fill;
      pen.lineWidth = overlay.pattern === "hatch" ? 1.4 : 2;
      const gap = 8;
      if (overlay.pattern === "dots") pen.setLineDash([2, gap - 2]);
      const offset = ((camera.x + camera.y) * camera.scale) % (gap * 1000);
      pen.beginPath();
      for (let d = -camera.height - gap; d < camera.width + gap; d += gap) {
        const shift = -((offset % gap) + gap) % gap;
        pen.moveTo(d + shift, 0);
        pen.lineTo(d + shift + camera.height, camera.height);
      }
      pen.stroke();
    } else {
      pen.fillStyle = overlay.fill;
      pen.fill();
    }
    pen.restore();
    if (overlay.edge) this.border(pen, camera, overlay.hexes, overlay.edge);
  }

  /** The sides of an area that lead out of it, light under the colour so that it shows on any ground. */
  private border(pen: CanvasRenderingContext2D, camera: Camera, hexes: readonly string[], colour: string): void {
    let sides = this.borders.get(hexes);
    if (!sides) this.borders.set(hexes, (sides = this.outer(hexes)));
    pen.beginPath();
    for (const [x1, y1, x2, y2] of sides) {
      const a = camera.toScreen({ x: x1, y: y1 });
      const b = camera.toScreen({ x: x2, y: y2 });
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
    }
    pen.lineCap = "round";
    for (const [width, ink] of [[5, "rgba(255, 252, 240, 0.85)"], [2.5, colour]] as const) {
      pen.lineWidth = width;
      pen.strokeStyle = ink;
      pen.stroke();
    }
  }

  /** Found once for an area, not for every frame. */
  private readonly borders = new WeakMap<readonly string[], Box[]>();

  private outer(hexes: readonly string[]): Box[] {
    const inside = new Set(hexes);
    const sides: Box[] = [];
    for (const number of hexes) {
      const hex = this.kit.hexes[number];
      if (!hex) continue;
      this.shape.forEach((corner, k) => {
        const next = this.shape[(k + 1) % this.shape.length]!;
        const across = this.index.at(hex.x + corner.x + next.x, hex.y + corner.y + next.y);
        if (across && inside.has(across)) return;
        sides.push([hex.x + corner.x, hex.y + corner.y, hex.x + next.x, hex.y + next.y]);
      });
    }
    return sides;
  }

  private reach(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
    if (!scene.reach) return;
    const ways = Object.entries(scene.reach);
    const most = Math.max(1, ...ways.map(([, way]) => way.points_left));
    for (const [number, way] of ways) {
      pen.beginPath();
      if (!this.outline(pen, camera, number, 0.95)) continue;
      const light = way.points_left / most;
      pen.fillStyle = `rgba(0, 104, 196, ${0.36 - 0.2 * light})`;
      pen.fill();
      pen.lineWidth = way.points_left === 0 ? 2.2 : 1;
      pen.strokeStyle = way.points_left === 0 ? "rgba(20, 60, 95, 0.85)" : "rgba(20, 60, 95, 0.35)";
      pen.stroke();
    }
    if (camera.scale < 24) return;
    const size = Math.max(11, Math.min(20, camera.scale * 0.22));
    pen.font = `700 ${size}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const [number, way] of ways) {
      const hex = this.kit.hexes[number];
      if (!hex) continue;
      const crowded = scene.stacks.has(number);
      const p = camera.toScreen({ x: hex.x, y: hex.y + (crowded ? 0.4 : 0) });
      pen.lineWidth = 3.5;
      pen.strokeStyle = "rgba(255, 252, 240, 0.92)";
      pen.strokeText(points(way.points_left), p.x, p.y);
      pen.fillStyle = "#123a5a";
      pen.fillText(points(way.points_left), p.x, p.y);
    }
  }

  private highlights(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
    for (const number of scene.goals) {
      pen.beginPath();
      if (!this.outline(pen, camera, number, 0.93)) continue;
      pen.fillStyle = "rgba(214, 148, 20, 0.22)";
      pen.fill();
      pen.lineWidth = 2;
      pen.setLineDash([6, 4]);
      pen.strokeStyle = "#8a5a00";
      pen.stroke();
      pen.setLineDash([]);
    }
    for (const number of scene.targets) {
      pen.beginPath();
      if (!this.outline(pen, camera, number, 0.95)) continue;
      pen.fillStyle = "rgba(168, 24, 24, 0.24)";
      pen.fill();
      pen.lineWidth = 3.5;
      pen.strokeStyle = "#8f1111";
      pen.stroke();
    }
    for (const number of scene.pointed) {
      pen.beginPath();
      if (!this.outline(pen, camera, number, 0.9)) continue;
      pen.lineWidth = 4;
      pen.strokeStyle = "rgba(255, 214, 64, 0.95)";
      pen.stroke();
      pen.lineWidth = 1.5;
      pen.strokeStyle = "#3b2f00";
      pen.stroke();
    }
    if (scene.origin) {
      pen.beginPath();
      if (this.outline(pen, camera, scene.origin, 0.95)) {
        pen.lineWidth = 2.5;
        pen.strokeStyle = "#123a5a";
        pen.stroke();
      }
    }
  }

  private markers(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
    if (camera.scale < 16) return;
    for (const marker of scene.markers) {
      const hex = this.kit.hexes[marker.hex];
      if (!hex) continue;
      const p = camera.toScreen({ x: hex.x - 0.3, y: hex.y + 0.3 });
      const r = Math.max(5, camera.scale * 0.13);
      pen.save();
      pen.translate(p.x, p.y);
      pen.lineWidth = Math.max(1, r * 0.16);
      pen.strokeStyle = "#23201a";
      if (marker.kind === "forts") {
        pen.fillStyle = "#c9a06a";
        pen.beginPath();
        for (let k = 0; k < 5; k++) {
          const a = -Math.PI / 2 + (k * 2 * Math.PI) / 5;
          pen.lineTo(r * 1.15 * Math.cos(a), r * 1.15 * Math.sin(a));
        }
        pen.closePath();
      } else if (marker.kind === "interdicted") {
        pen.fillStyle = "#f4f0e2";
        pen.beginPath();
        pen.moveTo(0, -r * 1.2);
        pen.lineTo(r * 0.3, -r * 0.3);
        pen.lineTo(r * 1.3, r * 0.35);
        pen.lineTo(r * 0.3, r * 0.4);
        pen.lineTo(r * 0.5, r * 1.15);
        pen.lineTo(-r * 0.5, r * 1.15);
        pen.lineTo(-r * 0.3, r * 0.4);
        pen.lineTo(-r * 1.3, r * 0.35);
        pen.lineTo(-r * 0.3, -r * 0.3);
        pen.closePath();
      } else {
        pen.fillStyle = "#f4f0e2";
        pen.beginPath();
        pen.arc(0, 0, r, 0, Math.PI * 2);
      }
      pen.fill();
      pen.stroke();
      pen.restore();
    }
  }

  private inSight(camera: Camera, x: number, y: number): boolean {
    const p = camera.toScreen({ x, y });
    const margin = camera.scale;
    return p.x > -margin && p.y > -margin && p.x < camera.width + margin && p.y < camera.height + margin;
  }

  private stacks(
    pen: CanvasRenderingContext2D, camera: Camera, scene: Scene, ratio: number, now: number, coarse: boolean,
  ): boolean {
    let moving = false;
    for (const [number, units] of scene.stacks) {
      const hex = this.kit.hexes[number];
      if (!hex || !this.inSight(camera, hex.x, hex.y)) continue;
      let dx = 0;
      if (scene.shake?.hex === number) {
        const age = now - scene.shake.start;
        if (age < 320) {
          dx = Math.sin(age / 22) * 5 * (1 - age / 320);
          moving = true;
        }
      }
      if (dx) pen.translate(dx, 0);
      if (number === scene.open) pen.globalAlpha = 0.25;
      this.stack(pen, camera, scene, number, units, ratio, coarse);
      pen.globalAlpha = 1;
      if (dx) pen.translate(-dx, 0);
    }
    return moving;
  }

  private stack(
    pen: CanvasRenderingContext2D, camera: Camera, scene: Scene, number: string, units: readonly Unit[], ratio: number,
    coarse: boolean,
  ): void {
    const shown = units.slice(-4);
    const step = this.fan(units.length, camera);
    const place = this.top(number, units.length, camera)!;
    const pixels = Math.max(6, Math.round(place.size * camera.scale * ratio));
    const side = pixels / ratio;
    const drawn = coarse ? rung(pixels) : pixels;
    const height = shown.length - 1;
    if (camera.scale > 26) {
      const low = camera.toScreen({ x: place.x - step * height, y: place.y + step * height });
      const drop = 1.5 + height * 1.2;
      pen.drawImage(this.sprites.shadow(drawn), low.x - side / 2 + drop, low.y - side / 2 + drop, side, side);
    }
    shown.forEach((unit, k) => {
      const counter = this.kit.counters[unit.id];
      if (!counter) return;
      const below = height - k;
      const p = camera.toScreen({ x: place.x - step * below, y: place.y + step * below });
      const face = look(unit, counter, scene.done.has(unit.id));
      this.glow(pen, scene, unit, p, side, k === height ? units : [unit]);
      pen.drawImage(this.sprites.get(face, drawn, scene.badges), p.x - side / 2, p.y - side / 2, side, side);
    });
    if (units.length > 2 && pixels >= BLOCK) {
      const p = camera.toScreen({ x: place.x, y: place.y });
      const r = Math.max(7, side * 0.17);
      const wide = Math.round(r * 2 * ratio);
      const disc = this.sprites.number(units.length, coarse ? rung(wide) : wide);
      pen.drawImage(disc, p.x + side / 2 - 1 - r, p.y + side / 2 - 1 - r, r * 2, r * 2);
    }
  }

  /** Selected, in the attack, or able to act: an outline each, heavier in this order. */
  private glow(
    pen: CanvasRenderingContext2D, scene: Scene, unit: Unit, p: Point, side: number, group: readonly Unit[],
  ): void {
    const any = (set: ReadonlySet<string>) => set.has(unit.id) || group.some((other) => set.has(other.id));
    const ring = any(scene.selected) ? "selected" : any(scene.marked) ? "marked" : any(scene.ready) ? "ready" : null;
    if (!ring) return;
    const wide = side + 2 * RING;
    const picture = this.sprites.ring(ring, Math.round(wide));
    pen.drawImage(picture, p.x - wide / 2, p.y - wide / 2, wide, wide);
  }

  private opened(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene, ratio: number): void {
    const units = scene.open ? scene.stacks.get(scene.open) : undefined;
    if (!scene.open || !units) return;
    const spots = this.spots(scene.open, units, camera);
    const first = spots[0];
    if (!first) return;
    const box: Box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const spot of spots) {
      box[0] = Math.min(box[0], spot.x - spot.size * 0.6);
      box[1] = Math.min(box[1], spot.y - spot.size * 0.6);
      box[2] = Math.max(box[2], spot.x + spot.size * 0.6);
      box[3] = Math.max(box[3], spot.y + spot.size * 0.6);
    }
    const from = camera.toScreen({ x: box[0], y: box[1] });
    const to = camera.toScreen({ x: box[2], y: box[3] });
    pen.fillStyle = "rgba(38, 33, 24, 0.82)";
    pen.beginPath();
    pen.roundRect(from.x, from.y, to.x - from.x, to.y - from.y, 8);
    pen.fill();
    for (const spot of spots) {
      const counter = this.kit.counters[spot.unit.id];
      if (!counter) continue;
      const pixels = Math.round(spot.size * camera.scale * ratio);
      const side = pixels / ratio;
      const p = camera.toScreen(spot);
      this.glow(pen, scene, spot.unit, p, side, [spot.unit]);
      const face = look(spot.unit, counter, scene.done.has(spot.unit.id));
      pen.drawImage(this.sprites.get(face, pixels, scene.badges), p.x - side / 2, p.y - side / 2, side, side);
    }
  }

  private ghost(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene, ratio: number): void {
    if (!scene.ghost) return;
    const pixels = Math.round(COUNTER * camera.scale * ratio);
    const side = pixels / ratio;
    pen.globalAlpha = 0.8;
    scene.ghost.units.forEach((unit, k) => {
      const counter = this.kit.counters[unit.id];
      if (!counter || !scene.ghost) return;
      const x = scene.ghost.at.x - side / 2 + k * 4;
      const y = scene.ghost.at.y - side / 2 - k * 4;
      pen.drawImage(this.sprites.get(look(unit, counter), pixels, scene.badges), x, y, side, side);
    });
    pen.globalAlpha = 1;
  }

  private trail(pen: CanvasRenderingContext2D, camera: Camera, numbers: readonly string[]): void {
    pen.beginPath();
    numbers.forEach((number, k) => {
      const hex = this.kit.hexes[number];
      if (!hex) return;
      const p = camera.toScreen(hex);
      if (k) pen.lineTo(p.x, p.y);
      else pen.moveTo(p.x, p.y);
    });
  }

  private path(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
    if (!scene.origin || !scene.path.length) return;
    const cells = [scene.origin, ...scene.path];
    pen.lineJoin = pen.lineCap = "round";
    for (const [width, colour] of [[7, "rgba(255, 252, 240, 0.9)"], [3.5, "#123a5a"]] as const) {
      this.trail(pen, camera, cells);
      pen.lineWidth = width;
      pen.strokeStyle = colour;
      pen.stroke();
    }
    const goal = this.kit.hexes[cells[cells.length - 1]!];
    if (!goal) return;
    const p = camera.toScreen(goal);
    pen.beginPath();
    pen.arc(p.x, p.y, 6, 0, Math.PI * 2);
    pen.fillStyle = "#123a5a";
    pen.fill();
    pen.lineWidth = 2;
    pen.strokeStyle = "#fffcf0";
    pen.stroke();
  }

  private supply(pen: CanvasRenderingContext2D, camera: Camera, line: NonNullable<Scene["supply"]>): void {
    pen.lineJoin = pen.lineCap = "round";
    const cells = [line.from, ...line.line];
    const rest = [cells[cells.length - 1]!, ...line.road];
    for (const [list, dash] of [[cells, []], [rest, [2, 7]]] as const) {
      if (list.length < 2) continue;
      this.trail(pen, camera, list);
      pen.setLineDash([]);
      pen.lineWidth = 7;
      pen.strokeStyle = "rgba(255, 252, 240, 0.75)";
      pen.stroke();
      pen.setLineDash([...dash]);
      pen.lineWidth = 3.5;
      pen.strokeStyle = "#1d6b35";
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  /** From the attackers to what they attack. */
  private arrows(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
    if (!scene.targets.length || !scene.marked.size) return;
    const from = new Set<string>();
    for (const [number, units] of scene.stacks) if (units.some((unit) => scene.marked.has(unit.id))) from.add(number);
    pen.lineCap = "round";
    for (const number of from) {
      for (const target of scene.targets) {
        const a = this.kit.hexes[number];
        const b = this.kit.hexes[target];
        if (!a || !b || this.index.distance(number, target) > 1.3) continue;
        const start = camera.toScreen({ x: a.x + (b.x - a.x) * 0.3, y: a.y + (b.y - a.y) * 0.3 });
        const end = camera.toScreen({ x: a.x + (b.x - a.x) * 0.66, y: a.y + (b.y - a.y) * 0.66 });
        const angle = Math.atan2(end.y - start.y, end.x - start.x);
        const head = Math.max(8, camera.scale * 0.16);
        for (const [width, colour] of [[8, "#fff6ea"], [4.5, "#a11212"]] as const) {
          pen.lineWidth = width;
          pen.strokeStyle = colour;
          pen.beginPath();
          pen.moveTo(start.x, start.y);
          pen.lineTo(end.x, end.y);
          pen.moveTo(end.x - head * Math.cos(angle - 0.6), end.y - head * Math.sin(angle - 0.6));
          pen.lineTo(end.x, end.y);
          pen.lineTo(end.x - head * Math.cos(angle + 0.6), end.y - head * Math.sin(angle + 0.6));
          pen.stroke();
        }
      }
    }
  }

  private cursor(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
    for (const [number, colour, width] of [
      [scene.hover, "rgba(40, 34, 20, 0.55)", 1.5],
      [scene.cursor, "#0b5fff", 3],
    ] as const) {
      if (!number) continue;
      pen.beginPath();
      if (!this.outline(pen, camera, number, 0.98)) continue;
      if (number === scene.cursor && width === 3) {
        pen.lineWidth = 6;
        pen.strokeStyle = "#fff";
        pen.stroke();
      }
      pen.lineWidth = width;
      pen.strokeStyle = colour;
      pen.stroke();
    }
  }

  /** Far out: the line between the nearest units of the two sides, along hexsides. */
  private front(pen: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
    if (this.line.stacks !== scene.stacks) this.line = { stacks: scene.stacks, sides: this.disputed(scene.stacks) };
    pen.lineCap = "round";
    pen.lineWidth = 3;
    pen.strokeStyle = livery("soviet").bar;
    pen.beginPath();
    for (const [x1, y1, x2, y2] of this.line.sides) {
      const a = camera.toScreen({ x: x1, y: y1 });
      const b = camera.toScreen({ x: x2, y: y2 });
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
    }
    pen.stroke();
  }

  /** Found once for a position, not for every frame. */
  private line: { stacks: Scene["stacks"] | null; sides: Box[] } = { stacks: null, sides: [] };

  private disputed(stacks: Scene["stacks"]): Box[] {
    const owner = new Map<string, string>();
    let edge: string[] = [];
    for (const [number, units] of stacks) {
      if (units[0]) {
        owner.set(number, units[0].side);
        edge.push(number);
      }
    }
    // No farther than the ground that units dispute: behind the lines nearness says nothing.
    for (let far = 0; far < 3 && edge.length; far++) {
      const next: string[] = [];
      for (const number of edge) {
        for (const other of this.index.neighbours(number)) {
          const hex = this.kit.hexes[other];
          if (owner.has(other) || !hex || hex.terrain === "sea" || hex.terrain === "lake") continue;
          owner.set(other, owner.get(number)!);
          next.push(other);
        }
      }
      edge = next;
    }
    // Nearness leaks through gaps in a line: ground mostly among the other side's is that side's.
    for (let pass = 0; pass < 3; pass++) {
      for (const [number, side] of owner) {
        if (stacks.has(number)) continue;
        const around = this.index.neighbours(number).map((other) => owner.get(other)).filter((each) => each !== undefined);
        const other = around.find((each) => each !== side);
        if (other && around.filter((each) => each === other).length * 2 > around.length) owner.set(number, other);
      }
    }
    const sides: Box[] = [];
    for (const [number, side] of owner) {
      const hex = this.kit.hexes[number]!;
      for (const other of this.index.neighbours(number)) {
        const theirs = owner.get(other);
        if (!theirs || theirs === side || other < number) continue;
        const there = this.kit.hexes[other]!;
        const mx = (hex.x + there.x) / 2;
        const my = (hex.y + there.y) / 2;
        const px = -(there.y - hex.y) * 0.2887;
        const py = (there.x - hex.x) * 0.2887;
        sides.push([mx + px, my + py, mx - px, my - py]);
      }
    }
    return sides;
  }
}
