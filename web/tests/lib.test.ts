import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { expect, test } from "vitest";
import { below, commitment } from "../src/lib/dice";
import { parse } from "../src/lib/markdown";
import { points } from "../src/lib/points";
import { fill } from "../src/lib/template";

test("dice are those of the referee", async () => {
  // From grognard.kernel.dice: below("seed", n, 6) for n = 0..7, and commitment("seed").
  const drawn = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => below("seed", n, 6)));
  expect(drawn).toEqual([1, 1, 1, 2, 3, 5, 0, 1]);
  expect(await commitment("seed")).toBe("73bb3cae738046e6989a2870b4f69ab93312093ce2089625f622b89ada1e974a");
});

test("points are written with halves", () => {
  expect([0, 0.5, 3, 7.5].map(points)).toEqual(["0", "½", "3", "7½"]);
});

test("markdown: paragraphs, lists, tables, and only known cases become links", () => {
  const blocks = parse("See **this** and 4.9, not 2.5.\n\n- one\n- two\n  more\n\n| a | b |\n|---|---|\n| 1 | 2 |", (text) => text === "4.9");
  expect(blocks.map((block) => block.kind)).toEqual(["paragraph", "list", "table"]);
  const first = blocks[0]!;
  expect(first.kind === "paragraph" && first.inlines.filter((part) => part.kind === "case").map((part) => part.text)).toEqual(["4.9"]);
  const list = blocks[1]!;
  expect(list.kind === "list" && list.items.length).toBe(2);
});

test("markdown: a case of three numbers is one link, and the mark of a ruling leads to it", () => {
  const known = (text: string) => ["9.5", "9.5.2", "4.2"].includes(text);
  const kinds = (text: string) => {
    const block = parse(text, known)[0]!;
    return block.kind === "paragraph" ? block.inlines.filter((part) => part.kind !== "text") : [];
  };
  expect(kinds("As in 9.5.2 and 9.5.")).toEqual([{ kind: "case", text: "9.5.2" }, { kind: "case", text: "9.5" }]);
  expect(kinds("So it is (ruling).")).toEqual([{ kind: "ruling", text: "ruling", of: "" }]);
  expect(kinds("Un pont (décision, 4.2)")).toEqual([{ kind: "ruling", text: "décision", of: "4.2" }, { kind: "case", text: "4.2" }]);
  expect(kinds("détruites (décision\u00a0: toute perte)")).toEqual([{ kind: "ruling", text: "décision", of: "" }]);
  expect(kinds("The ruling (of 1943)")).toEqual([]);
});

test("a counted noun follows its number, in each language by its own rule", () => {
  expect([0, 1, 2].map((n) => fill("{n} {n|hex|hexes}", { n }, "en"))).toEqual(["0 hexes", "1 hex", "2 hexes"]);
  expect([0, 1, 2].map((n) => fill("{n} {n|pion|pions}", { n }, "fr"))).toEqual(["0 pion", "1 pion", "2 pions"]);
  expect(fill("{unit} in {hex}", { hex: "0101" }, "en")).toBe("{unit} in 0101");
});

test("every word that the page asks for is in the catalogue", () => {
  const catalogue = parseToml(readFileSync("../src/grognard/server/text/page.toml", "utf8")) as Record<string, Record<string, unknown>>;
  const known = new Set(Object.entries(catalogue).flatMap(([section, codes]) => Object.keys(codes).map((code) => `${section}.${code}`)));
  const files: string[] = [];
  const walk = (folder: string) => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) walk(path);
      else files.push(path);
    }
  };
  walk("src");
  const missing: string[] = [];
  for (const file of files) {
    for (const match of readFileSync(file, "utf8").matchAll(/\bt\(\s*"([a-z]+\.[a-z-]+)"/g)) {
      if (!known.has(match[1]!)) missing.push(`${file}: ${match[1]}`);
    }
  }
  expect(missing).toEqual([]);
});
