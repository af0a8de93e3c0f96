/** The game as a text to keep: turn by turn, phase by phase, a line for every march and battle. */
import { lang, t } from "../lib/i18n.svelte";
import { deeds } from "./deeds";
import type { TableStore } from "./store.svelte";
import { deedWords } from "./words";

export function narrative(store: TableStore): string {
  const live = store.live!;
  const title = [store.kit!.title, store.scenario?.name, live.name].filter(Boolean).join(" · ");
  const lines = [`# ${title}`, ""];
  for (const [side, seat] of Object.entries(live.players)) {
    lines.push(`- ${store.sideName(side)}${lang.colon} ${(seat.kind === "human" && seat.name) || t(`players.${seat.kind}`)}`);
  }
  for (const deed of deeds(store.log)) {
    const [first] = deed.lines;
    if (deed.family === "turn") lines.push("", `## ${first!.text}`);
    else if (deed.family === "phase") lines.push("", `### ${first!.text}`, "");
    else if (deed.kind === "march") lines.push(`- ${deedWords(store, deed)}`);
    else for (const line of deed.lines) lines.push(`- ${line.text}`);
  }
  const scores = Object.entries(live.view.scores).map(([side, points]) => `${store.sideName(side)} ${points}`);
  if (scores.length) lines.push("", `${t("bar.points")}${lang.colon} ${scores.join(", ")}`);
  if (live.outcome?.text) lines.push("", `**${live.outcome.text}**`);
  return `${lines.join("\n")}\n`;
}
