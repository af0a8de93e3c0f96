/** The little Markdown that rulebooks use, as a tree. It is drawn by components, never as markup text. */

export type Inline =
  | { kind: "text" | "strong" | "em" | "code"; text: string }
  | { kind: "case"; text: string }
  /** The mark of a ruling; `of` names a case if it is not the one where the mark stands. */
  | { kind: "ruling"; text: string; of: string };

export type Block =
  | { kind: "paragraph"; inlines: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

const INLINE =
  /\*\*(.+?)\*\*|\*(.+?)\*|_(.+?)_|`(.+?)`|(?<![\d.])(\d{1,2}(?:\.\d{1,2}){1,2})(?![\d])|(?<=\()(ruling|décision)(?=(?:, (\d{1,2}(?:\.\d{1,2}){1,2}))?[),:\s])/g;

/** `known` says which numbers are cases, so that "2.5 points" is not made a link. */
export function inlines(text: string, known: (text: string) => boolean): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match[5] !== undefined && !known(match[5])) continue;
    if (match.index > end) found.push({ kind: "text", text: text.slice(end, match.index) });
    if (match[1] !== undefined) found.push({ kind: "strong", text: match[1] });
    else if (match[2] !== undefined || match[3] !== undefined) found.push({ kind: "em", text: (match[2] ?? match[3])! });
    else if (match[4] !== undefined) found.push({ kind: "code", text: match[4] });
    else if (match[5] !== undefined) found.push({ kind: "case", text: match[5] });
    else found.push({ kind: "ruling", text: match[6]!, of: match[7] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ kind: "text", text: text.slice(end) });
  return found;
}

const cells = (line: string): string[] =>
  line.replace(/^\s*\||\|\s*$/g, "").split("|").map((cell) => cell.trim());

export function parse(body: string, known: (text: string) => boolean = () => false): Block[] {
  const blocks: Block[] = [];
  const lines = body.split("\n");
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (!line.trim()) {
      at++;
    } else if (/^\s*\|/.test(line)) {
      const rows: string[][] = [];
      while (at < lines.length && /^\s*\|/.test(lines[at]!)) rows.push(cells(lines[at++]!));
      const body_ = rows.slice(1).filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
      blocks.push({
        kind: "table",
        head: (rows[0] ?? []).map((cell) => inlines(cell, known)),
        rows: body_.map((row) => row.map((cell) => inlines(cell, known))),
      });
    } else if (/^\s*([-*]|\d+[.)])\s+/.test(line)) {
      const ordered = /^\s*\d/.test(line);
      const items: string[] = [];
      while (at < lines.length && lines[at]!.trim()) {
        const item = /^\s*(?:[-*]|\d+[.)])\s+(.*)$/.exec(lines[at]!);
        if (item) items.push(item[1]!);
        else if (items.length) items[items.length - 1] += ` ${lines[at]!.trim()}`;
        at++;
      }
      blocks.push({ kind: "list", ordered, items: items.map((item) => inlines(item, known)) });
    } else {
      const words: string[] = [];
      while (at < lines.length && lines[at]!.trim() && !/^\s*(\||[-*]\s|\d+[.)]\s)/.test(lines[at]!)) {
        words.push(lines[at++]!.trim());
      }
      if (!words.length) words.push(lines[at++]!.trim());
      blocks.push({ kind: "paragraph", inlines: inlines(words.join(" "), known) });
    }
  }
  return blocks;
}
