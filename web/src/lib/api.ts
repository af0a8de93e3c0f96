/** One function per door of the server. A refusal by the rules is thrown as `Refused`. */
import type {
  Action, Address, ChatEntry, Exhibit, ExhibitChart, ExhibitEvent, ExhibitGround, ExhibitSetup, Forecast, GameSummary, Kit,
  Language, LobbyTable, LogEntry, LossAhead, MapMark, MarkWish, Moment, Moments, Order, OwnTable, Plans, ReachAnswer, Refusal, Report, Rolls, Ruling,
  Since, State, Suggestion, Strengths, SupplyAnswer, WhatIf,
} from "./types";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
  ) {
    super(refusal.text);
  }
}

/** The position moved on before the answer arrived. */
export class Stale extends Error {}

/** What is answered to a deed: the state or, where it comes over the socket anyway, its version, and how far what is
 *  in hand then gets. */
export type Told = State | { version: string; reach?: ReachAnswer | null };

export const isWhole = (told: Told): told is State => "view" in told;

export async function call<T>(method: string, path: string, token: string, body?: unknown, brief = false): Promise<T> {
  const headers: Record<string, string> = {};
  if (token) headers["authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  if (brief) headers["prefer"] = "return=minimal";
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new Refused(0, { code: "offline", case: "", text: "" });
  }
  const text = await answer.text();
  let json: unknown = null;
  try {
    json = text ? JSON.parse(text) : null;
  } catch {
    json = null;
  }
  if (answer.ok) return json as T;
  const code = (json as Partial<Refusal> | null)?.code;
  if (answer.status === 409 && (!code || code === "stale")) throw new Stale("stale");
  throw new Refused(answer.status, tidy((json ?? {}) as Partial<Refusal>, answer.status));
}

/** A refusal begins with its case; the page shows the case as a link of its own. */
export function tidy(said: Partial<Refusal> & { detail?: unknown }, status = 422): Refusal {
  const text = said.text ?? (typeof said.detail === "string" ? said.detail : "");
  const number = said.case ?? "";
  return {
    code: said.code ?? `http-${status}`,
    case: number,
    text: number && text.startsWith(`${number}: `) ? text.slice(number.length + 2) : text,
  };
}

type WhyNot = (Refusal & { legal: false }) | { legal: true };

export interface NewTable {
  game: string;
  scenario: string;
  options: Record<string, unknown>;
  seats: Record<string, string>;
  name: string;
  listed: boolean;
  hotseat: boolean;
  owner: string;
  /** The side that the maker plays. */
  side: string;
  teacher: boolean;
  /** Seconds that an answer may take, and of leave that each player has, by correspondence. */
  pace?: number;
  leave?: number;
}

export interface Created {
  table: string;
  seats: Record<string, string>;
  /** For each seat of somebody else's, a word that can be exchanged for its key, once. */
  invitations: Record<string, string>;
  watch: string;
  promise: string;
}

/** The edition of the answers that this page reads. */
const EDITION = "protocol=2";

export const games = (lang: Language) => call<GameSummary[]>("GET", `/api/games?lang=${lang}&${EDITION}`, "");

/** What can be looked at of a game, piece by piece. */
export class Showcase {
  constructor(
    readonly game: string,
    readonly lang: Language,
  ) {}

  private get<T>(path: string): Promise<T> {
    return call<T>("GET", `/api/games/${encodeURIComponent(this.game)}/exhibit${path}?lang=${this.lang}&${EDITION}`, "");
  }

  summary = () => this.get<Exhibit>("");
  ground = () => this.get<ExhibitGround>("/ground");
  setup = (id: string) => this.get<ExhibitSetup>(`/setups/${encodeURIComponent(id)}`);
  events = () => this.get<ExhibitEvent[]>("/events");
  chart = (id: string) => this.get<ExhibitChart>(`/charts/${encodeURIComponent(id)}`);
  rulings = () => this.get<Ruling[]>("/rulings");
}

interface WireHex {
  centre: [number, number];
  terrain: string;
  features: string[];
  name: string | null;
}

export async function kit(game: string, lang: Language): Promise<Kit> {
  const found = await call<Omit<Kit, "hexes"> & { hexes: Record<string, WireHex> }>(
    "GET", `/api/games/${game}/kit?lang=${lang}&${EDITION}`, "",
  );
  const hexes: Kit["hexes"] = {};
  for (const [number, { centre, name, ...rest }] of Object.entries(found.hexes)) {
    hexes[number] = { x: centre[0], y: centre[1], name: name ?? "", ...rest };
  }
  return { ...found, hexes };
}

export const lobby = () => call<LobbyTable[]>("GET", "/api/tables", "");
export const create = (wish: NewTable) => call<Created>("POST", "/api/tables", "", wish);

export interface SaveWish {
  text: string;
  seats: Record<string, string>;
  hotseat: boolean;
  owner: string;
  name: string;
}

export const upload = (wish: SaveWish, lang: Language) => call<Created>("POST", `/api/saves?lang=${lang}`, "", wish);

/** Everything about one table, for one seat. */
export class Door {
  /** Whether deeds are answered by their version alone, because the rest comes over the socket. */
  brief = false;
  /** Questions and deeds that have not been answered yet. */
  unanswered = 0;

  constructor(
    readonly table: string,
    public token: string,
    public lang: Language,
  ) {}

  private call<T>(method: string, path: string, body?: unknown, brief = false): Promise<T> {
    const mark = path.includes("?") ? "&" : "?";
    const url = `/api/tables/${encodeURIComponent(this.table)}${path}${mark}lang=${this.lang}&${EDITION}`;
    return call<T>(method, url, this.token, body, brief);
  }

