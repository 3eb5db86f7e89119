/** Reads a device by its profile. Pure. */

import type { Held } from "./inputState.ts";
import type { Deflection, Input, PadState, Profile } from "./padProfile.ts";

/** Deflection from which a button counts as pressed. */
const PRESSED = 0.5;

/** Return the deflection of an input, 0 to 1; an input that the device lacks is at rest. */
export function level(pad: PadState, input: Input | null | undefined): number {
  if (input === null || input === undefined) return 0;
  const raw = (input.on === "axis" ? pad.axes : pad.buttons)[input.index];
  if (raw === undefined || !Number.isFinite(raw) || input.full === input.rest) return 0;
  return Math.max(0, Math.min(1, (raw - input.rest) / (input.full - input.rest)));
}

export function pressed(pad: PadState, input: Input | undefined): boolean {
  return level(pad, input) >= PRESSED;
}

/** Return a deflection from -1 to 1; at the edge of the dead zone it starts from 0, without a jump. */
export function deflection(pad: PadState, wiring: Deflection | undefined): number {
  if (wiring === undefined) return 0;
  const raw = level(pad, wiring.plus) - level(pad, wiring.minus);
  const zone = Math.max(0, Math.min(0.9, wiring.deadZone));
  const beyond = Math.max(0, Math.abs(raw) - zone) / (1 - zone);
  return beyond === 0 ? 0 : beyond * Math.sign(raw) * (wiring.invert ? -1 : 1);
}

/** Return the inputs held on the device, for a control mode with these axes. */
export function readPad(pad: PadState, profile: Profile, axes: readonly string[]): Held {
  const deflections = axes.map((axis): [string, number] => [axis, deflection(pad, profile.motions[axis])]);
  return { deadman: pressed(pad, profile.pushes.deadman), axes: Object.fromEntries(deflections), pose: null };
}
