/** One table as this seat sees it, kept in step with the server. */
import { askedAhead } from "../lib/ahead";
import { Door, isWhole, kit as fetchKit, Refused, Stale, type Told } from "../lib/api";
import { lang, t } from "../lib/i18n.svelte";
import type { ChatEntry, Kit, Language, LogEntry, LogNews, Moment, Order, Plans, ReachAnswer, Refusal, State, TableView, Unit } from "../lib/types";
import { takePart } from "../lib/promise";
import { borrow, invitationIn, keepSetting, recall, remember, setting } from "../lib/seats";
import { HexIndex } from "../map/geometry";
import { apply, extend, merged } from "./difference";
import { Line, type Message } from "./line";
import { Marks } from "./marks.svelte";
import { Names } from "./names";
import { battleIn, type BattleNews } from "./news";
import { expand, sortOptions, type Options } from "./options";
import { Panel } from "./panel.svelte";
import { People } from "./people.svelte";
import { Replay } from "./replay.svelte";
import { Show } from "./show.svelte";

/** How long a deed may be without its news before the state is asked for. */
const PATIENCE = 4000;

/** Something said in passing, and what can be done about it. */
export interface Note {
  text: string;
  label?: string;
  run?: () => void;
}

/** How long something said in passing stays, in milliseconds. */
const NOTED = 9000;

export class TableStore extends Names {
  readonly door: Door;
  kit = $state.raw<Kit | null>(null);
  index = $state.raw<HexIndex | null>(null);
  live = $state.raw<State | null>(null);
  /** What is here of the log; */
  private lines = $state.raw<LogEntry[]>([]);
  /** apart from the lines that a side alone may read, at a screen that several share in a game with secrets. */
  private own = $state.raw<Record<string, LogEntry[]>>({});
  /** Whether several sides share this screen in a game with secrets. */
  private passed = $derived.by(() => !!this.live?.eyes && this.live.you.length > 1);
  /** The log of whoever sits here now. */
  log = $derived.by((): LogEntry[] => (this.passed ? merged(this.lines, this.own[this.live!.eyes!] ?? []) : this.lines));
  chat = $state.raw<ChatEntry[]>([]);
  /** Hexes of the layers that are switched on, by `layer` or `layer:side`. */
  layers = $state.raw<Record<string, string[]>>({});
  refusal = $state.raw<Refusal | null>(null);
  failure = $state("");
  connected = $state(true);
  busy = $state(0);
  news = $state.raw<BattleNews | null>(null);
  /** The share of a long thought that is done, of the computer's move and of a suggestion asked for. */
  thoughts = $state.raw<Partial<Record<"move" | "suggestion", number>>>({});
  plans = $state.raw<Plans | null>(null);
  unread = $state(0);

  readonly people: People;
  readonly panel: Panel;
  readonly marks: Marks;
  readonly replay: Replay;
  readonly show: Show;
  /** What was said last in passing. */
  note = $state.raw<Note | null>(null);
  private noted: ReturnType<typeof setTimeout> | undefined;

  pointed = $state.raw<string[]>([]);
  /** Raised to ask the map to bring hexes into sight; the first of them at least. */
  wanted = $state.raw<{ hexes: readonly string[]; stamp: number; gently: boolean } | null>(null);

  shown = $derived.by((): Moment | State | null => this.replay.past ?? this.live);
  /** What lies on the table that is shown: in the past, on the stage or now. */
  view = $derived.by((): TableView | null => this.replay.past?.view ?? this.show.view ?? this.live?.view ?? null);
  /** The side that is to decide, or the first of several. */
  actor = $derived<string | null>(
    this.live?.must_act.find((side) => this.live!.you.includes(side)) ?? this.live?.must_act[0] ?? null,
  );
  /** The question that this seat is asked. */
  decision = $derived.by(() =>
    this.replay.past || this.show.running || this.live?.over || !this.live?.decision?.offer.length ? null : this.live.decision,
  );
  myMove = $derived(!!this.decision);
  options = $derived<Options>(sortOptions(expand(this.decision?.offer ?? []), this.kit?.verbs ?? {}));
  /** The sides that the computer plays. */
  computers = $derived(
    Object.entries(this.live?.players ?? {}).filter(([, seat]) => seat.kind !== "human").map(([side]) => side),
  );
  units = $derived(new Map<string, Unit>((this.view?.units ?? []).map((unit) => [unit.id, unit])));
  stacks = $derived.by(() => {
    const found = new Map<string, Unit[]>();
    for (const unit of this.view?.units ?? []) {
      if (!unit.hex) continue;
      const stack = found.get(unit.hex);
      if (stack) stack.push(unit);
      else found.set(unit.hex, [unit]);
    }
    return found;
  });

