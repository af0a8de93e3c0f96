/** The account of a game, from its log: losses and attacks by turn and side, and how the dice fell. */
import type { LogEntry } from "../lib/types";
import { deeds, verdict } from "./deeds";

export interface Dice {
  attacks: number;
  /** The sum of the dice thrown, and of what could be expected of them. */
  thrown: number;
  expected: number;
}

export interface Account {
  turns: { turn: number; losses: Record<string, number>; attacks: Record<string, number> }[];
  dice: Record<string, Dice>;
}

/** `side`: whose a unit is. */
export function account(log: readonly LogEntry[], side: (unit: string) => string): Account {
  const turns = new Map<number, Account["turns"][number]>();
  const dice: Record<string, Dice> = {};
  const at = (turn: number) => {
    const known = turns.get(turn) ?? { turn, losses: {}, attacks: {} };
    turns.set(turn, known);
    return known;
  };
  for (const deed of deeds(log)) {
    const turn = deed.lines[0]!.turn;
    for (const line of deed.lines) {
      if (line.family !== "loss") continue;
      for (const unit of line.units) at(turn).losses[side(unit)] = (at(turn).losses[side(unit)] ?? 0) + 1;
    }
    const who = deed.kind === "battle" && deed.lines[0]!.units[0];
    if (!who) continue;
    const by = side(who);
    at(turn).attacks[by] = (at(turn).attacks[by] ?? 0) + 1;
    const roll = verdict(deed)?.dice ?? [];
    if (!roll.length) continue;
    const had = dice[by] ?? { attacks: 0, thrown: 0, expected: 0 };
    dice[by] = {
      attacks: had.attacks + 1,
      thrown: had.thrown + roll.reduce((sum, die) => sum + die.value, 0),
      expected: had.expected + roll.reduce((sum, die) => sum + (die.sides + 1) / 2, 0),
    };
  }
  return { turns: [...turns.values()].filter(({ turn }) => turn > 0).sort((a, b) => a.turn - b.turn), dice };
}
