/** Taking units up and sending them somewhere: a whole march is one order. */
import { t } from "../lib/i18n.svelte";
import type { Way } from "../lib/types";
import type { Hand } from "./hand.svelte";
import { about, roleOf, wordsOf } from "./options";

/** A unit was pointed at while units are being chosen. */
export async function pick(hand: Hand, unit: string, add: boolean, hex: string | null): Promise<void> {
  const store = hand.store;
  const found = store.units.get(unit);
  if (!hand.ready.has(unit)) {
    if (found && !hand.mine(unit) && hex && hand.selection.length) return goSelected(hand, hex, false);
    const [word] = wordsOf(store.kit!.verbs, "take");
    if (found && hand.mine(unit) && hex && word) return hand.why([word, unit], hex);
    hand.drop();
    return;
  }
  store.refusal = null;
  store.news = null;
  const entering = !found?.hex;
  const old = hand.selection;
  hand.drop();
  if (add && !entering) {
    const same = old.filter((other) => store.units.get(other)?.hex === hex);
    hand.selection = same.includes(unit) ? same.filter((other) => other !== unit) : [...same, unit];
  } else if (old.length !== 1 || old[0] !== unit) hand.selection = [unit];
  if (hand.selection.length && !entering) await hand.askReach(hand.selection);
}

/** Everybody here who can move; as many as may go together where that is too many. */
export async function pickStack(hand: Hand, hex: string): Promise<void> {
  const here = (hand.store.stacks.get(hex) ?? []).map((unit) => unit.id).filter((id) => hand.ready.has(id));
  if (hand.mode === "attack") return hand.attack.join(here);
  if (hand.mode !== "units") return;
  for (let count = here.length; count > 0; count--) {
    hand.selection = here.slice(0, count);
    if (await hand.askReach(hand.selection, count > 1)) return;
  }
}

/** The selection is sent to a hex. `force`: it is meant to go there, not to pick what stands there. */
export async function goSelected(hand: Hand, hex: string, force: boolean): Promise<void> {
  const [first] = hand.selection;
  if (!first) return;
  const enter = about(hand.options, "enter", first, hex);
  if (enter) {
    await hand.act(enter, hex);
    return;
  }
  if (hex === hand.origin) return;
  const way = hand.reach?.[hex];
  const here = hand.store.stacks.get(hex) ?? [];
  const friends = here.filter((unit) => hand.ready.has(unit.id) && !hand.selection.includes(unit.id));
  if (way && friends.length && !force) {
    hand.menu = {
      hex,
      items: [
        { label: t("hand.move-here"), run: () => void go(hand, hex, way) },
        ...friends.map((unit) => ({
          label: t("hand.take", { unit: hand.store.unitName(unit.id) }),
          run: () => void pick(hand, unit.id, false, hex),
        })),
      ],
    };
    return;
  }
  if (way) return go(hand, hex, way);
  if (here.some((unit) => !hand.mine(unit.id))) return closeIn(hand, hex);
  if (!hand.reach) {
    const option = hand.options.byUnit.get(first)?.[0];
    if (option?.[2]) await hand.why([option[0]!, first, hex], hex);
    return;
  }
  await whyNotThere(hand, hex);
}

async function march(hand: Hand, units: readonly string[], path: readonly string[], hex: string, halt = true): Promise<boolean> {
  const done = await hand.store.order({ order: "move", units, path, ...(halt ? {} : { halt }) });
  if (!done) hand.jolt(hex);
  return done;
}

async function go(hand: Hand, hex: string, way: Way): Promise<void> {
  hand.menu = null;
  const units = hand.selection;
  // Put down before the answer comes, so that nothing is asked about it any more; taken up again if it is refused.
  const asked = hand.asked;
  hand.drop();
  hand.shut();
  if (!(await march(hand, units, way.path, hex)) && !hand.selection.length) {
    [hand.selection, hand.asked] = [units, asked];
  }
}

/** The order itself says why it is refused, with the facts: being illegal, it changes nothing. */
async function whyNotThere(hand: Hand, hex: string): Promise<void> {
  await march(hand, hand.selection, straight(hand, hex), hex);
  hand.jolt(hex);
}

/** From the reachable hex nearest to a goal, straight on to it. */
function straight(hand: Hand, hex: string): string[] {
  const index = hand.store.index!;
  let near = hand.origin ?? hex;
  let path: string[] = [];
  for (const [number, way] of Object.entries(hand.reach ?? {})) {
    if (index.distance(number, hex) < index.distance(near, hex) - 1e-6) [near, path] = [number, way.path];
  }
  const rest: string[] = [];
  for (let here = near, k = 0; here !== hex && k < 60; k++) {
    here = index.neighbours(here).reduce((a, b) => (index.distance(a, hex) <= index.distance(b, hex) ? a : b));
    rest.push(here);
  }
  return [...path, ...rest];
}

/** Walk the selection next to an enemy and keep it in hand, so that it can strike. */
async function closeIn(hand: Hand, hex: string): Promise<void> {
  const beside = hand.store.index!.neighbours(hex);
  const here: [string, Way][] = hand.origin ? [[hand.origin, { path: [], points_left: Infinity }]] : [];
  const ways = [...here, ...Object.entries(hand.reach ?? {})].filter(([number]) => beside.includes(number));
  if (!ways.length || !wordsOf(hand.store.kit!.verbs, "strike").length) return whyNotThere(hand, hex);
  const [, best] = ways.reduce((a, b) => (b[1].points_left > a[1].points_left ? b : a));
  if (await march(hand, hand.selection, best.path, hex, false)) await strike(hand, hex);
}

/** What is in hand is sent to a hex. */
export async function goCarried(hand: Hand, hex: string): Promise<void> {
  const enemy = (hand.store.stacks.get(hex) ?? []).some((unit) => !hand.mine(unit.id));
  if (enemy) return strike(hand, hex);
  const other = hand.options.byHex.get(hex)?.find((action) => roleOf(hand.options, action) !== "step");
  const way = hand.reach?.[hex];
  if (other) await hand.act(other, hex);
  else if (way?.path.length === 1) await hand.act(about(hand.options, "step", hex) ?? [], hex);
  else if (way) await march(hand, hand.carried, way.path, hex, false);
  else if (hex !== hand.origin) {
    const [word] = wordsOf(hand.store.kit!.verbs, "step");
    if (word) await hand.why([word, hex], hex);
  }
}

async function strike(hand: Hand, hex: string): Promise<void> {
  const action = about(hand.options, "strike", hex);
  const [word] = [...wordsOf(hand.store.kit!.verbs, "strike"), ...wordsOf(hand.store.kit!.verbs, "step")];
  if (action) hand.attack.strike(action, hand.carried);
  else if (word) await hand.why([word, hex], hex);
}
