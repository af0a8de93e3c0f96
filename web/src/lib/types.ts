/** The shapes that come from the server. Texts are already in the language asked for. */

export type Language = "en" | "fr";
export type Action = string[];
/** What an argument is. Games may have pieces of their own beside units, hexes and numbers. */
export type Kind = string;

/** What answering with a verb does, in any game. */
export type Role =
  | "take" | "enter" | "gather" | "release" | "step" | "halt" | "strike"
  | "aim" | "widen" | "join" | "commit"
  | "place" | "choose" | "end" | "pass";

export interface Verb {
  kinds: Kind[];
  role: Role;
  /** What stands on its button. */
  label: string;
}

export interface Named {
  id: string;
  name: string;
}

export interface Livery {
  body: string;
  bar: string;
  ink: string;
  /** Of what belongs to a side on the map: zones, ground. */
  tint: string;
}

export interface GameSummary {
  id: string;
  title: string;
  publisher?: string;
  about?: string;
  subtitle?: string;
  state: string;
  scenarios: Scenario[];
  sides: Named[];
  players: string[];
  liveries: Record<string, Livery>;
}

export interface Scenario extends Named {
  about: string;
  first_turn: number;
  last_turn: number;
  first_day: string;
  last_day: string;
  minutes: number;
  difficulty: number;
  /** Made by us, not by the publisher. */
  ours: boolean;
  /** How it is won, where that is not as the rulebook says. */
  victory: string;
  /** The hexes that units may enter; none if it is the whole map. */
  area: string[];
  options: ScenarioOption[];
}

export interface ScenarioOption extends Named {
  case: string;
  default: boolean | number | string;
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
  title: string;
  case?: string;
  /** "combat" for the table that attacks are rolled on. */
  role?: string;
  columns: Named[];
  rows: string[][];
}

export interface Article {
  case: string;
  title: string;
  body: string;
}

/** What was decided where the published rules are silent or contradict themselves. */
export interface Ruling {
  cases: string[];
  title: string;
  question: string;
  ruling: string;
  reason: string;
}

export type Shape = "disc" | "diamond" | "square" | "triangle" | "bar";
export type Tone = "warning" | "danger" | "info" | "spent";

/** A mark on a counter. Told apart by shape and letter, not by colour alone. */
export interface Badge {
  letter: string;
  shape: Shape;
  tone: Tone;
  name: string;
}

/** The words of a part of the view, or of a group of a pool (`pool/group`). */
export interface PartWords {
  name: string;
  about?: string;
  glyph?: string;
  tone?: Tone;
}

/** Hexes that are shown on demand. */
export interface LayerInfo {
  id: string;
  name: string;
  short: string;
  /** Whether there is one for each side. */
  sided: boolean;
  style: "hatch" | "fill" | "edge" | "dots";
}

/** A piece of advice for the moment when one of its roles is on offer and something is, or is not, taken up; one
 *  without roles is for all other moments. */
export interface GuideStep {
  id: string;
  text: string;
  roles: Role[];
  selected: boolean;
  /** Not before something of this family has happened. */
  after: Family | null;
}

export interface Kit {
  id: string;
  title: string;
  subtitle: string;
  credits: string;
  sides: Named[];
  verbs: Record<string, Verb>;
  badges: Record<string, Badge>;
  parts: Record<string, PartWords>;
  layers: LayerInfo[];
  liveries: Record<string, Livery>;
  kinds: Record<string, { name: string; symbol?: string }>;
  nations: Record<string, string>;
  pieces: Record<string, string>;
  guide: GuideStep[];
  legend: { id: string; name: string; swatch: string }[];
  turns: { turn: number; from: string; to: string }[];
  scenarios: Scenario[];
  phases: { id: string; name: string; case: string }[];
  hexes: Record<string, HexInfo>;
  flat: boolean;
  map: { box: Box; frame: Box; svg: string; widths: number[]; png: { width: number; url: string }[] };
  counters: Record<string, Counter>;
  tables: RuleTable[];
  rules: Article[];
  rulings: Ruling[];
  words: Record<string, string>;
}

/** Left, top, right, bottom, in hex widths. */
export type Box = [number, number, number, number];

export interface Unit {
  id: string;
  side: string;
  kind: string;
  nation?: string;
  hex: string | null;
  status: string;
  /** The numbers on the counter, where they are not those printed. */
  face?: string[];
  badges: string[];
  steps?: number;
  attack?: number;
  defence?: number;
  /** Of command: headquarters only. */
  radius?: number;
  turn?: number;
}

// What a view consists of beside units

