/** One table as this seat sees it, kept in step with the server. */
import { Door, kit as fetchKit, Refused, Stale } from "../lib/api";
import { lang, t } from "../lib/i18n.svelte";
import type {
  ChatEntry, Forecast, Kit, Language, LogEntry, Moment, Moments, Plans, Refusal, State, Unit,
} from "../lib/types";
import { HexIndex } from "../map/geometry";
import { sortOptions, type Options } from "./options";

export type Tab = "log" | "rules" | "tables" | "forces" | "talk";

export interface BattleNews {
  hexes: string[];
  lines: LogEntry[];
  result: LogEntry;
}

export class TableStore {
  readonly door: Door;
  kit = $state.raw<Kit | null>(null);
  index = $state.raw<HexIndex | null>(null);
  live = $state.raw<State | null>(null);
  log = $state.raw<LogEntry[]>([]);
  chat = $state.raw<ChatEntry[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  failure = $state("");
  connected = $state(true);
  busy = $state(0);
  news = $state.raw<BattleNews | null>(null);
  /** The share of a long thought that is done, of the computer's move and of a suggestion asked for. */
  thoughts = $state.raw<Partial<Record<"move" | "suggestion", number>>>({});
  plans = $state.raw<Plans | null>(null);
  unread = $state(0);

  /** Replay: a past position shown instead of the present one. */
  past = $state.raw<Moment | null>(null);
  moment = $state(0);
  moments = $state.raw<Moments | null>(null);

  // What the panels show.
  tab = $state<Tab>("log");
  panelOpen = $state(true);
  ruleCase = $state("");
  pointed = $state.raw<string[]>([]);
  /** Raised to ask the map to bring a hex into sight. */
  wanted = $state.raw<{ hex: string; stamp: number } | null>(null);

  shown = $derived<Moment | State | null>(this.past ?? this.live);
  myMove = $derived(
    !this.past && !!this.live && !this.live.over && !!this.live.actor && this.live.you.includes(this.live.actor),
  );
  options = $derived<Options>(
    sortOptions(this.myMove && this.live && this.kit ? this.live.options : [], this.kit?.verbs ?? {}),
  );
  /** The sides that the computer plays. */
  computers = $derived(
    Object.entries(this.live?.players ?? {}).filter(([, seat]) => seat.kind !== "human").map(([side]) => side),
  );
  units = $derived(new Map<string, Unit>((this.shown?.view.units ?? []).map((unit) => [unit.id, unit])));
  stacks = $derived.by(() => {
    const found = new Map<string, Unit[]>();
    for (const unit of this.shown?.view.units ?? []) {
      if (!unit.hex) continue;
      const stack = found.get(unit.hex);
      if (stack) stack.push(unit);
      else found.set(unit.hex, [unit]);
    }
    return found;
  });

  private socket: WebSocket | null = null;
  private closed = false;
  private retry = 500;
  private fetchingLog = false;
  private first = true;

  constructor(
    readonly id: string,
    readonly token: string,
  ) {
    this.door = new Door(id, token, lang.language);
  }

  async open(): Promise<void> {
    try {
      const state = await this.door.state();
      await this.loadKit(state.game);
      this.accept(state);
      this.listen();
      this.chat = await this.door.chat().catch(() => []);
    } catch (error) {
      const status = error instanceof Refused ? error.status : -1;
      const known: Record<number, string> = {
        401: "table.forbidden", 403: "table.forbidden", 404: "table.unknown", 410: "table.other-rules",
      };
      this.failure = known[status] ? t(known[status]) : this.sayError(error);
    }
  }

  private async loadKit(game: string): Promise<void> {
    this.kit = await fetchKit(game, this.door.lang);
    this.index = new HexIndex(this.kit.hexes);
  }

  async speak(language: Language): Promise<void> {
    if (language === this.door.lang || !this.live) return;
    this.door.lang = language;
    this.refusal = null;
    const [state, log] = await Promise.all([this.door.state(), this.door.log(0), this.loadKit(this.live.game)]);
    this.log = log;
    this.accept(state);
    if (this.plans) void this.askPlans();
    if (this.past) await this.goTo(this.moment);
    this.socket?.close();
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private listen(): void {
    if (this.closed) return;
    const socket = this.door.live();
    this.socket = socket;
    socket.onopen = () => {
      this.retry = 500;
      this.connected = true;
      socket.send(JSON.stringify({ token: this.token || null, lang: this.door.lang }));
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as {
        type: string; state?: State; chat?: ChatEntry[]; what?: string; share?: number;
      };
      if (message.type === "thought") this.thoughts = { ...this.thoughts, [message.what!]: message.share };
      for (const entry of message.chat ?? []) this.hear(entry);
      if (message.state) this.accept(message.state);
    };
    socket.onclose = () => {
      if (this.closed) return;
      this.connected = false;
      setTimeout(() => {
        this.listen();
        void this.unlessOvertaken(this.door.state()).catch(() => undefined);
      }, this.retry);
      this.retry = Math.min(8000, this.retry * 2);
    };
  }

  private hear(entry: ChatEntry): void {
    if (this.chat.some((known) => known.id === entry.id)) return;
    this.chat = [...this.chat, entry];
    if (!this.first && (this.tab !== "talk" || !this.panelOpen)) this.unread++;
  }

  /** A state from the server, whoever asked for it. */
  accept(state: State): void {
    const before = this.live;
    this.live = state;
    // What is thought about now is something else.
    if (state.version !== before?.version) this.thoughts = {};
    if (state.teacher && state.plans !== null && state.plans !== (before?.plans ?? 0)) void this.askPlans();
    void this.followLog();
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

  private async followLog(): Promise<void> {
    if (this.fetchingLog) return;
    this.fetchingLog = true;
    try {
      while (this.live && this.live.log_length !== this.logEnd()) {
        const wanted = this.live.log_length;
        // Shorter than ours: something was taken back, and other lines may follow it.
        const since = wanted < this.logEnd() ? 0 : this.logEnd();
        const fresh = await this.door.log(since);
        this.log = since ? [...this.log, ...fresh] : fresh;
        // At first sight, a battle is news only if it is what the question on the table is about.
        this.notice(this.first ? fresh.slice(-4) : fresh);
        this.first = false;
        // Nothing more to be had: the next state tries again.
        if (!fresh.length && this.live.log_length === wanted) break;
      }
    } catch {
      // The next state tries again.
    } finally {
      this.fetchingLog = false;
    }
  }

  /** How far our log goes. A seat's lines are numbered as it reads them, without gaps. */
  private logEnd(): number {
    const last = this.log[this.log.length - 1];
    return last ? last.n + 1 : 0;
  }

  /** A battle is shown where it was fought, with its die, until the next thing happens. */
  private notice(fresh: readonly LogEntry[]): void {
    const last = fresh.findLastIndex((entry) => entry.kind === "result");
    if (last < 0) return;
    const result = fresh[last]!;
    // The attack may have been announced some answers ago.
    const before = this.log.filter((entry) => entry.n <= result.n);
    const begin = before.findLastIndex((entry) => entry.kind === "attack" || entry.kind === "overrun");
    const lines = begin < 0 ? [] : before.slice(begin, -1);
    this.news = { hexes: lines[0]?.hexes ?? [], lines: [...lines, ...fresh.slice(last + 1, last + 5)], result };
  }

  sayError(error: unknown): string {
    if (error instanceof Refused) return error.refusal.text || t(error.status === 0 ? "table.offline" : "table.error");
    return t("table.error");
  }

  /** Send something that changes the game. Null when it was refused; why is then in `refusal`. */
  async send(request: (door: Door, version: State["version"]) => Promise<State>): Promise<State | null> {
    if (!this.live) return null;
    this.busy++;
    try {
      const state = await this.unlessOvertaken(request(this.door, this.live.version));
      this.refusal = null;
      return state;
    } catch (error) {
      this.refuse(error);
      return null;
    } finally {
      this.busy--;
    }
  }

  /** An answer and the news of what followed it come by different roads, and the news may be here first. */
  private async unlessOvertaken(answer: Promise<State>): Promise<State> {
    const before = this.live?.version;
    const state = await answer;
    if (this.live && this.live.version !== before) return this.live;
    this.accept(state);
    return state;
  }

  refuse(error: unknown): void {
    if (error instanceof Stale) {
      if (error.state) this.accept(error.state);
      else void this.unlessOvertaken(this.door.state()).catch(() => undefined);
      this.refusal = { code: "stale", case: "", text: t("table.stale") };
    } else if (error instanceof Refused) {
      this.refusal = { ...error.refusal, text: this.sayError(error) };
    } else {
      this.refusal = { code: "error", case: "", text: t("table.error") };
    }
  }

  // Replay

  async startReplay(at?: number): Promise<void> {
    this.moments = await this.door.moments().catch(() => null);
    if (this.moments) await this.goTo(at ?? this.moments.length);
  }

  async goTo(n: number): Promise<void> {
    if (!this.moments) return;
    this.moment = Math.max(0, Math.min(this.moments.length, n));
    const wanted = this.moment;
    const state = await this.door.at(wanted).catch(() => null);
    // Only the last place the slider went to counts.
    if (state && wanted === this.moment && this.moments) this.past = state;
  }

  stopReplay(): void {
    this.past = null;
    this.moments = null;
  }

  // Showing

  openRule(number: string): void {
    this.ruleCase = number;
    this.tab = "rules";
    this.panelOpen = true;
  }

  point(hexes: readonly string[], bring = true): void {
    this.pointed = [...hexes];
    if (bring && hexes[0]) this.wanted = { hex: hexes[0], stamp: Date.now() };
  }

  sideName = (id: string | null): string => this.kit?.sides.find((side) => side.id === id)?.name ?? id ?? "";

  phaseName = (id: string | null): string => this.kit?.phases.find((phase) => phase.id === id)?.name ?? id ?? "";

  hexName = (number: string): string => {
    const name = this.kit?.hexes[number]?.name;
    return name ? `${number} ${name}` : number;
  };

  /** A piece that is neither a unit nor a hex: by its name in the kit or, failing that, by its id. */
  pieceName = (id: string): string =>
    this.kit?.pieces?.[id] ?? this.kit?.words[id] ?? id.replace(/^[a-z]+-/, "").toLocaleUpperCase();

  unitName = (id: string): string => this.kit?.counters[id]?.name ?? id;
}

export type { Forecast };
