/** What a click on a unit or a hex means, by the question on the table.
 *
 *  One rule: what is selected goes where one clicks, and if it cannot, the answer is about the hex that was clicked. */
import { lang, t } from "../lib/i18n.svelte";
import type { Action } from "../lib/types";
import type { Hand } from "./hand.svelte";
import { addStack, goCarried, goSelected, pick, pickStack } from "./march";
import { about, pairs, placings, wordsOf } from "./options";

/** The map was clicked: in a hex, perhaps on the counter that lies on top there. With `more`, what is there joins what is selected already. */
export function clickMap(hand: Hand, hex: string | null, unit: string | null, more: boolean): void {
  hand.cursor = null;
  if (!hex) {
    hand.shut();
    hand.menu = null;
    return;
  }
  const stack = hand.store.stacks.get(hex) ?? [];
  const able = stack.filter((other) => hand.ready.has(other.id));
  if (hand.mode === "suppose") void think(hand, hex);
  else if (hand.open === hex && hand.fan && unit) void clickUnit(hand, unit, more);
  else if (hand.mode === "units" && able.length && more) void addStack(hand, hex);
  else if (hand.mode === "units" && hand.attack.mayAim(hex)) aimFrom(hand, hex);
  else if (hand.mode === "units" && !hand.selection.length && hand.options.byHex.has(hex) && !able.length) {
    const run = (action: Action) => () => void hand.act(action, hex);
    hand.menu = { hex, items: hand.options.byHex.get(hex)!.map((action) => ({ label: hand.verb(action), run: run(action) })) };
  }
  else if (hand.mode === "watch" || !unit || goes(hand, hex)) {
    if (hand.open !== hex && !stays(hand, hex)) hand.shut();
    void clickHex(hand, hex);
  } else if (hand.mode === "units" && able.length) laidOpen(hand, hex, able.length);
  else if (hand.mode === "carry" && hex === hand.origin) [hand.open, hand.fan] = [hex, false];
  else if (hand.mode === "choose" && able.length > 1) {
    // Which of them is the question: lay them all out.
    [hand.open, hand.fan] = [hex, true];
  } else besides(hand, hex, unit);
}

/** Thinking of an attack: who could make it is put in or left out, any other stack is what it would be made on. */
async function think(hand: Hand, hex: string): Promise<void> {
  const stack = hand.store.stacks.get(hex) ?? [];
  const able = stack.map((unit) => unit.id).filter((unit) => hand.attack.mayJoin(unit));
  if (stack.length > 1) [hand.open, hand.fan] = [hex, false];
  else hand.shut();
  if (able.length) await hand.attack.toggleAll(able);
  else if (stack.length) await hand.attack.suppose(hex);
}

/** Whether what is selected or in hand would go to a hex that is clicked. */
function goes(hand: Hand, hex: string): boolean {
  if (hand.mode === "attack" || hex === hand.origin) return false;
  if (hand.mode === "carry") return !!hand.reach?.[hex] || hand.options.byHex.has(hex);
  if (!hand.selection.length) return false;
  if (hand.mode === "units") return hand.groups.length > 1 || !!hand.reach?.[hex] || hand.goals.has(hex);
  return hand.options.all.some((action) => action[2] === hex && hand.selection.includes(action[1]!));
}

/** Among moves an attack is declared by a click on whom it is made on: by those selected, if any are. Whoever could go and
 *  strike there instead is asked. */
function aimFrom(hand: Hand, hex: string): void {
  const units = hand.selection;
  const fit = hand.store.decision!.hand!.aims[hex]!.may_join;
  const [aim] = wordsOf(hand.store.kit!.verbs, "aim");
  const [strike] = wordsOf(hand.store.kit!.verbs, "strike");
  const declare = (): void => {
    hand.drop();
    hand.shut();
    hand.attack.aim(hex);
    if (units.length) void hand.attack.join(units);
  };
  const able = units.some((unit) => fit.includes(unit));
  if (!units.length || (able && !strike)) declare();
  else if (!able || !aim) void clickHex(hand, hex);
  else {
    hand.menu = { hex, items: [
      { label: hand.verb([aim, hex]), run: declare },
      { label: hand.verb([strike!, hex]), run: () => void clickHex(hand, hex) },
    ] };
  }
}