export interface MarkersPart {
  part: "markers";
  id: string;
  hexes: string[];
  side?: string;
}
export interface AreaPart {
  part: "area";
  id: string;
  hexes: string[];
  style?: LayerInfo["style"];
  side?: string;
}
export interface HoldersPart {
  part: "holders";
  id: string;
  hexes: Record<string, string>;
}
export interface CountPart {
  part: "count";
  id: string;
  value: number;
  of?: number;
  side?: string;
}
export interface FlagPart {
  part: "flag";
  id: string;
  on: boolean;
}
export interface PoolGroup {
  id: string;
  pieces: string[];
  /** Pieces of which only the number is known. */
  more?: number;
}
export interface PoolPart {
  part: "pool";
  id: string;
  side?: string;
  groups: PoolGroup[];
}
export interface TrackPart {
  part: "track";
  id: string;
  value: number;
  low: number;
  high: number;
  side?: string;
}
export interface DisplayPart {
  part: "display";
  id: string;
  side?: string;
  slots: { id: string; units?: string[]; pieces?: string[] }[];
}
export interface CompanyPart {
  part: "company";
  id: string;
  units: string[];
  side?: string;
}
export type Part =
  | MarkersPart | AreaPart | HoldersPart | CountPart | FlagPart | PoolPart | TrackPart | DisplayPart | CompanyPart;

export interface TableView {
  units: Unit[];
  scores: Record<string, number>;
  parts: Part[];
}

// The question on the table

/** What may be added to an attack, up to how many. */
export interface Extra {
  id: string;
  name: string;
  max: number;
}

/** What an attack could be made of. */
export interface Aim {
  may_join: string[];
  may_widen: string[];
}

/** An attack that is being put together. */
export interface Assault extends Aim {
  targets: string[];
  units: string[];
}

/** Hexes with the one before each on the way there (null: where the units stand), and the points left (null: one may
 *  pass but not stay). */
export type ReachTree = Record<string, [string | null, number | null]>;

export interface InHand {
  units: string[];
  points_left: number | null;
  reach: ReachTree | null;
  attack: Assault | null;
  /** Hexes that an attack may aim at, if none has been begun. */
  aims: Record<string, Aim>;
  extras: Extra[];
}

/** `[verb, ...fixed, [choices of the last argument]]`, or a verb alone. */
export type Offer = (string | string[])[];

export interface Decision {
  name: string;
  case: string;
  prompt: string;
  offer: Offer[];
  focus: { units: string[]; hexes: string[] };
  hand: InHand | null;
  /** The answer that moves the game on. */
  main: Action | null;
}

/** A whole march, or a whole attack. */
export type Order =
  | { order: "move"; units: readonly string[]; path: readonly string[]; halt?: boolean }
  | { order: "attack"; targets: readonly string[]; units: readonly string[]; extras: Record<string, number> };

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

export interface Phase {
  id: string | null;
  path: string[];
  side: string | null;
}

export interface State {
  table: string;
  game: string;
  scenario: string;
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
  phase: Phase;
  /** Who is asked, and who may answer without being asked. */
  must_act: string[];
  may_act: string[];
  decision: Decision | null;
  can_undo: boolean;
  can_redo: boolean;
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
  /** Answers in the journal so far. */
  moments: number;
}

/** What a line of the log is about, in any game. */
export type Family =
  | "turn" | "phase" | "move" | "battle" | "odds" | "result" | "loss" | "retreat" | "advance" | "chance"
  | "arrival" | "supply" | "score" | "other";

export interface Die {
  sides: number;
  value: number;
}

export interface LogEntry {
  n: number;
  kind: string;
  family: Family;
  case: string;
  text: string;
  turn: number;
  hexes: string[];
  units: string[];
  dice: Die[];
  /** Where on which table the dice fell: ids of table and column, the row, what stands there. */
  roll?: { table: string; column: string; row: string; result: string } | null;
}

/** What changed since the last message on this line to the server. */
export interface Difference {
  from: string;
  to: string;
  set?: Partial<Omit<State, "view">>;
  units?: Record<string, Unit | null>;
  scores?: Record<string, number>;
  parts?: Record<string, Part | null>;
}

export interface LogPiece {
  from: number;
  lines: LogEntry[];
}

export interface LobbyTable {
  table: string;
  game: string;
  name: string;
  turn: number | null;
  over: boolean;
  actor: string | null;
  /** The sides of the seat that asks. */
  you?: string[];
  players: Record<string, Seat>;
  updated: number;
}

export interface Refusal {
  code: string;
  case: string;
  text: string;
}

/** A way to a hex. */
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

/** What a result costs one side. */
export interface Effect {
  steps: number;
  hexes: number;
  wiped: boolean;
}

export interface Result {
  code: string;
  chance: number;
  text: string;
  tone: "good" | "bad" | "mixed";
  defender: Effect;
  attacker: Effect;
}

export interface Forecast {
  case: string;
  attack: [number, number][];
  defence: [number, number][];
  shifts: Shift[];
  columns: [string, number][];
  results: Result[];
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
export type Moment = Pick<State, "table" | "game" | "turn" | "phase" | "view"> & {
  moment: number;
};

/** Every random answer of a finished game, with what it was drawn from. */
export interface Rolls {
  seed: string;
  commitment: string;
  rolls: { draw: number; weights: [Action, number][]; answer: Action }[];
}
