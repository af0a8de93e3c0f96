/** What the side panel shows: which tab, and which case of the rules. */
import type { Kit } from "../lib/types";

export type Tab = "log" | "rules" | "tables" | "forces" | "talk";

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

  constructor(private readonly kit: () => Kit) {}

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