  private async counted<T>(answer: Promise<T>): Promise<T> {
    this.unanswered++;
    return answer.finally(() => this.unanswered--);
  }

  private ask<T>(ask: string, facts: object): Promise<T> {
    return this.counted(this.call<T>("POST", "/ask", { ask, ...facts }));
  }

  private deed(path: string, body: object): Promise<Told> {
    return this.counted(this.call<Told>("POST", path, body, this.brief));
  }

  /** A deed after which something may be in hand: how far that gets comes with the answer. */
  private handled(path: string, body: object): Promise<Told> {
    return this.deed(path, { ...body, reach: this.brief });
  }

  /** The table in a line, as the lobby lists it. */
  line = () => this.call<OwnTable>("GET", "/line");
  state = () => this.call<State>("GET", "");
  at = (n: number) => this.call<Moment>("GET", `/at/${n}`);
  moments = () => this.call<Moments>("GET", "/moments");
  since = () => this.call<Since>("GET", "/since");
  /** Lines of the log; of nobody else's than this side's, if one is named. */
  log = (since: number, eyes: string | null) => this.call<LogEntry[]>("GET", `/log?since=${since}${eyes ? `&eyes=${eyes}` : ""}`);
  act = (action: Action, version: string) => this.handled("/actions", { action, version });
  order = (order: Order, version: string) => this.handled("/orders", { order, version });
  undo = (version: string) => this.handled("/undo", { version });
  redo = (everything = false) => this.handled("/redo", everything ? { to: "all" } : {});
  undoPhase = (version: string) => this.handled("/undo", { to: "phase", version });
  /** A new table that goes on from a moment of this one. */
  branch = (to: number, name: string) => this.call<Created>("POST", "/branch", { to, name });
  takeback = (to: number) => this.deed("/takeback", { to });
  answerTakeback = (accept: boolean, to: number) => this.deed("/takeback/answer", { accept, to });
  resign = () => this.deed("/resign", {});
  sit = (invitation: string, name: string) => this.call<{ side: string; token: string }>("POST", "/sit", { invitation, name });
  invite = (side: string) => this.call<{ invitation: string }>("POST", "/invitations", { side });
  renew = () => this.call<{ token: string }>("POST", "/renew", {});
  share = (share: string) => this.call<Told>("POST", "/share", { share }, true);
  leave = () => this.call<unknown>("POST", "/leave", {});
  kick = (side: string) => this.deed("/kick", { side });
  unlist = () => this.deed("/unlist", {});
  abandon = () => this.deed("/abandon", {});
  remove = () => this.call<unknown>("DELETE", "");
  /** Win a game whose other player has let his time run out. */
  claim = () => this.deed("/claim", {});
  /** Stop one's clock for some days; 0: let it run again. */
  takeLeave = (days: number) => this.deed("/leave-of-absence", { days });
  rename = (name: string) => this.call<Told>("PUT", "/name", { name }, this.brief);
  rematch = (swap: boolean) => this.call<{ table: string; side: string; token: string }>("POST", "/rematch", { swap });
  addresses = () => this.call<Address[]>("GET", "/addresses");
  addAddress = (target: object) => this.call<Address>("POST", "/addresses", target);
  removeAddress = (id: string) => this.call<unknown>("DELETE", `/addresses/${id}`);
  join = (side: string, name: string) => this.call<{ token: string }>("POST", "/join", { side, name });
  chat = () => this.call<ChatEntry[]>("GET", "/chat");
  say = (text: string) => this.call<unknown>("POST", "/chat", { text });
  draw = (mark: MarkWish) => this.call<MapMark[]>("POST", "/marks", mark);
  /** Take one of one's own marks off the map, or all. */
  rubOut = (id = "") => this.call<MapMark[]>("DELETE", id ? `/marks/${id}` : "/marks");
  note = () => this.call<{ text: string }>("GET", "/note");
  keepNote = (text: string) => this.call<unknown>("PUT", "/note", { text });
  /** How far units get together; with `fewer`, as many of them as get anywhere together. */
  reach = (units: readonly string[], fewer = false) => this.ask<ReachAnswer>("reach", { units, ...(fewer ? { fewer } : {}) });
  forecast = (targets: string[], units: string[], extras: Record<string, number>) =>
    this.ask<Forecast>("forecast", { targets, units, extras });
  /** Who could attack a hex after a whole move, and what an attack by some of them would promise. */
  whatIf = (hex: string, units: readonly string[], extras: Record<string, number>) =>
    this.ask<WhatIf>("what-if", { hex, units, extras });
  strengths = (unit: string) => this.ask<Strengths>("strengths", { unit });
  supply = (unit: string) => this.ask<SupplyAnswer>("supply", { unit });
  why = (action: Action) => this.ask<WhyNot>("why", { action });
  /** Whether units may go to a hex; if not, why not. */
  go = (units: readonly string[], hex: string) => this.ask<WhyNot>("go", { units, hexes: [hex] });
  /** What an answer would cost, for certain. */
  ahead = (action: Action) => this.ask<{ losses: LossAhead[] }>("ahead", { action });
  plans = () => this.call<Plans>("GET", "/plans");
  suggestion = () => this.call<Suggestion>("POST", "/suggestion", {});
  rolls = () => this.call<Rolls>("GET", "/rolls");
  report = () => this.call<Report>("GET", "/report");

  async save(): Promise<Blob> {
    const answer = await fetch(`/api/tables/${encodeURIComponent(this.table)}/save`, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    if (!answer.ok) throw new Refused(answer.status, tidy((await answer.json()) as Partial<Refusal>, answer.status));
    return answer.blob();
  }

  live(): WebSocket {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/live`);
  }
}
