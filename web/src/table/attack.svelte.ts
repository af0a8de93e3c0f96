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
  /** An attack that is only thought of: who could make it after a whole move, and from which hex. */
  supposed: Readonly<Record<string, string>> | null;
}

const NOBODY: Aim = { may_join: [], may_widen: [] };

const toggled = (list: readonly string[], one: string): string[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one];

export class Attack {
  draft = $state.raw<Draft | null>(null);
  forecast = $state.raw<Forecast | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  /** Whether attacks are thought of instead of made: any hex, by whoever could come there. */
  supposing = $state(false);
  private supposedExtras = $state.raw<Extra[]>([]);
  private asked = 0;

  constructor(private readonly store: TableStore) {}

  /** Whether the server has been told of it already, on another screen or from a terminal. */
  begun = $derived.by((): boolean => !!this.store.decision?.hand?.attack);
  /** Who may join the attack, and what else it may be made on. */
  scope = $derived.by((): Aim => {
    const hand = this.store.decision?.hand;
    if (!this.draft || this.draft.strike) return NOBODY;
    if (this.draft.supposed) return { may_join: Object.keys(this.draft.supposed), may_widen: [] };
    return hand?.attack ?? hand?.aims[this.draft.targets[0] ?? ""] ?? NOBODY;
  });
  /** Who attacks: those chosen or, as long as nobody is, everybody who may. */
  attackers = $derived.by((): readonly string[] => {
    if (!this.draft) return [];
    return this.draft.units.length || this.draft.strike ? this.draft.units : this.scope.may_join;
  });
  extras = $derived.by((): Extra[] =>
    (this.draft?.supposed ? this.supposedExtras : (this.store.decision?.hand?.extras ?? [])).filter((extra) => extra.max > 0),
  );

  /** A new position: the attack that the server knows of, if there is one. */
  follow(): void {
    if (this.supposing) {
      const target = this.draft?.targets[0];
      if (target) void this.suppose(target, this.draft!.units);
      return;
    }
    const begun = this.store.decision?.hand?.attack;
    if (begun) this.begin([...begun.targets], [...begun.units]);
    else this.drop();
  }

  private begin(targets: string[], units: string[], strike: Action | null = null): void {
    const extras = Object.fromEntries(this.extras.map((extra) => [extra.id, 0]));
    this.draft = { targets, units, extras, strike, supposed: null };
    void this.ask();
  }

  drop(): void {
    this.asked++;
    this.draft = this.forecast = this.refusal = null;
  }

  /** Think of an attack on a hex, perhaps by units named already. */
  async suppose(hex: string, units: readonly string[] = []): Promise<void> {
    const ticket = ++this.asked;
    try {
      const { from, extras } = await this.store.door.whatIf(hex, [], {});
      if (ticket !== this.asked) return;
      this.supposedExtras = extras;
      const still = units.filter((unit) => unit in from);
      this.draft = { targets: [hex], units: still, extras: {}, strike: null, supposed: from };
      await this.ask();
    } catch (error) {
      if (ticket === this.asked) this.store.refuse(error);
    }
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

  /** All of them in or, if they are in already, all out. */
  async toggleAll(units: readonly string[]): Promise<void> {
    const now = this.draft?.units ?? [];
    if (!units.every((unit) => now.includes(unit))) await this.join(units);
    else await this.change({ units: now.filter((unit) => !units.includes(unit)) });
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
    const units = [...this.attackers];
    if (!draft || !units.length || !draft.targets.length) {
      this.forecast = this.refusal = null;
      return;
    }
    try {
      const { forecast, why = null } = draft.supposed
        ? await this.store.door.whatIf(draft.targets[0]!, units, draft.extras)
        : { forecast: await this.store.door.forecast(draft.targets, units, draft.extras) };
      if (ticket !== this.asked) return;
      this.forecast = forecast;
      this.refusal = why;
    } catch (error) {
      if (ticket !== this.asked) return;
      this.forecast = null;
      this.refusal = (error as { refusal?: Refusal }).refusal ?? null;
    }
  }

  /** The whole attack, as one order. */
  async fight(): Promise<boolean> {
    const draft = this.draft;
    const units = [...this.attackers];
    if (!draft || !units.length || draft.supposed) return false;
    this.store.news = null;
    const { targets, extras } = draft;
    return this.store.order({ order: "attack", targets, units, extras });
  }
}
