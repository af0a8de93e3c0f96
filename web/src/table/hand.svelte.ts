/** The player's hand: what is picked up, where it could go, the attack being put together.
 *
 *  Nothing here knows a game. It works from the verbs that are offered now and what they take: units, hexes,
 *  numbers. A few verbs that games share (pick, step, target, join, also, fight) get the comfort they deserve.
 */
import type { Action, Forecast, Refusal, State, SupplyAnswer, Way } from "../lib/types";
import { tidy } from "../lib/api";
import { lang, t } from "../lib/i18n.svelte";
import { find, has, primary } from "./options";
import type { TableStore } from "./store.svelte";

export interface MenuItem {
  label: string;
  run: () => void;
}

export interface Draft {
  targets: string[];
  units: string[];
  air: number;
  /** Verb that starts the battle: an attack that is built, or an overrun on the way. */
  verb: "fight" | "overrun";
}

export class Hand {
  selection = $state.raw<string[]>([]);
  reach = $state.raw<Record<string, Way> | null>(null);
  draft = $state.raw<Draft | null>(null);
  forecast = $state.raw<Forecast | null>(null);
  forecastRefusal = $state.raw<Refusal | null>(null);
  hoverHex = $state<string | null>(null);
  hoverUnit = $state<string | null>(null);
  cursor = $state<string | null>(null);
  /** The stack that lies open in the strip; fanned out on the map as well if `fan`. */
  open = $state<string | null>(null);
  fan = $state(false);
  menu = $state.raw<{ hex: string; items: MenuItem[] } | null>(null);
  shake = $state.raw<{ hex: string; start: number } | null>(null);
  supply = $state.raw<(SupplyAnswer & { from: string; unit: string }) | null>(null);
  armedEnd = $state(false);

  private asked = 0;
  private version: State["version"] | null = null;

  constructor(readonly store: TableStore) {}

  private get options() {
    return this.store.options;
  }

  mode = $derived.by((): "watch" | "select" | "carry" | "target" | "attack" | "choose" => {
    if (!this.store.myMove) return "watch";
    const verbs = new Set(this.store.options.all.map((action) => action[0]));
    if (verbs.has("pick") || (verbs.has("enter") && verbs.has("end"))) return "select";
    if (verbs.has("step") || verbs.has("overrun") || verbs.has("halt") || verbs.has("drop")) return "carry";
    if (verbs.has("join") || verbs.has("fight")) return "attack";
    if (verbs.has("target")) return "target";
    return "choose";
  });

  /** Units in hand on the server's side of the table. */
  carried = $derived.by((): string[] =>
    this.mode === "carry" ? (this.store.live?.focus?.units ?? this.selection) : [],
  );

  /** Hexes to light up: what a click would do something in. */
  goals = $derived.by((): Set<string> => {
    const goals = new Set<string>();
    const options = this.store.options;
    for (const [hex, actions] of options.byHex) {
      if (this.mode === "carry" && actions.every((action) => action[0] === "step")) continue;
      if (options.byHex.size < 120) goals.add(hex);
    }
    const chosen = this.selection.length ? this.selection : options.byUnit.size === 1 ? [...options.byUnit.keys()] : [];
    for (const unit of chosen) {
      for (const action of options.byUnit.get(unit) ?? []) if (action[2]) goals.add(action[2]);
    }
    for (const hex of this.openGoals()) goals.add(hex);
    return goals;
  });

  /** Units that a click would do something with. */
  ready = $derived.by((): Set<string> => new Set(this.store.options.byUnit.keys()));

  path = $derived.by((): string[] => (this.hoverHex && this.reach?.[this.hoverHex]?.path) || []);

  origin = $derived.by((): string | null => {
    const unit = this.mode === "carry" ? this.carried[0] : this.selection[0];
    return (unit && this.store.units.get(unit)?.hex) || null;
  });

