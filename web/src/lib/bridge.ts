/** For as long as the server does not say everything as data: what it says now, in the shapes of the table
 *  protocol. The only place of the page that knows a game's words; each line goes when the server says it itself. */
/* eslint-disable @typescript-eslint/no-explicit-any */
import { lang, t } from "./i18n.svelte";
import type {
  Action, Badge, Effect, Family, Forecast, GameSummary, GuideStep, InHand, Kit, LayerInfo, Livery, LobbyTable, LogEntry,
  Offer, Order, Part, PartWords, Result, Role, State, TableView, Unit, Verb,
} from "./types";
import type { Options } from "../table/options";

type Raw = Record<string, any>;

const ROLES: Record<string, Role> = {
  pick: "take", march: "take", enter: "enter", "march-in": "enter", step: "step", halt: "halt", overrun: "strike",
  add: "gather", drop: "release", arrive: "gather", target: "aim", also: "widen", join: "join", fight: "commit",
  interdict: "place", fortify: "place", "fall-back": "place", reposition: "place", detrain: "place", on: "place",
  end: "end", pass: "pass", hold: "pass", stay: "pass", leave: "pass",
};
const MAIN = ["fight", "halt", "hold", "stay", "leave", "done", "end", "pass", "put-back"];

const FAMILIES: Record<string, Family> = {
  turn: "turn", phase: "phase", moved: "move", entered: "move", attack: "battle", overrun: "battle", odds: "odds",
  revealed: "odds", "air-support": "odds", result: "result", retreated: "retreat", advanced: "advance", reduced: "loss",
  eliminated: "loss", trapped: "loss", "swept-away": "loss", "excess-destroyed": "loss", arrived: "arrival",
};

const livery = (body: string, bar: string, ink: string, tint: string): Livery => ({ body, bar, ink, tint });
const GREY = "#31372f";
const LIVERIES: Record<string, Livery> = {
  german: livery("#a3ae9d", GREY, "#1d1f1a", "rgba(40, 60, 48, 0.85)"),
  axis: livery("#a3ae9d", GREY, "#1d1f1a", "rgba(40, 60, 48, 0.85)"),
  italian: livery("#a9a26a", GREY, "#1d1f1a", "rgba(40, 60, 48, 0.85)"),
  hungarian: livery("#b5c3a6", GREY, "#1d1f1a", "rgba(40, 60, 48, 0.85)"),
  romanian: livery("#d8c795", GREY, "#1d1f1a", "rgba(40, 60, 48, 0.85)"),
  soviet: livery("#a8492f", "#4b1d13", "#fff6ea", "rgba(140, 30, 10, 0.85)"),
};

const own = (id: string): string | undefined => (lang.has(id) ? t(id) : undefined);

export function gameFrom(raw: Raw): GameSummary {
  return { ...(raw as GameSummary), liveries: raw["liveries"] ?? LIVERIES };
}

export const lobbyFrom = (raw: Raw): LobbyTable =>
  ({ ...raw, must_act: raw["must_act"] ?? (raw["actor"] ? [raw["actor"]] : []) }) as LobbyTable;

function verb(game: string, word: string, raw: any): Verb {
  const kinds: string[] = Array.isArray(raw) ? raw : raw.kinds;
  const role = raw.role ?? (word === "take" && kinds[0] === "unit" ? "gather" : ROLES[word]) ?? "choose";
  const label = raw.label ?? own(`verbs.${game}-${word}`) ?? own(`verbs.${word}`) ?? word;
  return { kinds, role, label };
}

function parts(): Record<string, PartWords> {
  return {
    forts: { name: own("facts.forts_ready") ?? "", glyph: "pentagon" },
    interdicted: { name: t("bridge.interdicted"), glyph: "plane" },
    forts_ready: { name: own("facts.forts_ready") ?? "" },
    air_ready: { name: own("facts.air_ready") ?? "" },
    command: { name: own("rail.command") ?? "", glyph: "◎" },
    pocket: { name: t("bridge.pocket") },
    cities: { name: t("bridge.cities") },
    cup: { name: own("chits.in-cup") ?? "" },
    drawn: { name: t("bridge.drawn") },
    acting: { name: t("bridge.acting"), glyph: "◎" },
    chits: { name: own("chits.label") ?? "" },
    "chits/cup": { name: own("chits.in-cup") ?? "", tone: "info" },
    "chits/chosen": { name: own("chits.chosen") ?? "", tone: "info" },
    "chits/inactive": { name: own("chits.inactive") ?? "" },
    "chits/planned": { name: own("chits.planned") ?? "" },
    "chits/known": { name: own("chits.known") ?? "" },
    "chits/played": { name: own("chits.played") ?? "", tone: "spent" },
    "chits/put-back": { name: own("chits.put-back") ?? "", tone: "info" },
  };
}

