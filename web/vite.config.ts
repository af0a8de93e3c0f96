/// <reference types="vitest/config" />
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { parse } from "smol-toml";
import { defineConfig, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const CATALOGUE = here("../src/grognard/server/text/page.toml");

/** The page's words live in a TOML file like every other catalogue of the project; the browser gets JSON. */
function catalogue(): Plugin {
  const name = "virtual:catalogue";
  return {
    name: "catalogue",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load(id) {
      if (id !== `\0${name}`) return null;
      this.addWatchFile(CATALOGUE);
      const sections = parse(readFileSync(CATALOGUE, "utf8")) as Record<
        string,
        Record<string, Record<string, string>>
      >;
      const words: Record<string, Record<string, string>> = { en: {}, fr: {} };
      for (const [section, entries] of Object.entries(sections)) {
        for (const [code, texts] of Object.entries(entries)) {
          for (const language of ["en", "fr"]) {
            const text = texts[language];
            if (typeof text !== "string") throw new Error(`page.toml: ${section}.${code} has no ${language}`);
            words[language]![`${section}.${code}`] = text;
          }
        }
      }
      return `export default ${JSON.stringify(words)};`;
    },
  };
}

export default defineConfig({
  plugins: [svelte(), catalogue()],
  build: {
    outDir: here("../src/grognard/server/static"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
  },
  server: {
    fs: { allow: [here("..")] },
    proxy: { "/api": { target: process.env["GROGNARD_SERVER"] ?? "http://127.0.0.1:8000", ws: true } },
  },
  test: { include: ["tests/**/*.test.ts"] },
});