  /** Called whenever a state arrives: drop what no longer holds, take up what the server says is in hand. */
  sync(): void {
    const state = this.store.live;
    if (!state || state.version === this.version) return;
    this.version = state.version;
    this.menu = null;
    this.armedEnd = false;
    if (this.mode === "select") {
      this.draft = null;
      const kept = this.selection.filter((unit) => this.options.byUnit.has(unit));
      if (kept.length !== this.selection.length) this.drop();
      else if (kept.length) void this.askReach(kept);
      else this.reach = null;
    } else if (this.mode === "carry") {
      this.draft = null;
      this.selection = [...(state.focus?.units ?? (this.selection.length ? this.selection : this.remembered()))];
      void this.askReach(this.selection);
    } else if (this.mode === "attack") {
      this.reach = null;
      this.selection = [];
      const focus = state.focus;
      if (focus?.hexes.length) {
        const kept = this.draft?.units.filter((unit) => this.ready.has(unit) || focus.units.includes(unit)) ?? [];
        const also = this.draft?.targets.filter((hex) => this.options.byHex.has(hex)) ?? [];
        this.draft = {
          targets: [...new Set([...focus.hexes, ...also])],
          units: [...new Set([...focus.units, ...kept])],
          air: this.draft?.air ?? 0,
          verb: "fight",
        };
      } else {
        this.draft ??= this.recalled() ?? { targets: this.named(state.prompt), units: [], air: 0, verb: "fight" };
      }
      void this.askForecast();
    } else {
      this.drop();
      this.draft = null;
      this.layOut();
      if (this.mode === "choose" && this.options.byUnit.size === 1 && this.options.byUnit.values().next().value?.[0]?.[2]) {
        this.selection = [...this.options.byUnit.keys()];
      }
    }
    if (this.open && !this.store.stacks.has(this.open)) this.shut();
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
    this.selection = [];
    this.reach = null;
    this.forecast = null;
    this.menu = null;
  }

  /** Esc: one step back, the nearest thing first. */
  async back(): Promise<void> {
    if (this.menu) this.menu = null;
    else if (this.store.refusal) this.store.refusal = null;
    else if (this.draft?.verb === "overrun") this.draft = null;
    else if (this.mode === "attack" && this.store.live?.can_undo) await this.cancelAttack();
    else if (this.open) this.shut();
    else if (this.selection.length && this.mode !== "carry") this.drop();
    else if (this.mode === "carry" && this.store.live?.can_undo) await this.undo();
    else this.store.pointed = [];
  }

  // Answers to questions

  private async askReach(units: string[]): Promise<void> {
    const ticket = ++this.asked;
    try {
      const answer = await this.store.door.reach(units);
      if (ticket === this.asked) this.reach = answer.hexes;
    } catch (error) {
      if (ticket !== this.asked) return;
      this.reach = null;
      if (this.mode === "select") this.complain(error, this.store.units.get(units[0] ?? "")?.hex ?? null);
    }
  }

  /** Who is in hand after a reload: who moved last or, where nobody did yet, anybody; the server knows. */
  private remembered(): string[] {
    const last = this.store.log.findLast((entry) => entry.kind === "moved" || entry.kind === "entered");
    const side = this.store.live?.actor;
    const moved = last?.units.filter((unit) => this.store.units.get(unit)?.side === side) ?? [];
    if (moved.length) return moved;
    return [...this.store.units.values()].filter((unit) => unit.side === side && unit.hex).slice(0, 1).map((unit) => unit.id);
  }

  /** A reload in the middle of an attack finds it as it was: who joins is only told to the server at the end. */
  private recalled(): Draft | null {
    try {
      const kept = JSON.parse(sessionStorage.getItem(`grognard.draft.${this.store.id}`) ?? "null") as
        | { version: string; draft: Draft }
        | null;
      return kept && kept.version === this.store.live?.version ? kept.draft : null;
    } catch {
      return null;
    }
  }

