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

export async function commitment(seed: string): Promise<string> {
  const digest = await sha256(`commit/${seed}`);
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
