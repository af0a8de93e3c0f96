/** Sides are told apart by lightness and by the place of a bar, never by hue alone. Colours come with the game. */
import type { Kit, Livery } from "../lib/types";

export interface Dress extends Livery {
  edge: string;
  /** Where the bar is: the first side's counters at the top, the others' at the left. */
  barAt: "top" | "left" | "none";
  /** The paper under the symbol. */
  box: string;
}

const NEUTRAL: Dress = {
  body: "#d9d3c3", bar: "#4a463c", ink: "#2a2721", tint: "rgba(40, 40, 40, 0.7)", edge: "#4a463c", barAt: "none", box: "#f7f3e8",
};

type Source = Pick<Kit, "sides" | "liveries">;

export class Liveries {
  private readonly kept = new Map<string, Dress>();

  constructor(private readonly source: Source) {}

  /** The colours of a nation with the bar of its side. */
  of(side: string, nation = ""): Dress {
    const key = `${side}/${nation}`;
    const known = this.kept.get(key);
    if (known) return known;
    const order = this.source.sides.findIndex((each) => each.id === side);
    const base = this.source.liveries[side];
    const own = this.source.liveries[nation] ?? base;
    const made: Dress = !own || order < 0 ? NEUTRAL : {
      ...own, bar: (base ?? own).bar, edge: (base ?? own).bar, box: "#f5eee0", barAt: order === 0 ? "top" : "left",
    };
    this.kept.set(key, made);
    return made;
  }

  /** Zones of two sides must stay readable where they overlap. */
  stroke(side: string): "hatch" | "dashes" {
    return this.source.sides[0]?.id === side ? "hatch" : "dashes";
  }
}

/** A side's colours as CSS variables, and where its bar is, for `style` and `data-bar`. */
export function dress(source: Source | null | undefined, side: string): { style: string; "data-bar": string } {
  const found = source ? new Liveries(source).of(side) : NEUTRAL;
  return {
    style: `--body: ${found.body}; --bar: ${found.bar}; --side-ink: ${found.ink}; --tint: ${found.tint}`,
    "data-bar": found.barAt,
  };
}