  /** An attack begun on another screen: the question names the hex. */
  private named(prompt: string): string[] {
    return (prompt.match(/\w+/g) ?? []).filter((word) => word in (this.store.kit?.hexes ?? {})).slice(0, 1);
  }

  private keep(): void {
    try {
      const kept = { version: this.store.live?.version, draft: this.draft };
      sessionStorage.setItem(`grognard.draft.${this.store.id}`, JSON.stringify(kept));
    } catch {
      // Only comfort is lost.
    }
  }

  async askForecast(): Promise<void> {
    const draft = this.draft;
    if (this.mode === "attack") this.keep();
    if (!draft || !draft.units.length || !draft.targets.length) {
      this.forecast = null;
      this.forecastRefusal = null;
      return;
    }
    const ticket = ++this.asked;
    try {
      const answer = await this.store.door.forecast(draft.targets, draft.units, draft.air);
      if (ticket !== this.asked) return;
      this.forecast = answer;
      this.forecastRefusal = null;
    } catch (error) {
      if (ticket !== this.asked) return;
      this.forecast = null;
      const said = error as { refusal?: Refusal };
      this.forecastRefusal = said.refusal ?? null;
    }
  }

  async askSupply(unit: string): Promise<void> {
    const found = this.store.units.get(unit);
    if (!found?.hex || this.store.past || this.store.live?.over) return;
    if (this.supply?.unit === unit) return;
    try {
      const answer = await this.store.door.supply(unit);
      if (this.hoverUnit === unit) this.supply = { ...answer, from: found.hex, unit };
    } catch {
      this.supply = null;
    }
  }

  private complain(error: unknown, hex: string | null): void {
    this.store.refuse(error);
    if (hex) this.shake = { hex, start: performance.now() };
  }

  /** Why something cannot be done: ask, and say. */
  private async why(action: Action, hex: string): Promise<void> {
    this.shake = { hex, start: performance.now() };
    try {
      const answer = await this.store.door.why(action);
      if (answer.legal) await this.act(action, hex);
      else this.store.refusal = tidy(answer);
    } catch (error) {
      this.store.refuse(error);
    }
  }

  // Deeds

  async act(action: Action, hex: string | null = null): Promise<State | null> {
    const state = await this.store.send((door, version) => door.act(action, version));
    if (!state && hex) this.shake = { hex, start: performance.now() };
    return state;
  }

  /** Small actions in a row; stops where one is refused or the question changes hands. */
  private async actAll(actions: Action[], hex: string | null): Promise<boolean> {
    for (const action of actions) {
      if (!(await this.act(action, hex))) return false;
    }
    return true;
  }

  async undo(): Promise<void> {
    await this.store.send((door) => door.undo());
  }

  async undoPhase(): Promise<void> {
    this.drop();
    await this.store.send((door) => door.undoPhase());
  }

  private async cancelAttack(): Promise<void> {
    const target = this.draft?.targets[0];
    this.draft = null;
    for (let k = 0; k < 12 && this.mode === "attack" && this.store.live?.can_undo; k++) await this.undo();
    if (target) this.cursor = target;
  }

  // Clicking

  /** A unit was clicked, on the map or in a strip. */
  async clickUnit(unit: string, add: boolean): Promise<void> {
    this.menu = null;
    const hex = this.store.units.get(unit)?.hex ?? null;
    const actions = this.options.byUnit.get(unit) ?? [];
    if (this.mode === "watch") {
      this.hoverUnit = unit;
      return;
    }
    if (this.mode === "select") return this.pick(unit, add, hex);
    if (this.mode === "attack") return this.toggle(unit, hex);
    if (this.mode === "carry") {
      const one = actions.find((action) => action.length === 2);
      if (one) {
        await this.act(one, hex);
        return;
      }
      const mine = this.store.units.get(unit)?.side === this.store.live?.actor;
      if (mine && !this.carried.includes(unit) && has(this.options, "halt")) {
        if (await this.act(["halt"], hex)) await this.pick(unit, false, hex);
        return;
      }
      if (hex) await this.clickHex(hex);
      return;
    }
    const alone = actions.filter((action) => action.length === 2);
    if (alone.length === 1) await this.act(alone[0]!, hex);
    else if (actions.length) {
      this.selection = [unit];
      // Where it could go must not lie under the fan.
      this.fan = false;
    } else if (hex) await this.clickHex(hex);
  }

