/** The status of a master as text: whether it is engaged, the travel that is left, the force feedback. Pure. */

import { texts } from "../language/language.ts";
import type { MasterInfo } from "../wire.gen.ts";
import { fixed, millimetres } from "./format.ts";
import type { MasterNow, RobotNow } from "./model.ts";
import type { StatusText } from "./status.ts";

/** Share of the travel along an axis below which little is left. */
const LITTLE_TRAVEL = 0.1;
/** Force below which no feedback is shown, N. */
const SHOWN_FORCE_N = 0.05;

/** The parts that move: the master by a demonstration, the master alone, the robot with it, or the robot by keys. */
export type Leader = "demonstration" | "alone" | "both" | "keys";

/** Return whether the master is engaged with the robot. */
export function engagementText(mode: RobotNow["mode"] | null, leader: Leader): StatusText {
  const labels = texts().master;
  const latched = mode === "stopped" || mode === "fault";
  if (leader === "demonstration" && !latched) return { tone: "info", text: labels.demonstration };
  if (leader === "keys" && !latched) return { tone: "calm", text: labels.keysDrive };
  switch (mode) {
    case "teleoperation":
      return { tone: "ok", text: labels.engaged };
    case "paused":
      return { tone: "warn", text: labels.paused };
    case "stopped":
    case "fault":
      return { tone: "stop", text: labels.stopped };
    default:
      return { tone: "calm", text: releasedText(mode, leader) };
  }
}

function releasedText(mode: RobotNow["mode"] | null, leader: Leader): string {
  const { bringBack, robotOff, robotPowering, holdToEngage } = texts().master;
  if (leader === "alone") return bringBack;
  if (mode === "off") return robotOff;
  return mode === "powering" ? robotPowering : holdToEngage;
}

export interface Travel {
  /** Distance from the tip to the end of its travel, m. */
  readonly left: number;
  /** The direction as seen by a person who sits in front of the device. */
  readonly direction: string;
  readonly little: boolean;
}

/** Return the direction in which the least travel is left; null while the tip is unknown. */
export function leastTravel({ lower, upper }: Pick<MasterInfo, "lower" | "upper">, { tip }: Pick<MasterNow, "tip">): Travel | null {
  let least: Travel | null = null;
  for (const axis of [0, 1, 2] as const) {
    const at = tip[axis];
    if (at === undefined) return null;
    const range = upper[axis] - lower[axis];
    for (const [end, distance] of [upper[axis] - at, at - lower[axis]].entries()) {
      const left = Math.max(0, distance);
      if (least === null || left < least.left) least = { left, direction: directionOf(axis, end), little: left < LITTLE_TRAVEL * range };
    }
  }
  return least;
}

export function travelText({ left, direction }: Travel): string {
  const { endOfTravel, travelLeft } = texts().master;
  return left < 0.0005 ? endOfTravel(direction) : travelLeft(`${millimetres(left)} mm`, direction);
}

/** Return the force feedback and its main direction; `force` in N along x, y, z of the master's base. */
export function feedbackText(force: readonly number[]): string {
  const { noFeedback, feedback } = texts().master;
  const strength = Math.hypot(...force);
  if (force.length < 3 || strength < SHOWN_FORCE_N) return noFeedback;
  const axis = force.reduce((best, value, index) => (Math.abs(value) > Math.abs(force[best] ?? 0) ? index : best), 0);
  return feedback(`${fixed(strength, 1)} N`, directionOf(axis, (force[axis] ?? 0) > 0 ? 0 : 1));
}

/** Return the device, and how its handle is held where the hand is modelled. */
export function masterTitle({ label, hand }: Pick<MasterInfo, "label" | "hand">): string {
  const { heldBy, hands } = texts().master;
  return heldBy(label, hands[hand] ?? "");
}

/** Return the name of the positive (0) or negative (1) end of an axis. */
function directionOf(axis: number, end: number): string {
  return texts().master.directions[axis]?.[end] ?? "";
}
