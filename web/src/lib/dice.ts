/** The dice of a game, recomputed from its seed exactly as the referee draws them. */

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

export async function below(seed: string, draw: number, sides: number): Promise<number> {
  const space = 1n << 64n;
  const limit = space - (space % BigInt(sides));
  for (let retry = 0; ; retry++) {
    const digest = await sha256(retry ? `${seed}/${draw}/${retry}` : `${seed}/${draw}`);
    let value = 0n;
    for (const byte of digest.slice(0, 8)) value = (value << 8n) | BigInt(byte);
    if (value < limit) return Number(value % BigInt(sides));
  }
}

/** What has been added to a seed: from which answer on it counts, what, and whose. */
const ADDED = /@(\d+):([\w-]+)=([\w-]+)/g;

export const baseSeed = (seed: string): string => seed.replace(ADDED, "");

/** The seed of a die that was rolled after so many answers. */
export const seedAt = (seed: string, after: number): string =>
  baseSeed(seed) + [...seed.matchAll(ADDED)].filter((found) => Number(found[1]) <= after).map((found) => found[0]).join("");

/** The share of a side that is in a seed. */
export const shareIn = (seed: string, side: string): string =>
  [...seed.matchAll(ADDED)].find((found) => found[2] === side)?.[3] ?? "";

/** A random share of one's own, which nobody else can have known. */
export const newShare = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export async function commitment(seed: string): Promise<string> {
  const digest = await sha256(`commit/${seed}`);
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
