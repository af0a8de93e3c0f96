/** Sides are told apart by lightness and by the place of a bar, never by hue alone. */

export interface Livery {
  body: string;
  edge: string;
  bar: string;
  /** Where the bar is: Axis counters at the top, Allied and Soviet ones at the left. */
  barAt: "top" | "left" | "none";
  ink: string;
  box: string;
  block: string;
}

const axis = (body: string, ink = "#1d1f1a"): Livery => ({
  body, ink, edge: "#2c302a", bar: "#31372f", barAt: "top", box: "#f3f1e6", block: body,
});
const allied = (body: string, ink = "#fff6ea"): Livery => ({
  body, ink, edge: "#3d1a12", bar: "#4b1d13", barAt: "left", box: "#f6e7d6", block: body,
});

const LIVERIES: Record<string, Livery> = {
  german: axis("#a3ae9d"),
  axis: axis("#a3ae9d"),
  italian: axis("#a9a26a"),
  hungarian: axis("#b5c3a6"),
  romanian: axis("#d8c795"),
  soviet: allied("#a8492f"),
  allied: allied("#7b8a4a"),
  british: allied("#b58f5c"),
  american: allied("#6f7b3d"),
  french: allied("#4a6c9b"),
};

const NEUTRAL: Livery = {
  body: "#d9d3c3", edge: "#4a463c", bar: "#4a463c", barAt: "none", ink: "#2a2721", box: "#f7f3e8", block: "#d9d3c3",
};

/** The colours of a nation with the bar of its side. */
export function livery(side: string, nation?: string): Livery {
  const base = LIVERIES[side] ?? NEUTRAL;
  const own = nation ? LIVERIES[nation] : undefined;
  return own ? { ...own, bar: base.bar, barAt: base.barAt } : base;
}
