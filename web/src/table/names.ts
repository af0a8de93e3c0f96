/** What everything of a game is called, in the language of its kit. */
import type { Kit } from "../lib/types";

export abstract class Names {
  abstract kit: Kit | null;

  sideName = (id: string | null | undefined): string => this.kit?.sides.find((side) => side.id === id)?.name ?? id ?? "";

  phaseName = (id: string | null | undefined): string => this.kit?.phases.find((phase) => phase.id === id)?.name ?? id ?? "";

  /** As the server writes it. */
  hexName = (number: string): string => {
    const name = this.kit?.hexes[number]?.name;
    return name ? `${number} (${name})` : number;
  };

  /** The name of a terrain or of a feature. */
  groundName = (id: string): string => this.kit?.legend.find((entry) => entry.id === id)?.name ?? this.kit?.words[id] ?? id;

  /** A piece that is neither a unit nor a hex: by its name in the kit or, failing that, by its id. */
  pieceName = (id: string): string => this.kit?.pieces[id] ?? this.kit?.words[id] ?? id;

  unitName = (id: string): string => this.kit?.counters[id]?.name ?? id;

  partName = (id: string): string => this.kit?.parts[id]?.name ?? id;

  verbName = (word: string): string => this.kit?.verbs[word]?.label ?? word;
}
