/** Ways out of the tree in which the server tells them. */
import type { ReachTree, Way } from "./types";

/** Where one may stay, with the way there. */
export function ways(tree: ReachTree): Record<string, Way> {
  const found: Record<string, Way> = {};
  for (const [hex, [, left]] of Object.entries(tree)) {
    if (left === null) continue;
    const path: string[] = [];
    for (let at: string | null = hex; at !== null && path.length < 1000; at = tree[at]?.[0] ?? null) path.unshift(at);
    found[hex] = { path, points_left: left };
  }
  return found;
}
