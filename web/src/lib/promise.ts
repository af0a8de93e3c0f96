/** What this browser keeps of a table's dice: the first promise it saw, and the share it gave after seeing it. */
import type { Door } from "./api";
import { newShare } from "./dice";
import { keepSetting, setting } from "./seats";
import type { State } from "./types";

export const keptPromise = (table: string): string => setting(`promise.${table}`, "");
export const keptShare = (table: string): string => setting(`share.${table}`, "");

/** Keep the promise at first sight, and then give a share, once. */
export async function takePart(door: Door, state: State): Promise<void> {
  if (!keptPromise(state.table)) keepSetting(`promise.${state.table}`, state.commitment);
  const mine = state.you.filter((side) => !(side in state.dice.shares));
  if (state.over || !mine.length || keptShare(state.table)) return;
  const share = newShare();
  keepSetting(`share.${state.table}`, share);
  // Without it the dice are the server's alone, as promised: the game can be played all the same.
  await door.share(share).catch(() => undefined);
}
