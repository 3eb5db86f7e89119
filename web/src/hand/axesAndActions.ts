/** The functions of keys and buttons: axes that they deflect, and actions that they start. */

import type { AxisText } from "../language/english.ts";
import { texts } from "../language/language.ts";

/** A function that happens once per press. */
export type Action =
  | "talk"
  | "reset"
  | "home"
  | "free"
  | "mapping"
  | Mode
  | "park"
  | "scale"
  | "slower"
  | "faster"
  | CameraKey
  | "camera-next"
  | "overview"
  | "cameras-only"
  | Aim
  | "plots"
  | "log";

/** The part of a robot on tracks that the operator drives. */
export type Mode = "drive" | "flippers" | "arm";

/** Shows a camera large, by its number on the robot. */
export type CameraKey = "camera:0" | "camera:1" | "camera:2" | "camera:3" | "camera:4" | "camera:5";

/** Turns or zooms a camera's head by one step. */
export type Aim = "pan-left" | "pan-right" | "tilt-up" | "tilt-down" | "zoom-in" | "zoom-out";

export const CAMERA_KEYS: readonly CameraKey[] = ["camera:0", "camera:1", "camera:2", "camera:3", "camera:4", "camera:5"];
export const MODES: readonly Mode[] = ["drive", "flippers", "arm"];
export const AIMS: readonly Aim[] = ["pan-left", "pan-right", "tilt-up", "tilt-down", "zoom-in", "zoom-out"];

/** Axes that drive a robot on tracks and have keys; single flippers have a control mode of their own. */
export const TRACK_AXES: readonly string[] = ["forward", "turn", "flippers", "flippers:front", "flippers:rear"];

/** Axes that raise its flippers. */
export const FLIPPER_AXES: readonly string[] = ["raise:0", "raise:1", "raise:2", "raise:3", "raise:front", "raise:rear", "raise"];

/** Axes that move the tip. */
export const TIP_AXES: readonly string[] = ["x", "y", "z", "roll", "pitch", "yaw"];

/** Number of joints that have keys. */
export const JOINT_KEYS = 8;

export const JOINT_AXES: readonly string[] = Array.from({ length: JOINT_KEYS }, (_, index) => `joint:${index}`);

/** Return the texts of an axis; joints go by their own label where it is known. */
export function axisText(axis: string, labels: readonly string[] = []): AxisText {
  const known = texts().keys.axes[axis];
  if (known !== undefined) return known;
  const index = jointIndex(axis);
  const name = index === null ? axis : (labels[index] ?? texts().keys.joint(index + 1));
  const start = name.charAt(0).toUpperCase() + name.slice(1);
  return { name, plus: `${start} +`, minus: `${start} −` };
}

/** Return the index of the joint that an axis like "joint:2" turns, from 0, or null. */
export function jointIndex(axis: string): number | null {
  const match = /^joint:(\d+)$/.exec(axis);
  return match === null ? null : Number(match[1]);
}
