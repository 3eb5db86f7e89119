/** Turns pointers and wheel into a new orbit: drag turns, right or shift drag moves sideways, wheel and pinch zoom. */

import { panned, turned, zoomed } from "./orbitCamera.ts";
import type { Orbit, Pane } from "./orbitCamera.ts";

/** What the controls steer. */
export interface Steered {
  orbit(): Orbit;
  pane(): Pane;
  /** The operator moves the camera. */
  steer(orbit: Orbit): void;
  /** The operator points at something twice. */
  focus(x: number, y: number): void;
}

interface Point {
  x: number;
  y: number;
}

const WHEEL_RATE = 0.0015;
/** How a wheel event says that it counts pixels, not lines. */
const BY_PIXELS = 0;
const LINE_PIXELS = 16;
const PINCH_GAIN = 8;

/** Listen to an element. `claimed` says whether a pointer that goes down belongs to somebody else. Returns how to end. */
export function attachControls(element: HTMLElement, steered: Steered, claimed: (event: PointerEvent) => boolean): () => void {
  const pointers = new Map<number, Point>();
  let sideways = false;

  function down(event: PointerEvent): void {
    if (claimed(event)) return;
    if (event.pointerType === "mouse" && event.button > 2) return;
    pointers.set(event.pointerId, pointOf(event));
    sideways = event.button === 2 || event.button === 1 || event.shiftKey;
    element.setPointerCapture(event.pointerId);
  }

  function move(event: PointerEvent): void {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = pointOf(event);
    if (pointers.size === 1) one(before, now);
    else two(event.pointerId, before, now);
    pointers.set(event.pointerId, now);
  }

  function one(before: Point, now: Point): void {
    const change = sideways ? panned : turned;
    steered.steer(change(steered.orbit(), steered.pane(), now.x - before.x, now.y - before.y));
  }

  /** Two fingers: their middle moves sideways, their distance zooms. */
  function two(id: number, before: Point, now: Point): void {
    const other = [...pointers].find(([key]) => key !== id)?.[1];
    if (other === undefined) return;
    const [from, to] = [middle(before, other), middle(now, other)];
    const [was, is] = [distance(before, other), distance(now, other)];
    const moved = panned(steered.orbit(), steered.pane(), to.x - from.x, to.y - from.y);
    steered.steer(zoomed(moved, steered.pane(), was / Math.max(is, 1), to.x, to.y));
  }

  function up(event: PointerEvent): void {
    pointers.delete(event.pointerId);
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === BY_PIXELS ? event.deltaY : event.deltaY * LINE_PIXELS;
    // A pinch on a touch pad comes as a wheel with ctrl and small steps.
    const step = Math.max(-300, Math.min(300, event.ctrlKey ? pixels * PINCH_GAIN : pixels));
    const at = pointOf(event);
    steered.steer(zoomed(steered.orbit(), steered.pane(), Math.exp(step * WHEEL_RATE), at.x, at.y));
  }

  function pointOf(event: MouseEvent): Point {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  const end = new AbortController();
  const { signal } = end;
  element.addEventListener("pointerdown", down, { signal });
  element.addEventListener("pointermove", move, { signal });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    element.addEventListener(name, up, { signal });
  }
  element.addEventListener("wheel", wheel, { signal, passive: false });
  element.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  element.addEventListener(
    "dblclick",
    (event) => {
      const { x, y } = pointOf(event);
      steered.focus(x, y);
    },
    { signal },
  );
  return () => end.abort();
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
