/** Arrows, rings and notes on the map: one's own, and those that others show. They are no part of the game. */
import type { Door } from "../lib/api";
import { t } from "../lib/i18n.svelte";
import { keepSetting, setting } from "../lib/seats";
import type { MapMark } from "../lib/types";

export type Drawing = MapMark["kind"];
export type Audience = MapMark["seen_by"];

export const DRAWINGS: readonly Drawing[] = ["arrow", "ring", "note"];
export const AUDIENCES: readonly Audience[] = ["me", "players", "all"];

export class Marks {
  /** All that this seat may see. */
  all = $state.raw<readonly MapMark[]>([]);
  /** Whether a click on the map draws. */
  on = $state(false);
  kind = $state<Drawing>("arrow");
  seenBy = $state<Audience>("me");
  /** What is being drawn: where an arrow begins or a note stands, where the arrow would end, the words. */
  from = $state("");
  to = $state("");
  text = $state("");
  /** Whether what others have drawn is shown. */
  others = $state(true);

  constructor(
    private readonly door: Door,
    private readonly mine: () => string,
    private readonly wrong: (error: unknown) => void,
  ) {
    this.others = setting(`marks.${door.table}`, "shown") === "shown";
  }

  own = $derived.by(() => this.all.filter((mark) => mark.side === this.mine()));
  shown = $derived.by(() => (this.others ? this.all : this.own));
  /** The arrow that is being drawn. */
  draft = $derived.by((): readonly [string, string] | null => (this.on && this.kind === "arrow" && this.from && this.to && this.from !== this.to ? [this.from, this.to] : null));

  at = (hex: string): readonly MapMark[] => this.shown.filter((mark) => mark.hexes.includes(hex));

  /** A mark in words. */
  words = (mark: MapMark): string =>
    t(`marks.${mark.kind}-at`, { from: mark.hexes[0] ?? "", to: mark.hexes[1] ?? "", text: mark.text });

  begin(on: boolean): void {
    this.on = on;
    this.from = this.to = this.text = "";
  }

  choose(kind: Drawing): void {
    this.kind = kind;
    this.from = this.to = "";
  }

  showOthers(shown: boolean): void {
    this.others = shown;
    keepSetting(`marks.${this.door.table}`, shown ? "shown" : "hidden");
  }

  /** A hex was clicked, or entered from the keyboard. */
  async take(hex: string): Promise<void> {
    if (this.kind === "ring") {
      this.from = hex;
      await this.add();
    } else if (this.kind === "note") {
      this.from = hex;
      document.getElementById("mark-text")?.focus();
    } else if (!this.from || this.from === hex) {
      this.from = this.from ? "" : hex;
    } else {
      this.to = hex;
      await this.add();
    }
  }

  /** Put what has been told of it on the map. */
  async add(): Promise<void> {
    const hexes = this.kind === "arrow" ? [this.from, this.to] : [this.from];
    const text = this.kind === "note" ? this.text.trim() : "";
    if (await this.change(this.door.draw({ kind: this.kind, hexes, text, seen_by: this.seenBy }))) this.from = this.to = this.text = "";
  }

  /** Take the last one off again. */
  async undo(): Promise<void> {
    const last = this.own.at(-1);
    if (last) await this.remove(last.id);
  }

  remove = (id: string): Promise<boolean> => this.change(this.door.rubOut(id));
  clear = (): Promise<boolean> => this.change(this.door.rubOut());

  private async change(answer: Promise<MapMark[]>): Promise<boolean> {
    try {
      this.all = await answer;
      return true;
    } catch (error) {
      this.wrong(error);
      return false;
    }
  }
}
