/** What layers put on a map: areas with their names, signs in hexes, lines from hex to hex. */
import type { Box, ExhibitGround, ExhibitLayer } from "../lib/types";
import type { Camera } from "../map/camera";
import type { Overlay } from "../map/scene";
import { having } from "./gallery";

/** Light tints with a dark edge each; areas are told apart by their names, not by these. */
const TINTS: [string, string][] = [
  ["rgba(32, 96, 160, 0.16)", "#1f4f7d"], ["rgba(170, 90, 20, 0.16)", "#7d4310"], ["rgba(40, 120, 60, 0.16)", "#235c31"],
  ["rgba(140, 40, 120, 0.14)", "#6d2360"], ["rgba(120, 110, 20, 0.18)", "#5d5510"], ["rgba(190, 50, 50, 0.13)", "#8a2626"],
  ["rgba(20, 120, 120, 0.15)", "#135c5c"],
];

interface Label {
  text: string;
  x: number;
  y: number;
  /** How many hexes wide the area is. */
  wide: number;
  ink: string;
}

interface Sign {
  x: number;
  y: number;
  rank: number;
}

interface Line {
  ends: Box[];
  rank: number;
}

/** One layer, worked out once. */
export interface Sheet {
  id: string;
  areas: Overlay[];
  labels: Label[];
  signs: Sign[];
  lines: Line[];
}

export function sheet(layer: ExhibitLayer, ground: ExhibitGround): Sheet {
  const found: Sheet = { id: layer.id, areas: [], labels: [], signs: [], lines: [] };
  const place = new Map(ground.hexes.map((number, k) => [number, k]));
  layer.features.forEach((feature, rank) => {
    if (layer.kind === "lines") {
      const pairs = ground.lines[feature.id] ?? [];
      const ends: Box[] = [];
      for (let k = 0; k + 1 < pairs.length; k += 2) {
        const [a, b] = [pairs[k]!, pairs[k + 1]!];
        ends.push([ground.x[a]!, ground.y[a]!, ground.x[b]!, ground.y[b]!]);
      }
      found.lines.push({ ends, rank });
      return;
    }
    const inside = having(ground, feature.id);
    const at = inside.map((number) => place.get(number)!);
    if (layer.kind === "marks") {
      for (const k of at) found.signs.push({ x: ground.x[k]!, y: ground.y[k]!, rank });
      return;
    }
    if (!inside.length) return;
    const [fill, edge] = TINTS[rank % TINTS.length]!;
    found.areas.push({ hexes: inside, fill, edge });
    found.labels.push(label(feature.name, at, ground, edge));
  });
  return found;
}

/** In the hex of the area that is nearest to its middle. */
function label(text: string, at: number[], ground: ExhibitGround, ink: string): Label {
  const mean = (list: number[]): number => at.reduce((sum, k) => sum + list[k]!, 0) / at.length;
  const [mx, my] = [mean(ground.x), mean(ground.y)];
  const away = (k: number): number => Math.hypot(ground.x[k]! - mx, ground.y[k]! - my);
  const best = at.reduce((a, b) => (away(b) < away(a) ? b : a));
  return { text, x: ground.x[best]!, y: ground.y[best]!, wide: Math.sqrt(at.length), ink };
}

const DASHES = [[], [], [6, 4]];

export function paintLines(pen: CanvasRenderingContext2D, camera: Camera, sheets: Sheet[]): void {
  pen.lineCap = "round";
  for (const { ends, rank } of sheets.flatMap((each) => each.lines)) {
    pen.beginPath();
    for (const [x1, y1, x2, y2] of ends) {
      const a = camera.toScreen({ x: x1, y: y1 });
      const b = camera.toScreen({ x: x2, y: y2 });
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
    }
    const width = Math.max(1.2, camera.scale * 0.07) * (rank ? 0.6 : 1);
    pen.setLineDash(DASHES[Math.min(rank, 2)]!);
    for (const [more, ink] of [[2, "rgba(255, 252, 240, 0.9)"], [0, "#7a1410"]] as const) {
      pen.lineWidth = width + more;
      pen.strokeStyle = ink;
      pen.stroke();
    }
    pen.setLineDash([]);
  }
}

export function paintSigns(pen: CanvasRenderingContext2D, camera: Camera, sheets: Sheet[]): void {
  for (const { x, y, rank } of sheets.flatMap((each) => each.signs)) {
    const p = camera.toScreen({ x, y });
    const r = Math.max(2.5, camera.scale * Math.max(0.2, 0.44 - 0.08 * rank));
    pen.beginPath();
    pen.arc(p.x, p.y, r, 0, Math.PI * 2);
    pen.lineWidth = Math.max(1.5, camera.scale * 0.06);
    pen.strokeStyle = "rgba(255, 252, 240, 0.9)";
    pen.stroke();
    pen.lineWidth = Math.max(1, camera.scale * 0.035);
    pen.strokeStyle = "#0b3f8a";
    pen.stroke();
  }
}

export function paintLabels(pen: CanvasRenderingContext2D, camera: Camera, sheets: Sheet[]): void {
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  for (const { text, x, y, wide, ink } of sheets.flatMap((each) => each.labels)) {
    const size = Math.max(11, Math.min(22, camera.scale * 0.55));
    pen.font = `700 ${size}px system-ui, sans-serif`;
    // A name that is wider than its area would stand in the next one.
    if (pen.measureText(text).width > wide * camera.scale * 1.5) continue;
    const p = camera.toScreen({ x, y });
    pen.lineWidth = 4;
    pen.strokeStyle = "rgba(255, 252, 240, 0.92)";
    pen.strokeText(text, p.x, p.y);
    pen.fillStyle = ink;
    pen.fillText(text, p.x, p.y);
  }
}
