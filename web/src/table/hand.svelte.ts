/** The player's hand: what is selected and in hand, where it could go, what a click would do.
 *
 *  Nothing here knows a game. It works from the roles of the verbs that are on offer, from what they take, and from
 *  what the server says is in hand. What a click does is in `clicks.ts`, marching in `march.ts`, attacks in
 *  `attack.svelte.ts`.
 */
import { SvelteSet } from "svelte/reactivity";
import { tidy } from "../lib/api";
import { lang, t } from "../lib/i18n.svelte";
import { taste } from "../lib/taste.svelte";
import type { Action, LossAhead, Role, Strengths, SupplyAnswer, Way } from "../lib/types";
import { ways } from "../lib/ways";
import { Attack } from "./attack.svelte";
import { pickStack } from "./march";
import { firstOf, isPair, offers, pairs, placings, roleOf } from "./options";
import type { TableStore } from "./store.svelte";
import { answerWords } from "./words";

export interface MenuItem {
  label: string;
  run: () => void;
}

export type Mode = "watch" | "units" | "carry" | "aim" | "attack" | "choose" | "suppose";

/** An only answer of these roles is given without asking: it decides nothing. */
const FORCED: ReadonlySet<Role> = new Set<Role>(["place", "choose", "step", "halt", "pass"]);
/** Milliseconds in which a second press of a button that ends something is part of the same double-click. */
const DOUBLE = 700;

/** With more goals than this, lighting them all would say nothing. */
const MOST_GOALS = 120;

export class Hand {
  readonly attack: Attack;
  selection = $state.raw<string[]>([]);
  /** Where the selection could go, as the server answered. */
  asked = $state.raw<Record<string, Way> | null>(null);
  hoverHex = $state<string | null>(null);
  hoverUnit = $state<string | null>(null);
  cursor = $state<string | null>(null);
  /** The stack that lies open in the strip; fanned out on the map as well if `fan`. */
  open = $state<string | null>(null);
  fan = $state(false);
  menu = $state.raw<{ hex: string; items: MenuItem[] } | null>(null);
  shake = $state.raw<{ hex: string; start: number } | null>(null);
  supply = $state.raw<(SupplyAnswer & { from: string; unit: string }) | null>(null);
  strengths = $state.raw<(Strengths & { unit: string }) | null>(null);
  armedEnd = $state(false);
  /** What pressing a button would cost: shown before it is pressed for good. */
  warning = $state.raw<{ action: Action; losses: LossAhead[] } | null>(null);
  /** Just after a press that ends something: the next one would be its second half. */
  resting = $state(false);
  /** Until it is known how many of a stack go together, or how far what is in hand gets. */
  picking: Promise<void> = Promise.resolve();
  /** While several stacks march one after the other. */
  marching = $state(false);
  /** Units that the player leaves where they are. */
  readonly stayed = new SvelteSet<string>();

  /** Counts what was asked and put down: an answer to anything but the last question comes too late. */
  questions = 0;
  private seen = "";
  private phase = "";
  /** After something was taken back, even an only answer is the player's. */
  private asking = false;

  constructor(readonly store: TableStore) {
    this.attack = new Attack(store);
  }

  get options() {
    return this.store.options;
  }

  mode = $derived.by((): Mode => {
    const options = this.store.options;
    if (this.attack.supposing && !this.store.show.running && !this.store.replay.past) return "suppose";
    if (!this.store.myMove) return "watch";
    // An attack is declared among moves, too.
    if (offers(options, "aim") && this.attack.draft) return "attack";
    if (offers(options, "take") || (offers(options, "enter") && offers(options, "end"))) return "units";
    if (offers(options, "step", "strike", "halt", "release")) return "carry";
    if (this.attack.begun || options.byRole.get("join")?.some(([word]) => this.store.kit!.verbs[word!]?.kinds[0] === "unit")) return "attack";
    if (offers(options, "aim")) return "aim";
    return "choose";
  });

  /** Units in hand on the server's side of the table. */
  carried = $derived.by((): string[] => (this.mode === "carry" ? (this.store.decision?.hand?.units ?? []) : []));

  /** How far what is selected or in hand gets, when it has been asked. */
  reach = $derived(this.asked);

  /** Hexes to light up: what a click would do something in. */
  goals = $derived.by((): Set<string> => {
    const options = this.store.options;
    if (this.mode === "attack" || this.mode === "suppose") return new Set(this.attack.scope.may_widen);
    const goals = new Set<string>();
    for (const [hex, actions] of options.byHex) {
      // Where one can walk, the reach is drawn.
      if (actions.every((action) => roleOf(options, action) === "step")) continue;
      if (options.byHex.size < MOST_GOALS) goals.add(hex);
    }
    const chosen = this.selection.length ? this.selection : options.byUnit.size === 1 ? [...options.byUnit.keys()] : [];
    for (const unit of chosen) {
      for (const action of options.byUnit.get(unit) ?? []) if (action[2] && !isPair(options, action)) goals.add(action[2]);
    }
    if (this.mode === "choose" && !this.selection.length) {
      for (const action of options.all) if (action[2] && !isPair(options, action)) goals.add(action[2]);
    }
    return goals;
  });