function badges(): Record<string, Badge> {
  const spent = (name: string): Badge => ({ letter: "", shape: "bar", tone: "spent", name });
  return {
    unsupplied: { letter: t("map.unsupplied-letter"), shape: "diamond", tone: "warning", name: t("card.unsupplied") },
    isolated: { letter: t("map.isolated-letter"), shape: "square", tone: "danger", name: t("card.isolated") },
    untried: { letter: "", shape: "disc", tone: "info", name: t("card.untried") },
    moved: spent(t("card.moved")),
    fought: spent(t("card.fought")),
  };
}

const layers = (): LayerInfo[] => [
  { id: "zones", name: t("bridge.zones"), short: t("rail.zones-short"), sided: true, style: "hatch" },
  { id: "supplied", name: t("bridge.supplied"), short: t("rail.supply-short"), sided: true, style: "fill" },
];

function guide(game: string): GuideStep[] {
  const when: Omit<GuideStep, "text">[] = [
    { roles: ["take", "enter"], holding: false }, { roles: ["take", "step"], holding: true },
    { roles: ["take", "enter"], holding: false, after: ["move"] }, { roles: ["aim"], holding: false },
    { roles: ["join", "commit"], holding: true }, {},
  ];
  return when.flatMap((step, k) => {
    const text = own(`guide.${game}-${k + 1}`);
    return text ? [{ ...step, text }] : [];
  });
}

const HIDDEN = /^(provenance|source)$/;

export function kitFrom(raw: Raw, language: string): Kit {
  const ground = raw["ground"] ?? Object.fromEntries(
    Object.entries((Array.isArray(raw["legend"]) ? {} : raw["legend"]) as Record<string, Raw>).map(([id, words]) => [id, words[language] ?? id]),
  );
  const word = (text: string): string => ground[text] ?? raw["words"][text] ?? own(`rows.${text}`) ?? text;
  const tables = (raw["tables"] as Raw[]).map((table) => typeof table["columns"]?.[0] !== "string" ? table : ({
    ...table,
    title: table["title"] ?? own(`tables.${table["id"]}`) ?? table["id"],
    role: table["id"] === "crt" ? "combat" : undefined,
    columns: table["columns"].map((id: string) => ({ id, name: own(`columns.${id}`) ?? id })),
    rows: table["rows"].map((row: string[]) => row.map((cell, k) => (HIDDEN.test(table["columns"][k]) || table["columns"][k].startsWith("name") ? cell : word(cell)))),
  }));
  return {
    ...(raw as unknown as Kit),
    verbs: Object.fromEntries(Object.entries(raw["verbs"]).map(([id, kinds]) => [id, verb(raw["id"], id, kinds)])),
    badges: raw["badges"] ?? badges(),
    parts: raw["parts"] ?? parts(),
    layers: raw["layers"] ?? layers(),
    liveries: raw["liveries"] ?? LIVERIES,
    kinds: raw["kinds"] ?? Object.fromEntries(
      ["hq", "panzer", "armour", "mechanised", "infantry", "motorised", "cavalry", "mountain", "security"].map(
        (id) => [id, { name: own(`kinds.${id}`) ?? id }],
      ),
    ),
    nations: raw["nations"] ?? Object.fromEntries(
      ["german", "italian", "hungarian", "romanian", "soviet"].map((id) => [id, own(`nations.${id}`) ?? id]),
    ),
    pieces: raw["pieces"] ?? Object.fromEntries(
      ((raw["tables"] as Raw[]).find((table) => table["id"] === "chits")?.["rows"] ?? []).map(([id]: [string]) => [
        id, raw["words"][id] ?? id.replace(/^[a-z]+-/, "").toLocaleUpperCase(),
      ]),
    ),
    guide: raw["guide"] ?? guide(raw["id"]),
    legend: Array.isArray(raw["legend"]) ? raw["legend"] : [],
    ground,
    tables: tables as Kit["tables"],
  };
}

