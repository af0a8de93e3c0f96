/** Which page the address means. Seats come in the fragment, which browsers never send to servers. */
import { borrow, borrowed, invitationIn, recall, remember, setting } from "./seats";

type Page = "lobby" | "table" | "text" | "end" | "verify" | "look" | "rules" | "account";

class Route {
  page = $state<Page>("lobby");
  table = $state("");
  game = $state("");
  token = $state("");
  /** A moment of the past that a shared link points at. */
  moment = $state<number | null>(null);
  key = $state("");

  constructor() {
    this.read();
    addEventListener("popstate", () => this.read());
    addEventListener("hashchange", () => this.read());
  }

  private read(): void {
    const found = /^\/(t|verify)\/([^/]+)(?:\/(text|end))?\/?$/.exec(location.pathname);
    const looked = /^\/(look|rules)\/([^/]+)\/?$/.exec(location.pathname);
    if (looked) {
      this.page = looked[1] as "look" | "rules";
      this.game = decodeURIComponent(looked[2]!);
      this.key = `${this.page}/${this.game}`;
      return;
    }
    if (!found) {
      this.page = /^\/account\/?$/.test(location.pathname) ? "account" : "lobby";
      this.key = this.page === "account" ? "account" : "";
      return;
    }
    this.table = decodeURIComponent(found[2]!);
    const fragment = decodeURIComponent(location.hash.slice(1));
    if (fragment) {
      // A second key to a table (a friend's link, a spectator's) is this tab's alone: one's own seat is kept.
      // An invitation is not a key yet: the table exchanges it for one (store.open).
      if (!invitationIn(fragment)) {
        if (!recall(this.table)) remember(this.table, fragment);
        borrow(this.table, fragment);
      }
      // Out of the address bar: links copied from there should not give the seat away.
      history.replaceState(null, "", location.pathname + location.search);
    }
    // Whoever has no key to a table may have a seat there by his account.
    this.token = fragment || borrowed(this.table) || recall(this.table) || setting("session", "");
    const at = new URLSearchParams(location.search).get("at");
    this.moment = at && /^\d+$/.test(at) ? Number(at) : null;
    this.page = found[1] === "verify" ? "verify" : found[3] === "text" || found[3] === "end" ? found[3] : "table";
    this.key = `${this.page}/${this.table}/${this.token}`;
  }

  go(path: string): void {
    history.pushState(null, "", path);
    this.read();
  }
}

export const route = new Route();

/** Links that stay in the page unless a new tab is asked for. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.currentTarget as HTMLElement).getAttribute("href");
  if (!link) return;
  event.preventDefault();
  route.go(link);
}