  private async pick(unit: string, add: boolean, hex: string | null): Promise<void> {
    const theirs = this.store.units.get(unit);
    if (!this.options.byUnit.has(unit)) {
      if (theirs && theirs.side !== this.store.live?.actor && hex && this.selection.length) return this.clickHex(hex);
      if (theirs && theirs.side === this.store.live?.actor && hex) return this.why(["pick", unit], hex);
      this.drop();
      return;
    }
    this.store.refusal = null;
    this.store.news = null;
    const entering = !theirs?.hex;
    if (add && !entering) {
      const same = this.selection.filter((other) => this.store.units.get(other)?.hex === hex);
      this.selection = same.includes(unit) ? same.filter((other) => other !== unit) : [...same, unit];
    } else {
      this.selection = this.selection.length === 1 && this.selection[0] === unit ? [] : [unit];
    }
    if (this.selection.length && !entering) await this.askReach(this.selection);
    else {
      this.asked++;
      this.reach = null;
    }
  }

  /** Everybody here who can move. */
  async pickStack(hex: string): Promise<void> {
    const here = (this.store.stacks.get(hex) ?? []).map((unit) => unit.id).filter((id) => this.ready.has(id));
    if (this.mode === "attack") {
      for (const unit of here) if (!this.draft?.units.includes(unit)) await this.toggle(unit, hex);
      return;
    }
    if (this.mode !== "select" || !here.length) return;
    this.selection = here;
    await this.askReach(here);
    // More than the rules let go together: as many as they do, and the reason stays in the sentence.
    for (let count = here.length - 1; count > 0 && !this.reach && this.selection.length > count; count--) {
      this.selection = here.slice(0, count);
      await this.askReach(this.selection);
    }
  }

  private async toggle(unit: string, hex: string | null): Promise<void> {
    const draft = this.draft;
    if (!draft) return;
    if (draft.units.includes(unit) && this.ready.has(unit)) {
      this.draft = { ...draft, units: draft.units.filter((other) => other !== unit) };
    } else if (this.ready.has(unit)) {
      this.draft = { ...draft, units: [...draft.units, unit] };
    } else if (hex && this.options.byHex.has(hex)) {
      return this.toggleTarget(hex);
    } else if (hex && !draft.units.includes(unit)) {
      const theirs = this.store.units.get(unit)?.side !== this.store.live?.actor;
      return this.why(theirs ? ["also", hex] : ["join", unit], hex);
    }
    this.store.refusal = null;
    await this.askForecast();
  }

  private async toggleTarget(hex: string): Promise<void> {
    const draft = this.draft;
    if (!draft) return;
    const targets = draft.targets.includes(hex)
      ? draft.targets.filter((other) => other !== hex)
      : [...draft.targets, hex];
    this.draft = { ...draft, targets };
    await this.askForecast();
  }

  async setAir(air: number): Promise<void> {
    if (!this.draft) return;
    this.draft = { ...this.draft, air };
    await this.askForecast();
  }

