/** An adviser at the player's elbow: what the computer would do in his place. */
import { Refused, Stale } from "../lib/api";
import type { Suggestion } from "../lib/types";
import { asOrder } from "./orders";
import type { TableStore } from "./store.svelte";

export class Counsel {
  private found = $state.raw<Suggestion | null>(null);
  seeking = $state(false);

  constructor(private readonly store: TableStore) {}

  /** What there is to show: a suggestion holds for the position that it was made for. */
  shown = $derived.by((): Suggestion | null =>
    this.found && this.store.myMove && this.found.version === this.store.live?.version ? this.found : null,
  );
  /** Whether it is an attack that is suggested. */
  attack = $derived.by((): boolean => {
    const roles = this.shown?.actions.map((action) => this.store.kit?.verbs[action[0]!]?.role);
    return !!roles?.some((role) => role === "aim" || role === "join");
  });
  open = $derived(this.seeking || !!this.shown);
  offered = $derived.by((): boolean => this.store.myMove && !!this.store.live?.suggests);

  async ask(): Promise<void> {
    if (this.seeking || !this.offered) return;
    this.found = null;
    this.seeking = true;
    this.store.refusal = null;
    this.store.news = null;
    this.store.thoughts = {};
    try {
      this.found = await this.store.door.suggestion();
    } catch (error) {
      // Whoever played on meanwhile no longer wants to hear of it.
      if (!(error instanceof Stale)) this.store.refuse(error instanceof Refused ? error : null);
    } finally {
      this.seeking = false;
    }
  }

  /** The same in the language now spoken: the server remembers what it suggested. */
  async translate(): Promise<void> {
    if (this.shown) this.found = await this.store.door.suggestion().catch(() => null);
  }

  dismiss(): void {
    this.found = null;
  }

  async play(): Promise<void> {
    const found = this.shown;
    if (!found) return;
    this.found = null;
    this.store.news = null;
    const whole = asOrder(found.actions, this.store.kit!.verbs);
    if (whole) {
      await this.store.send((door, version) => door.order(whole, version));
      return;
    }
    for (const action of found.actions) {
      if (!(await this.store.send((door, version) => door.act(action, version)))) return;
    }
  }
}
