/** What the page says about a master: whether it leads, how far it can still go, what the hand feels. Pure. */

import type { MasterInfo } from "../wire.gen.ts";
import { fixed, millimetres } from "./format.ts";
import type { MasterNow, RobotNow } from "./model.ts";
import type { Words } from "./status.ts";

/** Which way is which, for somebody who sits before the device: x, y, z, each up and down. */
const WAYS: readonly (readonly [string, string])[] = [
  ["away from you", "towards you"],
  ["to the left", "to the right"],
  ["up", "down"],
];
/** Share of a way of travel that counts as little. */
const LITTLE = 0.1;
/** N that a hand hardly notices. */
const FAINT = 0.05;

/** What is moved: the master by a demonstration, the master alone, the robot with it, or the robot alone, by keys. */
export type Leader = "demonstration" | "alone" | "both" | "keys";

/** Return whether the robot follows the master. */
export function clutchWords(mode: RobotNow["mode"] | null, leader: Leader): Words {
  const latched = mode === "stopped" || mode === "fault";
  if (leader === "demonstration" && !latched) return { tone: "info", text: "Demonstration: hold to take over" };
  if (leader === "keys" && !latched) return { tone: "calm", text: "Rests: keys lead the robot" };
  switch (mode) {
    case "teleoperation":
      return { tone: "ok", text: "Engaged" };
    case "paused":
      return { tone: "warn", text: "Paused" };
    case "stopped":
    case "fault":
      return { tone: "stop", text: "Stopped" };
    default:
      return { tone: "calm", text: `Free: ${freeWords(mode, leader)}` };
  }
}

function freeWords(mode: RobotNow["mode"] | null, leader: Leader): string {
  if (leader === "alone") return "bring your hand back";
  if (mode === "off") return "the robot is off";
  return mode === "powering" ? "the robot powers up" : "hold to engage";
}

export interface Travel {
  /** Metres until the tip is at its stop. */
  readonly left: number;
  readonly way: string;
  readonly little: boolean;
}

/** Return the way on which the least travel is left. */
export function leastTravel({ lower, upper }: Pick<MasterInfo, "lower" | "upper">, { tip }: Pick<MasterNow, "tip">): Travel | null {
  let least: Travel | null = null;
  for (const axis of [0, 1, 2] as const) {
    const at = tip[axis];
    if (at === undefined) return null;
    const range = upper[axis] - lower[axis];
    for (const [end, left] of [upper[axis] - at, at - lower[axis]].entries()) {
      const share = Math.max(0, left);
      if (least === null || share < least.left) least = { left: share, way: WAYS[axis]?.[end] ?? "", little: share < LITTLE * range };
    }
  }
  return least;
}

export function travelWords({ left, way }: Travel): string {
  return left < 0.0005 ? `At its stop, ${way}` : `${millimetres(left)} mm left, ${way}`;
}

/** Return what the hand feels, and which way it is pushed. */
export function feltWords(felt: readonly number[]): string {
  const strength = Math.hypot(...felt);
  if (felt.length < 3 || strength < FAINT) return "Nothing felt";
  const axis = felt.reduce((best, value, index) => (Math.abs(value) > Math.abs(felt[best] ?? 0) ? index : best), 0);
  return `Felt ${fixed(strength, 1)} N, ${WAYS[axis]?.[(felt[axis] ?? 0) > 0 ? 0 : 1] ?? ""}`;
}

/** Return what the device is, and how it is held. */
export function masterTitle({ label, hand }: Pick<MasterInfo, "label" | "hand">): string {
  return hand === "" || hand === "own" ? label : `${label}, ${hand} hand`;
}
