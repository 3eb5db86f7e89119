/** Reasons why a button of the robot is disabled, as sentences for its tooltip. Pure. */

import { texts } from "../language/language.ts";
import type { RobotUpdate } from "../wire.gen.ts";

type Mode = RobotUpdate["mode"] | null;

/** Return why the robot has no power; empty if it has. */
export function powerHindrance(commanding: boolean, mode: Mode): string {
  const { control, off, powering } = texts().disabled;
  if (!commanding) return control;
  if (mode === "off") return off;
  return mode === "powering" ? powering : "";
}

/** Return why the robot cannot be moved; empty if it can. */
export function moveHindrance(commanding: boolean, mode: Mode): string {
  const unpowered = powerHindrance(commanding, mode);
  if (unpowered !== "") return unpowered;
  return mode === "stopped" || mode === "fault" ? texts().disabled.stopped : "";
}

/** Return who can reset a stop if this page cannot; empty if it can. */
export function resetHindrance(clearing: boolean, exam: boolean): string {
  const { resetByHolder, resetByHolderOrInstructor } = texts().stop;
  if (clearing) return "";
  return exam ? resetByHolderOrInstructor : resetByHolder;
}