  readonly line: Line;
  private fetchingLog = false;
  private first = true;
  /** The last deed, and what was answered to it; nothing if it was refused. */
  private deed: Promise<Told | null> = Promise.resolve(null);
  private waiting: { before: string; after: string; done: () => void }[] = [];

  constructor(
    readonly id: string,
    token: string,
  ) {
    super();
    this.door = new Door(id, token, lang.language);
    this.panel = new Panel(() => this.kit!);
    this.marks = new Marks(this.door, () => this.pen, (error) => this.refuse(error));
    if (setting(`curtain.${id}`, setting("curtain", "")) === "off") this.uncovered = "all";
    this.people = new People(id, this.door, () => this.live, this.sideName);
    this.replay = new Replay(this.door, () => this.log, (hexes) => this.point(hexes, true, true));
    this.show = new Show(
      (unit) => !this.live?.you.includes(this.kit?.counters[unit]?.side ?? ""),
      (hexes) => hexes.length && this.bring(hexes, true),
      (hex) => this.kit?.hexes[hex],
    );
    this.line = new Line(
      this.door,
      (message) => this.hear(message),
      () => {
        this.connected = this.door.brief = false;
      },
      () => {
        this.connected = this.door.brief = true;
      },
      () => ({
        log: this.lines.length,
        own: Object.fromEntries(Object.entries(this.own).map(([side, lines]) => [side, lines.length])),
      }),
    );
  }

  async open(): Promise<void> {
    try {
      await this.sitDown();
      const ahead = askedAhead(this.door);
      const state = await (ahead?.state ?? this.door.state()).catch((error: unknown) => this.byAccount(error));
      await this.loadKit(state.game, ahead?.kit);
      this.accept(state);
      void takePart(this.door, state);
      // The log, and what is said and done from now on, comes by the line.
      this.line.connect();
      this.people.open();
      this.chat = await this.door.chat().catch(() => []);
    } catch (error) {
      const status = error instanceof Refused ? error.status : -1;
      const known: Record<number, string> = {
        401: "table.forbidden", 403: "table.forbidden", 404: "table.unknown", 410: "table.other-rules",
      };
      const said = error instanceof Refused && !error.refusal.code.startsWith("http-") ? error.refusal.text : "";
      this.failure = said || (known[status] ? t(known[status]) : this.sayError(error));
    }
  }

  /** A key that is good no longer: one's account may still have the seat. */
  private async byAccount(error: unknown): Promise<State> {
    const session = setting("session", "");
    if (!(error instanceof Refused) || error.status !== 403 || !session || this.door.token === session) throw error;
    this.door.token = session;
    return this.door.state();
  }

  /** Whose secrets may be seen at a screen that several sides share. */
  private uncovered = $state("");
  /** Whether the table is hidden until the player has come whose secrets lie on it. */
  curtained = $derived.by(() => {
    const { live } = this;
    return !!live && live.you.length > 1 && !!live.eyes && !live.over && this.uncovered !== "all" && live.eyes !== this.uncovered;
  });

  /** The side whose marks this seat draws. */
  private pen = $derived.by(() => (this.live?.eyes && this.live.you.includes(this.live.eyes) ? this.live.eyes : (this.live?.you[0] ?? "")));

  /** The player sits at the screen; or one player plays all sides. */
  uncover(alone: boolean): void {
    this.uncovered = alone ? "all" : (this.live?.eyes ?? "");
    if (alone) keepSetting(`curtain.${this.id}`, "off");
  }

  /** Exchange an invitation, which is then used up, for the key of a seat. */
  private async sitDown(): Promise<void> {
    const word = invitationIn(this.door.token);
    if (!word) return;
    const { token } = await this.door.sit(word, setting("name", "")).catch((error: unknown) => {
      // Used before: perhaps by this very browser.
      if (recall(this.id)) return { token: recall(this.id) };
      throw error;
    });
    this.door.token = token;
    if (recall(this.id) !== token) {
      if (!recall(this.id)) remember(this.id, token);
      borrow(this.id, token);
    }
  }

  private async loadKit(game: string, asked?: Promise<Kit>): Promise<void> {
    this.kit = (await asked?.catch(() => null)) ?? (await fetchKit(game, this.door.lang));
    this.index = new HexIndex(this.kit.hexes);
  }

