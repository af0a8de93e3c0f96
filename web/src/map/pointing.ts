/** Mouse, pen and fingers on the map: what is under them, and whether they click, drag, pan, pinch or draw a box. */
import type { Hand } from "../table/hand.svelte";
import type { TableStore } from "../table/store.svelte";
import { clickHex, clickMap, clickUnit } from "../table/clicks";
import { pickMany, pickStack } from "../table/march";
import type { Camera } from "./camera";
import type { HexIndex, Point } from "./geometry";
import type { Painter } from "./painter";

interface Place {
  hex: string | null;
  unit: string | null;
}

interface Press extends Place {
  at: Point;
  add: boolean;
  /** Whether moving on drags what was pressed, or draws a box; else it pans. */
  carry: boolean;
  box: boolean;
  /** Whether an arrow is drawn from the hex that was pressed. */
  draw: boolean;
}

/** How far a pointer may stray and still click. */
const SLACK = { mouse: 5, other: 10 };
const LONG_PRESS = 480;

export class Pointing {
  /** What is dragged, and where. */
  ghost: Point | null = null;
  /** The box being drawn, from corner to corner. */
  box: [Point, Point] | null = null;
  private readonly pointers = new Map<number, Point>();
  private pressed: Press | null = null;
  private moved = false;
  private spread = 0;
  private long: ReturnType<typeof setTimeout> | undefined;
  private settled: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly canvas: () => HTMLCanvasElement,
    private readonly camera: Camera,
    private readonly painter: Painter,
    private readonly index: HexIndex,
    private readonly store: TableStore,
    private readonly hand: Hand,
    private readonly redraw: () => void,
  ) {}

  private local(event: PointerEvent | WheelEvent | MouseEvent): Point {
    const box = this.canvas().getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private hit(p: Point): Place {
    const { hand, store, painter, camera } = this;
    const at = camera.toWorld(p);
    const open = hand.fan && hand.open ? store.stacks.get(hand.open) : undefined;
    if (hand.open && open) {
      for (const spot of painter.spots(hand.open, open, camera, hand.reach)) {
        const reach = spot.size / 2;
        if (Math.abs(at.x - spot.x) <= reach && Math.abs(at.y - spot.y) <= reach) {
          return { hex: hand.open, unit: spot.unit.id };
        }
      }
    }
    const hex = this.index.at(at.x, at.y);
    const stack = hex ? store.stacks.get(hex) : undefined;
    if (!hex || !stack) return { hex, unit: null };
    const top = painter.top(hex, stack.length, camera);
    // Far out a counter is too small to aim at: the whole hex counts as it.
    const slack = camera.scale < 40 ? 0.5 : 0;
    const near = top && Math.abs(at.x - top.x) <= top.size / 2 + slack && Math.abs(at.y - top.y) <= top.size / 2 + slack;
    return { hex, unit: near ? stack[stack.length - 1]!.id : null };
  }

  down = (event: PointerEvent): void => {
    const { hand } = this;
    this.canvas().setPointerCapture(event.pointerId);
    const p = this.local(event);
    this.pointers.set(event.pointerId, p);
    this.moved = false;
    clearTimeout(this.long);
    if (this.pointers.size === 2) {
      const [a, b] = [...this.pointers.values()] as [Point, Point];
      this.spread = Math.hypot(a.x - b.x, a.y - b.y);
      this.pressed = this.ghost = this.box = null;
      return;
    }
    const found = this.hit(p);
    const mouse = event.pointerType === "mouse" && event.button === 0;
    const add = event.shiftKey || event.ctrlKey || event.metaKey;
    const { marks } = this.store;
    const draw = marks.on && marks.kind === "arrow" && !!found.hex && event.button !== 2;
    const carry = !marks.on && mouse && !add && !!found.unit && hand.mode === "units" && hand.ready.has(found.unit);
    this.pressed = { at: p, ...found, add, carry, draw, box: !marks.on && mouse && event.shiftKey && hand.mode === "units" };
    if (event.pointerType !== "mouse" && found.unit && !marks.on) {
      // A long press takes the whole stack, as the button does.
      this.long = setTimeout(() => {
        if (this.moved || !found.hex) return;
        void pickStack(hand, found.hex);
        [hand.open, hand.fan] = [found.hex, false];
        this.pressed = null;
      }, LONG_PRESS);
    }
  };

  move = (event: PointerEvent): void => {
    const { camera, hand } = this;
    const p = this.local(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.hover(p);
      return;
    }
    this.pointers.set(event.pointerId, p);
    if (this.pointers.size === 2) {
      this.pinch(p, before);
      return;
    }
    const pressed = this.pressed;
    const slack = event.pointerType === "mouse" ? SLACK.mouse : SLACK.other;
    if (pressed && !this.moved && Math.hypot(p.x - pressed.at.x, p.y - pressed.at.y) > slack) {
      this.moved = true;
      clearTimeout(this.long);
      // What is not selected yet is taken whole.
      if (pressed.carry && pressed.unit && pressed.hex && !hand.selection.includes(pressed.unit)) {
        if (hand.fan && hand.open === pressed.hex) void clickUnit(hand, pressed.unit, false);
        else void pickStack(hand, pressed.hex);
      }
    }
    if (!this.moved) return;
    if (pressed?.draw) {
      const { marks } = this.store;
      [marks.from, marks.to] = [pressed.hex!, this.index.at(...this.world(p)) ?? ""];
    } else if (pressed?.box) {
      this.box = [pressed.at, p];
      this.redraw();
    } else if (pressed?.carry) {
      this.ghost = p;
      this.hover(p);
      this.redraw();
    } else if (camera.pan(p.x - before.x, p.y - before.y)) {
      // A map that fits the window cannot be panned: nothing to paint.
      this.redraw();
    }
  };

  private world(p: Point): [number, number] {
    const at = this.camera.toWorld(p);
    return [at.x, at.y];
  }

  private pinch(p: Point, before: Point): void {
    const [a, b] = [...this.pointers.values()] as [Point, Point];
    const now = Math.hypot(a.x - b.x, a.y - b.y);
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const zoomed = this.spread > 0 && this.camera.zoom(now / this.spread, middle);
    const panned = this.camera.pan((p.x - before.x) / 2, (p.y - before.y) / 2);
    this.spread = now;
    this.moved = true;
    if (zoomed || panned) this.redraw();
  }

  private hover(p: Point): void {
    const { hand, store } = this;
    const found = this.hit(p);
    hand.hoverHex = found.hex;
    const unit = found.unit ?? (found.hex ? (store.stacks.get(found.hex)?.at(-1)?.id ?? null) : null);
    if (unit !== hand.hoverUnit) {
      hand.hoverUnit = unit;
      hand.supply = null;
    }
  }

  up = (event: PointerEvent): void => {
    const p = this.local(event);
    this.pointers.delete(event.pointerId);
    clearTimeout(this.long);
    const press = this.pressed;
    if (!press || this.pointers.size) return;
    this.pressed = null;
    if (this.moved) {
      this.dropped(press, p);
      return;
    }
    if (event.button === 2) {
      void this.hand.back();
      return;
    }
    if (this.store.marks.on) {
      if (press.hex) void this.store.marks.take(press.hex);
      return;
    }
    if (event.pointerType !== "mouse" && press.hex) this.hand.hoverHex = press.hex;
    clickMap(this.hand, press.hex, press.unit, press.add);
  };

  private dropped(press: Press, p: Point): void {
    if (press.draw) {
      const { marks } = this.store;
      if (marks.draft) void marks.add();
      else marks.from = marks.to = "";
    } else if (this.box) {
      const [a, b] = this.box.map((corner) => this.camera.toWorld(corner)) as [Point, Point];
      this.box = null;
      const inside = [...this.hand.ready].filter((id) => {
        const hex = this.index.hexes[this.store.units.get(id)?.hex ?? ""];
        return hex && (hex.x - a.x) * (hex.x - b.x) <= 0 && (hex.y - a.y) * (hex.y - b.y) <= 0;
      });
      void pickMany(this.hand, inside);
    } else if (press.carry && this.ghost) {
      this.ghost = null;
      const goal = this.hit(p).hex;
      if (goal && goal !== press.hex) void clickHex(this.hand, goal);
    }
    this.redraw();
  }

  cancel = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    this.pressed = this.ghost = this.box = null;
  };

  leave = (): void => {
    const { hand } = this;
    hand.hoverHex = null;
    hand.hoverUnit = null;
    hand.supply = null;
  };

  wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    const at = this.local(event);
    const zooming = event.ctrlKey || Math.abs(event.deltaX) < Math.abs(event.deltaY) || event.deltaX === 0;
    const changed = zooming
      ? this.camera.zoom(Math.exp(-Math.max(-240, Math.min(240, step)) * 0.0022), at)
      : this.camera.pan(-event.deltaX, 0);
    clearTimeout(this.settled);
    this.settled = setTimeout(() => this.hover(at), 150);
    if (changed) this.redraw();
  };
}
