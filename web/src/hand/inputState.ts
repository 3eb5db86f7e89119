/** The state of each input device, and the function that combines them into a reading. */

import type { Pose, Reading } from "../wire.gen.ts";

/** The inputs held on one device. Deflections are named as in `MappingInfo.axes`, from -1 to 1. */
export interface Held {
  readonly deadman: boolean;
  readonly axes: Readonly<Record<string, number>>;
  /** Pose of the hand for a control mode that follows a pose; target of the tip for one that drags it. */
  readonly pose: Pose | null;
  /** Targets of the master's joints, for a master that has some. */
  readonly joints?: readonly number[];
  /** Only the master moves: the robot is not enabled. */
  readonly alone?: boolean;
  /** Travel of the gripper's trigger, 0 to 1, on a device that has one. */
  readonly grip?: number | null;
}

export const NOTHING: Held = { deadman: false, axes: {}, pose: null };

/** An input device. */
export interface InputSource {
  /** Return the inputs held, for a control mode with these axes. */
  read(axes: readonly string[]): Held;
  /** Release all inputs; each counts again only after a fresh press. */
  release(): void;
}

/** The part of a reading that comes from the hand. */
export type HandReading = Pick<Reading, "deadman" | "axes" | "pose" | "joints" | "grip">;

/** Return the hand's part of a reading: the inputs of all devices, in the order of the axes. */
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
