/** The past: a moment shown instead of the present one, walked through deed by deed. */
import type { Door } from "../lib/api";
import { keepSetting, setting } from "../lib/seats";
import type { LogEntry, Moment, Moments } from "../lib/types";
import { deeds, telling, type Deed } from "./deeds";

/** A deed and the moment at which it was done. */
export interface Station {
  moment: number;
  deed: Deed;
}

export const SPEEDS = [0.5, 1, 2, 4, 8];

export class Replay {
  past = $state.raw<Moment | null>(null);
  moment = $state(0);
  moments = $state.raw<Moments | null>(null);
  playing = $state(false);
  speed = $state(Number(setting("replay-speed", "1")) || 1);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly door: Door,
    private readonly log: () => readonly LogEntry[],
    private readonly bring: (hexes: readonly string[]) => void,
  ) {}

  /** Every deed of the game, with its moment. */
  stations = $derived.by((): Station[] => {
    const lines = this.moments?.lines;
    if (!lines) return [];
    const found: Station[] = [];
    let moment = 0;
    for (const deed of deeds(this.log())) {
      while (moment < lines.length - 1 && lines[moment]! < deed.end) moment++;
      if (telling(deed)) found.push({ moment, deed });
    }
    return found;
  });

  /** What was done last before the moment that is shown. */
  station = $derived.by((): Station | null => this.stations.findLast((each) => each.moment <= this.moment) ?? null);

  /** The lines of the log that had been written by then; all of them in the present. */
  lines = $derived.by((): number => (this.past && this.moments?.lines?.[this.moment]) || Infinity);

  async start(at?: number): Promise<void> {
    this.moments = await this.door.moments().catch(() => null);
    if (this.moments) await this.goTo(at ?? 0);
  }

  async goTo(n: number): Promise<void> {
    if (!this.moments) return;
    this.moment = Math.max(0, Math.min(this.moments.length, n));
    const wanted = this.moment;
    const found = await this.door.at(wanted).catch(() => null);
    // Only the last place the slider went to counts.
    if (found && wanted === this.moment && this.moments) this.past = found;
  }

  /** To the next or the last deed. */
  async step(by: 1 | -1): Promise<void> {
    const next = by > 0
      ? this.stations.find((each) => each.moment > this.moment)
      : this.stations.findLast((each) => each.moment < this.moment);
    await this.goTo(next?.moment ?? (by > 0 ? (this.moments?.length ?? 0) : 0));
    if (this.station) this.bring(this.station.deed.hexes);
  }

  async phase(by: 1 | -1): Promise<void> {
    const marks = this.moments?.marks ?? [];
    const next = by > 0 ? marks.find((each) => each.n > this.moment) : marks.findLast((each) => each.n < this.moment);
    await this.goTo(next?.n ?? (by > 0 ? (this.moments?.length ?? 0) : 0));
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    keepSetting("replay-speed", String(speed));
  }

  async play(): Promise<void> {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.moments && this.moment >= this.moments.length) await this.goTo(0);
    this.playing = true;
    await this.tick();
  }

  private async tick(): Promise<void> {
    if (!this.playing || !this.moments) return;
    if (this.moment >= this.moments.length) {
      this.playing = false;
      return;
    }
    await this.step(1);
    const rest = this.station?.deed.kind === "battle" ? 1600 : 700;
    this.timer = setTimeout(() => void this.tick(), rest / this.speed);
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  stop(): void {
    this.pause();
    this.past = null;
    this.moments = null;
  }
}
