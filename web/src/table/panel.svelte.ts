/** What the side panel shows: which tab, which case of the rules, and how wide the column is. */
import { keepSetting, setting } from "../lib/seats";
import type { Kit } from "../lib/types";

export type Tab = "log" | "rules" | "tables" | "forces" | "talk";

/** The narrowest and the widest that the column can be drawn, in pixels. */
export const NARROWEST = 280;
const WIDEST = 760;
/** The share of the window that is left to the map in any case. */
const MAP = 0.4;

export class Panel {
  tab = $state<Tab>("log");
  open = $state(true);
  /** What the rules tab shows: a case, in the rules or among the rulings, and whether it was asked for anew. */
  ruleCase = $state("");
  rulesPart = $state<"rules" | "rulings">("rules");
  ruling = $state(-1);
  ruleStamp = $state(0);
  /** Whether it is shown how one wins, and how the game ended. */
  winning = $state(false);
  settings = $state(false);
  /** How wide the reader has drawn the column; 0 if he has not. */
  private drawn = $state(Number(setting("column", "0")) || 0);
  /** Where each tab was scrolled to. */
  readonly scrolled: Partial<Record<Tab, number>> = {};
  /** The last case that the rules tab has brought into sight. */
  seen = 0;

  constructor(private readonly kit: () => Kit) {}

  widest = (window: number): number => Math.round(Math.min(WIDEST, window * (1 - MAP)));

  /** The width of the column in a window. */
  width = (window: number): number =>
    Math.max(NARROWEST, Math.min(this.widest(window), this.drawn || (window <= 1100 ? 320 : 360)));

  widen(pixels: number, window: number): void {
    this.drawn = Math.max(NARROWEST, Math.min(this.widest(window), Math.round(pixels)));
    keepSetting("column", String(this.drawn));
  }

  show(tab: Tab): void {
    this.tab = tab;
    this.open = true;
  }

  openRule(number: string): void {
    this.ruleCase = number;
    this.rulesPart = "rules";
    this.ruleStamp++;
    this.show("rules");
  }

  /** The rulings of a case: one of them by its place in the list, or the first. */
  openRuling(number: string, ruling?: number): void {
    this.ruleCase = number;
    this.rulesPart = "rulings";
    this.ruling = ruling ?? this.kit().rulings.findIndex((each) => each.cases.includes(number));
    this.ruleStamp++;
    this.show("rules");
  }
}
