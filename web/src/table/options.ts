/** What can be done now, sorted by what one can point at. Knows verbs by their arguments and roles, not by game. */
import type { Action, Offer, Role, Verb } from "../lib/types";

export interface Options {
  all: readonly Action[];
  /** By the unit that comes first; answers about two units by the second, too. */
  byUnit: ReadonlyMap<string, readonly Action[]>;
  /** By the hex of verbs that take a hex alone. */
  byHex: ReadonlyMap<string, readonly Action[]>;
  /** Verbs without arguments: buttons. */
  plain: readonly Action[];
  /** Verbs with one number: buttons, too. */
  numbers: readonly Action[];
  /** Verbs about a game's own pieces, which lie beside the map. */
  pieces: readonly Action[];
  byRole: ReadonlyMap<Role, readonly Action[]>;
  verbs: Readonly<Record<string, Verb>>;
}

/** Every answer that a list of groups stands for, in its order. */
export function expand(offer: readonly Offer[]): Action[] {
  return offer.flatMap((group) => {
    const last = group[group.length - 1];
    if (!Array.isArray(last)) return [group as Action];
    const fixed = group.slice(0, -1) as string[];
    return last.map((choice) => [...fixed, choice]);
  });
}

function push<K>(map: Map<K, Action[]>, key: K, action: Action): void {
  const list = map.get(key);
  if (list) list.push(action);
  else map.set(key, [action]);
}

export function sortOptions(all: readonly Action[], verbs: Readonly<Record<string, Verb>>): Options {
  const byUnit = new Map<string, Action[]>();
  const byHex = new Map<string, Action[]>();
  const byRole = new Map<Role, Action[]>();
  const plain: Action[] = [];
  const numbers: Action[] = [];
  const pieces: Action[] = [];
  for (const action of all) {
    const verb = verbs[action[0]!];
    const kind = verb?.kinds[0];
    push(byRole, verb?.role ?? "choose", action);
    if (!kind) plain.push(action);
    else if (kind === "unit") {
      push(byUnit, action[1]!, action);
      if (verb.kinds[1] === "unit") push(byUnit, action[2]!, action);
    }
    else if (kind === "hex") push(byHex, action[1]!, action);
    else if (kind === "number") numbers.push(action);
    else pieces.push(action);
  }
  return { all, byUnit, byHex, plain, numbers, pieces, byRole, verbs };
}

export const roleOf = (options: Options, action: Action): Role => options.verbs[action[0]!]?.role ?? "choose";

/** Whether an answer of one of these roles is on offer. */
export const offers = (options: Options, ...roles: Role[]): boolean => roles.some((role) => options.byRole.has(role));

/** The first answer of a role that is about something. */
export const about = (options: Options, role: Role, ...words: string[]): Action | undefined =>
  options.byRole.get(role)?.find((action) => words.every((word, k) => word === action[k + 1]));

/** Whether an answer is about two units. */
export const isPair = (options: Options, action: Action): boolean => options.verbs[action[0]!]?.kinds[1] === "unit";

/** Answers about two units, each pair once: with one unit chosen all that it is part of, with two what is about both. */
export function pairs(options: Options, chosen: readonly string[]): Action[] {
  const [one, other] = chosen;
  if (!one || chosen.length > 2) return [];
  const found = new Map<string, Action>();
  for (const action of options.byUnit.get(one) ?? []) {
    const [verb, first, second] = action;
    if (!isPair(options, action) || (other && other !== first && other !== second)) continue;
    const key = [verb, ...[first!, second!].sort()].join(" ");
    if (!found.has(key) || first === one) found.set(key, action);
  }
  return [...found.values()];
}

/** Answers that put one of several units in a hex; all of them, or those of one hex. */
export const placings = (options: Options, hex?: string): Action[] =>
  options.byRole.get("place")?.filter((action) => options.verbs[action[0]!]!.kinds.join() === "unit,hex" && (hex ?? action[2]) === action[2]) ?? [];

/** The first of some answers that is still on offer. */
export const firstOf = (wanted: readonly Action[], options: Options): Action | undefined =>
  wanted.find((action) => options.all.some((other) => other.join(" ") === action.join(" ")));

/** The words of a role's verbs, for answers that are not on offer but worth asking about. */
export const wordsOf = (verbs: Readonly<Record<string, Verb>>, role: Role): string[] =>
  Object.entries(verbs).filter(([, verb]) => verb.role === role).map(([word]) => word);
