/** Cases of a rulebook by their numbers, which differ from game to game: 7.0 and 7.4.1, 1.1 and 1.1.3, 14 and 14B1, S2.5. */

const stem = (number: string): string => number.replace(/\.0$/, "");
const digit = (sign: string | undefined): boolean => !!sign && sign >= "0" && sign <= "9";

/** What a case may be told under, the nearest first. */
function above(number: string): string[] {
  const whole = stem(number);
  const found: string[] = [];
  for (let end = whole.length - 1; end > 0; end--) {
    // 1 is not above 10.
    if (digit(whole[end - 1]) && digit(whole[end])) continue;
    found.push(whole.slice(0, end));
  }
  return found;
}

/** Those that stand under no other one: the sections of a book. */
export function sections(cases: readonly string[]): Set<string> {
  const stems = new Set(cases.map(stem));
  return new Set(cases.filter((number) => !above(number).some((each) => stems.has(each))));
}

/** Where a case is told: in an article of its own or under the nearest one above it. */
export function toldUnder(number: string, cases: ReadonlySet<string>): string | null {
  if (cases.has(number)) return number;
  for (const each of above(number)) {
    if (cases.has(each)) return each;
    if (cases.has(`${each}.0`)) return `${each}.0`;
  }
  return null;
}
