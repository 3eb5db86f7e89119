/** Reads a device through its profile. Pure. */

import type { Held } from "./inputState.ts";
import type { Deflection, Input, PadState, Profile } from "./padProfile.ts";

const PRESSED = 0.5;

/** Return how far an input is deflected, 0 to 1; an input that the device lacks rests. */
export function level(pad: PadState, input: Input | null | undefined): number {
  if (input === null || input === undefined) return 0;
  const raw = (input.on === "axis" ? pad.axes : pad.buttons)[input.index];
  if (raw === undefined || !Number.isFinite(raw) || input.full === input.rest) return 0;
  return Math.max(0, Math.min(1, (raw - input.rest) / (input.full - input.rest)));
}

export function pressed(pad: PadState, input: Input | undefined): boolean {
  return level(pad, input) >= PRESSED;
}

/** Return a deflection from -1 to 1; beyond the dead zone it starts at 0, without a jump. */
export function deflection(pad: PadState, wiring: Deflection | undefined): number {
  if (wiring === undefined) return 0;
  const raw = level(pad, wiring.plus) - level(pad, wiring.minus);
  const zone = Math.max(0, Math.min(0.9, wiring.deadZone));
  const beyond = Math.max(0, Math.abs(raw) - zone) / (1 - zone);
  return beyond === 0 ? 0 : beyond * Math.sign(raw) * (wiring.invert ? -1 : 1);
}

/** Return what is held on the device, for a mapping with these axes. */
export function readPad(pad: PadState, profile: Profile, axes: readonly string[]): Held {
  const deflections = axes.map((axis): [string, number] => [axis, deflection(pad, profile.motions[axis])]);
  return { deadman: pressed(pad, profile.pushes.deadman), axes: Object.fromEntries(deflections), pose: null };
}
