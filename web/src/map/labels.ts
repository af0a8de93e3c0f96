/** Names of places that counters cover, written again above them. */
import type { Easel, Scene } from "./scene";

/** Below this many pixels a hex no name can be read. */
const LEGIBLE = 30;

export function labels({ pen, camera, kit }: Easel, scene: Scene): void {
  if (camera.scale < LEGIBLE) return;
  const size = Math.max(10, Math.min(14, camera.scale * 0.22));
  pen.font = `700 ${size}px "Alegreya Map", Georgia, serif`;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.lineJoin = "round";
  pen.lineWidth = 3.5;
  for (const number of scene.stacks.keys()) {
    const hex = kit.hexes[number];
    if (!hex?.name || number === scene.open) continue;
    const p = camera.toScreen({ x: hex.x, y: hex.y + 0.6 });
    if (p.x < -99 || p.y < -20 || p.x > camera.width + 99 || p.y > camera.height + 20) continue;
    pen.strokeStyle = "rgba(250, 245, 232, 0.92)";
    pen.strokeText(hex.name, p.x, p.y);
    pen.fillStyle = "#2a261e";
    pen.fillText(hex.name, p.x, p.y);
  }
}