  async clickHex(hex: string, force = false): Promise<void> {
    this.menu = null;
    if (this.mode === "watch") {
      if ((this.store.stacks.get(hex)?.length ?? 0) < 2) this.shut();
      else [this.open, this.fan] = [hex, this.open !== hex || !this.fan];
      return;
    }
    if (this.mode === "select") return this.goSelected(hex, force);
    if (this.mode === "carry") return this.goCarried(hex);
    if (this.mode === "attack") {
      if (this.options.byHex.has(hex)) return this.toggleTarget(hex);
      return;
    }
    const direct = this.options.byHex.get(hex);
    if (direct?.length === 1) {
      if (direct[0]![0] === "target") this.draft = { targets: [hex], units: [], air: 0, verb: "fight" };
      await this.act(direct[0]!, hex);
      return;
    }
    const ways = this.options.all.filter((action) => action[2] === hex);
    const mine = ways.filter((action) => this.selection.includes(action[1]!));
    if (mine.length === 1) await this.act(mine[0]!, hex);
    else if (ways.length === 1) await this.act(ways[0]!, hex);
    else if (ways.length) {
      this.menu = {
        hex,
        items: ways.map((action) => ({
          label: `${this.verb(action)}${lang.colon} ${this.store.unitName(action[1]!)}`,
          run: () => void this.act(action, hex),
        })),
      };
    } else if (this.mode === "target" && this.store.stacks.has(hex)) {
      await this.why(["target", hex], hex);
    } else if (this.options.byHex.size) {
      const verb = this.options.byHex.values().next().value?.[0]?.[0];
      if (verb) await this.why([verb, hex], hex);
    }
  }

  private async goSelected(hex: string, force: boolean): Promise<void> {
    if (!this.selection.length) return;
    const first = this.selection[0]!;
    const enter = find(this.options, "enter", first, hex);
    if (enter) {
      await this.act(enter, hex);
      return;
    }
    if (hex === this.origin) return;
    const way = this.reach?.[hex];
    const here = this.store.stacks.get(hex) ?? [];
    const friends = here.filter((unit) => this.ready.has(unit.id) && !this.selection.includes(unit.id));
    if (way && friends.length && !force) {
      this.menu = {
        hex,
        items: [
          { label: t("hand.move-here"), run: () => void this.move(hex, way) },
          ...friends.map((unit) => ({
            label: t("hand.take", { unit: this.store.unitName(unit.id) }),
            run: () => {
              this.menu = null;
              void this.pick(unit.id, false, hex);
            },
          })),
        ],
      };
      return;
    }
    if (way) return this.move(hex, way);
    const enemy = here.some((unit) => unit.side !== this.store.live?.actor);
    if (enemy) return this.closeIn(hex);
    if (!this.reach) {
      const option = this.options.byUnit.get(first)?.[0];
      if (option?.[2]) await this.why([option[0]!, first, hex], hex);
      return;
    }
    await this.whyNotThere(hex);
  }

  /** The order itself says why it is refused, with the facts: it is tried and, being illegal, changes nothing. */
  private async whyNotThere(hex: string): Promise<void> {
    const path = this.straight(hex);
    await this.store.send((door, version) =>
      door.order({ order: "move", units: this.selection, path }, version),
    );
    this.shake = { hex, start: performance.now() };
  }

  /** From the reachable hex nearest to a goal, straight on to it. */
  private straight(hex: string): string[] {
    const index = this.store.index!;
    let near = this.origin ?? hex;
    let path: string[] = [];
    for (const [number, way] of Object.entries(this.reach ?? {})) {
      if (index.distance(number, hex) < index.distance(near, hex) - 1e-6) [near, path] = [number, way.path];
    }
    const rest: string[] = [];
    for (let here = near, k = 0; here !== hex && k < 60; k++) {
      here = index.neighbours(here).reduce((a, b) => (index.distance(a, hex) <= index.distance(b, hex) ? a : b));
      rest.push(here);
    }
    return [...path, ...rest];
  }

  private async move(hex: string, way: Way): Promise<void> {
    this.menu = null;
    const units = this.selection;
    const state = await this.store.send((door, version) =>
      door.order({ order: "move", units, path: way.path }, version),
    );
    if (!state) this.shake = { hex, start: performance.now() };
    else {
      this.shut();
      this.drop();
    }
  }

