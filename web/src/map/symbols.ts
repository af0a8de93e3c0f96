/** NATO symbols in a box, by their names; a game says which of its kinds of units has which. */

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

type Draw = (pen: Pen, x: number, y: number, w: number, h: number) => void;

const line = (pen: Pen, x1: number, y1: number, x2: number, y2: number) => {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
};

const cross: Draw = (pen, x, y, w, h) => {
  line(pen, x, y, x + w, y + h);
  line(pen, x, y + h, x + w, y);
};

const track: Draw = (pen, x, y, w, h) => {
  pen.beginPath();
  pen.ellipse(x + w / 2, y + h / 2, w * 0.34, h * 0.28, 0, 0, Math.PI * 2);
  pen.stroke();
};

const slash: Draw = (pen, x, y, w, h) => line(pen, x, y + h, x + w, y);

const dot: Draw = (pen, x, y, w, h) => {
  pen.beginPath();
  pen.arc(x + w / 2, y + h / 2, h * 0.18, 0, Math.PI * 2);
  pen.fill();
};

const wings: Draw = (pen, x, y, w, h) => {
  pen.beginPath();
  pen.ellipse(x + w * 0.36, y + h / 2, w * 0.14, h * 0.2, 0, 0, Math.PI * 2);
  pen.ellipse(x + w * 0.64, y + h / 2, w * 0.14, h * 0.2, 0, 0, Math.PI * 2);
  pen.fill();
};

const wheels: Draw = (pen, x, y, w, h) => {
  pen.beginPath();
  for (const at of [0.3, 0.7]) {
    pen.moveTo(x + w * at + h * 0.09, y + h * 1.14);
    pen.arc(x + w * at, y + h * 1.14, h * 0.09, 0, Math.PI * 2);
  }
  pen.stroke();
};

const staff: Draw = (pen, x, y, w, h) => line(pen, x, y + h / 2, x + w, y + h / 2);

const both = (...parts: Draw[]): Draw => (pen, x, y, w, h) => parts.forEach((part) => part(pen, x, y, w, h));

const peak: Draw = (pen, x, y, w, h) => {
  pen.beginPath();
  pen.moveTo(x + w * 0.36, y + h);
  pen.lineTo(x + w * 0.5, y + h * 0.62);
  pen.lineTo(x + w * 0.64, y + h);
  pen.fill();
};

/** The bridge of engineers: a bar on three posts. */
const bridge: Draw = (pen, x, y, w, h) => {
  line(pen, x + w * 0.25, y + h * 0.35, x + w * 0.75, y + h * 0.35);
  for (const at of [0.25, 0.5, 0.75]) line(pen, x + w * at, y + h * 0.35, x + w * at, y + h * 0.7);
};

/** The line of supply along the foot of the box. */
const foot: Draw = (pen, x, y, w, h) => line(pen, x, y + h * 0.75, x + w, y + h * 0.75);

const SYMBOLS: Record<string, Draw> = {
  infantry: cross,
  motorised: both(cross, wheels),
  mechanised: both(cross, track),
  armour: track,
  panzer: track,
  tank: track,
  mountain: both(cross, peak),
  cavalry: slash,
  recon: slash,
  artillery: dot,
  rocket: dot,
  airborne: both(cross, wings),
  air: wings,
  headquarters: staff,
  hq: staff,
  security: both(slash, dot),
  engineer: bridge,
  supply: foot,
};

export function symbol(pen: Pen, kind: string, x: number, y: number, w: number, h: number): void {
  const draw = SYMBOLS[kind];
  if (draw) {
    pen.save();
    pen.beginPath();
    pen.rect(x, y, w, h * 1.4);
    pen.clip();
    draw(pen, x, y, w, h);
    pen.restore();
  }
}

export type { Pen };
