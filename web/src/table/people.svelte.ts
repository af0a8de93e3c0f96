/** The people at a table: what they are called, who is here, whom one waits for and for how long. */
import type { Door } from "../lib/api";
import { lang, t } from "../lib/i18n.svelte";
import { invitationLink, keepSetting, setting } from "../lib/seats";
import type { State } from "../lib/types";

/** How often the time left is looked at, in milliseconds. */
const TICK = 20_000;
const [MINUTE, HOUR] = [60, 3600];
export const DAY = 86_400;

/** A length of time, in the largest unit that fits. */
export function span(seconds: number): string {
  if (seconds >= 2 * DAY) return t("clock.days", { count: Math.round(seconds / DAY) });
  if (seconds >= 2 * HOUR) return t("clock.hours", { count: Math.round(seconds / HOUR) });
  return t("clock.minutes", { count: Math.max(0, Math.floor(seconds / MINUTE)) });
}

export class People {
  now = $state(Date.now() / 1000);
  /** Whether somebody whose time is up may take longer. */
  waited = $state(false);
  private words = $state.raw<Record<string, string>>({});
  private asked = new Set<string>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly id: string,
    private readonly door: Door,
    private readonly live: () => State | null,
    private readonly sideName: (side: string) => string,
  ) {}

  open(): void {
    this.timer = setInterval(() => this.tick(), TICK);
  }

  tick(): void {
    this.now = Date.now() / 1000;
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** What a side's player is called: by his name, as a computer, or by the side. */
  name = (side: string): string => {
    const player = this.live()?.players[side];
    if (!player) return this.sideName(side);
    if (player.kind !== "human") return t("people.computer", { level: lang.has(`players.${player.kind}`) ? t(`players.${player.kind}`) : player.kind });
    if (!player.taken) return t("people.nobody");
    return player.name || t("people.player", { side: this.sideName(side) });
  };

  here = (side: string): boolean => !!this.live()?.here.includes(side);

  /** Whether somebody has a name of his own. */
  named = (side: string): boolean => {
    const player = this.live()?.players[side];
    return player?.kind === "human" && player.taken && !!player.name;
  };

  away = (side: string): number => {
    const until = this.live()?.clock?.away[side] ?? 0;
    return until > this.now ? until : 0;
  };

  others = $derived.by((): string[] => {
    const live = this.live();
    return live ? Object.keys(live.players).filter((side) => !live.you.includes(side)) : [];
  });

  /** Seats for which a person is still to come. */
  empty = $derived.by((): string[] =>
    this.others.filter((side) => this.live()?.players[side]?.kind === "human" && !this.live()?.players[side]?.taken),
  );

  /** How long a side may still take; null if there is no clock for it now. */
  left = (side: string | null): number | null => {
    const due = side ? this.live()?.clock?.due[side] : undefined;
    return due === undefined || this.live()?.over ? null : due - this.now;
  };

  /** The other sides whose time is up, while this seat is not waited for itself. */
  late = $derived.by((): string[] => {
    const live = this.live();
    if (!live?.clock || live.over || live.must_act.some((side) => live.you.includes(side))) return [];
    return this.others.filter((side) => (this.left(side) ?? 1) <= 0);
  });

  leaveLeft = $derived.by((): number => {
    const live = this.live();
    const side = live?.you[0];
    if (!live?.clock || !side) return 0;
    return live.clock.leave - (live.clock.taken[side] ?? 0) + Math.max(0, (live.clock.away[side] ?? 0) - this.now);
  });

  /** Links for the seats that are empty, with the words that this browser knows. */
  links = $derived.by(() =>
    this.empty.flatMap((side) => {
      const word = this.words[side];
      return word ? [{ side, url: invitationLink(this.id, word) }] : [];
    }),
  );

  /** See to it that there is a link for each empty seat. A new one is asked for only if none is known here. */
  async invite(): Promise<void> {
    const wanted = this.live()?.rights.invite ?? [];
    for (const side of this.others) {
      // A link that was used, or a seat that was left: the next one is another.
      if (wanted.includes(side) || !this.live()?.players[side]?.taken) continue;
      this.asked.delete(side);
      keepSetting(`invite.${this.id}.${side}`, "");
    }
    for (const side of wanted) {
      if (this.asked.has(side)) continue;
      this.asked.add(side);
      const key = `invite.${this.id}.${side}`;
      const word = setting(key, "") || (await this.door.invite(side).catch(() => null))?.invitation;
      if (!word) continue;
      keepSetting(key, word);
      this.words = { ...this.words, [side]: word };
    }
  }
}