  /** Units that a click would do something with. */
  ready = $derived.by((): Set<string> =>
    new Set(this.mode === "attack" || this.mode === "suppose" ? this.attack.scope.may_join : this.store.options.byUnit.keys()),
  );

  path = $derived.by((): string[] => (this.hoverHex && this.reach?.[this.hoverHex]?.path) || []);

  /** What is selected, by the hex where it stands. */
  groups = $derived.by((): string[][] => {
    const found = new Map<string, string[]>();
    for (const unit of this.selection) {
      const hex = this.store.units.get(unit)?.hex ?? "";
      found.set(hex, [...(found.get(hex) ?? []), unit]);
    }
    return [...found.values()];
  });

  /** Units that could still move and have not been told to stay. */
  waiting = $derived.by((): string[] =>
    this.mode === "units" ? [...this.ready].filter((unit) => !this.stayed.has(unit) && this.store.units.get(unit)?.hex) : [],
  );

  origin = $derived.by((): string | null => {
    const unit = this.mode === "carry" ? this.carried[0] : this.selection[0];
    return (unit && this.store.units.get(unit)?.hex) || null;
  });

  /** What is still undone before the main button ends something for good. */
  left = $derived.by((): number => {
    const main = this.store.decision?.main;
    if (!main || roleOf(this.store.options, main) !== "end" || this.mode === "attack" || this.mode === "suppose") return 0;
    if (this.mode === "aim") return this.store.options.byHex.size;
    return [...this.store.options.byUnit.keys()].filter((unit) => !this.stayed.has(unit)).length;
  });

  /** Other ways to take up what is selected, beside the usual one. */
  otherWays = $derived.by((): Action[] => {
    const unit = this.selection[0];
    if (this.mode !== "units" || !unit) return [];
    const alone = (this.store.options.byUnit.get(unit) ?? []).filter((action) => action.length === 2);
    return alone.filter((action) => action !== this.usual(unit));
  });

  /** What can be done with two units of which the chosen are one or both. */
  pairs = $derived.by((): Action[] => (this.mode === "units" || this.mode === "choose" ? pairs(this.options, this.selection) : []));

  /** What the button of such an answer says: beside one chosen unit, which other it means. */
  pairWords(action: Action): string {
    const others = action.slice(1).filter((unit) => !this.selection.includes(unit)).map(this.store.unitName);
    return [this.verb(action), ...others].join(lang.colon + " ");
  }

  /** The usual way to take a unit up: the first that is on offer. */
  usual(unit: string): Action | undefined {
    return this.options.byUnit.get(unit)?.find((action) => action.length === 2 && roleOf(this.options, action) === "take");
  }

  mine(unit: string): boolean {
    return this.store.units.get(unit)?.side === this.store.actor;
  }

  /** Called whenever a state arrives: drop what no longer holds, take up what the server says is in hand. */
  sync(): void {
    const state = this.store.live;
    if (!state) return;
    const seen = `${state.version} ${this.store.myMove}`;
    if (seen === this.seen) return;
    this.seen = seen;
    this.menu = null;
    this.armedEnd = false;
    this.warning = null;
    const phase = `${state.turn} ${state.phase.path.slice(0, 2).join(" ")} ${this.store.actor}`;
    if (phase !== this.phase) this.stayed.clear();
    this.phase = phase;
    this.attack.follow();
    if (this.mode === "suppose") return;
    if (this.mode === "units") {
      const kept = this.selection.filter((unit) => this.ready.has(unit));
      if (kept.length !== this.selection.length) this.drop();
      else if (this.groups.length === 1) void this.askReach(kept);
      else this.asked = null;
    } else if (this.mode === "carry") {
      this.selection = [...this.carried];
      this.asked = null;
      if (offers(this.options, "step")) this.picking = this.reachInHand(state.version);
    } else {
      this.drop();
      if (this.mode !== "attack") this.layOut();
      const only = this.options.byUnit.size === 1 ? [...this.options.byUnit][0]! : null;
      if (this.mode === "choose" && only?.[1][0]?.[2]) this.selection = [only[0]];
    }
    if (this.open && !this.store.stacks.has(this.open)) this.shut();
    void this.answerForced();
  }

