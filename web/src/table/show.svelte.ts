/** What the others did is shown before one's own question is asked: counters walk their ways, dice fall at the hex.
 *
 *  The position that the page shows meanwhile is worked out here from the one before and the lines of the log. */
import { t } from "../lib/i18n.svelte";
import { keepSetting, setting } from "../lib/seats";
import type { LogEntry, State, TableView, Unit } from "../lib/types";
import type { Point } from "../map/geometry";
import { deeds, telling, verdict, type Deed } from "./deeds";
import { together, type Room } from "./together";

/** Counters on their way. */
export interface Walk {
  units: Unit[];
  /** The hexes that they walk through, the first being where they start. */
  path: string[];
  /** Milliseconds after the beginning of the act. */
  start: number;
  length: number;
}

/** What is on the stage: a deed, or marches at the same time. */
export interface Act {
  deed: Deed;
  walks: Walk[];
  length: number;
}

/** Milliseconds, before everything is fitted into the time there is. */
const LENGTHS = { step: 110, march: 160, battle: 1300, chance: 700, loss: 500, phase: 250 };
/** Between the beginnings of marches that are shown together, in milliseconds. */
const AFTER_ANOTHER = 140;
/** So many views can be followed in that time. */
const VIEWS = 12;
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
  /** Whether it was done while nobody looked, and has not been shown. */
  missing = $state(false);

  private reel: Reel | null = null;
  private queue: Deed[][] = [];
  private before: State | null = null;
  /** The deeds on the stage. */
  private group: Deed[] = [];
  private places = new Map<string, string | null>();
  private after: ReadonlyMap<string, Unit> = new Map();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private factor = 1;
  private stale = false;
  /** Units that are elsewhere than they were before: the same object as long as one stays where it is. */
  private moved = new Map<string, Unit>();
  /** How much of the map is in sight, in hex widths. */
  room: Room = [12, 8];
  /** How much farther away one may look and still read a counter. */
  farther = 1;
  /** How much farther away than before the show everything is looked at. */
  back = $state(1);

  running = $derived(!!this.view);
  again = $derived(this.since.length > 0 && !this.view);

  constructor(
    /** Whether a side is played by somebody else. */
    private readonly foreign: (unit: string) => boolean,
    private readonly bring: (hexes: readonly string[]) => void,
    private readonly spot: (hex: string) => Point | undefined,
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
    if (this.stale) [this.since, this.stale, this.missing] = [[], false, false];
    this.trails = true;
    this.since = [...this.since, ...found.slice(first).filter((deed) => telling(deed))];
    if (this.running) this.add(found, after);
    else {
      this.reel = { before, deeds: found, after: byId(after) };
      if (this.on && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.begin(before, found, after);
    }
  }

  /** Lines that came while nobody looked. They are offered, not acted out at once. */
  missed(before: State, after: State, lines: readonly LogEntry[]): void {
    const found = deeds(lines);
    const first = found.findIndex((deed) => this.isForeign(deed));
    // What has happened since the table was opened is known already.
    if (first < 0 || this.reel || this.stale) return;
    this.since = found.slice(first).filter((deed) => telling(deed));
    this.reel = { before, deeds: found, after: byId(after) };
    this.missing = true;
  }

  private isForeign(deed: Deed): boolean {
    const [unit] = deed.units;
    return deed.kind !== "event" && !!unit && this.foreign(unit);
  }

  private add(found: Deed[], after: State): void {
    this.total += found.length;
    this.after = byId(after);
    if (this.reel) this.reel = { ...this.reel, deeds: [...this.reel.deeds, ...found], after: this.after };
    this.fitIn([...this.queue.flat(), ...found]);
  }

  private begin(before: State, found: readonly Deed[], after: State | null): void {
    clearTimeout(this.timer);
    this.missing = false;
    this.before = before;
    this.played = 0;
    this.total = found.length;
    if (after) this.after = byId(after);
    this.places = new Map(before.view.units.map((unit) => [unit.id, unit.hex]));
    this.moved.clear();
    this.fitIn(found);
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
    this.group = [];
    this.act = null;
    this.view = null;
    this.back = 1;
  }

  /** Something was taken back: what was shown never happened. */
  forget(): void {
    this.skip();
    this.reel = null;
    this.since = [];
    this.missing = false;
  }

  private length(deed: Deed): number {
    if (deed.kind === "march") return this.isForeign(deed) ? LENGTHS.march + LENGTHS.step * deed.path.length : 0;
    if (deed.kind === "battle") return LENGTHS.battle;
    if (deed.family === "chance" || deed.family === "score") return LENGTHS.chance;
    if (deed.family === "loss") return LENGTHS.loss;
    return deed.family === "phase" || deed.family === "turn" ? LENGTHS.phase : 0;
  }

  /** Everything is shown in the time there is: one deed after the other or, where that would be too hasty to follow,
   *  marches in one view at the same time; where even that would be many views, from farther away. */
  private fitIn(left: readonly Deed[]): void {
    const whole = (queue: readonly Deed[][]): number => queue.reduce((sum, group) => sum + this.groupLength(group), 0);
    this.queue = left.map((deed) => [deed]);
    if (whole(this.queue) > MOST) {
      const walks = (deed: Deed): boolean => deed.kind === "march" && this.length(deed) > 0;
      const silent = (deed: Deed): boolean => deed.kind === "event" && !this.length(deed);
      const inViews = (room: Room): Deed[][] => together(left, walks, silent, this.spot, room);
      this.queue = inViews(this.room);
      if (this.queue.length > VIEWS && this.farther > 1 && this.back === 1) {
        this.back = this.farther;
        this.queue = inViews([this.room[0] * this.farther, this.room[1] * this.farther]);
      }
    }
    this.factor = Math.min(1, MOST / Math.max(1, whole(this.queue)));
  }

  private groupLength(group: readonly Deed[]): number {
    return Math.max(...group.map((deed) => this.length(deed))) + AFTER_ANOTHER * (group.length - 1);
  }

  private next = (): void => {
    this.settle();
    let group = this.queue.shift();
    while (group && !this.groupLength(group)) {
      group.forEach((deed) => this.carryOut(deed));
      group = this.queue.shift();
    }
    this.played = this.total - this.queue.reduce((sum, each) => sum + each.length, 0);
    const deed = group?.[0];
    if (!group || !deed) {
      this.skip();
      return;
    }
    const rate = this.factor / this.speed;
    const length = Math.max(LEAST, this.groupLength(group) * rate);
    this.group = group;
    const walks = group.map((each, k) => this.walk(each, k * AFTER_ANOTHER * rate, rate, length));
    for (const { units } of walks) for (const unit of units) this.places.set(unit.id, null);
    this.view = { ...this.before!.view, units: this.units() };
    this.act = { deed, walks: walks.filter((walk) => walk.units.length), length };
    const path = walks.flatMap((walk) => walk.path.slice(0, 1));
    this.bring(deed.hexes.length ? [...path, ...group.flatMap((each) => each.hexes)] : []);
    this.timer = setTimeout(this.next, length);
  };

  private walk(deed: Deed, start: number, rate: number, most: number): Walk {
    const known = new Map(this.before!.view.units.map((unit) => [unit.id, unit]));
    const ids = deed.kind === "march" ? deed.units.filter((unit) => this.places.has(unit)) : [];
    const from = ids[0] ? this.places.get(ids[0]) : null;
    return {
      units: ids.flatMap((id) => known.get(id) ?? []),
      path: from && deed.path[0] !== from ? [from, ...deed.path] : [...deed.path],
      start,
      length: Math.min(most, Math.max(LEAST, this.length(deed) * rate)),
    };
  }

  /** What was on the stage has happened. */
  private settle(): void {
    for (const deed of this.group) this.carryOut(deed);
    this.group = [];
    this.act = null;
  }

  private carryOut(deed: Deed): void {
    if (deed.kind === "march") for (const unit of deed.units) this.places.set(unit, deed.path.at(-1)!);
    for (const line of deed.lines) {
      if (line.family !== "loss") continue;
      for (const unit of line.units) if (!this.after.get(unit)?.hex) this.places.set(unit, null);
    }
  }

  /** Who is on the map and not on his way. */
  private units(): Unit[] {
    return this.before!.view.units.flatMap((unit) => {
      const hex = this.places.get(unit.id);
      if (!hex) return [];
      if (hex === unit.hex) return [unit];
      let moved = this.moved.get(unit.id);
      if (moved?.hex !== hex) this.moved.set(unit.id, (moved = { ...unit, hex }));
      return [moved];
    });
  }

  /** What is said about the deed on the stage. */
  caption = $derived.by((): string => {
    const act = this.act;
    if (!act) return "";
    if (act.walks.length > 1) return t("show.marches", { count: act.walks.length });
    return (verdict(act.deed) ?? act.deed.lines.at(-1))?.text ?? "";
  });
}

const byId = (state: State): Map<string, Unit> => new Map(state.view.units.map((unit) => [unit.id, unit]));
