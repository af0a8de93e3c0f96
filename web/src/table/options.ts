/** What can be done now, sorted by what one can point at. Knows verbs by their arguments, not by game. */
import type { Action, Kind } from "../lib/types";

export interface Options {
  all: readonly Action[];
  /** By the unit that comes first. */
  byUnit: ReadonlyMap<string, readonly Action[]>;
  /** By the hex of verbs that take a hex alone. */
  byHex: ReadonlyMap<string, readonly Action[]>;
  /** Verbs without arguments: buttons. */
  plain: readonly Action[];
  /** Verbs with one number: buttons, too. */
  numbers: readonly Action[];
  /** Verbs about a game's own pieces, which lie beside the map. */
  pieces: readonly Action[];
}

function push(map: Map<string, Action[]>, key: string, action: Action): void {
  const list = map.get(key);
  if (list) list.push(action);
  else map.set(key, [action]);
}

export function sortOptions(all: readonly Action[], verbs: Record<string, Kind[]>): Options {
  const byUnit = new Map<string, Action[]>();
  const byHex = new Map<string, Action[]>();
  const plain: Action[] = [];
  const numbers: Action[] = [];
  const pieces: Action[] = [];
  for (const action of all) {
    const kinds = verbs[action[0]!] ?? [];
    if (!kinds.length) plain.push(action);
    else if (kinds[0] === "unit") push(byUnit, action[1]!, action);
    else if (kinds[0] === "hex") push(byHex, action[1]!, action);
    else if (kinds[0] === "number") numbers.push(action);
    else pieces.push(action);
  }
  return { all, byUnit, byHex, plain, numbers, pieces };
}

export const has = (options: Options, verb: string): boolean => options.all.some((action) => action[0] === verb);

export const find = (options: Options, ...words: string[]): Action | undefined =>
  options.all.find((action) => action.length === words.length && action.every((word, k) => word === words[k]));

/** The verb on the main button: what moves the game on. */
const PRIMARY = ["fight", "halt", "hold", "stay", "leave", "done", "end", "pass", "put-back"];

export function primary(options: Options): Action | undefined {
  for (const verb of PRIMARY) {
    const found = options.plain.find((action) => action[0] === verb);
    if (found) return found;
  }
  return options.plain.length === 1 ? options.plain[0] : undefined;
}

/** Units named by any option; those in hand need no reminder. */
export function unitsLeft(options: Options): string[] {
  return [...options.byUnit.keys()];
}