function unitFrom(raw: Raw, kit: Kit): Unit {
  if (raw["badges"]) return raw as Unit;
  const counter = kit.counters[raw["id"]];
  const movement = counter?.movement ?? "";
  const printed = counter?.faces[0];
  let face: string[] = raw["face"] ?? [];
  if (raw["untried"]) face = ["?", movement];
  else if (raw["attack"] === undefined || raw["radius"] !== undefined) face = printed ?? [movement];
  else if (printed?.length === 2) face = [String(raw["attack"]), movement];
  else face = [String(raw["attack"]), String(raw["defence"]), movement];
  const found: string[] = [];
  if (raw["supply"] === "isolated") found.push("isolated");
  else if (raw["supplied"] === false) found.push("unsupplied");
  for (const id of ["untried", "moved", "fought"]) if (raw[id]) found.push(id);
  return { ...(raw as Unit), kind: raw["untried"] ? (counter?.kind ?? raw["kind"]) : raw["kind"], face, badges: found };
}

function poolFrom(side: string, raw: Raw, filled: boolean): Part {
  const groups = [];
  if (raw["cup"]) {
    groups.push({ id: filled ? "cup" : "chosen", pieces: raw["cup"] });
    groups.push({ id: "inactive", pieces: raw["inactive"] ?? [] });
    if (raw["planned"]) groups.push({ id: "planned", pieces: raw["planned"] });
  } else {
    const pool: string[] = raw["pool"] ?? [];
    groups.push({ id: "cup", pieces: [], more: raw["in_cup"] });
    groups.push({ id: "known", pieces: pool.filter((id) => !raw["played"].includes(id)), more: raw["number"] - pool.length });
  }
  groups.push({ id: "played", pieces: raw["played"] });
  if (raw["put_back"]?.length) groups.push({ id: "put-back", pieces: raw["put_back"] });
  return { part: "pool", id: "chits", side, groups };
}

export function viewFrom(raw: Raw, kit: Kit): TableView {
  if (raw["parts"] && raw["scores"]) return { ...(raw as TableView), units: raw["units"].map((unit: Raw) => unitFrom(unit, kit)) };
  const found: Part[] = [];
  for (const id of ["forts", "interdicted"]) if (raw[id]) found.push({ part: "markers", id, hexes: raw[id] });
  for (const id of ["forts_ready", "air_ready"]) if (raw[id] !== undefined) found.push({ part: "count", id, value: raw[id] });
  if (raw["pocket"]) found.push({ part: "area", id: "pocket", hexes: raw["pocket"], style: "fill" });
  if (raw["cities"]) found.push({ part: "holders", id: "cities", hexes: raw["cities"] });
  if (raw["chits"]) {
    found.push({ part: "pool", id: "cup", groups: [{ id: "cup", pieces: [], more: raw["cup"] }] });
    if (raw["drawn"]) found.push({ part: "display", id: "drawn", slots: [{ id: "drawn", pieces: [raw["drawn"]] }] });
    if (raw["activation"]) {
      found.push({ part: "company", id: "acting", units: raw["activation"].hqs ?? [] });
      found.push({ part: "area", id: "command", hexes: raw["activation"].radius ?? [], style: "edge" });
    }
    for (const [side, chits] of Object.entries(raw["chits"])) found.push(poolFrom(side, chits as Raw, raw["cup"] > 0));
  }
  return { units: raw["units"].map((unit: Raw) => unitFrom(unit, kit)), scores: raw["scores"] ?? raw["points"] ?? {}, parts: found };
}

function mainOf(options: Action[]): Action | null {
  const plain = options.filter((action) => action.length === 1);
  for (const word of MAIN) {
    const found = plain.find((action) => action[0] === word);
    if (found) return found;
  }
  return plain.length === 1 ? plain[0]! : null;
}

function handFrom(raw: Raw, kit: Kit): InHand | null {
  const options: Action[] = raw["options"];
  const of = (role: Role) => options.filter((action) => kit.verbs[action[0]!]?.role === role);
  const focus = raw["focus"] ?? { units: [], hexes: [] };
  if (of("join").length || of("commit").length) {
    const air = raw["actor"] === "german" ? Number(raw["view"]["air_ready"] ?? 0) : 0;
    return {
      units: [], reach: null,
      attack: {
        targets: focus.hexes, units: focus.units, may_join: of("join").map((action) => action[1]!),
        may_widen: of("widen").map((action) => action[1]!),
        extras: air ? [{ id: "air", name: t("odds.air"), value: 0, max: air }] : [],
      },
    };
  }
  if (of("step").length || of("halt").length || of("strike").length) return { units: focus.units, attack: null };
  return null;
}

