/** The attack being put together, with its odds. It is built here and sent to the server as one order. */
import type { Action, Aim, Extra, Forecast, Refusal } from "../lib/types";
import type { TableStore } from "./store.svelte";

export interface Draft {
  targets: string[];
  units: string[];
  /** How many of each extra are committed. */
  extras: Record<string, number>;
  /** The answer that strikes, for a stack in hand in the course of its move. */
  strike: Action | null;
}

const NOBODY: Aim = { may_join: [], may_widen: [] };

const toggled = (list: readonly string[], one: string): string[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one];

export class Attack {
  draft = $state.raw<Draft | null>(null);
  forecast = $state.raw<Forecast | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  private asked = 0;

  constructor(private readonly store: TableStore) {}

  /** Whether the server has been told of it already, on another screen or from a terminal. */
  begun = $derived.by((): boolean => !!this.store.decision?.hand?.attack);
  /** Who may join the attack, and what else it may be made on. */
  scope = $derived.by((): Aim => {
    const hand = this.store.decision?.hand;
    if (!this.draft || this.draft.strike) return NOBODY;
    return hand?.attack ?? hand?.aims[this.draft.targets[0] ?? ""] ?? NOBODY;
  });
  extras = $derived.by((): Extra[] => (this.store.decision?.hand?.extras ?? []).filter((extra) => extra.max > 0));

  /** A new position: the attack that the server knows of, if there is one. */
  follow(): void {
    const begun = this.store.decision?.hand?.attack;
    if (begun) this.begin([...begun.targets], [...begun.units]);
    else this.drop();
  }

  private begin(targets: string[], units: string[], strike: Action | null = null): void {
    this.draft = { targets, units, extras: Object.fromEntries(this.extras.map((extra) => [extra.id, 0])), strike };
    void this.ask();
  }

  drop(): void {
    this.asked++;
    this.draft = this.forecast = this.refusal = null;
  }

  mayAim(hex: string): boolean {
    return hex in (this.store.decision?.hand?.aims ?? {});
  }

  aim(hex: string): void {
    this.store.refusal = null;
    this.begin([hex], []);
  }

  /** Odds first; the dice only when the player says so. */
  strike(action: Action, units: readonly string[]): void {
    this.begin([action[1]!], [...units], action);
  }

  mayJoin(unit: string): boolean {
    return this.scope.may_join.includes(unit);
  }

  mayWiden(hex: string): boolean {
    return this.scope.may_widen.includes(hex);
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

  joinAll = (): Promise<void> => this.join(this.scope.may_join);

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