/** Whether the stack that lies open stays so: where what is selected of it cannot go, others of it may be chosen. */
function stays(hand: Hand, hex: string): boolean {
  return hand.mode === "units" && hand.selection.length > 0 && hand.open === hand.origin && !goes(hand, hex);
}

/** A stack of one's own: first all of it is selected, then one by one. */
function laidOpen(hand: Hand, hex: string, number: number): void {
  if (number === 1) hand.shut();
  if (hand.origin !== hex || hand.groups.length > 1) {
    if ((hand.store.stacks.get(hex)?.length ?? 0) > 1) [hand.open, hand.fan] = [hex, false];
    void pickStack(hand, hex);
  } else if (hand.open !== hex) {
    if (number > 1) [hand.open, hand.fan] = [hex, false];
    else hand.drop();
  } else hand.fan = !hand.fan;
}

function besides(hand: Hand, hex: string, unit: string): void {
  const stack = hand.store.stacks.get(hex) ?? [];
  const mine = stack[0]?.side === hand.store.actor;
  if (mine && stack.length > 1 && hand.mode !== "units") {
    const able = stack.findLast((other) => hand.ready.has(other.id));
    [hand.open, hand.fan] = [hex, hand.open === hex && hand.mode === "attack" ? !hand.fan : false];
    void clickUnit(hand, able?.id ?? unit, false);
    return;
  }
  if (!stays(hand, hex)) hand.shut();
  if ((mine && hand.mode !== "units") || (hand.mode === "choose" && hand.ready.has(unit))) void clickUnit(hand, unit, false);
  else {
    if (stack.length > 1 && !hand.goals.has(hex) && !hand.selection.length) hand.open = hex;
    void (hand.mode === "units" && !hand.selection.length ? pick(hand, unit, false, hex) : clickHex(hand, hex));
  }
}

/** A unit was clicked, in a strip or in a stack that lies open. */
export async function clickUnit(hand: Hand, unit: string, more: boolean): Promise<void> {
  hand.menu = null;
  const hex = hand.store.units.get(unit)?.hex ?? null;
  if (hand.mode === "watch") hand.hoverUnit = unit;
  else if (hand.mode === "suppose") await (hand.attack.mayJoin(unit) ? hand.attack.toggleUnit(unit) : hex && think(hand, hex));
  else if (hand.mode === "units") await pick(hand, unit, more, hex);
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
    const left = hand.carried.map(hand.store.unitName).join(", ");
    if (!(await hand.act(halt, hex))) return;
    hand.store.say({ text: t("hand.halted", { units: left }), label: t("dock.undo"), run: () => void hand.undo() });
    await pick(hand, unit, false, hex);
  } else if (hex) await clickHex(hand, hex);
}

async function choose(hand: Hand, unit: string, hex: string | null): Promise<void> {
  const actions = hand.options.byUnit.get(unit) ?? [];
  const both = hand.selection.length === 1 ? pairs(hand.options, [...hand.selection, unit]) : [];
  if (hand.selection[0] !== unit && both.length === 1) return void (await hand.act(both[0]!, hex));
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

export async function clickHex(hand: Hand, hex: string): Promise<void> {
  hand.menu = null;
  if (hand.mode === "watch") {
    if ((hand.store.stacks.get(hex)?.length ?? 0) < 2) hand.shut();
    else [hand.open, hand.fan] = [hex, hand.open !== hex || !hand.fan];
  } else if (hand.mode === "suppose") await think(hand, hex);
  else if (hand.mode === "units") await goSelected(hand, hex);
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
  else if (ways.length) offer(hand, hex, ways);
  else if (hand.mode !== "aim" || hand.store.stacks.has(hex)) {
    const asked = hand.options.byHex.values().next().value?.[0]?.[0];
    if (asked) await hand.why([asked, hex], hex);
  }
}

/** Several units may go there: which, or all of them. */
function offer(hand: Hand, hex: string, ways: readonly Action[]): void {
  const one = (action: Action) => ({
    label: `${hand.verb(action)}${lang.colon} ${hand.store.unitName(action[1]!)}`,
    run: () => void hand.act(action, hex),
  });
  const together = ways.length === placings(hand.options, hex).length;
  const all = { label: t("hand.all-there"), run: () => void hand.sendAll(hex) };
  hand.menu = { hex, items: [...(together ? [all] : []), ...ways.map(one)] };
}
