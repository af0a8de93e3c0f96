/** What players draw on the map. One's own are dashed while nobody else sees them; others' are double lines. */
import type { MapMark } from "../lib/types";
import type { Easel, Scene } from "./scene";

const INK = "#a3105f";
const OTHERS = "#26221a";
const PAPER = "#fffbe9";
/** Below this many pixels a hex, notes are signs without words. */
const WORDS = 26;
/** Pixels of a note's line. */
const LONGEST = 170;

export interface Drawn {
  mark: Pick<MapMark, "kind" | "hexes" | "text">;
  own: boolean;
  /** Whether others see it. */
  shared: boolean;
}

export function marks(easel: Easel, scene: Scene): void {
  const { pen } = easel;
  pen.save();
  pen.lineJoin = pen.lineCap = "round";
  for (const each of scene.marks) if (each.mark.kind === "ring") ring(easel, each);
  for (const each of scene.marks) if (each.mark.kind === "arrow") arrow(easel, each);
  for (const each of scene.marks) if (each.mark.kind === "note") note(easel, each, scene.marks);
  pen.restore();
}

/** The path of the pen, drawn as whose it is. */
function stroke({ pen }: Easel, { own, shared }: Drawn, width: number): void {
  pen.setLineDash([]);
  pen.strokeStyle = PAPER;
  pen.lineWidth = width + 4;
  pen.stroke();
  if (own && !shared) pen.setLineDash([width * 2.2, width * 1.8]);
  pen.strokeStyle = own ? INK : OTHERS;
  pen.lineWidth = width;
  pen.stroke();
  pen.setLineDash([]);
  if (own) return;
  pen.strokeStyle = PAPER;
  pen.lineWidth = width / 3;
  pen.stroke();
}

const thick = (scale: number): number => Math.max(2.5, Math.min(5, scale * 0.075));

function ring(easel: Easel, drawn: Drawn): void {
  const { pen, camera, kit } = easel;
  const hex = kit.hexes[drawn.mark.hexes[0] ?? ""];
  if (!hex) return;
  const p = camera.toScreen(hex);
  pen.beginPath();
  pen.arc(p.x, p.y, camera.scale * 0.52, 0, Math.PI * 2);
  stroke(easel, drawn, thick(camera.scale));
}

function arrow(easel: Easel, drawn: Drawn): void {
  const { pen, camera, kit } = easel;
  const [a, b] = drawn.mark.hexes.map((number) => kit.hexes[number]);
  if (!a || !b) return;
  const start = camera.toScreen(a);
  const end = camera.toScreen(b);
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  const head = Math.max(9, camera.scale * 0.26);
  const width = thick(camera.scale);
  pen.beginPath();
  pen.moveTo(start.x, start.y);
  pen.lineTo(end.x, end.y);
  stroke(easel, drawn, width);
  pen.beginPath();
  pen.moveTo(end.x - head * Math.cos(angle - 0.5), end.y - head * Math.sin(angle - 0.5));
  pen.lineTo(end.x, end.y);
  pen.lineTo(end.x - head * Math.cos(angle + 0.5), end.y - head * Math.sin(angle + 0.5));
  stroke(easel, { ...drawn, shared: true }, width);
}

function note(easel: Easel, drawn: Drawn, all: readonly Drawn[]): void {
  const { pen, camera, kit } = easel;
  const number = drawn.mark.hexes[0] ?? "";
  const hex = kit.hexes[number];
  if (!hex) return;
  const size = Math.max(11, Math.min(14, camera.scale * 0.24));
  const p = camera.toScreen({ x: hex.x, y: hex.y - 0.42 });
  // Several notes at one hex stand above each other.
  const before = all.slice(0, all.indexOf(drawn)).filter(({ mark }) => mark.kind === "note" && mark.hexes[0] === number).length;
  pen.font = `600 ${size}px system-ui, sans-serif`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  const text = camera.scale < WORDS ? "…" : fitting(pen, drawn.mark.text);
  const [wide, high] = [pen.measureText(text).width + 12, size + 8];
  const [x, y] = [p.x - wide / 2, p.y - high * (1 + before) - before * 2];
  pen.beginPath();
  pen.rect(x, y, wide, high);
  pen.fillStyle = PAPER;
  pen.fill();
  pen.setLineDash(drawn.own && !drawn.shared ? [4, 3] : []);
  pen.lineWidth = 1.5;
  pen.strokeStyle = drawn.own ? INK : OTHERS;
  pen.stroke();
  pen.setLineDash([]);
  if (!drawn.own) {
    pen.fillStyle = OTHERS;
    pen.fillRect(x, y, 4, high);
  }
  pen.fillStyle = "#2a261e";
  pen.fillText(text, x + 7, y + high / 2 + 0.5);
}

function fitting(pen: CanvasRenderingContext2D, text: string): string {
  if (pen.measureText(text).width <= LONGEST) return text;
  let short = text;
  while (short.length > 1 && pen.measureText(`${short}…`).width > LONGEST) short = short.slice(0, -1);
  return `${short.trimEnd()}…`;
}
