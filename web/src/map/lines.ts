/** Lines over the map: the way of a march, the way of supply, who attacks whom. */
import { trail, type Easel, type Scene } from "./scene";

export function way(easel: Easel, scene: Scene): void {
  if (!scene.origin || !scene.path.length) return;
  const { pen, camera, kit } = easel;
  const cells = [scene.origin, ...scene.path];
  pen.lineJoin = pen.lineCap = "round";
  for (const [width, colour] of [[7, "rgba(255, 252, 240, 0.9)"], [3.5, "#123a5a"]] as const) {
    trail(easel, cells);
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.stroke();
  }
  const goal = kit.hexes[cells[cells.length - 1]!];
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

/** Drawn out along the ground, dotted along the road. */
export function supply(easel: Easel, line: NonNullable<Scene["supply"]>): void {
  const { pen } = easel;
  pen.lineJoin = pen.lineCap = "round";
  const cells = [line.from, ...line.line];
  const rest = [cells[cells.length - 1]!, ...line.road];
  for (const [list, dash] of [[cells, []], [rest, [2, 7]]] as const) {
    if (list.length < 2) continue;
    trail(easel, list);
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

/** A shaft and a head across the side between two hexes, added to the path; false where they are not next to each other. */
function across({ pen, camera, kit, index }: Easel, from: string, to: string, head: number): boolean {
  const [a, b] = [kit.hexes[from], kit.hexes[to]];
  if (!a || !b || index.distance(from, to) > 1.3) return false;
  const start = camera.toScreen({ x: a.x + (b.x - a.x) * 0.3, y: a.y + (b.y - a.y) * 0.3 });
  const end = camera.toScreen({ x: a.x + (b.x - a.x) * 0.66, y: a.y + (b.y - a.y) * 0.66 });
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  pen.moveTo(start.x, start.y);
  pen.lineTo(end.x, end.y);
  pen.moveTo(end.x - head * Math.cos(angle - 0.6), end.y - head * Math.sin(angle - 0.6));
  pen.lineTo(end.x, end.y);
  pen.lineTo(end.x - head * Math.cos(angle + 0.6), end.y - head * Math.sin(angle + 0.6));
  return true;
}

/** From the attackers to what they attack. */
export function arrows(easel: Easel, scene: Scene): void {
  if (!scene.targets.length || !scene.marked.size) return;
  const { pen, camera } = easel;
  const from = new Set<string>(scene.from ?? []);
  for (const [number, units] of scene.from ? [] : scene.stacks) if (units.some((unit) => scene.marked.has(unit.id))) from.add(number);
  pen.lineCap = "round";
  for (const number of from) {
    for (const target of scene.targets) {
      for (const [width, colour] of [[8, "#fff6ea"], [4.5, "#a11212"]] as const) {
        pen.beginPath();
        if (!across(easel, number, target, Math.max(8, camera.scale * 0.16))) continue;
        pen.lineWidth = width;
        pen.strokeStyle = colour;
        pen.stroke();
      }
    }
  }
}

/** From those who have declared an attack to what it is on: hollow, so that it is told from one that is being made. */
export function aims(easel: Easel, scene: Scene): void {
  const { pen, camera } = easel;
  pen.lineCap = pen.lineJoin = "round";
  const thin = Math.max(1, Math.min(2, camera.scale * 0.04));
  for (const [width, colour] of [[4.5 + 2 * thin, "#5c1010"], [4.5, "#fff6ea"]] as const) {
    pen.beginPath();
    for (const [from, to] of scene.aims) across(easel, from, to, Math.max(8, camera.scale * 0.16));
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.stroke();
  }
}

/** The ways that others have gone, each with a head where it ended. */
export function trails(easel: Easel, paths: readonly (readonly string[])[]): void {
  const { pen, camera, kit } = easel;
  pen.lineJoin = pen.lineCap = "round";
  const head = Math.max(6, camera.scale * 0.14);
  for (const path of paths) {
    const [before, last] = path.slice(-2).map((number) => kit.hexes[number]);
    if (!before || !last) continue;
    const a = camera.toScreen(before);
    const b = camera.toScreen(last);
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    for (const [width, colour] of [[6, "rgba(255, 252, 240, 0.8)"], [3, "rgba(96, 40, 120, 0.85)"]] as const) {
      trail(easel, path);
      pen.moveTo(b.x - head * Math.cos(angle - 0.5), b.y - head * Math.sin(angle - 0.5));
      pen.lineTo(b.x, b.y);
      pen.lineTo(b.x - head * Math.cos(angle + 0.5), b.y - head * Math.sin(angle + 0.5));
      pen.lineWidth = width;
      pen.strokeStyle = colour;
      pen.stroke();
    }
  }
}
