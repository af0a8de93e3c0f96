/** A battle is shown where it was fought, with its dice, until the next thing happens. */
import type { LogEntry } from "../lib/types";

export interface BattleNews {
  hexes: string[];
  lines: LogEntry[];
  result: LogEntry;
}

const AFTER = 4;

/** What an attack costs that nobody rolls for: the loss that follows its announcement at once. */
function decidedWithoutDice(log: readonly LogEntry[]): number {
  const begin = log.findLastIndex((line) => line.family === "battle");
  const next = begin < 0 ? -1 : log.findIndex((line, k) => k > begin && line.family !== "odds");
  return next >= 0 && log[next]!.family === "loss" ? next : -1;
}

/** The last battle among the newest `fresh` lines of a log, if there is one. */
export function battleIn(log: readonly LogEntry[], fresh: number): BattleNews | null {
  const last = Math.max(log.findLastIndex((line) => line.family === "result"), decidedWithoutDice(log));
  if (last < 0 || last < log.length - fresh) return null;
  // The attack may have been announced some answers ago.
  const begin = log.slice(0, last).findLastIndex((line) => line.family === "battle");
  const before = begin < 0 ? [] : log.slice(begin, last);
  return { hexes: before[0]?.hexes ?? [], lines: [...before, ...log.slice(last + 1, last + 1 + AFTER)], result: log[last]! };
}
