/** What the others did is shown before one's own question is asked: counters walk their ways, dice fall at the hex.
 *
 *  The position that the page shows meanwhile is worked out here from the one before and the lines of the log. */
import { keepSetting, setting } from "../lib/seats";
import type { LogEntry, State, TableView, Unit } from "../lib/types";
import { deeds, telling, verdict, type Deed } from "./deeds";

/** A deed on the stage. */
export interface Act {
  deed: Deed;
  /** Counters on the way, and the hexes that they walk through, the first being where they start. */
  moving: Unit[];
  path: string[];
  start: number;
  length: number;
}

/** Milliseconds, before everything is fitted into the time there is. */
const LENGTHS = { step: 110, march: 160, battle: 1300, chance: 700, loss: 500, phase: 250 };
/** No turn is shown for longer. */
const MOST = 8000;
const LEAST = 45;

export const SPEEDS = [0.5, 1, 2, 4];

interface Reel {
  before: State;
  deeds: Deed[];
  after: ReadonlyMap<string, Unit>;
}

export class Show {
  act = $state.raw<Act | null>(null);
  /** The position that is shown instead of the present one. */
  view = $state.raw<TableView | null>(null);
  played = $state(0);
  total = $state(0);
  speed = $state(Number(setting("show-speed", "1")) || 1);
  on = $state(setting("show", "on") === "on");
  /** What the others did since one's own last deed, and whether it is still drawn on the map. */
  since = $state.raw<Deed[]>([]);
  trails = $state(true);

  private reel: Reel | null = null;
  private queue: Deed[] = [];
  private before: State | null = null;
  private places = new Map<string, string | null>();
  private after: ReadonlyMap<string, Unit> = new Map();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private factor = 1;
  private stale = false;

  running = $derived(!!this.view);
  again = $derived(this.since.length > 0 && !this.view);

  constructor(
    /** Whether a side is played by somebody else. */
    private readonly foreign: (unit: string) => boolean,
    private readonly bring: (hexes: readonly string[]) => void,
  ) {}

  setSpeed(speed: number): void {
    this.speed = speed;
    keepSetting("show-speed", String(speed));
  }

  setOn(on: boolean): void {
    this.on = on;
    keepSetting("show", on ? "on" : "off");
    if (!on) this.skip();
  }

  /** One's own deed: what comes after it is news. */
  acted(): void {
    this.stale = true;
  }

  /** Lines that came with a new state. */
  take(before: State, after: State, lines: readonly LogEntry[]): void {
    const found = deeds(lines);
    const first = found.findIndex((deed) => this.isForeign(deed));
    if (first < 0) {
      if (this.running) this.add(found, after);
      return;
    }
    if (this.stale) [this.since, this.stale] = [[], false];
    this.trails = true;
    this.since = [...this.since, ...found.slice(first).filter((deed) => telling(deed))];
    if (this.running) this.add(found, after);
    else {
      this.reel = { before, deeds: found, after: byId(after) };
      if (this.on && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.begin(before, found, after);
    }
  }

  private isForeign(deed: Deed): boolean {
    const [unit] = deed.units;
    return deed.kind !== "event" && !!unit && this.foreign(unit);
  }

  private add(found: Deed[], after: State): void {
    this.queue.push(...found);
    this.total += found.length;
    this.after = byId(after);
    if (this.reel) this.reel = { ...this.reel, deeds: [...this.reel.deeds, ...found], after: this.after };
    this.fitIn();
  }

  private begin(before: State, found: readonly Deed[], after: State | null): void {
    clearTimeout(this.timer);
    this.before = before;
    this.queue = [...found];
    this.played = 0;
    this.total = found.length;
    if (after) this.after = byId(after);
    this.places = new Map(before.view.units.map((unit) => [unit.id, unit.hex]));
    this.fitIn();
    this.next();
  }

  /** The same once more. */
  repeat(): void {
    if (!this.reel || this.running) return;
    this.after = this.reel.after;
    this.begin(this.reel.before, this.reel.deeds, null);
  }

  skip(): void {
    clearTimeout(this.timer);
    this.queue = [];
    this.act = null;
    this.view = null;
  }

  /** Something was taken back: what was shown never happened. */
  forget(): void {
    this.skip();
    this.reel = null;
    this.since = [];
  }

  private length(deed: Deed): number {
    if (deed.kind === "march") return this.isForeign(deed) ? LENGTHS.march + LENGTHS.step * deed.path.length : 0;
    if (deed.kind === "battle") return LENGTHS.battle;
    if (deed.family === "chance" || deed.family === "score") return LENGTHS.chance;
    if (deed.family === "loss") return LENGTHS.loss;
    return deed.family === "phase" || deed.family === "turn" ? LENGTHS.phase : 0;
  }

  private fitIn(): void {
    const whole = this.queue.reduce((sum, deed) => sum + this.length(deed), 0);
    this.factor = Math.min(1, MOST / Math.max(1, whole));
  }

  private next = (): void => {
    this.settle();
    let deed = this.queue.shift();
    this.played = this.total - this.queue.length;
    while (deed && !this.length(deed)) {
      this.carryOut(deed);
      deed = this.queue.shift();
    }
    this.played = this.total - this.queue.length;
    if (!deed) {
      this.skip();
      return;
    }
    const length = Math.max(LEAST, (this.length(deed) * this.factor) / this.speed);
    const moving = deed.kind === "march" ? deed.units.filter((unit) => this.places.has(unit)) : [];
    const [one] = moving;
    const from = one ? this.places.get(one) : null;
    const path = from && deed.path[0] !== from ? [from, ...deed.path] : [...deed.path];
    for (const unit of moving) this.places.set(unit, null);
    const units = this.units();
    this.view = { ...this.before!.view, units: units.filter((unit) => unit.hex) };
    this.act = {
      deed, path, length, start: performance.now(),
      moving: units.filter((unit) => moving.includes(unit.id)),
    };
    this.bring(deed.hexes.length ? [...path.slice(0, 1), ...deed.hexes] : []);
    this.timer = setTimeout(this.next, length);
  };

  /** What was on the stage has happened. */
  private settle(): void {
    if (this.act) this.carryOut(this.act.deed);
    this.act = null;
  }

  private carryOut(deed: Deed): void {
    if (deed.kind === "march") for (const unit of deed.units) this.places.set(unit, deed.path.at(-1)!);
    for (const line of deed.lines) {
      if (line.family !== "loss") continue;
      for (const unit of line.units) if (!this.after.get(unit)?.hex) this.places.set(unit, null);
    }
  }

  private units(): Unit[] {
    return this.before!.view.units.map((unit) => {
      const hex = this.places.get(unit.id) ?? null;
      return hex === unit.hex ? unit : { ...unit, hex };
    });
  }

  /** What is said about the deed on the stage. */
  caption = $derived.by((): LogEntry | null => {
    const deed = this.act?.deed;
    return deed ? (verdict(deed) ?? deed.lines.at(-1) ?? null) : null;
  });
}

const byId = (state: State): Map<string, Unit> => new Map(state.view.units.map((unit) => [unit.id, unit]));
