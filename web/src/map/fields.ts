/** What is painted on hexes: overlays, reach, goals, targets, the cursor. */
import { points } from "../lib/points";
import type { Box } from "../lib/types";
import { areas, outline, sides, type Easel, type Overlay, type Scene } from "./scene";

export function tint(easel: Easel, overlay: Overlay): void {
  const { pen, camera } = easel;
  pen.beginPath();
  areas(easel, overlay.hexes);
  pen.save();
  if (overlay.pattern) {
    pen.clip();
    pen.strokeStyle = overlay.fill;
    pen.lineWidth = overlay.pattern === "hatch" ? 1.4 : overlay.pattern === "dashes" ? 2 : 1.6;
    const gap = overlay.pattern === "dots" ? 12 : 8;
    if (overlay.pattern === "dashes") pen.setLineDash([2, gap - 2]);
    if (overlay.pattern === "dots") pen.setLineDash([1.6, gap * 1.3]);
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
  if (overlay.edge) border(easel, overlay.hexes, overlay.edge);
}

/** Found once for an area, not for every frame. */
const borders = new WeakMap<readonly string[], Box[]>();

/** The sides of an area that lead out of it, light under the colour so that it shows on any ground. */
function border(easel: Easel, hexes: readonly string[], colour: string): void {
  const { pen } = easel;
  let found = borders.get(hexes);
  if (!found) borders.set(hexes, (found = outer(easel, hexes)));
  pen.beginPath();
  sides(easel, found);
  pen.lineCap = "round";
  for (const [width, ink] of [[5, "rgba(255, 252, 240, 0.85)"], [2.5, colour]] as const) {
    pen.lineWidth = width;
    pen.strokeStyle = ink;
    pen.stroke();
  }
}

function outer({ kit, index, shape }: Easel, hexes: readonly string[]): Box[] {
  const inside = new Set(hexes);
  const found: Box[] = [];
  for (const number of hexes) {
    const hex = kit.hexes[number];
    if (!hex) continue;
    shape.forEach((corner, k) => {
      const next = shape[(k + 1) % shape.length]!;
      const across = index.at(hex.x + corner.x + next.x, hex.y + corner.y + next.y);
      if (across && inside.has(across)) return;
      found.push([hex.x + corner.x, hex.y + corner.y, hex.x + next.x, hex.y + next.y]);
    });
  }
  return found;
}

export function reach(easel: Easel, scene: Scene): void {
  if (!scene.reach) return;
  const { pen, camera, kit } = easel;
  const ways = Object.entries(scene.reach);
  const most = Math.max(1, ...ways.map(([, way]) => way.points_left));
  for (const [number, way] of ways) {
    pen.beginPath();
    if (!outline(easel, number, 0.95)) continue;
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
    const hex = kit.hexes[number];
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

export function highlights(easel: Easel, scene: Scene): void {
  const { pen } = easel;
  for (const number of scene.goals) {
    pen.beginPath();
    if (!outline(easel, number, 0.93)) continue;
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
    if (!outline(easel, number, 0.95)) continue;
    pen.fillStyle = "rgba(168, 24, 24, 0.24)";
    pen.fill();
    pen.lineWidth = 3.5;
    pen.strokeStyle = "#8f1111";
    pen.stroke();
  }
  for (const number of scene.pointed) {
    pen.beginPath();
    if (!outline(easel, number, 0.9)) continue;
    pen.lineWidth = 4;
    pen.strokeStyle = "rgba(255, 214, 64, 0.95)";
    pen.stroke();
    pen.lineWidth = 1.5;
    pen.strokeStyle = "#3b2f00";
    pen.stroke();
  }
  if (!scene.origin) return;
  pen.beginPath();
  if (!outline(easel, scene.origin, 0.95)) return;
  pen.lineWidth = 2.5;
  pen.strokeStyle = "#123a5a";
  pen.stroke();
}

export function cursor(easel: Easel, scene: Scene): void {
  const { pen } = easel;
  for (const [number, colour, width] of [
    [scene.hover, "rgba(40, 34, 20, 0.55)", 1.5],
    [scene.cursor, "#0b5fff", 3],
  ] as const) {
    if (!number) continue;
    pen.beginPath();
    if (!outline(easel, number, 0.98)) continue;
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
