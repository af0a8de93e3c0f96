/** Overlays that the player has switched on, fetched again when the position changes. */
import { SvelteSet } from "svelte/reactivity";
import type { Overlay } from "../map/painter";
import { livery } from "../map/colours";
import type { TableStore } from "./store.svelte";

const TINT: Record<string, string> = { german: "rgba(40, 60, 48, 0.85)", soviet: "rgba(140, 30, 10, 0.85)" };

/** Facts of a game that are ground, not markers: shaded as a whole. */
export const AREAS: ReadonlySet<string> = new Set(["pocket"]);

export class Layers {
  readonly zones = new SvelteSet<string>();
  readonly supplied = new SvelteSet<string>();
  victory = $state(false);
  untried = $state(false);
  command = $state(true);
  private zoneHexes = $state.raw<Record<string, string[]>>({});
  private suppliedHexes = $state.raw<Record<string, string[]>>({});

  constructor(private readonly store: TableStore) {}

  toggleZones(side: string): void {
    if (!this.zones.delete(side)) this.zones.add(side);
  }

  toggleSupplied(side: string): void {
    if (!this.supplied.delete(side)) this.supplied.add(side);
  }

  /** To be run whenever the version or the choice of overlays changes. */
  async refresh(): Promise<void> {
    const door = this.store.door;
    if (this.store.live?.over) return;
    for (const side of [...this.zones]) {
      const answer = await door.zones(side).catch(() => ({ hexes: [] }));
      this.zoneHexes = { ...this.zoneHexes, [side]: answer.hexes };
    }
    for (const side of [...this.supplied]) {
      const answer = await door.supplied(side).catch(() => ({ hexes: [] }));
      this.suppliedHexes = { ...this.suppliedHexes, [side]: answer.hexes };
    }
  }

  overlays = $derived.by((): Overlay[] => {
    const found: Overlay[] = [];
    for (const [name, hexes] of Object.entries(this.store.shown?.view ?? {})) {
      if (!AREAS.has(name) || !Array.isArray(hexes)) continue;
      found.push({ hexes: hexes as string[], fill: "rgba(60, 52, 40, 0.28)", edge: "#3c3428" });
    }
    for (const side of this.supplied) {
      found.push({ hexes: this.suppliedHexes[side] ?? [], fill: `${livery(side).body}55` });
    }
    for (const side of this.zones) {
      // The two sides' strokes lean differently, so that overlapping zones stay readable.
      found.push({
        hexes: this.zoneHexes[side] ?? [],
        fill: TINT[side] ?? "rgba(40, 40, 40, 0.7)",
        pattern: side === this.store.kit?.sides[0]?.id ? "hatch" : "dots",
      });
    }
    const command = this.store.shown?.view.activation?.radius;
    if (command && this.command) found.push({ hexes: command, fill: "rgba(255, 214, 64, 0.2)", edge: "#8a5a00" });
    if (this.victory) {
      const hexes = Object.entries(this.store.kit?.hexes ?? {}).filter(([, hex]) => hex.features.some((feature) => feature.startsWith("victory")));
      found.push({ hexes: hexes.map(([number]) => number), fill: "rgba(226, 168, 0, 0.55)" });
    }
    if (this.untried) {
      const hexes = [...this.store.stacks].filter(([, units]) => units.some((unit) => unit.untried));
      found.push({ hexes: hexes.map(([number]) => number), fill: "rgba(110, 60, 150, 0.4)" });
    }
    return found;
  });
}
