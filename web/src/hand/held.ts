/** What each input device holds just now, and the one function that makes a reading of it. */

import type { Pose, Reading } from "../wire.gen.ts";

/** Held on one device. Deflections are named as in `MappingInfo.axes`, from -1 to 1. */
export interface Held {
  readonly deadman: boolean;
  readonly axes: Readonly<Record<string, number>>;
  /** Where the tip shall be, in the robot's base frame, for a mapping that is led by a pose. */
  readonly pose: Pose | null;
}

export const NOTHING: Held = { deadman: false, axes: {}, pose: null };

/** An input device. */
export interface Source {
  /** Return what is held, for a mapping with these axes. */
  read(axes: readonly string[]): Held;
  /** Forget all that is held; it counts again only when it is pressed anew. */
  release(): void;
}

/** Return the part of a reading that comes from the hand: what all devices hold, in the order of the mapping's axes. */
export function combine(held: readonly Held[], axes: readonly string[]): Pick<Reading, "deadman" | "axes" | "pose"> {
  const active = held.filter((one) => one.deadman);
  const deflection = (axis: string): number => clamp(active.reduce((sum, one) => sum + (one.axes[axis] ?? 0), 0));
  const pose = active.find((one) => one.pose !== null)?.pose ?? null;
  const part = { deadman: active.length > 0, axes: axes.map(deflection) };
  return pose === null ? part : { ...part, pose };
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
}
