/** Every fact of the map's picture, gathered in one place so that any change asks for one new frame. */
import type { TableView } from "../lib/types";
import type { Counsel } from "../table/counsel.svelte";
import type { Hand } from "../table/hand.svelte";
import type { TableStore } from "../table/store.svelte";
import type { Marker, Overlay, Scene } from "./scene";

/** Below this many pixels a hex, the front is drawn as a line. */
const FAR = 26;
const NO_PARTS: TableView["parts"] = [];

export class Facts {
  /** Pixels a hex, and what else changes with the view. */
  scale = $state(0);
  overlays = $state.raw<readonly Overlay[]>([]);
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

  constructor(
    private readonly store: TableStore,
    private readonly hand: Hand,
    private readonly counsel: Counsel,
  ) {}

  /** The same while only units move. */
  private parts = $derived.by(() => this.store.view?.parts ?? NO_PARTS);

  private markers = $derived.by(() => {
    const found: Marker[] = [];
    for (const part of this.parts) {
      if (part.part !== "markers") continue;
      const { glyph = "", tone = "info" } = this.store.kit!.parts[part.id] ?? {};
      for (const hex of part.hexes) found.push({ hex, glyph, tone, side: part.side ?? null });
    }
    return found;
  });

  private aims = $derived.by(() => this.parts.flatMap((part) => (part.part === "markers" ? (part.arrows ?? []) : [])));

  private holders = $derived.by(() =>
    this.parts.flatMap((part) =>
      part.part === "holders" ? Object.entries(part.hexes).map(([hex, side]) => ({ hex, side })) : [],
    ),
  );

  private done = $derived.by(() => {
    const { store, hand } = this;
    const found = new Set<string>(hand.stayed);
    if (hand.mode !== "units") return found;
    for (const unit of store.units.values()) {
      if (unit.side === store.actor && unit.hex && !hand.ready.has(unit.id)) found.add(unit.id);
    }
    return found;
  });

  // A suggestion is drawn as if the hand had begun it, unless the hand is busy with something else.
  private hint = $derived.by(() => (this.hand.attack.draft || this.hand.path.length ? null : this.counsel.shown));
  private hintFrom = $derived.by(() =>
    this.hint ? (this.store.units.get(this.hint.units[0] ?? "")?.hex ?? this.hand.origin) : null,
  );
  private assault = $derived.by(() => !!this.hint && this.counsel.attack);

  private supposed = $derived.by(() => this.hand.attack.draft?.supposed ?? null);
  /** From where they stand to where they would attack. */
  private approaches = $derived.by(() =>
    this.hand.attack.attackers.flatMap((unit) => {
      const here = this.store.units.get(unit)?.hex;
      const there = this.supposed?.[unit];
      return here && there && here !== there ? [[here, there]] : [];
    }),
  );

  /** The ways that others are going, or have gone since one's own last deed. */
  private trails = $derived.by(() => {
    const { show, replay } = this.store;
    if (this.supposed) return this.approaches;
    if (show.running) return show.act?.walks.map((walk) => walk.path) ?? [];
    if (replay.past || !show.trails) return [];
    return show.since.filter((deed) => deed.path.length > 1).map((deed) => deed.path);
  });

  private marks = $derived.by(() => {
    const { shown, own, draft, seenBy } = this.store.marks;
    const drawn = shown.map((mark) => ({ mark, own: own.includes(mark), shared: mark.seen_by !== "me" }));
    const begun = draft ? [{ mark: { kind: "arrow" as const, hexes: [...draft], text: "" }, own: true, shared: seenBy !== "me" }] : [];
    return [...drawn, ...begun];
  });

  private battle = $derived.by((): readonly string[] => {
    const { store } = this;
    if (store.replay.past) return [];
    if (store.show.act) return store.show.act.deed.kind === "battle" ? store.show.act.deed.hexes : [];
    return store.news?.hexes ?? [];
  });

  scene = $derived.by((): Scene => {
    const { store, hand, hint, assault } = this;
    return {
      stacks: store.stacks,
      markers: this.markers,
      holders: this.holders,
      ready: hand.ready,
      done: this.done,
      selected: new Set([...(hand.mode === "carry" ? hand.carried : hand.selection), ...(assault ? [] : (hint?.units ?? []))]),
      marked: new Set(hand.attack.draft ? hand.attack.attackers : (assault ? hint!.units : (store.show.act?.deed.kind === "battle" ? store.show.act.deed.units : []))),
      goals: hand.goals,
      targets: hand.attack.draft?.targets ?? (assault ? hint!.hexes : this.battle),
      reach: hand.reach,
      path: hint?.path.length ? hint.path : hand.path,
      origin: hint?.path.length ? this.hintFrom : hand.origin,
      hover: hand.hoverHex,
      cursor: hand.cursor,
      open: hand.fan ? hand.open : null,
      shake: this.calm ? null : hand.shake,
      overlays: this.overlays,
      supply: hand.supply && hand.supply.supplied ? hand.supply : null,
      pointed: hint && !assault ? [...store.pointed, ...hint.hexes, ...hint.path.slice(-1)] : store.pointed,
      marks: this.marks,
      aims: this.aims,
      trails: this.trails,
      from: this.supposed ? hand.attack.attackers.map((unit) => this.supposed![unit]!) : null,
      ghost: null,
      front: this.scale > 0 && this.scale < FAR,
    };
  });
}
