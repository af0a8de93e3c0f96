/** The log told in deeds: a march is one deed however many hexes it went, a battle with its dice and losses is one. */
import type { Family, LogEntry } from "../lib/types";

export interface Deed {
  kind: "march" | "battle" | "event";
  family: Family;
  /** The lines of the log that it is made of, and the number of the one after the last. */
  lines: LogEntry[];
  end: number;
  units: string[];
  /** The way of a march: from where it is told, else from its first hex on. */
  path: string[];
  /** Where it happened. */
  hexes: string[];
}

const GOING: ReadonlySet<Family> = new Set<Family>(["move", "retreat", "advance", "arrival"]);
/** What belongs to the battle that was announced before it. */
const IN_BATTLE: ReadonlySet<Family> = new Set<Family>(["odds", "chance", "other", "result", "loss"]);

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one) => b.includes(one));

/** The deeds that lines tell of, in their order. `index` of a line is its number in the log. */
export function deeds(lines: readonly LogEntry[]): Deed[] {
  const found: Deed[] = [];
  let fighting = false;
  for (const line of lines) {
    const last = found.at(-1);
    if (last && goesOn(last, line)) {
      last.lines.push(line);
      last.end = line.n + 1;
      last.path.push(line.hexes.at(-1)!);
      last.hexes = [last.path.at(-1)!];
    } else if (last && fighting && last.kind === "battle" && IN_BATTLE.has(line.family)) {
      last.lines.push(line);
      last.end = line.n + 1;
      if (line.family === "loss") last.units = [...new Set([...last.units, ...line.units])];
    } else {
      found.push(begin(line));
      fighting = line.family === "battle";
    }
  }
  return found;
}

/** Whether a line is the next step of a march. */
function goesOn(deed: Deed, line: LogEntry): boolean {
  return (
    deed.kind === "march" && line.family === deed.family && deed.family !== "arrival" &&
    line.hexes.length > 1 && line.hexes[0] === deed.path.at(-1) && same(line.units, deed.units)
  );
}

function begin(line: LogEntry): Deed {
  const going = GOING.has(line.family) && line.units.length > 0 && line.hexes.length > 0;
  return {
    kind: going ? "march" : line.family === "battle" ? "battle" : "event",
    family: line.family,
    lines: [line],
    end: line.n + 1,
    units: [...line.units],
    path: going ? [...line.hexes] : [],
    hexes: going ? [line.hexes.at(-1)!] : [...line.hexes],
  };
}

/** The line that decided a battle. */
export const verdict = (deed: Deed): LogEntry | undefined => deed.lines.find((line) => line.family === "result");

/** Whether a deed is worth a line in a list of what happened. */
export const telling = (deed: Deed): boolean =>
  deed.kind !== "event" || deed.family === "loss" || deed.family === "chance" || deed.family === "score" || deed.family === "supply";
