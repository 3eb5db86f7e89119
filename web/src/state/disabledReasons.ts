/** Why something cannot be asked of the robot now, as a sentence for whoever points at its button. Pure. */

import type { RobotUpdate } from "../wire.gen.ts";

type Mode = RobotUpdate["mode"] | null;

/** Return why the robot has no power for what is asked, or an empty text. */
export function powerHindrance(commanding: boolean, mode: Mode): string {
  if (!commanding) return "Only whoever holds control can do that.";
  if (mode === "off") return "The robot is off: power it up first.";
  return mode === "powering" ? "The robot is powering up: wait a moment." : "";
}

/** Return why the robot cannot be told to move, or an empty text. */
export function moveHindrance(commanding: boolean, mode: Mode): string {
  const unpowered = powerHindrance(commanding, mode);
  if (unpowered !== "") return unpowered;
  return mode === "stopped" || mode === "fault" ? "The robot is stopped: reset it first." : "";
}
