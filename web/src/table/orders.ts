/** Whole orders made of small answers. */
import type { Action, Order, Role, Verb } from "../lib/types";

/** A stack taken up, walked and set down, or an attack put together and made: the game knows each as one order, and
 *  undoes it as one. Null where it is neither. */
export function asOrder(actions: readonly Action[], verbs: Readonly<Record<string, Verb>>): Order | null {
  const roles = actions.map((action) => verbs[action[0]!]?.role ?? "choose");
  const of = (...wanted: Role[]) => actions.filter((_, k) => wanted.includes(roles[k]!)).map((action) => action[1]!);
  const shape = roles.join(" ");
  if (/^take( gather)*( step)+( halt)?$/.test(shape)) {
    // Where a game has several ways to take a unit up, the order means the first of them.
    const usual = Object.keys(verbs).find((word) => verbs[word]!.role === "take");
    return usual === actions[0]![0] ? { order: "move", units: of("take", "gather"), path: of("step") } : null;
  }
  if (/^aim( join| widen)+ commit$/.test(shape)) return { order: "attack", targets: of("aim", "widen"), units: of("join"), extras: {} };
  return null;
}
