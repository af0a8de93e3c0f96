/** The attack being put together, with its odds. It is built here and sent to the server as one order. */
import type { Action, Assault, Extra, Forecast, Refusal } from "../lib/types";
import type { TableStore } from "./store.svelte";

export interface Draft {
  targets: string[];
  units: string[];
  /** How many of each extra are committed. */
  extras: Record<string, number>;
  /** Made by a stack in hand, in the course of its move. */
  strike: Action | null;
}

const toggled = (list: readonly string[], one: string): string[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one];

export class Attack {
  draft = $state.raw<Draft | null>(null);
  forecast = $state.raw<Forecast | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  private asked = 0;

  constructor(private readonly store: TableStore) {}

  /** What the server says is being put together. */
  built = $derived.by((): Assault | null => this.store.decision?.hand?.attack ?? null);
  extras = $derived.by((): Extra[] => this.forecast?.extras ?? this.built?.extras ?? []);

  /** A new position: the attack goes on with what may still be in it, or there is none. */
  follow(): void {
    const built = this.built;
    if (!built) {
      this.drop();
      return;
    }
    const old = this.draft && !this.draft.strike && this.draft.targets[0] === built.targets[0] ? this.draft : null;
    const units = old?.units.filter((unit) => built.may_join.includes(unit)) ?? [];
    const targets = old?.targets.filter((hex) => built.may_widen.includes(hex)) ?? [];
    this.draft = {
      targets: [...new Set([...built.targets, ...targets])],
      units: [...new Set([...built.units, ...units])],
      extras: old?.extras ?? Object.fromEntries(built.extras.map((extra) => [extra.id, extra.value])),
      strike: null,
    };
    void this.ask();
  }

  drop(): void {
    this.asked++;
    this.draft = this.forecast = this.refusal = null;
  }

  /** Odds first; the dice only when the player says so. */
  strike(action: Action, units: readonly string[]): void {
    this.draft = { targets: [action[1]!], units: [...units], extras: {}, strike: action };
    void this.ask();
  }

  mayJoin(unit: string): boolean {
    return !!this.built?.may_join.includes(unit);
  }

  mayWiden(hex: string): boolean {
    return !!this.built?.may_widen.includes(hex);
  }

  async toggleUnit(unit: string): Promise<void> {
    if (this.draft && this.mayJoin(unit)) await this.change({ units: toggled(this.draft.units, unit) });
  }

  async toggleTarget(hex: string): Promise<void> {
    if (this.draft && this.mayWiden(hex)) await this.change({ targets: toggled(this.draft.targets, hex) });
  }

  async join(units: readonly string[]): Promise<void> {
    const fit = units.filter((unit) => this.mayJoin(unit));
    if (this.draft && fit.length) await this.change({ units: [...new Set([...this.draft.units, ...fit])] });
  }

  joinAll = (): Promise<void> => this.join(this.built?.may_join ?? []);

  async commit(extra: string, number: number): Promise<void> {
    if (this.draft) await this.change({ extras: { ...this.draft.extras, [extra]: number } });
  }

  private async change(some: Partial<Draft>): Promise<void> {
    this.draft = { ...this.draft!, ...some };
    this.store.refusal = null;
    await this.ask();
  }

  private async ask(): Promise<void> {
    const draft = this.draft;
    const ticket = ++this.asked;
    if (!draft?.units.length || !draft.targets.length) {
      this.forecast = this.refusal = null;
      return;
    }
    try {
      const answer = await this.store.door.forecast(draft.targets, draft.units, draft.extras);
      if (ticket !== this.asked) return;
      this.forecast = answer;
      this.refusal = null;
    } catch (error) {
      if (ticket !== this.asked) return;
      this.forecast = null;
      this.refusal = (error as { refusal?: Refusal }).refusal ?? null;
    }
  }

  /** The whole attack, as one order. */
  async fight(): Promise<boolean> {
    const draft = this.draft;
    if (!draft?.units.length) return false;
    this.store.news = null;
    const { targets, units, extras } = draft;
    return this.store.order({ order: "attack", targets, units, extras });
  }
}
