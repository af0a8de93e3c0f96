/** How a player likes the table: kept in this browser, the same at every table. */
import { keepSetting, setting } from "./seats";

/** What can be chosen, the usual choice first. */
export const CHOICES = {
  counters: ["medium", "small", "large"],
  frame: ["light", "dark"],
  sound: ["off", "on"],
  show: ["on", "off"],
  forced: ["on", "off"],
  minimap: ["on", "off"],
} as const;

export type Choice = keyof typeof CHOICES;

class Taste {
  private readonly kept = $state(
    Object.fromEntries(Object.entries(CHOICES).map(([name, all]) => [name, setting(name, all[0])])) as Record<Choice, string>,
  );

  constructor() {
    this.dress();
  }

  of(name: Choice): string {
    const value = this.kept[name];
    return (CHOICES[name] as readonly string[]).includes(value) ? value : CHOICES[name][0];
  }

  choose(name: Choice, value: string): void {
    this.kept[name] = value;
    keepSetting(name, value);
    this.dress();
  }

  private dress(): void {
    document.documentElement.dataset["frame"] = this.of("frame");
  }
}

export const taste = new Taste();
