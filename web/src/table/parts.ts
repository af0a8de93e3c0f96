/** Which parts of a view lie where. */
import type { Part, TableView } from "../lib/types";

const BESIDE: ReadonlySet<Part["part"]> = new Set<Part["part"]>(["pool", "display", "track", "company"]);

/** Parts that lie beside the map. */
export const beside = (view: TableView): Part[] => view.parts.filter((part) => BESIDE.has(part.part));

/** Parts that are drawn on the map, in words: what lies where, who holds what. */
export function onMap(view: TableView): { id: string; hexes: string[]; side: string | null }[] {
  return view.parts.flatMap((part) => {
    if (part.part === "markers" || part.part === "area") return part.hexes.length ? [{ id: part.id, hexes: part.hexes, side: part.side ?? null }] : [];
    if (part.part !== "holders") return [];
    const bySide = new Map<string, string[]>();
    for (const [hex, side] of Object.entries(part.hexes)) bySide.set(side, [...(bySide.get(side) ?? []), hex]);
    return [...bySide].map(([side, hexes]) => ({ id: part.id, hexes, side }));
  });
}