  /** The only answer that there is, given and said; unless the player wants to be asked, or has just taken it back. */
  private async answerForced(): Promise<void> {
    const [only, ...more] = this.options.all;
    if (!only || more.length || this.asking || this.attack.draft || taste.of("forced") !== "on") return;
    if (!this.store.myMove || this.store.busy || !FORCED.has(roleOf(this.options, only))) return;
    const text = t("dock.forced", { answer: answerWords(this.store, only) });
    if (await this.send(only)) this.store.say({ text });
  }

  /** Where the question is about several units of one hex, they are laid out before it is asked. */
  private layOut(): void {
    const hexes = new Set([...this.options.byUnit.keys()].map((unit) => this.store.units.get(unit)?.hex));
    const hex = hexes.size === 1 ? [...hexes][0] : undefined;
    const going = [...this.options.byUnit.values()].some((actions) => actions.some((action) => action.length > 2));
    // Fanned out on the map only where no hex around it has to be clicked next.
    if (this.mode === "choose" && hex && this.options.byUnit.size > 1) [this.open, this.fan] = [hex, !going];
    else if (this.mode !== "watch") this.shut();
  }

  shut(): void {
    this.open = null;
    this.fan = false;
  }

  drop(): void {
    this.questions++;
    this.selection = [];
    this.asked = null;
    this.menu = null;
  }

  /** Esc: one step back, the nearest thing first. */
  async back(): Promise<void> {
    if (this.menu) this.menu = null;
    else if (this.store.refusal) this.store.refusal = null;
    else if (this.attack.draft) await this.callOff();
    else if (this.attack.supposing) this.suppose(false);
    else if (this.open) this.shut();
    else if (this.selection.length && this.mode !== "carry") this.drop();
    else if (this.mode === "carry" && this.store.live?.can_undo) await this.undo();
    else this.store.pointed = [];
  }

  /** An attack costs nothing as long as it is put together here. */
  private async callOff(): Promise<void> {
    const target = this.attack.draft?.targets[0];
    const told = this.attack.begun && !this.attack.draft?.strike && !this.attack.supposing;
    this.attack.drop();
    this.store.refusal = null;
    if (told && this.store.live?.can_undo) await this.undo();
    if (target && this.cursor) this.cursor = target;
  }

  /** Begin to think of attacks that nobody can make yet, or go back to the question on the table. */
  suppose(on: boolean): void {
    this.attack.drop();
    this.drop();
    this.shut();
    this.store.refusal = null;
    this.attack.supposing = on;
    this.seen = "";
    if (!on) this.sync();
  }

  // Questions

  /** Where units could go. False where they cannot be asked about together; why is told unless it was a guess. */
  async askReach(units: string[], guess = false): Promise<boolean> {
    const ticket = ++this.questions;
    try {
      const answer = await this.store.door.reach(units);
      if (ticket === this.questions) {
        this.asked = ways(answer.hexes);
        // Nothing lights up: say why.
        if (answer.why && !guess) this.store.refusal = tidy(answer.why);
      }
      return true;
    } catch (error) {
      if (ticket !== this.questions) return false;
      this.asked = null;
      if (this.mode === "units" && !guess) this.complain(error, this.store.units.get(units[0] ?? "")?.hex ?? null);
      return false;
    }
  }

  /** Where as many of some units as can go together could go, and which they are; null if none may, or it was asked in
   *  vain. */
  async askMost(units: readonly string[]): Promise<string[] | null> {
    const ticket = ++this.questions;
    try {
      const answer = await this.store.door.reach(units, true);
      if (ticket !== this.questions) return null;
      this.asked = ways(answer.hexes);
      if (answer.why) this.store.refusal = tidy(answer.why);
      return answer.units ?? [...units];
    } catch (error) {
      if (ticket === this.questions) this.complain(error, this.store.units.get(units[0] ?? "")?.hex ?? null);
      return null;
    }
  }

  /** How far what has just been taken up gets: told with the answer to that, or asked. */
  private async reachInHand(version: string): Promise<void> {
    const ticket = ++this.questions;
    const told = await this.store.reachAt(version);
    if (ticket !== this.questions) return;
    if (told) this.asked = ways(told.hexes);
    else await this.askReach(this.selection, true);
  }

  async askSupply(unit: string): Promise<void> {
    const found = this.store.units.get(unit);
    if (!found?.hex || this.store.replay.past || this.store.live?.over) return;
    if (this.supply?.unit === unit) return;
    try {
      const answer = await this.store.door.supply(unit);
      if (this.hoverUnit === unit) this.supply = { ...answer, from: found.hex, unit };
    } catch {
      this.supply = null;
    }
  }

  /** What a unit's strengths count now, and why. */
  async askStrengths(unit: string): Promise<void> {
    if (!this.store.kit?.supposes || this.store.replay.past || this.store.live?.over) return;
    const answer = await this.store.door.strengths(unit).catch(() => null);
    if (answer && this.hoverUnit === unit) this.strengths = { ...answer, unit };
  }

