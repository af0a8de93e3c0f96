/** Markers of the game and flags of who holds what. */
import type { Tone } from "../lib/types";
import type { Liveries } from "./colours";
import type { Easel, Scene } from "./scene";

type Pen = CanvasRenderingContext2D;

const polygon = (pen: Pen, corners: readonly (readonly [number, number])[], r: number): void => {
  corners.forEach(([x, y], k) => (k ? pen.lineTo(x * r, y * r) : pen.moveTo(x * r, y * r)));
  pen.closePath();
};

const around = (count: number, radius: (k: number) => number): [number, number][] =>
  Array.from({ length: count }, (_, k) => {
    const a = -Math.PI / 2 + (k * 2 * Math.PI) / count;
    return [radius(k) * Math.cos(a), radius(k) * Math.sin(a)];
  });

/** The glyphs that a game can choose from (kernel/table.py), in radii around their middle. Any other is a disc. */
const SHAPES: Record<string, readonly (readonly [number, number])[]> = {
  fort: around(5, () => 1.15),
  star: around(10, (k) => (k % 2 ? 0.52 : 1.25)),
  wheel: around(16, (k) => (k % 2 ? 0.85 : 1.15)),
  flag: [[-0.9, 1.2], [-0.9, -1.1], [1.1, -0.6], [-0.6, 0], [-0.6, 1.2]],
  ship: [[-1.2, 0.2], [-0.2, 0.2], [-0.2, -1.1], [0.6, 0.2], [1.2, 0.2], [0.8, 0.95], [-0.8, 0.95]],
  cross: [
    [-0.35, -1.1], [0.35, -1.1], [0.35, -0.35], [1.1, -0.35], [1.1, 0.35], [0.35, 0.35], [0.35, 1.1], [-0.35, 1.1],
    [-0.35, 0.35], [-1.1, 0.35], [-1.1, -0.35], [-0.35, -0.35],
  ],
  plane: [
    [0, -1.2], [0.3, -0.3], [1.3, 0.35], [0.3, 0.4], [0.5, 1.15], [-0.5, 1.15], [-0.3, 0.4], [-1.3, 0.35], [-0.3, -0.3],
  ],
};
const TONES: Record<Tone, string> = { info: "#c9a06a", warning: "#f4f0e2", danger: "#ffd43a", spent: "#b8b1a0" };

export function markers({ pen, camera, kit }: Easel, scene: Scene, liveries: Liveries): void {
  if (camera.scale < 16) return;
  for (const marker of scene.markers) {
    const hex = kit.hexes[marker.hex];
    if (!hex) continue;
    const p = camera.toScreen({ x: hex.x - 0.3, y: hex.y + 0.3 });
    const r = Math.max(5, camera.scale * 0.13);
    const shape = SHAPES[marker.glyph];
    pen.save();
    pen.translate(p.x, p.y);
    pen.lineWidth = Math.max(1, r * 0.16);
    pen.strokeStyle = "#23201a";
    pen.fillStyle = marker.side ? liveries.of(marker.side).body : TONES[marker.tone];
    pen.beginPath();
    if (shape) polygon(pen, shape, r);
    else pen.arc(0, 0, r, 0, Math.PI * 2);
    pen.fill();
    pen.stroke();
    pen.restore();
  }
}

/** A small flag at the head of the hex, in the colours of whoever holds it. */
export function flags({ pen, camera, kit }: Easel, scene: Scene, liveries: Liveries): void {
  if (camera.scale < 16) return;
  for (const { hex: number, side } of scene.holders) {
    const hex = kit.hexes[number];
    if (!hex) continue;
    const livery = liveries.of(side);
    const p = camera.toScreen({ x: hex.x + 0.3, y: hex.y - 0.36 });
    const w = Math.max(7, camera.scale * 0.2);
    pen.fillStyle = livery.body;
    pen.strokeStyle = "#23201a";
    pen.lineWidth = 1;
    pen.fillRect(p.x - w / 2, p.y - w * 0.35, w, w * 0.7);
    pen.fillStyle = livery.bar;
    if (livery.barAt === "top") pen.fillRect(p.x - w / 2, p.y - w * 0.35, w, w * 0.2);
    else pen.fillRect(p.x - w / 2, p.y - w * 0.35, w * 0.25, w * 0.7);
    pen.strokeRect(p.x - w / 2, p.y - w * 0.35, w, w * 0.7);
  }
}
