/** The shapes that come from the server. Texts are already in the language asked for. */

export type Language = "en" | "fr";
export type Action = string[];
/** What an argument is. Games may have pieces of their own (chits, markers) beside the common three. */
export type Kind = string;

export interface Named {
  id: string;
  name: string;
}

export interface GameSummary {
  id: string;
  title: string;
  publisher?: string;
  about?: string;
  subtitle?: string;
  state: string;
  scenarios: { id: string; name: string; options: Record<string, boolean | number | string> }[];
  sides: Named[];
  players: string[];
}

export interface Provenance {
  kind: string;
  source: string;
}

export interface HexInfo {
  x: number;
  y: number;
  terrain: string;
  features: string[];
  name: string;
}

export interface Counter {
  side: string;
  nation?: string;
  name: string;
  kind: string;
  size: string;
  corps?: string;
  /** As printed, halves included. */
  movement: string;
  /** The numbers of each side of the counter, full strength first; none for what is drawn in play. */
  faces: string[][];
  turn: number;
  entry: string[] | string;
  provenance: Provenance;
}

export interface RuleTable {
  id: string;
  title?: string;
  case?: string;
  columns: string[];
  rows: string[][];
}

export interface Article {
  case: string;
  title: string;
  body: string;
}

export interface Kit {
  id: string;
  title: string;
  subtitle: string;
  credits: string;
  sides: Named[];
  verbs: Record<string, Kind[]>;
  turns: { turn: number; from: string; to: string }[];
  phases: { id: string; name: string; case: string }[];
  hexes: Record<string, HexInfo>;
  flat: boolean;
  map: { box: Box; frame: Box; svg: string; widths: number[]; png: { width: number; url: string }[] };
  legend: Record<string, Record<string, string>>;
  counters: Record<string, Counter>;
  tables: RuleTable[];
  rules: Article[];
  words: Record<string, string>;
  pieces?: Record<string, string>;
}

/** Left, top, right, bottom, in hex widths. */
export type Box = [number, number, number, number];

export interface Unit {
  id: string;
  side: string;
  kind: string;
  hex: string | null;
  status: string;
  steps?: number;
  attack?: number;
  defence?: number;
  untried?: boolean;
  /** Of command: headquarters only. */
  radius?: number;
  supplied?: boolean;
  supply?: string;
  turn?: number;
  [fact: string]: unknown;
}

/** A side's chits: to others only the number of them, and those that have shown themselves. */
export interface Chits {
  number: number;
  in_cup: number;
  played: string[];
  put_back?: string[];
  pool?: string[];
  cup?: string[];
  inactive?: string[];
  planned?: string[];
}

export interface TableView {
  phase: string | null;
  units: Unit[];
  /** Headquarters in action and the hexes they command. */
  activation?: { hqs?: string[]; radius?: string[] } | null;
  /** Games with chits: what this seat knows of each side's, how many are in the cup, the one just drawn. */
  chits?: Record<string, Chits>;
  cup?: number;
  drawn?: string | null;
  points?: Record<string, number>;
  [fact: string]: unknown;
}

export interface Focus {
  units: string[];
  hexes: string[];
  points_left?: number;
  owed?: number;
}

export interface Proposal {
  by: string;
  to: number;
}

export interface Seat {
  kind: string;
  name: string;
  online?: boolean;
  taken?: boolean;
}

export interface State {
  table: string;
  game: string;
  name?: string;
  version: string;
  you: string[];
  over: boolean;
  outcome: {
    winner: string | null;
    level: string;
    text: string;
    points: Record<string, number>;
    resigned?: string;
  } | null;
  turn: number;
  phase: string | null;
  actor: string | null;
  decision: string | null;
  case: string | null;
  prompt: string;
  options: Action[];
  can_undo: boolean;
  view: TableView;
  log_length: number;
  thinking: boolean;
  /** Whether the computer tells its plans while the game is played. */
  teacher: boolean;
  /** How many plans it has told; null while it keeps them to itself. */
  plans: number | null;
  /** Whether this seat may ask for suggestions. */
  suggests: boolean;
  proposal: Proposal | null;
  commitment: string;
  seed?: string | null;
  players: Record<string, Seat>;
  focus?: Focus | null;
  /** Answers in the journal so far. */
  moments: number;
}

export interface LogEntry {
  n: number;
  kind: string;
  case: string;
  text: string;
  turn: number;
  hexes: string[];
  units: string[];
  die?: number;
}

export interface LobbyTable {
  table: string;
  game: string;
  name: string;
  turn: number;
  phase: string | null;
  actor: string | null;
  over: boolean;
  players: Record<string, Seat>;
  updated: number;
}

export interface Refusal {
  code: string;
  case: string;
  text: string;
}

/** A way to a hex; points are whole or end in a half. */
export interface Way {
  path: string[];
  points_left: number;
}

export interface Shift {
  code: string;
  text: string;
  columns: number;
  case: string;
  chance: number;
}

export interface Forecast {
  case: string;
  attack: [number, number][];
  defence: [number, number][];
  shifts: Shift[];
  columns: [string, number][];
  results: [string, number][];
}

export interface SupplyAnswer {
  supplied: boolean;
  line: string[];
  road: string[];
  points: number;
  case: string;
}

/** What a computer player set out to do. */
export interface Plan {
  side: string;
  turn: number;
  phase: string | null;
  text: string;
  hexes: string[];
  units: string[];
}

export interface Plans {
  /** By side: what it is trying to do, or that it has nothing to tell. */
  now: Record<string, string>;
  plans: Plan[];
}

/** What the computer would do in one's place: answers that belong together. */
export interface Suggestion {
  version: string;
  actions: Action[];
  text: string;
  plan: string | null;
  units: string[];
  hexes: string[];
  path: string[];
}

export interface ChatEntry {
  id: number;
  author: string;
  text: string;
  at: number;
}

export interface Moments {
  length: number;
  marks: { n: number; turn: number; phase: string }[];
}

/** The table at a moment of its past: what was to be seen, with nothing to decide. */
export type Moment = Pick<State, "table" | "game" | "turn" | "phase" | "actor" | "decision" | "view"> & {
  moment: number;
};

/** Every random answer of a finished game, with what it was drawn from. */
export interface Rolls {
  seed: string;
  commitment: string;
  rolls: { draw: number; weights: [Action, number][]; answer: Action }[];
}