  async speak(language: Language): Promise<void> {
    if (language === this.door.lang || !this.live) return;
    this.door.lang = language;
    this.refusal = null;
    const { eyes, game } = this.live;
    const [state, log] = await Promise.all([this.door.state(), this.door.log(0, eyes), this.loadKit(game)]);
    this.own = {};
    this.take(log, eyes);
    this.accept(state);
    if (this.plans) void this.askPlans();
    if (this.replay.past) await this.replay.goTo(this.replay.moment);
    this.line.renew();
  }

  close(): void {
    this.line.close();
    this.people.close();
  }

  private hear(message: Message): void {
    if (message.type === "thought") {
      this.thoughts = { ...this.thoughts, [message.what]: message.share };
      return;
    }
    for (const entry of message.chat ?? []) this.listen(entry);
    if (message.marks) this.marks.all = message.marks;
    if (message.layers) this.layers = { ...this.layers, ...message.layers };
    const next = message.type === "state" ? message.state : apply(this.live, message);
    const opened = this.first && !!message.log;
    if (message.log) this.read(message.log, next);
    if (next) this.accept(next);
    else void this.refetch();
    if (opened) void this.catchUp();
  }

  /** What the others did while nobody looked, since one's own last answer: on whatever device that was given. */
  private async catchUp(): Promise<void> {
    const live = this.live;
    if (!live?.you.length || Object.keys(live.players).every((side) => live.you.includes(side))) return;
    try {
      const { line, moment } = await this.door.since();
      if (line >= live.log_length) return;
      const { view } = await this.door.at(moment);
      while (this.line.up && this.log.length < live.log_length) await new Promise((wake) => setTimeout(wake, 200));
      this.show.missed({ ...live, view }, live, this.log.slice(line, live.log_length));
    } catch {
      // It can be read in the log.
    }
  }

  /** The whole log of a side. */
  private take(log: LogEntry[], eyes: string | null): void {
    this.lines = this.passed ? log.filter((line) => !line.own) : log;
    if (this.passed) this.own = { ...this.own, [eyes!]: log.filter((line) => line.own) };
  }

  /** Lines of the log that came, perhaps with a new state. */
  private read(piece: LogNews, next: State | null): void {
    const before = this.lines.length;
    const longer = extend(this.lines, piece);
    if (longer) {
      this.lines = longer;
      const { own } = piece;
      if (own) this.own = { ...this.own, [own.side]: extend(this.own[own.side] ?? [], own) ?? [] };
      // At first sight, a battle is news only if it is what the question on the table is about.
      this.news = battleIn(longer, this.first ? 4 : piece.lines.length) ?? this.news;
      if (next && this.live && !this.first) {
        // Lines that came with a new state are shown, unless something was taken back or somebody else sits here now.
        if (piece.from < before || next.eyes !== this.live.eyes) this.show.forget();
        else if (!this.replay.past) this.show.take(this.live, next, piece.lines);
      }
    }
    // Of a long game only the end is at hand; the rest is asked for.
    this.first = false;
  }

  private listen(entry: ChatEntry): void {
    if (this.chat.some((known) => known.id === entry.id)) return;
    this.chat = [...this.chat, entry];
    if (!this.first && (this.panel.tab !== "talk" || !this.panel.open)) this.unread++;
  }

  /** A difference was missed: the whole is asked for, once. */
  private async refetch(): Promise<void> {
    const told = await this.door.state().catch(() => null);
    if (told) this.accept(told);
  }

  /** A state from the server, whoever asked for it. */
  private accept(state: State): void {
    const before = this.live;
    this.live = state;
    this.people.tick();
    // What is thought about now is something else.
    if (state.version !== before?.version) this.thoughts = {};
    if (state.teacher && state.plans !== null && state.plans !== (before?.plans ?? 0)) void this.askPlans();
    this.waiting = this.waiting.filter((each) => {
      const over = state.version === each.after || state.version !== each.before;
      if (over) each.done();
      return !over;
    });
    if (this.first || state.log_length === this.log.length) return;
    // The lines come on the same line, with the state or right after it.
    if (this.line.up) setTimeout(() => void this.followLog(), 1000);
    else void this.followLog();
  }

  /** What the computer is trying to do. Null if it does not say; why is then in the answer's place. */
  async askPlans(): Promise<string> {
    try {
      this.plans = await this.door.plans();
      return "";
    } catch (error) {
      return this.sayError(error);
    }
  }

