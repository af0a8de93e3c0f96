/** What a table asks first, asked while the code of its page is still on its way: on a slow line the map is in sight
 * half a second sooner. */
import { Door, kit } from "./api";
import { lang } from "./i18n.svelte";
import { invitationIn } from "./seats";
import type { Kit, Language, State } from "./types";

interface Ahead {
  table: string;
  token: string;
  language: Language;
  state: Promise<State>;
  kit: Promise<Kit>;
}

let asked: Ahead | null = null;

/** An invitation is no key yet, and without a key an account may have to be asked: the table itself sees to that. */
export function askAhead(table: string, token: string): void {
  if (!token || invitationIn(token)) return;
  const { language } = lang;
  const state = new Door(table, token, language).state();
  const found = state.then(({ game }) => kit(game, language));
  // Whoever takes them hears of a failure; if nobody does, nothing was lost.
  state.catch(() => {});
  found.catch(() => {});
  asked = { table, token, language, state, kit: found };
}

/** What was asked for this seat, once. */
export function askedAhead({ table, token, lang: language }: Door): Ahead | null {
  const found = asked;
  asked = null;
  const same = found && found.table === table && found.token === token && found.language === language;
  return same ? found : null;
}
