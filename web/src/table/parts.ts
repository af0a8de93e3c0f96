/** Which parts of a view lie where. */
import type { FlagPart, Part, TableView } from "../lib/types";

const BESIDE: ReadonlySet<Part["part"]> = new Set<Part["part"]>(["pool", "display", "track", "company"]);

/** Parts that lie beside the map. */
export const beside = (view: TableView): Part[] => view.parts.filter((part) => BESIDE.has(part.part));

/** What is so, for all to see; and whether that is too much for the bar, where there is a place beside the map. */
export const flagsOf = (view: TableView): FlagPart[] => view.parts.filter((part): part is FlagPart => part.part === "flag" && part.on);
const FEW = 2;
export const flagsBeside = (view: TableView): boolean => flagsOf(view).length > FEW && beside(view).length > 0;

export interface Lying {
  id: string;
  hexes: string[];
  side: string | null;
  arrows: readonly (readonly [string, string])[];
}

/** Parts that are drawn on the map, in words: what lies where, who holds what. */
export function onMap(view: TableView): Lying[] {
  return view.parts.flatMap((part): Lying[] => {
    if (part.part === "markers" || part.part === "area") {
      const arrows = part.part === "markers" ? (part.arrows ?? []) : [];
      return part.hexes.length ? [{ id: part.id, hexes: part.hexes, side: part.side ?? null, arrows }] : [];
    }
    if (part.part !== "holders") return [];
    const bySide = new Map<string, string[]>();
    for (const [hex, side] of Object.entries(part.hexes)) bySide.set(side, [...(bySide.get(side) ?? []), hex]);
    return [...bySide].map(([side, hexes]) => ({ id: part.id, hexes, side, arrows: [] }));
  });
}

/** From where what is marked at a hex is aimed there. */
export const aimedFrom = (arrows: Lying["arrows"], hex: string): string[] => arrows.filter(([, to]) => to === hex).map(([from]) => from);
