/** Which seats this browser holds. A token is a key to a seat: it stays here and in the links one shares. */

const PREFIX = "grognard.seat.";

/** Who else is told of a new seat. */
let hear: (table: string, token: string) => void = () => undefined;
export const keptBy = (listener: typeof hear): void => void (hear = listener);

export function remember(table: string, token: string): void {
  if (token !== recall(table)) hear(table, token);
  try {
    localStorage.setItem(PREFIX + table, token);
  } catch {
    // Private windows may refuse: the link in the address bar still works.
  }
}

export function recall(table: string): string {
  try {
    return localStorage.getItem(PREFIX + table) ?? "";
  } catch {
    return "";
  }
}

/** Links that let somebody sit down, once, have this before their word. */
const INVITATION = "i.";

export const invitationLink = (table: string, word: string): string => `${location.origin}/t/${table}#${INVITATION}${word}`;

/** The word of an invitation; empty if a key is none. */
export const invitationIn = (token: string): string => (token.startsWith(INVITATION) ? token.slice(INVITATION.length) : "");

/** A seat that is no longer one's own. */
export function forget(table: string): void {
  try {
    localStorage.removeItem(PREFIX + table);
    sessionStorage.removeItem(PREFIX + table);
  } catch {
    // It opens nothing any more.
  }
}

/** A key for this tab only. */
export function borrow(table: string, token: string): void {
  try {
    sessionStorage.setItem(PREFIX + table, token);
  } catch {
    // The address still has it.
  }
}

export function borrowed(table: string): string {
  try {
    return sessionStorage.getItem(PREFIX + table) ?? "";
  } catch {
    return "";
  }
}

export function known(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

export function setting(name: string, fallback: string): string {
  try {
    return localStorage.getItem(`grognard.${name}`) ?? fallback;
  } catch {
    return fallback;
  }
}

export function keepSetting(name: string, value: string): void {
  try {
    localStorage.setItem(`grognard.${name}`, value);
  } catch {
    // Nothing lost but the habit.
  }
}