export function stateFrom(raw: Raw, kit: Kit): State {
  if (raw["decision"] && typeof raw["decision"] === "object") {
    return { ...(raw as State), phase: phaseFrom(raw["phase"]), view: viewFrom(raw["view"], kit) };
  }
  const asked = raw["options"]?.length > 0;
  return {
    ...(raw as State),
    phase: phaseFrom(raw["phase"]),
    must_act: raw["must_act"] ?? (raw["actor"] ? [raw["actor"]] : []),
    may_act: raw["may_act"] ?? [],
    decision: asked
      ? {
        name: raw["decision"], case: raw["case"] ?? "", prompt: raw["prompt"], offer: raw["options"] as Offer[],
        focus: raw["focus"], hand: handFrom(raw, kit), main: mainOf(raw["options"]),
      }
      : null,
    view: viewFrom(raw["view"], kit),
    old: true,
  };
}

/** The small answers of an order that the server does not take as a whole yet. */
export function spell(order: Order, options: Options): Action[] | null {
  const words = (role: Role) => Object.keys(options.verbs).filter((word) => options.verbs[word]!.role === role);
  const [join, widen, commit, strike] = [words("join")[0]!, words("widen")[0]!, words("commit")[0]!, words("strike")[0]!];
  if (order.order === "attack") {
    if (options.byRole.has("strike")) return [[strike, order.targets[0]!]];
    if (!options.byRole.has("join") && !options.byRole.has("commit")) return null;
    const can = (role: Role, word: string) => options.byRole.get(role)?.some((action) => action[1] === word);
    return [
      ...order.units.filter((unit) => can("join", unit)).map((unit) => [join, unit]),
      ...order.targets.filter((hex) => can("widen", hex)).map((hex) => [widen, hex]),
      [commit],
    ];
  }
  if (order.halt !== false) return null;
  const steps = order.path.map((hex) => [words("step")[0]!, hex]);
  if (!options.byRole.has("take")) return steps;
  return [[words("take")[0]!, order.units[0]!], ...order.units.slice(1).map((unit) => ["add", unit]), ...steps];
}

export const phaseFrom = (raw: unknown): State["phase"] =>
  raw === null || raw === undefined ? null : typeof raw === "string" ? { id: raw } : (raw as State["phase"]);

export function lineFrom(raw: Raw, kit: Kit): LogEntry {
  if (raw["family"]) return raw as LogEntry;
  const dice = raw["die"] === undefined ? [] : [{ sides: 6, value: raw["die"] }];
  const line: LogEntry = { ...(raw as LogEntry), family: FAMILIES[raw["kind"]] ?? "other", dice };
  const table = kit.tables.find((each) => each.role === "combat");
  if (line.family === "result" && table) {
    const words = line.text.split(/[\s:,;]+/);
    const column = table.columns.find((each, k) => k > 0 && words.includes(each.name));
    if (column) line.roll = { table: table.id, column: column.id, row: String(raw["die"]), result: "" };
  }
  return line;
}

/** The lines that a message brings. */
export function pieceFrom(message: Raw): { from: number; lines: Raw[] } | null {
  if (Array.isArray(message["log"])) return { from: message["log_from"], lines: message["log"] };
  return message["log"] ?? null;
}

const number = (text: string | undefined): Effect => ({ steps: Number(text) || 0, hexes: 0, wiped: text === "E" });

export function forecastFrom(raw: Raw): Forecast {
  if (!Array.isArray(raw["results"]?.[0])) return raw as Forecast;
  const paired = raw["results"].some(([code]: [string]) => code.includes("/"));
  const results: Result[] = raw["results"].map(([code, chance]: [string, number]) => {
    const [d, a] = code.split("/");
    const tone = paired ? (a === "-" ? "good" : d === "-" ? "bad" : "mixed") : code.includes("D") ? "good" : code.includes("A") ? "bad" : "mixed";
    return { code, chance, text: "", tone, defender: number(paired ? d : ""), attacker: number(paired ? a : "") };
  });
  return { ...(raw as Forecast), results };
}
