/** Finds out which input of a device the operator means: the one that moved. Pure. */

import { DEAD_ZONE, type Deflection, type Input, type PadState } from "./padProfile.ts";

/** How far an axis must move to be meant. */
const MOVED = 0.5;
const MIDDLE = 0.3;

/** Return the input that moved furthest since `rest`, or null while nothing moved far enough. */
export function movedInput(rest: PadState, now: PadState): Input | null {
  let best: Input | null = null;
  let furthest = MOVED;
  now.buttons.forEach((value, index) => {
    const before = rest.buttons[index] ?? 0;
    if (value - before >= furthest) {
      furthest = value - before;
      best = { on: "button", index, rest: 0, full: 1 };
    }
  });
  now.axes.forEach((value, index) => {
    const before = rest.axes[index] ?? 0;
    // Drawn by more than a button pressed in full, an axis wins: some devices report triggers as both.
    if (Math.abs(value - before) > furthest) {
      furthest = Math.abs(value - before);
      best = { on: "axis", index, rest: settled(before), full: value > before ? 1 : -1 };
    }
  });
  return best;
}

/** Return whether every input is back where it rested. */
export function atRest(rest: PadState, now: PadState): boolean {
  const near = (a: readonly number[], b: readonly number[]): boolean =>
    b.every((value, index) => Math.abs(value - (a[index] ?? 0)) < MOVED / 2);
  return near(rest.axes, now.axes) && near(rest.buttons, now.buttons);
}

/** Whether the other direction is still unknown: a button, or an axis that rests at its end, has only one. */
export function needsOpposite(input: Input): boolean {
  return input.on === "button" || Math.abs(input.rest) > MIDDLE;
}

/** Return the wiring of a deflection from the input that shall mean plus, and the opposite one where it was asked. */
export function wiring(plus: Input, minus: Input | null): Deflection {
  const opposite = needsOpposite(plus) ? minus : { ...plus, full: 2 * plus.rest - plus.full };
  return { plus, minus: opposite, invert: false, deadZone: plus.on === "axis" ? DEAD_ZONE : 0 };
}

/** A worn stick rests a little off its middle: that is what the dead zone is for. */
function settled(value: number): number {
  return Math.abs(value) <= MIDDLE ? 0 : Math.sign(value);
}
