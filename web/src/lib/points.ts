/** Points as players write them. */
export function points(value: number): string {
  const whole = Math.floor(value);
  if (value === whole) return String(whole);
  return whole ? `${whole}½` : "½";
}
