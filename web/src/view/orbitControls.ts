/** Steers the orbit by pointer and wheel: drag turns, right or Shift drag pans, wheel and pinch zoom. */

import { panned, turned, zoomed } from "./orbitCamera.ts";
import type { Orbit, Viewport } from "./orbitCamera.ts";

/** The view that the controls steer. */
export interface Steered {
  orbit(): Orbit;
  viewport(): Viewport;
  /** The operator moves the camera. */
  steer(orbit: Orbit): void;
  /** The operator double-clicks a point. */
  focus(x: number, y: number): void;
}

interface Point {
  x: number;
  y: number;
}

/** Exponent of the zoom per pixel of the wheel. */
const ZOOM_PER_PIXEL = 0.0015;
/** `deltaMode` of a wheel event that counts pixels, not lines. */
const DELTA_PIXELS = 0;
const LINE_PIXELS = 16;
const PINCH_GAIN = 8;

/** Listen to an element; `claimed` returns whether a press belongs to the tip handle. Return the function that ends it. */
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
    steered.steer(change(steered.orbit(), steered.viewport(), now.x - before.x, now.y - before.y));
  }

  /** Two fingers: their middle pans, their distance zooms. */
  function two(id: number, before: Point, now: Point): void {
    const other = [...pointers].find(([key]) => key !== id)?.[1];
    if (other === undefined) return;
    const [from, to] = [middle(before, other), middle(now, other)];
    const [was, is] = [distance(before, other), distance(now, other)];
    const moved = panned(steered.orbit(), steered.viewport(), to.x - from.x, to.y - from.y);
    steered.steer(zoomed(moved, steered.viewport(), was / Math.max(is, 1), to.x, to.y));
  }

  function up(event: PointerEvent): void {
    pointers.delete(event.pointerId);
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === DELTA_PIXELS ? event.deltaY : event.deltaY * LINE_PIXELS;
    // A pinch on a touch pad arrives as a wheel event with Ctrl and small steps.
    const step = Math.max(-300, Math.min(300, event.ctrlKey ? pixels * PINCH_GAIN : pixels));
    const at = pointOf(event);
    steered.steer(zoomed(steered.orbit(), steered.viewport(), Math.exp(step * ZOOM_PER_PIXEL), at.x, at.y));
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
