/** The page's words. One catalogue file, both languages in the bundle, so that switching is instant. */
import words from "virtual:catalogue";
import { keepSetting, setting } from "./seats";
import { fill, type Facts } from "./template";
import type { Language } from "./types";

function initial(): Language {
  const kept = setting("language", "");
  if (kept === "en" || kept === "fr") return kept;
  return navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
}

/** With a minus, not a hyphen: it is as wide as a figure, and no line ends after it. */
const minus = (number: string): string => number.replace("-", "\u2212");

class Words {
  language = $state<Language>("en");

  constructor() {
    this.choose(initial(), false);
  }

  choose(language: Language, keep = true): void {
    this.language = language;
    document.documentElement.lang = language;
    if (keep) keepSetting("language", language);
  }

  has = (id: string): boolean => id in words[this.language];

  /** A text by its id, with {facts} filled in and {count|unit|units} chosen. */
  t = (id: string, facts: Facts = {}): string => fill(words[this.language][id] ?? id, facts, this.language);

  /** Dates in the European order, which suits both the languages and the subject. */
  private get locale(): string {
    return this.language === "en" ? "en-GB" : "fr";
  }

  date = (iso: string, year = true): string =>
    new Intl.DateTimeFormat(this.locale, {
      day: "numeric", month: "short", timeZone: "UTC", ...(year ? { year: "numeric" } : {}),
    }).format(new Date(iso));

  time = (at: string | number): string => {
    const when = typeof at === "number" ? new Date(at * 1000) : new Date(at);
    return new Intl.DateTimeFormat(this.locale, { dateStyle: "short", timeStyle: "short" }).format(when);
  };

  /** What is possible is never shown as nothing. */
  percent = (chance: number): string => {
    const rare = chance > 0 && chance < 0.005;
    const text = new Intl.NumberFormat(this.language, { style: "percent", maximumFractionDigits: 0 });
    return rare ? `< ${text.format(0.01)}` : text.format(chance);
  };

  decimal = (value: number): string =>
    minus(new Intl.NumberFormat(this.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value));

  /** A number with no more decimals than it has. */
  plain = (value: number): string => minus(new Intl.NumberFormat(this.language).format(value));

  /** French puts a space before it. */
  get colon(): string {
    return this.language === "fr" ? "\u00a0:" : ":";
  }
}

export const lang = new Words();
export const t = lang.t;
