/** Templates of the catalogue: `{count}` is a fact, `{count|unit|units}` one of two words by its number. The same
 *  rule as in kernel/text.py. */
import type { Language } from "./types";

export type Facts = Record<string, string | number>;

/** Whether a counted noun stands in the singular: in French below two, in English for one alone. */
export function isSingular(count: number, language: Language): boolean {
  return language === "fr" ? Math.abs(count) < 2 : Math.abs(count) === 1;
}

export function fill(template: string, facts: Facts, language: Language): string {
  return template.replace(/\{([A-Za-z_][\w-]*)(?:\|([^{}|]*)\|([^{}|]*))?\}/g, (whole, name: string, one?: string, other?: string) => {
    if (!(name in facts)) return whole;
    if (one === undefined) return String(facts[name]);
    return isSingular(Number(facts[name]), language) ? one : other!;
  });
}
