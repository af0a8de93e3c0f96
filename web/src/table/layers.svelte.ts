/** Overlays: hexes that the player has switched on, and areas that the game itself draws. */
import { SvelteSet } from "svelte/reactivity";
import type { AreaPart, LayerInfo } from "../lib/types";
import { Liveries } from "../map/colours";
import type { Overlay } from "../map/scene";
import type { TableStore } from "./store.svelte";

/** A layer that can be switched on: for one side, or for nobody in particular. */
export interface Switch {
  key: string;
  layer: LayerInfo;
  side: string | null;
}

const SAND = "rgba(60, 52, 40, 0.28)";
const GOLD = "rgba(226, 168, 0, 0.55)";

export class Layers {
  readonly on = new SvelteSet<string>();
  /** Areas that the player does not want to see. */
  readonly off = new SvelteSet<string>();

  constructor(private readonly store: TableStore) {}

  switches = $derived.by((): Switch[] =>
    (this.store.kit?.layers ?? []).flatMap((layer): Switch[] =>
      layer.sided
        ? this.store.kit!.sides.map((side) => ({ key: `${layer.id}:${side.id}`, layer, side: side.id }))
        : [{ key: layer.id, layer, side: null }],
    ),
  );

  private areas = $derived.by((): AreaPart[] => (this.store.shown?.view.parts ?? []).filter((part) => part.part === "area"));

  /** Areas with a sign of their own can be switched off. */
  optional = $derived.by(() => {
    const ids = [...new Set(this.areas.map((area) => area.id))];
    return ids.flatMap((id) => {
      const words = this.store.kit?.parts[id];
      return words?.glyph ? [{ id, name: words.name, glyph: words.glyph }] : [];
    });
  });

  toggle(key: string): void {
    if (!this.on.delete(key)) this.on.add(key);
  }

  toggleArea(id: string): void {
    if (!this.off.delete(id)) this.off.add(id);
  }

  /** To be run whenever the choice of overlays changes: the server sends their hexes with every state. */
  async tell(): Promise<void> {
    const wanted = this.switches.filter((each) => this.on.has(each.key));
    this.store.line.want(wanted.map((each) => [each.layer.id, ...(each.side ? [each.side] : [])]));
    if (!this.store.live?.old || this.store.live.over) return;
    for (const each of wanted) {
      const answer = await this.store.door.layer(each.layer.id, each.side ?? "").catch(() => ({ hexes: [] }));
      this.store.layers = { ...this.store.layers, [each.key]: answer.hexes };
    }
  }

  overlays = $derived.by((): Overlay[] => {
    const kit = this.store.kit;
    if (!kit) return [];
    const liveries = new Liveries(kit);
    const found: Overlay[] = [];
    for (const area of this.areas) {
      if (this.off.has(area.id)) continue;
      if (area.style === "edge") found.push({ hexes: area.hexes, fill: "rgba(255, 214, 64, 0.2)", edge: "#8a5a00" });
      else if (area.style === "fill" || !area.style) found.push({ hexes: area.hexes, fill: SAND, edge: "#3c3428" });
      else found.push({ hexes: area.hexes, fill: area.side ? liveries.of(area.side).tint : SAND, pattern: area.style });
    }
    for (const { key, layer, side } of this.switches) {
      if (!this.on.has(key)) continue;
      const hexes = this.store.layers[key] ?? [];
      const dress = side ? liveries.of(side) : null;
      if (layer.style === "hatch" || layer.style === "dots") {
        // The two sides' strokes lean differently, so that overlapping zones stay readable.
        found.push({ hexes, fill: dress?.tint ?? GOLD, pattern: side ? liveries.pattern(side) : layer.style });
      } else if (layer.style === "edge") found.push({ hexes, fill: "transparent", edge: dress?.bar ?? "#8a5a00" });
      else found.push({ hexes, fill: dress ? `${dress.body}55` : GOLD });
    }
    return found;
  });
}
