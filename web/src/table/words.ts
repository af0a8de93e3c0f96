/** Units and answers in words, for whoever listens instead of looking. */
import { lang, t } from "../lib/i18n.svelte";
import type { Action, Kit, State, Unit } from "../lib/types";
import { verdict, type Deed } from "./deeds";
import type { TableStore } from "./store.svelte";

/** What a unit is worth and what is the matter with it. */
export function unitWords(unit: Unit, kit: Kit): string {
  const parts: string[] = [];
  if (unit.radius != null) parts.push(t("card.radius", { radius: unit.radius }));
  else if (unit.attack != null) parts.push(`${unit.attack}-${unit.defence}`);
  for (const id of unit.badges) {
    const badge = kit.badges[id];
    if (badge) parts.push(badge.name);
  }
  return parts.join(", ");
}

/** How a game ended that somebody gave up or lost on time, and who has won it; nothing if it was played to its end. */
export function givenUp(outcome: State["outcome"], name: (side: string) => string): string {
  const side = outcome?.late ?? outcome?.resigned;
  if (!side) return "";
  return t(outcome!.late ? "dock.late" : "dock.resigned", { side: name(side), winner: name(outcome!.winner ?? "") });
}

/** A hex with who stands there. */
export function placeWords(store: TableStore, hex: string): string {
  const units = (store.stacks.get(hex) ?? []).map((unit) => store.unitName(unit.id)).join(", ");
  return units ? `${store.hexName(hex)} [${units}]` : store.hexName(hex);
}

/** What is aimed from other hexes: what, or at what, and from where. */
export const aimedWords = (store: TableStore, name: string, from: readonly string[]): string =>
  from.length ? t("map.aimed", { name, hexes: from.map(store.hexName).join(", ") }) : name;

/** An answer as a sentence. */
export function answerWords(store: TableStore, action: Action): string {
  const kinds = store.kit?.verbs[action[0]!]?.kinds ?? [];
  const words = action.slice(1).map((word, k) => {
    if (kinds[k] === "unit") {
      const hex = store.units.get(word)?.hex;
      return hex ? `${store.unitName(word)}, ${store.hexName(hex)}` : store.unitName(word);
    }
    if (kinds[k] === "hex") return placeWords(store, word);
    return kinds[k] === "number" ? word : store.pieceName(word);
  });
  const verb = store.verbName(action[0]!);
  return words.length ? `${verb}${lang.colon} ${words.join(" → ")}` : verb;
}

/** A sentence begins large, whatever it begins with. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(lang.language) + text.slice(1);

/** A deed as a sentence: a march by where it began and ended, a battle by its announcement and what came of it. */
export function deedWords(store: TableStore, deed: Deed): string {
  const [first] = deed.lines;
  if (!first) return "";
  if (deed.kind === "march" && deed.lines.length > 1) {
    const units = deed.units.map(store.unitName).join(", ");
    const [from, to] = [deed.path[0]!, deed.path.at(-1)!];
    if (from !== to) return capital(t("deed.march", { units, from: store.hexName(from), to: store.hexName(to) }));
    // There and back again: by the hex that was farthest from home.
    const far = deed.path.reduce((a, b) => (store.index!.distance(from, b) > store.index!.distance(from, a) ? b : a));
    return capital(t("deed.back", { units, from: store.hexName(from), far: store.hexName(far) }));
  }
  const end = verdict(deed);
  return end && end !== first ? `${first.text} ${end.text}` : first.text;
}
