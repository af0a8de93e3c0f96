/** Units and answers in words, for whoever listens instead of looking. */
import { lang, t } from "../lib/i18n.svelte";
import type { Action, Kit, Unit } from "../lib/types";
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

/** A hex with who stands there. */
export function placeWords(store: TableStore, hex: string): string {
  const units = (store.stacks.get(hex) ?? []).map((unit) => store.unitName(unit.id)).join(", ");
  return units ? `${store.hexName(hex)} [${units}]` : store.hexName(hex);
}

/** An answer as a sentence. */
export function answerWords(store: TableStore, action: Action): string {
  const kinds = store.kit?.verbs[action[0]!]?.kinds ?? [];
  const words = action.slice(1).map((word, k) => {
    if (kinds[k] === "unit") {
      const hex = store.units.get(word)?.hex;
      return hex ? `${store.unitName(word)} (${store.hexName(hex)})` : store.unitName(word);
    }
    if (kinds[k] === "hex") return placeWords(store, word);
    return kinds[k] === "number" ? word : store.pieceName(word);
  });
  const verb = store.verbName(action[0]!);
  return words.length ? `${verb}${lang.colon} ${words.join(" → ")}` : verb;
}
