/** What each input device holds just now, and the one function that makes a reading of it. */

import type { Pose, Reading } from "../wire.gen.ts";

/** Held on one device. Deflections are named as in `MappingInfo.axes`, from -1 to 1. */
export interface Held {
  readonly deadman: boolean;
  readonly axes: Readonly<Record<string, number>>;
  /** Where the hand is, for a mapping that is led by a pose; where the tip shall be, for one that drags it. */
  readonly pose: Pose | null;
  /** Where the master's joints shall be, for a master that has some. */
  readonly joints?: readonly number[];
  /** The master shall go there alone: the robot is not enabled. */
  readonly alone?: boolean;
  /** How far the gripper's trigger is pulled, 0 to 1, on a device that has one. */
  readonly grip?: number | null;
}

export const NOTHING: Held = { deadman: false, axes: {}, pose: null };

/** An input device. */
export interface InputSource {
  /** Return what is held, for a mapping with these axes. */
  read(axes: readonly string[]): Held;
  /** Forget all that is held; it counts again only when it is pressed anew. */
  release(): void;
}

/** The part of a reading that comes from the hand. */
export type HandReading = Pick<Reading, "deadman" | "axes" | "pose" | "joints" | "grip">;

/** Return the part of a reading that comes from the hand: what all devices hold, in the order of the mapping's axes. */
export function combine(held: readonly Held[], axes: readonly string[]): HandReading {
  const active = held.filter((one) => one.deadman);
  const deflection = (axis: string): number => clamp(active.reduce((sum, one) => sum + (one.axes[axis] ?? 0), 0));
  const pose = active.find((one) => one.pose !== null)?.pose ?? null;
  const grip = active.map((one) => one.grip ?? null).find((pulled) => pulled !== null) ?? null;
  const joints = active.find((one) => one.joints !== undefined)?.joints;
  return {
    deadman: active.length > 0 && !active.some((one) => one.alone === true),
    axes: axes.map(deflection),
    ...(pose === null ? {} : { pose }),
    ...(joints === undefined ? {} : { joints: [...joints] }),
    ...(grip === null ? {} : { grip }),
  };
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
}
