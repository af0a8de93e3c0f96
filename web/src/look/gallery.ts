/** The ground and the counters of a game to look at, in the shape in which maps and counters are drawn. */
import type { Counter, Drawn, Exhibit, ExhibitCounter, ExhibitGround, ExhibitSetup, HexInfo, Unit } from "../lib/types";

/** Every hex by its number. */
export function hexes(ground: ExhibitGround): Record<string, HexInfo> {
  const found: Record<string, HexInfo> = {};
  ground.hexes.forEach((number, k) => {
    found[number] = {
      x: ground.x[k]!, y: ground.y[k]!, name: ground.names[k] ?? "",
      terrain: ground.terrains[ground.terrain[k]!]!.id,
      features: ground.feature[k]!.map((f) => ground.features[f]!.id),
    };
  });
  return found;
}

/** The hexes that have a feature. */
export function having(ground: ExhibitGround, feature: string): string[] {
  const wanted = ground.features.findIndex((each) => each.id === feature);
  return ground.hexes.filter((_, k) => ground.feature[k]!.includes(wanted));
}

/** Larger formations lie on smaller ones. */
const RANK = ["I", "II", "III", "X", "XX", "XXX"];

const strength = (counter: ExhibitCounter): number =>
  RANK.indexOf(counter.size ?? "") * 100 + Number.parseInt(counter.face ?? "", 10) || 0;

export function stacks(setup: ExhibitSetup): Map<string, Unit[]> {
  const counters = new Map(setup.counters.map((counter) => [counter.id, counter]));
  const found = new Map<string, Unit[]>();
  for (const { id, hex } of setup.units) {
    const counter = counters.get(id)!;
    const unit: Unit = { id, side: counter.side, kind: counter.symbol ?? "", hex, status: "map", badges: [] };
    const stack = found.get(hex);
    if (stack) stack.push(unit);
    else found.set(hex, [unit]);
  }
  for (const stack of found.values()) {
    stack.sort((a, b) => strength(counters.get(a.id)!) - strength(counters.get(b.id)!));
  }
  return found;
}

/** What is printed on each counter. */
export function printed(setup: ExhibitSetup | null): Record<string, Counter> {
  const found: Record<string, Counter> = {};
  for (const counter of setup?.counters ?? []) {
    found[counter.id] = {
      side: counter.side, nation: counter.nation ?? null, name: counter.short ?? "", kind: counter.symbol ?? "",
      size: counter.size ?? "", elite: false, movement: "", faces: [[counter.face ?? ""]], turn: 0, entry: [],
      provenance: { kind: "", source: "" },
    };
  }
  return found;
}

export function drawn(exhibit: Exhibit, ground: Record<string, HexInfo>, setup: ExhibitSetup | null): Drawn {
  return {
    map: exhibit.map, flat: exhibit.flat, sides: exhibit.sides, liveries: exhibit.liveries,
    hexes: ground, counters: printed(setup), badges: {}, kinds: {},
  };
}