  /** Take the stack up and walk it next to an enemy, so that it can go for him. */
  private async closeIn(hex: string): Promise<void> {
    const index = this.store.index!;
    const beside = index.neighbours(hex);
    const ways = Object.entries({
      ...(this.origin ? { [this.origin]: { path: [], points_left: 999 } as Way } : {}),
      ...this.reach,
    }).filter(([number]) => beside.includes(number));
    const best = ways.reduce<[string, Way] | null>((a, b) => (!a || b[1].points_left > a[1].points_left ? b : a), null);
    if (!best) return this.whyNotThere(hex);
    const [first, ...others] = this.selection;
    const actions: Action[] = [
      ["pick", first!],
      ...others.map((unit) => ["add", unit]),
      ...best[1].path.map((cell) => ["step", cell]),
    ];
    if (await this.actAll(actions, hex)) await this.offerOverrun(hex);
  }

  private async goCarried(hex: string): Promise<void> {
    const direct = this.options.byHex.get(hex)?.find((action) => action[0] !== "step");
    if (direct) return this.offerOverrun(hex);
    const way = this.reach?.[hex];
    if (way) {
      for (const cell of way.path) {
        if (!(await this.act(["step", cell], hex)) || this.mode !== "carry") return;
      }
      return;
    }
    if (hex === this.origin) return;
    const enemy = (this.store.stacks.get(hex) ?? []).some((unit) => unit.side !== this.store.live?.actor);
    await this.why([enemy ? "overrun" : "step", hex], hex);
  }

  /** Odds first; the dice only when the player says so. */
  private async offerOverrun(hex: string): Promise<void> {
    const direct = this.options.byHex.get(hex)?.find((action) => action[0] !== "step");
    if (!direct) return this.why(["overrun", hex], hex);
    this.draft = { targets: [hex], units: [...this.carried], air: 0, verb: "overrun" };
    await this.askForecast();
  }

  async fight(): Promise<void> {
    const draft = this.draft;
    if (!draft) return;
    const hex = draft.targets[0] ?? null;
    this.store.news = null;
    if (draft.verb === "overrun") {
      this.draft = null;
      await this.act(["overrun", hex!], hex);
      return;
    }
    const joined = this.store.live?.focus?.units ?? [];
    const already = this.store.live?.focus?.hexes ?? [hex ?? ""];
    const actions: Action[] = [
      ...draft.units.filter((unit) => !joined.includes(unit)).map((unit) => ["join", unit]),
      ...draft.targets.filter((target) => !already.includes(target)).map((target) => ["also", target]),
      ["fight"],
    ];
    await this.actAll(actions, hex);
  }

  /** What is still undone before the main button ends something for good. */
  left = $derived.by((): number => {
    const options = this.store.options;
    const main = primary(options);
    if (main?.[0] !== "end") return 0;
    return this.mode === "target" ? options.byHex.size : new Set(options.byUnit.keys()).size;
  });

  /** The main button. Ending a phase with work left takes two presses. */
  async press(action: Action): Promise<void> {
    if (action[0] === "fight") return this.fight();
    if (action[0] === "end" && this.left && !this.armedEnd) {
      this.armedEnd = true;
      return;
    }
    this.armedEnd = false;
    this.store.news = null;
    this.drop();
    await this.act(action);
  }

  /** A verb in words; a game may have its own word for it. */
  verb(action: Action): string {
    for (const id of [`verbs.${this.store.live?.game}-${action[0]}`, `verbs.${action[0]}`]) {
      if (lang.has(id)) return t(id);
    }
    return action[0]!;
  }

  /** Other ways to take up what is selected, such as a strategic march. */
  otherWays = $derived.by((): Action[] => {
    const unit = this.selection[0];
    if (this.mode !== "select" || !unit) return [];
    return (this.store.options.byUnit.get(unit) ?? []).filter((action) => action.length === 2 && action[0] !== "pick");
  });

  /** Hexes named with a unit, when no unit has been chosen yet. */
  private openGoals(): string[] {
    if (this.mode !== "choose" || this.selection.length) return [];
    return this.store.options.all.filter((action) => action[2]).map((action) => action[2]!);
  }
}
