/** Detects the input of a device that the operator moves. Pure. */

import { DEAD_ZONE, type Deflection, type Input, type PadState } from "./padProfile.ts";

/** Motion from which an input counts as moved, and deflection up to which an axis counts as centred. */
const MIN_MOTION = 0.5;
const MAX_CENTRE = 0.3;

/** Return the input that moved furthest since `rest`, or null while nothing moved far enough. */
export function movedInput(rest: PadState, now: PadState): Input | null {
  let best: Input | null = null;
  let furthest = MIN_MOTION;
  now.buttons.forEach((value, index) => {
    const before = rest.buttons[index] ?? 0;
    if (value - before >= furthest) {
      furthest = value - before;
      best = { on: "button", index, rest: 0, full: 1 };
    }
  });
  now.axes.forEach((value, index) => {
    const before = rest.axes[index] ?? 0;
    // An axis that moves by more than a full button press wins: some devices report triggers as both.
    if (Math.abs(value - before) > furthest) {
      furthest = Math.abs(value - before);
      best = { on: "axis", index, rest: settled(before), full: value > before ? 1 : -1 };
    }
  });
  return best;
}

/** Return whether every input is back at rest. */
export function atRest(rest: PadState, now: PadState): boolean {
  const near = (a: readonly number[], b: readonly number[]): boolean =>
    b.every((value, index) => Math.abs(value - (a[index] ?? 0)) < MIN_MOTION / 2);
  return near(rest.axes, now.axes) && near(rest.buttons, now.buttons);
}

/** Return whether the opposite direction must be taught: a button, or an axis that rests at its end, has only one. */
export function needsOpposite(input: Input): boolean {
  return input.on === "button" || Math.abs(input.rest) > MAX_CENTRE;
}

/** Return the wiring of a deflection from the input for plus, and the one for minus where it was taught. */
export function wiring(plus: Input, minus: Input | null): Deflection {
  const opposite = needsOpposite(plus) ? minus : { ...plus, full: 2 * plus.rest - plus.full };
  return { plus, minus: opposite, invert: false, deadZone: plus.on === "axis" ? DEAD_ZONE : 0 };
}

/** Return the rest value without the small offset of a worn stick, which the dead zone covers. */
function settled(value: number): number {
  return Math.abs(value) <= MAX_CENTRE ? 0 : Math.sign(value);
}
