/** The whole game from the keyboard. */
import type { Counsel } from "./counsel.svelte";
import type { Hand } from "./hand.svelte";
import type { Layers } from "./layers.svelte";
import { clickHex, clickUnit } from "./clicks";
import { pickStack } from "./march";
import type { Tab } from "./panel.svelte";
import type { TableStore } from "./store.svelte";

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
};
const TABS: Record<string, Tab> = { l: "log", r: "rules", t: "tables", o: "forces", c: "talk" };

export interface Desk {
  store: TableStore;
  hand: Hand;
  layers: Layers;
  counsel: Counsel;
  zoom: (factor: number) => void;
  fit: () => void;
  help: () => void;
  find: () => void;
}

const onMap = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof HTMLElement && target.tagName === "CANVAS");

const writing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || target.isContentEditable);

/** Places that can act now, in the order of the map. */
function stops(store: TableStore, hand: Hand): string[] {
  const found = new Set<string>(hand.goals);
  for (const id of hand.ready) {
    const hex = store.units.get(id)?.hex;
    if (hex) found.add(hex);
  }
  return [...found].sort();
}

export function onKey(event: KeyboardEvent, desk: Desk): void {
  const { store, hand } = desk;
  if (event.defaultPrevented || event.altKey || event.metaKey || event.ctrlKey || writing(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const map = onMap(event.target);
  const arrow = ARROWS[event.key];
  if (arrow && map) {
    event.preventDefault();
    walk(desk, arrow);
  } else if (event.key === "Tab" && map && store.myMove) {
    const places = stops(store, hand);
    if (!places.length) return;
    const at = hand.cursor ? places.indexOf(hand.cursor) : event.shiftKey ? places.length : -1;
    const next = at + (event.shiftKey ? -1 : 1);
    // Past the last one, Tab leaves the map for the rest of the page.
    if (next < 0 || next >= places.length) {
      hand.cursor = null;
      return;
    }
    event.preventDefault();
    go(desk, places[next]!);
  } else if (event.key === "Enter" && map && hand.cursor) {
    event.preventDefault();
    if (store.marks.on) void store.marks.take(hand.cursor);
    else pick(desk, event.shiftKey);
  } else if (event.key === "Backspace" && map && store.marks.on) {
    event.preventDefault();
    void store.marks.undo();
  } else if (event.key === "Escape") {
    event.preventDefault();
    if (store.show.running) store.show.skip();
    else if (store.marks.on) store.marks.begin(false);
    else if (desk.counsel.open) desk.counsel.dismiss();
    else void hand.back();
  } else if (event.key === " " && map) {
    event.preventDefault();
    const main = store.decision?.main;
    if (store.show.running) store.show.skip();
    else if (hand.attack.supposing) return;
    else if (hand.attack.draft) void hand.fight();
    else if (main) void hand.press(main);
  } else {
    const used = letter(event.key.toLowerCase(), desk);
    if (used) event.preventDefault();
  }
}

function letter(key: string, desk: Desk): boolean {
  const { store, hand, layers } = desk;
  const layer = layers.switches[Number(key) - 1];
  if (key === "u") {
    if (store.live?.can_undo || hand.attack.draft) void hand.undo();
  } else if (key === "y") {
    if (store.live?.can_redo) void hand.redo();
  } else if (key === "a") {
    const hex = hand.cursor ?? hand.open ?? hand.hoverHex;
    if (hex) void pickStack(hand, hex);
  } else if (key === "n") {
    if (hand.waiting.length) void hand.nextUnit();
  } else if (key === "s") {
    if (hand.mode === "units" && hand.selection.length) hand.stay();
  } else if (key === "m") {
    if (store.live?.you.length) store.marks.begin(!store.marks.on);
  } else if (key === "w") {
    if (store.kit?.supposes) hand.suppose(!hand.attack.supposing);
  } else if (key === "h") {
    if (desk.counsel.offered) void desk.counsel.ask();
  } else if (key === "?") desk.help();
  else if (key === "f" || key === "/") desk.find();
  else if (key === "+" || key === "=") desk.zoom(1.35);
  else if (key === "-") desk.zoom(1 / 1.35);
  else if (key === "0") desk.fit();
  else if (layer) layers.toggle(layer.key);
  else if (TABS[key]) {
    store.panel.show(TABS[key]);
  } else return false;
  return true;
}

function go(desk: Desk, hex: string): void {
  const { store, hand } = desk;
  hand.cursor = hex;
  hand.hoverHex = hex;
  hand.hoverUnit = store.stacks.get(hex)?.at(-1)?.id ?? null;
  store.bring([hex]);
}

function walk(desk: Desk, [dx, dy]: [number, number]): void {
  const { store, hand } = desk;
  const index = store.index;
  if (!index) return;
  const from = hand.cursor ?? hand.origin ?? hand.hoverHex ?? stops(store, hand)[0] ?? Object.keys(index.hexes)[0]!;
  go(desk, hand.cursor ? (index.towards(from, dx, dy) ?? from) : from);
}

function pick(desk: Desk, shift: boolean): void {
  const { store, hand } = desk;
  const hex = hand.cursor!;
  const stack = store.stacks.get(hex) ?? [];
  const able = stack.filter((unit) => hand.ready.has(unit.id));
  const free = able.filter((unit) => !hand.selection.includes(unit.id) && !hand.attack.draft?.units.includes(unit.id));
  const going = hand.selection.length > 0 && hex !== hand.origin && !shift;
  if (going && (hand.reach?.[hex] || hand.goals.has(hex))) void clickHex(hand, hex);
  else if (able.length) {
    const unit = (shift ? free.at(-1) : (free.at(-1) ?? able.at(-1)))!;
    if (unit) void clickUnit(hand, unit.id, shift);
    hand.open = stack.length > 1 ? hex : null;
  } else void clickHex(hand, hex);
  hand.cursor = hex;
}
