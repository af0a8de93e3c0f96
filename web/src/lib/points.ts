const SIGNS: [number, string][] = [
  [1 / 2, "½"], [1 / 3, "⅓"], [2 / 3, "⅔"], [1 / 4, "¼"], [3 / 4, "¾"], [1 / 6, "⅙"], [5 / 6, "⅚"],
];

/** Points as players write them. */
export function points(value: number): string {
  const whole = Math.floor(value);
  const rest = value - whole;
  if (rest < 0.001) return String(whole);
  const sign = SIGNS.find(([share]) => Math.abs(share - rest) < 0.001)?.[1];
  if (!sign) return value.toFixed(2);
  return whole ? `${whole}${sign}` : sign;
}
