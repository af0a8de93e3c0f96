/** A state put together from the last one and what the server says has changed. */
import type { Difference, LogEntry, LogPiece, State } from "../lib/types";

/** The things by their ids, with some replaced, changed in part, added or, where null is said, taken away. What has no
 *  id of its own is what has changed of a thing. */
function patch<T extends { id: string }>(
  old: readonly T[],
  changes: Record<string, T | Partial<T> | null>,
  idOf: (thing: T) => string,
): T[] {
  const left = new Map(Object.entries(changes));
  const found: T[] = [];
  for (const thing of old) {
    const id = idOf(thing);
    const change = left.get(id);
    left.delete(id);
    if (change === undefined) found.push(thing);
    else if (change !== null) found.push("id" in change ? (change as T) : { ...thing, ...change });
  }
  for (const thing of left.values()) if (thing !== null && "id" in thing) found.push(thing as T);
  return found;
}

/** A part is known by its id and the side it belongs to: each side has its own pool. */
export const partKey = (part: { id: string; side?: string | null }): string => (part.side ? `${part.id}:${part.side}` : part.id);

/** Every unit that has changed, those told together spelled out. */
function changedUnits(change: Difference): Difference["units"] {
  if (!change.alike) return change.units;
  return { ...Object.fromEntries(change.alike.flatMap(([what, ids]) => ids.map((id) => [id, what]))), ...change.units };
}

/** Null where the difference is not to what we have. */
export function apply(old: State | null, change: Difference): State | null {
  if (!old || change.from !== old.version) return null;
  const units = changedUnits(change);
  return {
    ...old,
    ...change.set,
    version: change.to,
    view: {
      scores: change.scores ?? old.view.scores,
      units: units ? patch(old.view.units, units, (unit) => unit.id) : old.view.units,
      parts: change.parts ? patch(old.view.parts, change.parts, partKey) : old.view.parts,
    },
  };
}

/** A log of lines that everybody may read and of a side's own, each of which says its place in the whole. */
export function merged(lines: LogEntry[], own: readonly LogEntry[]): LogEntry[] {
  const log = [...lines];
  for (const line of own) log.splice(line.n, 0, line);
  return log.map((line, n) => (line.n === n ? line : { ...line, n }));
}

/** A log with the lines from some number on replaced. Null where lines in between are missing. */
export function extend(log: readonly LogEntry[], piece: LogPiece): LogEntry[] | null {
  if (piece.from > log.length) return null;
  return [...log.slice(0, piece.from), ...piece.lines];
}
