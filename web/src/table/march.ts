/** Taking units up and sending them somewhere: a whole march is one order. */
import { t } from "../lib/i18n.svelte";
import type { Way } from "../lib/types";
import { ways } from "../lib/ways";
import type { Hand } from "./hand.svelte";
import { about, isPair, roleOf, wordsOf } from "./options";

/** A unit was pointed at while units are being chosen. */
export async function pick(hand: Hand, unit: string, add: boolean, hex: string | null): Promise<void> {
  const store = hand.store;
  // One more of a stack, or one less, of whom it is still being asked who goes together.
  if (add) await hand.picking;
  const found = store.units.get(unit);
  if (!hand.ready.has(unit)) {
    if (found && hex && hand.selection.length && hex !== hand.origin) return goSelected(hand, hex);
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
  // Of whom there is more to be asked than where to go, no refusal to go is told before it is tried.
  if (hand.selection.length && !entering) await hand.askReach(hand.selection, hand.pairs.length > 0);
}

const ableIn = (hand: Hand, hex: string): string[] =>
  (hand.store.stacks.get(hex) ?? []).map((unit) => unit.id).filter((id) => hand.ready.has(id));

/** Everybody here who can move; as many as may go together where that is too many. */
export async function pickStack(hand: Hand, hex: string): Promise<void> {
  const here = ableIn(hand, hex);
  if (hand.mode === "attack" || hand.mode === "suppose") return hand.attack.join(here);
  if (hand.mode !== "units") return;
  hand.picking = pickMost(hand, here);
  await hand.picking;
}

async function pickMost(hand: Hand, here: readonly string[]): Promise<void> {
  hand.store.refusal = null;
  hand.store.news = null;
  hand.drop();
  const together = await hand.askMost(here);
  // Something else has been chosen meanwhile, or nobody may go.
  if (!together) return;
  hand.selection = together;
  if (together.length < here.length) hand.store.say({ text: t("hand.some", { n: together.length, of: here.length }) });
}

/** Stacks to march together, each by its own way. */
export async function addStack(hand: Hand, hex: string): Promise<void> {
  await hand.picking;
  const here = ableIn(hand, hex);
  const others = hand.selection.filter((unit) => hand.store.units.get(unit)?.hex !== hex);
  const had = hand.selection.length - others.length;
  await pickMany(hand, had === here.length ? others : [...others, ...here]);
}

export async function pickMany(hand: Hand, units: readonly string[]): Promise<void> {
  hand.drop();
  hand.shut();
  hand.selection = [...units];
  if (hand.groups.length === 1) await hand.askReach(hand.selection);
}

/** The selection is sent to a hex. */
export async function goSelected(hand: Hand, hex: string): Promise<void> {
  // Who goes together is still being asked.
  await hand.picking;
  const [first] = hand.selection;
  if (!first) return;
  if (hand.groups.length > 1) return marchTogether(hand, hex);
  const enter = about(hand.options, "enter", first, hex);
  if (enter) {
    await hand.act(enter, hex);
    return;
  }
  if (hex === hand.origin) return;
  const way = hand.reach?.[hex];
  const here = hand.store.stacks.get(hex) ?? [];
  if (way) return go(hand, hex, way);
  if (here.some((unit) => !hand.mine(unit.id))) return closeIn(hand, hex);
  if (!hand.reach) {
    const option = hand.options.byUnit.get(first)?.[0];
    if (option?.[2] && !isPair(hand.options, option)) {
      await hand.why([option[0]!, first, hex], hex);
      return;
    }
  }
  await hand.whyNotThere(hand.selection, hex);
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

/** As many units of a stack as may go together, and how far they get. */
async function largest(hand: Hand, units: readonly string[]): Promise<{ together: readonly string[]; reach: Record<string, Way> }> {
  const answer = await hand.store.door.reach(units, true).catch(() => null);
  return answer ? { together: answer.units ?? units, reach: ways(answer.hexes) } : { together: [], reach: {} };
}

/** Several stacks go towards a hex: each as near to it as it gets, the nearest first. */
async function marchTogether(hand: Hand, hex: string): Promise<void> {
  const index = hand.store.index!;
  const place = (units: readonly string[]) => hand.store.units.get(units[0]!)?.hex ?? "";
  const groups = [...hand.groups].sort((a, b) => index.distance(place(a), hex) - index.distance(place(b), hex));
  hand.drop();
  hand.shut();
  hand.marching = true;
  let moved = 0;
  for (const units of groups) {
    const from = place(units);
    const { together, reach } = await largest(hand, units);
    const near = Object.keys(reach).reduce((a, b) => (index.distance(b, hex) < index.distance(a, hex) - 1e-6 ? b : a), from);
    const way = reach[near];
    if (way && near !== from && (await march(hand, together, way.path, near))) moved++;
  }
  hand.marching = false;
  hand.store.say({ text: t("hand.marched", { n: moved, of: groups.length, hex: hand.store.hexName(hex) }) });
}

/** Walk the selection next to an enemy and keep it in hand, so that it can strike. */
async function closeIn(hand: Hand, hex: string): Promise<void> {
  const beside = hand.store.index!.neighbours(hex);
  const here: [string, Way][] = hand.origin ? [[hand.origin, { path: [], points_left: Infinity }]] : [];
  const near = [...here, ...Object.entries(hand.reach ?? {})].filter(([number]) => beside.includes(number));
  if (!near.length || !wordsOf(hand.store.kit!.verbs, "strike").length) return hand.whyNotThere(hand.selection, hex);
  const [, best] = near.reduce((a, b) => (b[1].points_left > a[1].points_left ? b : a));
  if (await march(hand, hand.selection, best.path, hex, false)) await strike(hand, hex);
}

/** What is in hand is sent to a hex. */
export async function goCarried(hand: Hand, hex: string): Promise<void> {
  const enemy = (hand.store.stacks.get(hex) ?? []).some((unit) => !hand.mine(unit.id));
  if (enemy) return strike(hand, hex);
  // How far it gets is still being asked.
  await hand.picking;
  const other = hand.options.byHex.get(hex)?.find((action) => roleOf(hand.options, action) !== "step");
  const way = hand.reach?.[hex];
  if (other) await hand.act(other, hex);
  else if (way?.path.length === 1) await hand.act(about(hand.options, "step", hex) ?? [], hex);
  else if (way) await march(hand, hand.carried, way.path, hex, false);
  else if (hex !== hand.origin) await hand.whyNotThere(hand.carried, hex);
}

async function strike(hand: Hand, hex: string): Promise<void> {
  const action = about(hand.options, "strike", hex);
  const [word] = [...wordsOf(hand.store.kit!.verbs, "strike"), ...wordsOf(hand.store.kit!.verbs, "step")];
  if (action) hand.attack.strike(action, hand.carried);
  else if (word) await hand.why([word, hex], hex);
}
