/** One function per door of the server. A refusal by the rules is thrown as `Refused`. */
import type {
  Action, ChatEntry, Forecast, GameSummary, Kit, Language, LobbyTable, LogEntry, Moment, Moments, Plans, Refusal, Rolls,
  State, Suggestion, SupplyAnswer, Way,
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
export class Stale extends Error {
  constructor(readonly state: State | null) {
    super("stale");
  }
}

async function call<T>(method: string, path: string, token: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {};
  if (token) headers["authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
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
  if (answer.status === 409) {
    const found = json as { version?: unknown; state?: State } | null;
    throw new Stale(found && "version" in found ? (found as unknown as State) : (found?.state ?? null));
  }
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

export interface NewTable {
  game: string;
  scenario: string;
  options: Record<string, unknown>;
  seats: Record<string, string>;
  name: string;
  listed: boolean;
  hotseat: boolean;
  owner: string;
  teacher: boolean;
}

export interface Created {
  table: string;
  seats: Record<string, string>;
  watch: string;
}

export const games = (lang: Language) => call<GameSummary[]>("GET", `/api/games?lang=${lang}`, "");

type WireKit = Omit<Kit, "hexes"> & {
  hexes: Record<string, { centre: [number, number]; terrain: string; features: string[]; name: string | null }>;
};

export async function kit(game: string, lang: Language): Promise<Kit> {
  const found = await call<WireKit>("GET", `/api/games/${game}/kit?lang=${lang}`, "");
  const hexes: Kit["hexes"] = {};
  for (const [number, hex] of Object.entries(found.hexes)) {
    const { centre, name, ...rest } = hex;
    hexes[number] = { x: centre[0], y: centre[1], name: name ?? "", ...rest };
  }
  return { ...found, hexes };
}

export const lobby = () => call<LobbyTable[]>("GET", "/api/tables", "");
export const create = (wish: NewTable) => call<Created>("POST", "/api/tables", "", wish);
export const upload = (text: string) => call<Created>("POST", "/api/saves", "", { text });

/** Everything about one table, for one seat. */
export class Door {
  constructor(
    readonly table: string,
    readonly token: string,
    public lang: Language,
  ) {}

  private call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const mark = path.includes("?") ? "&" : "?";
    const url = `/api/tables/${encodeURIComponent(this.table)}${path}${mark}lang=${this.lang}`;
    return call<T>(method, url, this.token, body);
  }

  state = () => this.call<State>("GET", "");
  at = (n: number) => this.call<Moment>("GET", `/at/${n}`);
  moments = () => this.call<Moments>("GET", "/moments");
  log = (since: number) => this.call<LogEntry[]>("GET", `/log?since=${since}`);
  act = (action: Action, version: State["version"]) => this.call<State>("POST", "/actions", { action, version });
  order = (order: Record<string, unknown>, version: State["version"]) =>
    this.call<State>("POST", "/orders", { order, version });
  undo = () => this.call<State>("POST", "/undo", {});
  undoPhase = () => this.call<State>("POST", "/undo", { to: "phase" });
  takeback = (to: number) => this.call<State>("POST", "/takeback", { to });
  answerTakeback = (accept: boolean) => this.call<State>("POST", "/takeback/answer", { accept });
  resign = () => this.call<State>("POST", "/resign", {});
  join = (side: string, name: string) => this.call<{ token: string }>("POST", "/join", { side, name });
  chat = () => this.call<ChatEntry[]>("GET", "/chat");
  say = (text: string) => this.call<unknown>("POST", "/chat", { text });
  note = () => this.call<{ text: string }>("GET", "/note");
  keepNote = (text: string) => this.call<unknown>("PUT", "/note", { text });
  reach = (units: string[]) => this.call<{ hexes: Record<string, Way> }>("POST", "/ask", { ask: "reach", units });
  forecast = (targets: string[], units: string[], air: number) =>
    this.call<Forecast>("POST", "/ask", { ask: "forecast", targets, units, air });
  supply = (unit: string) => this.call<SupplyAnswer>("POST", "/ask", { ask: "supply", unit });
  zones = (side: string) => this.call<{ hexes: string[] }>("POST", "/ask", { ask: "zones", side });
  supplied = (side: string) => this.call<{ hexes: string[] }>("POST", "/ask", { ask: "supplied", side });
  why = (action: Action) =>
    this.call<(Refusal & { legal: false }) | { legal: true }>("POST", "/ask", { ask: "why", action });
  plans = () => this.call<Plans>("GET", "/plans");
  suggestion = () => this.call<Suggestion>("POST", "/suggestion", {});
  rolls = () => this.call<Rolls>("GET", "/rolls");

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
