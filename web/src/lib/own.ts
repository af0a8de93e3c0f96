/** The games that one plays: which of them wait for oneself, and in what order they are read. */
import type { OwnTable } from "./types";

/** Whether a game waits for whoever reads the list. */
export const yours = (line: OwnTable): boolean => !line.over && line.asked.some((side) => line.you?.includes(side));

/** When the time is up of those who are waited for; the first of them. */
export const due = (line: OwnTable): number | null => {
  const times = Object.values(line.due);
  return times.length ? Math.min(...times) : null;
};

/** Those that wait for oneself first, the most urgent of them at the top; then those in which one waits, the one
 *  last played first. Where no time was agreed, what has waited longest is the most urgent. */
export function inOrder(lines: readonly OwnTable[]): OwnTable[] {
  return [...lines].sort((a, b) => {
    if (yours(a) !== yours(b)) return yours(a) ? -1 : 1;
    if (!yours(a)) return b.updated - a.updated;
    return (due(a) ?? Infinity) - (due(b) ?? Infinity) || a.since - b.since;
  });
}
