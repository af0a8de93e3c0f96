/** Units, places and hexes by what is typed. */
import type { TableStore } from "./store.svelte";

export interface Finding {
  key: string;
  name: string;
  /** Where it is, in words. */
  where: string;
  hex: string;
  unit?: string;
}

/** So many are listed. */
const MOST = 20;

/** Without accents and capitals: Šiauliai is found by typing siauliai. */
export const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

export function find(store: TableStore, words: string): Finding[] {
  const wanted = plain(words.trim());
  const kit = store.kit;
  if (!wanted || !kit) return [];
  const found: (Finding & { rank: number })[] = [];
  const rank = (text: string): number => {
    const at = plain(text).indexOf(wanted);
    return at < 0 ? -1 : at === 0 ? 0 : /[\s(]/.test(plain(text)[at - 1]!) ? 1 : 2;
  };
  for (const [hex, { name }] of Object.entries(kit.hexes)) {
    const best = [rank(hex) === 0 ? 0 : -1, name ? rank(name) : -1].filter((each) => each >= 0);
    if (best.length) found.push({ key: hex, name: name || hex, where: name ? hex : store.groundName(kit.hexes[hex]!.terrain), hex, rank: Math.min(...best) });
  }
  for (const unit of store.units.values()) {
    if (!unit.hex) continue;
    const name = store.unitName(unit.id);
    const best = rank(name);
    if (best >= 0) found.push({ key: unit.id, name, where: `${store.sideName(unit.side)}, ${store.hexName(unit.hex)}`, hex: unit.hex, unit: unit.id, rank: best });
  }
  return found.sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name)).slice(0, MOST);
}
