/** Who uses this browser, if he has said so. Nobody needs an account: seats are keys of their own (seats.ts). */
import { call } from "./api";
import { forget, keepSetting, keptBy, known, recall, setting } from "./seats";
import type { Address, Language, OwnTable } from "./types";
import type { components } from "./wire";

type Wire = components["schemas"];
export type Device = Wire["SessionLine"];

export type NoticeKinds = Wire["NoticeKinds"];
export type Target = { mail: string } | { push: { endpoint: string; p256dh: string; auth: string } };

/** Where addresses are kept: with an account, or with one seat. */
export interface AddressBook {
  list: () => Promise<Address[]>;
  add: (target: Target) => Promise<Address>;
  remove: (id: string) => Promise<unknown>;
}

export const noticeKinds = (): Promise<NoticeKinds> => call<NoticeKinds>("GET", "/api/notices", "");

class Account {
  session = $state(setting("session", ""));
  name = $state(setting("account", ""));

  private own<T>(method: string, path: string, lang: Language, body?: unknown): Promise<T> {
    return call<T>(method, `/api/account${path}?lang=${lang}`, this.session, body);
  }

  private take(session: string, name: string): void {
    this.session = session;
    this.name = name;
    keepSetting("session", session);
    keepSetting("account", name);
  }

  async register(name: string, passphrase: string, lang: Language): Promise<void> {
    const { session } = await call<Wire["Session"]>("POST", `/api/account?lang=${lang}`, "", { name, passphrase });
    this.take(session, name);
  }

  async enter(name: string, passphrase: string, lang: Language): Promise<void> {
    const { session } = await call<Wire["Session"]>("POST", `/api/account/sessions?lang=${lang}`, "", { name, passphrase });
    this.take(session, name);
    await this.refresh(lang);
  }

  /** What the account is called; a session that is over is forgotten. */
  async refresh(lang: Language): Promise<boolean> {
    if (!this.session) return false;
    try {
      const me = await this.own<Wire["Me"]>("GET", "", lang);
      this.take(this.session, me.name);
      if (me.language !== lang) await this.own("PUT", "/language", lang, { language: lang });
      return true;
    } catch (error) {
      if ((error as { status?: number }).status === 401) this.take("", "");
      return false;
    }
  }

  /** Let a seat of this browser belong to the account. Links of spectators have none. */
  async keep(table: string, token: string): Promise<void> {
    if (!this.session || !token || token === this.session) return;
    await call("POST", "/api/account/seats", this.session, { table, token }).catch(() => undefined);
  }

  /** The same for all seats of this browser. */
  async keepAll(): Promise<void> {
    for (const table of known()) await this.keep(table, recall(table));
  }

  games = (lang: Language) => this.own<OwnTable[]>("GET", "/games", lang);
  devices = (lang: Language) => this.own<Device[]>("GET", "/sessions", lang);
  revoke = (id: string, lang: Language) => this.own("DELETE", `/sessions/${id}`, lang);
  change = (old: string, fresh: string, lang: Language) => this.own("POST", "/passphrase", lang, { old, new: fresh });
  export = (lang: Language) => this.own<unknown>("GET", "/export", lang);
  leave = (days: number, lang: Language) => this.own<Wire["LeaveTaken"]>("POST", "/leave-of-absence", lang, { days });

  addresses = (lang: Language): AddressBook => ({
    list: () => this.own<Address[]>("GET", "/addresses", lang),
    add: (target) => this.own<Address>("POST", "/addresses", lang, target),
    remove: (id) => this.own("DELETE", `/addresses/${id}`, lang),
  });

  /** Leave this browser, with the games that the account has. */
  async signOut(lang: Language, everywhere = false): Promise<void> {
    const mine = await this.games(lang).catch(() => []);
    if (everywhere) await this.own("DELETE", "/sessions", lang);
    else {
      const here = (await this.devices(lang).catch(() => [])).find((device) => device.here);
      if (here) await this.revoke(here.id, lang);
    }
    for (const { table } of mine) forget(table);
    this.take("", "");
  }

  /** Be forgotten. Seats stay with the browsers that have their keys. */
  async remove(lang: Language): Promise<void> {
    await this.own("DELETE", "", lang);
    this.take("", "");
  }
}

export const account = new Account();
keptBy((table, token) => void account.keep(table, token));

