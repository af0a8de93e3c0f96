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

  private areas = $derived.by((): AreaPart[] => (this.store.view?.parts ?? []).filter((part) => part.part === "area"));

  /** Areas that are outlined for the moment can be switched off; filled ones are ground. */
  optional = $derived.by(() => {
    const ids = new Set(this.areas.filter((area) => area.style === "edge").map((area) => area.id));
    return [...ids].map((id) => ({ id, name: this.store.partName(id) }));
  });

  toggle(key: string): void {
    if (!this.on.delete(key)) this.on.add(key);
  }

  toggleArea(id: string): void {
    if (!this.off.delete(id)) this.off.add(id);
  }

  /** To be run whenever the choice of overlays changes: the server sends their hexes with every state. */
  tell(): void {
    const wanted = this.switches.filter((each) => this.on.has(each.key));
    this.store.line.want(wanted.map((each) => [each.layer.id, each.side]));
  }

  overlays = $derived.by((): Overlay[] => {
    const kit = this.store.kit;
    if (!kit) return [];
    const liveries = new Liveries(kit);
    const found: Overlay[] = [];
    const { outside, scenario } = this.store;
    if (outside.length && scenario) {
      found.push({ hexes: outside, fill: "rgba(70, 62, 48, 0.45)" }, { hexes: scenario.area, fill: "transparent", edge: "#3c3428" });
    }
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
      // The two sides' strokes differ, so that overlapping zones stay readable.
      if (layer.style === "hatch") found.push({ hexes, fill: dress?.tint ?? GOLD, pattern: side ? liveries.stroke(side) : "hatch" });
      else if (layer.style === "dots") {
        found.push({ hexes, fill: dress ? `${dress.body}55` : GOLD }, { hexes, fill: dress?.tint ?? GOLD, pattern: "dots" });
      } else if (layer.style === "edge") found.push({ hexes, fill: "transparent", edge: dress?.bar ?? "#8a5a00" });
      // Under counters a tint alone would hardly show.
      else found.push(dress ? { hexes, fill: `${dress.body}77`, edge: dress.body } : { hexes, fill: GOLD });
    }
    return found;
  });
}