  /** The log as far as the state says it goes. New lines are pushed; only those that were missed are fetched. */
  private async followLog(): Promise<void> {
    if (this.fetchingLog || this.live?.log_length === this.log.length) return;
    this.fetchingLog = true;
    try {
      // Where a side has lines of its own, some may be missing in between.
      const known = (): LogEntry[] => (this.passed ? [] : this.log);
      let log = known();
      while (this.live && this.live.log_length !== log.length) {
        const { log_length: wanted, eyes }: State = this.live;
        const lines = this.lines;
        // Shorter than ours: something was taken back, and other lines may follow it.
        if (wanted < log.length) log = [];
        const fresh = await this.door.log(log.length, eyes);
        if (this.live.eyes !== eyes || this.lines !== lines) {
          // Somebody else sits here now, or news came in between.
          log = known();
          continue;
        }
        log = [...log, ...fresh];
        this.take(log, eyes);
        this.news = battleIn(log, fresh.length) ?? this.news;
        // Nothing more to be had: the next state tries again.
        if (!fresh.length && this.live.log_length === wanted) break;
      }
    } catch {
      // The next state tries again.
    } finally {
      this.fetchingLog = false;
    }
  }

  sayError(error: unknown): string {
    if (error instanceof Refused) return error.refusal.text || t(error.status === 0 ? "table.offline" : "table.error");
    return t("table.error");
  }

  /** Send something that changes the game. False when it was refused; why is then in `refusal`. True when the page
   *  shows what came of it. */
  async send(request: (door: Door, version: string) => Promise<Told>): Promise<boolean> {
    if (!this.live) return false;
    this.busy++;
    try {
      const before = this.live.version;
      this.show.acted();
      const answer = request(this.door, before);
      this.deed = answer.catch(() => null);
      const told = await answer;
      if (isWhole(told)) {
        // The news of what followed it may have been here first.
        if (this.live.version === before) this.accept(told);
      } else await this.arrived(before, told.version);
      this.refusal = null;
      return true;
    } catch (error) {
      this.refuse(error);
      return false;
    } finally {
      this.busy--;
    }
  }

  /** How far what is in hand gets in a position, if that came with the answer to the deed that led to it. */
  async reachAt(version: string): Promise<ReachAnswer | null> {
    const told = await this.deed;
    return told && !isWhole(told) && told.version === version ? (told.reach ?? null) : null;
  }

  /** A whole march or attack. */
  async order(order: Order): Promise<boolean> {
    return this.send((door, version) => door.order(order, version));
  }

  /** Until the state after a deed has been pushed. */
  private async arrived(before: string, after: string): Promise<void> {
    if (!this.live || this.live.version === after || this.live.version !== before) return;
    const news = new Promise<void>((done) => this.waiting.push({ before, after, done }));
    const late = new Promise<"late">((done) => setTimeout(() => done("late"), PATIENCE));
    if ((await Promise.race([news, late])) === "late" && this.live.version === before) await this.refetch();
  }

  refuse(error: unknown): void {
    if (error instanceof Stale) {
      void this.refetch();
      this.refusal = { code: "stale", case: "", text: t("table.stale") };
    } else if (error instanceof Refused) {
      this.refusal = { ...error.refusal, text: this.sayError(error) };
    } else {
      this.refusal = { code: "error", case: "", text: t("table.error") };
    }
  }

  /** Say something in passing. */
  say(note: Note): void {
    clearTimeout(this.noted);
    this.note = note;
    this.noted = setTimeout(() => (this.note = null), NOTED);
  }

  bring(hexes: readonly string[], gently = false): void {
    this.wanted = { hexes: [...hexes], stamp: Date.now(), gently };
  }

  point(hexes: readonly string[], bring = true, gently = false): void {
    this.pointed = [...hexes];
    if (bring && hexes[0]) this.bring(hexes, gently);
  }

  /** The scenario on the table. */
  scenario = $derived.by(() => {
    const id = this.live?.scenario;
    return this.kit?.scenarios.find((each) => each.id === id);
  });

  /** The hexes that no unit of it may enter. */
  outside = $derived.by(() => {
    const area = new Set(this.scenario?.area);
    return area.size ? Object.keys(this.kit?.hexes ?? {}).filter((hex) => !area.has(hex)) : [];
  });

  /** Its turns. */
  turns = $derived.by(() => {
    const played = this.scenario;
    return (this.kit?.turns ?? []).filter(({ turn }) => !played || (turn >= played.first_turn && turn <= played.last_turn));
  });
}
