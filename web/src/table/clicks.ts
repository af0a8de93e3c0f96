/** What a click on a unit or a hex means, by the question on the table. */
import { lang } from "../lib/i18n.svelte";
import type { Hand } from "./hand.svelte";
import { goCarried, goSelected, pick } from "./march";
import { about, wordsOf } from "./options";

/** A unit was clicked, on the map or in a strip. */
export async function clickUnit(hand: Hand, unit: string, add: boolean): Promise<void> {
  hand.menu = null;
  const hex = hand.store.units.get(unit)?.hex ?? null;
  if (hand.mode === "watch") hand.hoverUnit = unit;
  else if (hand.mode === "units") await pick(hand, unit, add, hex);
  else if (hand.mode === "attack") await muster(hand, unit, hex);
  else if (hand.mode === "carry") await besideCarried(hand, unit, hex);
  else await choose(hand, unit, hex);
}

/** With a stack in hand: take one more along, set one down, or leave the stack for another unit. */
async function besideCarried(hand: Hand, unit: string, hex: string | null): Promise<void> {
  const one = hand.options.byUnit.get(unit)?.find((action) => action.length === 2);
  const halt = about(hand.options, "halt");
  if (one) await hand.act(one, hex);
  else if (hand.mine(unit) && !hand.carried.includes(unit) && halt) {
    if (await hand.act(halt, hex)) await pick(hand, unit, false, hex);
  } else if (hex) await clickHex(hand, hex);
}

async function choose(hand: Hand, unit: string, hex: string | null): Promise<void> {
  const actions = hand.options.byUnit.get(unit) ?? [];
  const alone = actions.filter((action) => action.length === 2);
  if (alone.length === 1) await hand.act(alone[0]!, hex);
  else if (actions.length) {
    hand.selection = [unit];
    // Where it could go must not lie under the fan.
    hand.fan = false;
  } else if (hex) await clickHex(hand, hex);
}

/** Into the attack, or out of it again. */
async function muster(hand: Hand, unit: string, hex: string | null): Promise<void> {
  const attack = hand.attack;
  if (attack.mayJoin(unit)) return attack.toggleUnit(unit);
  if (hex && attack.mayWiden(hex)) return attack.toggleTarget(hex);
  if (!hex || attack.draft?.units.includes(unit) || attack.draft?.targets.includes(hex)) return;
  if (attack.mayAim(hex)) return attack.aim(hex);
  const role = hand.mine(unit) ? "join" : "widen";
  const [word] = wordsOf(hand.store.kit!.verbs, role);
  if (word) await hand.why([word, role === "join" ? unit : hex], hex);
}

export async function clickHex(hand: Hand, hex: string, force = false): Promise<void> {
  hand.menu = null;
  if (hand.mode === "watch") {
    if ((hand.store.stacks.get(hex)?.length ?? 0) < 2) hand.shut();
    else [hand.open, hand.fan] = [hex, hand.open !== hex || !hand.fan];
  } else if (hand.mode === "units") await goSelected(hand, hex, force);
  else if (hand.mode === "carry") await goCarried(hand, hex);
  else if (hand.attack.mayAim(hex) && !hand.attack.mayWiden(hex)) hand.attack.aim(hex);
  else if (hand.mode === "attack") await hand.attack.toggleTarget(hex);
  else await answerWith(hand, hex);
}

/** A hex as the answer, alone or as the place of a unit. */
async function answerWith(hand: Hand, hex: string): Promise<void> {
  const direct = hand.options.byHex.get(hex);
  if (direct?.length === 1) {
    await hand.act(direct[0]!, hex);
    return;
  }
  const ways = hand.options.all.filter((action) => action[2] === hex);
  const mine = ways.filter((action) => hand.selection.includes(action[1]!));
  const only = mine.length === 1 ? mine[0] : ways.length === 1 ? ways[0] : undefined;
  if (only) await hand.act(only, hex);
  else if (ways.length) {
    hand.menu = {
      hex,
      items: ways.map((action) => ({
        label: `${hand.verb(action)}${lang.colon} ${hand.store.unitName(action[1]!)}`,
        run: () => void hand.act(action, hex),
      })),
    };
  } else if (hand.mode !== "aim" || hand.store.stacks.has(hex)) {
    const asked = hand.options.byHex.values().next().value?.[0]?.[0];
    if (asked) await hand.why([asked, hex], hex);
  }
}
