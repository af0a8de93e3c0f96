/** The shapes that come from the server, by the names that the page uses. They are made from the server's own models
 *  (`wire.ts`); here only words are told apart that the description knows as plain strings. What does not apply is left out
 *  on the wire: a value that may be null may be missing. Texts are already in the language asked for. */
import type { components } from "./wire";

type Wire = components["schemas"];

export type Language = "en" | "fr";
export type Action = string[];

/** What answering with a verb does, in any game. */
export type Role =
  | "take" | "enter" | "gather" | "release" | "step" | "halt" | "strike"
  | "aim" | "widen" | "join" | "commit"
  | "place" | "choose" | "end" | "pass";

/** What a line of the log is about, in any game. */
export type Family =
  | "turn" | "phase" | "move" | "battle" | "odds" | "result" | "loss" | "retreat" | "advance" | "chance"
  | "arrival" | "supply" | "score" | "other";

// A game

export type Named = Wire["Named"];
export type Livery = Wire["Livery"];
export type Badge = Wire["KitBadge"];
export type Tone = Badge["tone"];
export type LayerInfo = Wire["KitLayer"];
export type MapInfo = Wire["KitMap"];
export type RuleTable = Wire["RuleTable"];
export type Ruling = Wire["Ruling"];
export type Scenario = Wire["ScenarioLine"];
export type ScenarioOption = Wire["ScenarioOption"];
export type GameSummary = Wire["GameLine"];
export type Counter = Wire["Counter"] & { corps?: string };
export type Verb = Omit<Wire["KitVerb"], "role" | "gloss" | "typed"> & { role: Role };
export type GuideStep = Omit<Wire["KitGuideStep"], "roles" | "after" | "decisions"> & {
  roles: Role[];
  after: Family | null;
  decisions: string[];
};

export interface HexInfo extends Omit<Wire["KitHex"], "centre" | "name"> {
  x: number;
  y: number;
  name: string;
}

export type Kit = Omit<Wire["Kit"], "hexes" | "verbs" | "guide" | "counters"> & {
  hexes: Record<string, HexInfo>;
  verbs: Record<string, Verb>;
  guide: GuideStep[];
  counters: Record<string, Counter>;
};

/** What of a kit is needed to draw its map and counters. */
export type Drawn = Pick<Kit, "map" | "hexes" | "counters" | "badges" | "kinds" | "flat" | "sides" | "liveries">;

/** Left, top, right, bottom, in hex widths. */
export type Box = [number, number, number, number];

// A game to look at

export type Exhibit = Wire["Exhibit"];
export type ExhibitLayer = Wire["ExhibitLayer"];
export type ExhibitGround = Wire["ExhibitGround"];
export type ExhibitSetup = Wire["ExhibitSetup"];
export type ExhibitCounter = Wire["ExhibitCounter"];
export type ExhibitEvent = Wire["ExhibitEvent"];
export type ExhibitChart = Wire["ExhibitChart"];
export type ExhibitOrigin = Wire["ExhibitOrigin"];

// A table

export type Unit = Pick<Wire["Unit"], "id" | "side" | "kind" | "hex" | "status" | "badges"> & Partial<Wire["Unit"]>;
export type CountPart = Wire["Count"];
export type FlagPart = Wire["Flag"];
export type PoolPart = Wire["Pool"];
export type AreaPart = Wire["Area"];
export type DisplayPart = Wire["Display"];
export type Part = Wire["View"]["parts"][number];
export type TableView = Omit<Wire["View"], "units"> & { units: Unit[] };
export type Aim = Wire["Aim"];
export type Extra = Wire["ExtraInHand"];
/** Hexes with the one before each on the way there (null: where the units stand), and the points left (null: one may
 *  pass but not stay). */
export type ReachTree = Wire["ReachAnswer"]["hexes"];
export type ReachAnswer = { hexes: ReachTree; why?: Refusal | null; units?: string[] | null };
/** `[verb, ...fixed, [choices of the last argument]]`, or a verb alone. */
export type Offer = Wire["Decision"]["offer"][number];
export type State = Omit<Wire["State"], "view"> & { view: TableView };
export type Moment = Omit<Wire["Moment"], "view"> & { view: TableView };
export type Moments = Wire["Moments"];
export type Since = Wire["Since"];
export type LobbyTable = Wire["LobbyLine"];
export type OwnTable = Wire["OwnLine"];

/** A whole march, or a whole attack. */
export type Order =
  | { order: "move"; units: readonly string[]; path: readonly string[]; halt?: boolean }
  | { order: "attack"; targets: readonly string[]; units: readonly string[]; extras: Record<string, number> };

// What happens

export type Die = Wire["Die"];
export type LogEntry = Omit<Wire["LogLine"], "family" | "roll" | "own"> & { family: Family; roll?: Wire["Roll"] | null; own?: boolean };

export interface LogPiece {
  from: number;
  lines: LogEntry[];
}

/** New lines; those that one side alone may read are told apart where several share the screen in a game with secrets. */
export interface LogNews extends LogPiece {
  own?: (LogPiece & { side: string }) | null;
}

/** What changed since the last message on this line to the server. */
export interface Difference {
  from: string;
  to: string;
  set?: Partial<Omit<State, "view">>;
  units?: Record<string, Unit | Partial<Unit> | null>;
  /** What many units have in common of their changes, and which units these are. */
  alike?: [Partial<Unit>, string[]][];
  scores?: Record<string, number>;
  parts?: Record<string, Part | null>;
}

export type ChatEntry = Wire["ChatLine"];
export type MapMark = Wire["MapMark"];
export type MarkWish = Wire["MarkWish"];
export type Address = Wire["AddressLine"];
export type Clock = Wire["Clock"];

// Answers

export type Refusal = Wire["RefusedAnswer"];
export type LossAhead = Wire["LossAhead"];
export type Forecast = Wire["ForecastAnswer"];
export type WhatIf = Wire["WhatIfAnswer"];
export type Strengths = Wire["StrengthsAnswer"];
export type Share = Wire["Share"];
export type SupplyAnswer = Wire["SupplyAnswer"];
export type Plan = Wire["Plan"];
export type Plans = Wire["Plans"];
export type Suggestion = Wire["Suggestion"];
export type Rolls = Wire["Rolls"];
export type Report = Wire["Report"];

/** A way to a hex. */
export interface Way {
  path: string[];
  points_left: number;
}
