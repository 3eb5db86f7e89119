/** Degradations of a camera's picture, for training with poor pictures. Pure. */

import type { Texts } from "../language/english.ts";
import type { DegradeCamera } from "../wire.gen.ts";

/** The settings of a degraded picture, as the server takes them. */
export type Degrading = Omit<DegradeCamera, "type" | "robot" | "camera">;

/** One kind of degradation, and the settings that this page switches it on with. */
export interface Degradation {
  readonly id: keyof Texts["cameras"]["degradations"];
  readonly on: Degrading;
}

/** The settings of a picture that is not degraded. */
const NORMAL = { resolution: 1, rate: 0, noise: 0, delay: 0, frozen: false } as const;

export const DEGRADATIONS: readonly Degradation[] = [
  { id: "resolution", on: { resolution: 0.125 } },
  { id: "noise", on: { noise: 0.3 } },
  { id: "rate", on: { rate: 1 } },
  { id: "delay", on: { delay: 1.5 } },
  { id: "frozen", on: { frozen: true } },
];

/** Return whether a picture is degraded in this way, to any degree. */
export function hasDegradation(now: Degrading | null, { on }: Degradation): boolean {
  return keysOf(on).some((key) => (now?.[key] ?? NORMAL[key]) !== NORMAL[key]);
}

/** Return the settings with one degradation switched on, or off if it was on; the others keep their degree. */
export function withToggled(now: Degrading | null, each: Degradation): Degrading {
  const all = Object.fromEntries(keysOf(NORMAL).map((key) => [key, now?.[key] ?? NORMAL[key]])) as Required<Degrading>;
  const off = Object.fromEntries(keysOf(each.on).map((key) => [key, NORMAL[key]]));
  return { ...all, ...(hasDegradation(now, each) ? off : each.on) };
}

function keysOf(part: Degrading): (keyof Degrading)[] {
  return Object.keys(part) as (keyof Degrading)[];
}