  private complain(error: unknown, hex: string | null): void {
    this.store.refuse(error);
    if (hex) this.jolt(hex);
  }

  jolt(hex: string): void {
    this.shake = { hex, start: performance.now() };
  }

  /** Why something cannot be done: ask, and say. */
  async why(action: Action, hex: string): Promise<void> {
    this.jolt(hex);
    try {
      const answer = await this.store.door.why(action);
      if (answer.legal) await this.act(action, hex);
      else this.store.refusal = tidy(answer);
    } catch (error) {
      this.store.refuse(error);
    }
  }

  /** Why what is selected, or in hand, cannot go to a hex. */
  async whyNotThere(units: readonly string[], hex: string): Promise<void> {
    this.jolt(hex);
    try {
      const answer = await this.store.door.go(units, hex);
      if (!answer.legal) this.store.refusal = tidy(answer);
    } catch (error) {
      this.store.refuse(error);
    }
  }

  // Deeds

  async act(action: Action, hex: string | null = null): Promise<boolean> {
    this.asking = false;
    return this.send(action, hex);
  }

  private async send(action: Action, hex: string | null = null): Promise<boolean> {
    const done = await this.store.send((door, version) => door.act(action, version));
    if (!done && hex) this.jolt(hex);
    return done;
  }

  /** Units that may all be put in the same hex go there one after the other, as long as the rules let them. No other
   *  question is answered with it, however soon it comes. */
  async sendAll(hex: string): Promise<void> {
    this.asking = false;
    const wanted = placings(this.options, hex);
    const question = () => `${this.store.actor} ${this.store.decision?.name}`;
    for (const asked = question(); asked === question(); ) {
      const next = firstOf(wanted, this.options);
      if (!next || !(await this.send(next, hex))) return;
      wanted.splice(wanted.indexOf(next), 1);
    }
  }

  /** Leave what is selected where it is, and go on to the next. */
  stay(): void {
    for (const unit of this.selection) this.stayed.add(unit);
    this.drop();
    this.shut();
    void this.nextUnit();
  }

  /** The next units that have not moved, selected and in sight. */
  async nextUnit(): Promise<void> {
    const places = [...new Set(this.waiting.map((unit) => this.store.units.get(unit)!.hex!))].sort();
    const here = this.origin ?? this.open ?? "";
    const next = places.find((hex) => hex > here) ?? places[0];
    if (!next) return;
    this.store.bring([next], true);
    [this.open, this.fan] = [next, false];
    await pickStack(this, next);
  }

  /** The last thing done: an attack that is put together here is newer than anything the server knows. */
  async undo(): Promise<void> {
    this.asking = true;
    const { draft, begun } = this.attack;
    if (draft && (draft.strike || draft.supposed || !begun)) {
      this.attack.drop();
      this.store.refusal = null; // why it could not be made matters no longer
    } else await this.store.send((door, version) => door.undo(version));
  }

  async redo(everything = false): Promise<void> {
    await this.store.send((door) => door.redo(everything));
  }

  async undoPhase(): Promise<void> {
    this.drop();
    this.asking = true;
    if (await this.store.send((door, version) => door.undoPhase(version))) {
      this.store.say({ text: t("dock.phase-undone"), label: t("dock.redo-all"), run: () => void this.redo(true) });
    }
  }

  async fight(): Promise<void> {
    const hex = this.attack.draft?.targets[0];
    if (!(await this.attack.fight()) && hex) this.jolt(hex);
  }

  /** The main button. What ends something is pressed once however often one clicks; if work is left it asks first,
   *  and if the rules would destroy something it says what. */
  async press(action: Action): Promise<void> {
    const role = roleOf(this.options, action);
    if (role === "commit" && this.attack.draft) return void (await this.fight());
    if (role === "end") {
      if (this.resting) return;
      this.resting = true;
      setTimeout(() => (this.resting = false), DOUBLE);
      const losses = await this.lossesOf(action);
      if (losses.length) {
        this.warning = { action, losses };
        return;
      }
      if (this.left && !this.armedEnd) {
        this.armedEnd = true;
        return;
      }
    }
    await this.pressForGood(action);
  }

  async pressForGood(action: Action): Promise<void> {
    this.armedEnd = false;
    this.warning = null;
    this.store.news = null;
    this.drop();
    await this.act(action);
  }

  private async lossesOf(action: Action): Promise<LossAhead[]> {
    return this.store.door.ahead(action).then((answer) => answer.losses, () => []);
  }

  /** What a button for an answer says; where the same verb leads elsewhere, the question tells. */
  verb(action: Action): string {
    const asked = this.store.decision?.name ?? "";
    return this.store.kit?.verbs[action[0]!]?.labels?.[asked] ?? this.store.verbName(action[0]!);
  }
}
