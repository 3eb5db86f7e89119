/** The status of robot, control and connection as text. Pure. */

import { texts } from "../language/language.ts";
import type { LeaseInfo, MappingInfo, MasterInfo, RobotInfo } from "../wire.gen.ts";
import { capital } from "./format.ts";
import type { Model, RobotNow } from "./model.ts";
import { cellOf, holds, isLedHere, leaseOf, ledByPose, mappingOf, masterNow, notesOf, robotInfo, robotNow } from "./selectors.ts";

/** The meaning of a status; its colour follows from it. */
export type Tone = "ok" | "calm" | "info" | "warn" | "stop";

export interface StatusText {
  readonly tone: Tone;
  readonly text: string;
}

/** Return the robot's mode; `stalled` are the seconds without an update, null while they come. */
export function modeText(model: Model, robot: string, stalled: number | null = null): StatusText {
  const labels = texts().mode;
  const now = robotNow(model, robot);
  if (model.phase !== "open") return { tone: "stop", text: labels.notConnected };
  if (now !== null && stalled !== null) return { tone: "stop", text: labels.notResponding };
  if (now === null) return { tone: "calm", text: labels.waiting };
  switch (now.mode) {
    case "off":
      return { tone: "calm", text: labels.off };
    case "powering":
      return { tone: "info", text: labels.powering };
    case "idle":
      if (now.planning) return { tone: "info", text: labels.planning };
      return now.waiting ? { tone: "warn", text: labels.interrupted } : { tone: "calm", text: labels.holding };
    case "teleoperation":
      if (isBraked(model, robot, now)) return { tone: "warn", text: labels.braked };
      return { tone: "ok", text: driving(model, robot, now) };
    case "autonomous":
      return { tone: "info", text: labels.autonomous };
    case "paused":
      return { tone: "warn", text: reason(model, robot, "mode.paused", labels.paused) };
    case "stopped":
      return { tone: "stop", text: reason(model, robot, "mode.stopped", labels.stopped) };
    case "fault":
      return { tone: "stop", text: reason(model, robot, "mode.fault", labels.fault) };
  }
}

/** Return whether the operator drives the belts while the parking brake holds them. */
function isBraked(model: Model, robot: string, now: RobotNow): boolean {
  return now.tracks?.parked === true && mappingOf(model, robot)?.kind === "drive-tracks";
}

function driving(model: Model, robot: string, now: RobotNow): string {
  const lease = leaseOf(model, robot);
  const labels = texts().mode;
  const held = (lease?.holder ?? null) !== null;
  const operator = held && !holds(model, robot) ? labels.otherDrives(lease?.name ?? "") : labels.driving;
  const script = robotInfo(model, robot)?.by_hand === false;
  const demonstration = masterNow(model, robot)?.demonstrating === true;
  const who = script ? labels.scriptDrives : demonstration ? labels.demonstration : operator;
  const how = now.generating ? labels.generator : (mappingOf(model, robot)?.name ?? "");
  return how === "" ? who : `${who} · ${how}`;
}

function reason(model: Model, robot: string, code: string, otherwise: string): string {
  return notesOf(model, robot).find((note) => note.code === code)?.text ?? otherwise;
}

/** Return who controls the robot, and the number of other viewers. */
export function controlText(model: Model, robot: string): string {
  const lease = leaseOf(model, robot);
  if (lease === null) return "";
  const labels = texts().control;
  const others = model.viewers - 1;
  if (holds(model, robot)) return labels.mine(others);
  if (lease.holder === null) return labels.free(others);
  return labels.watching(lease.name, holderText(model, robot, lease));
}

function holderText(model: Model, robot: string, lease: LeaseInfo): string {
  const { disconnected, drives, holds } = texts().control;
  if (!lease.present) return disconnected;
  return robotNow(model, robot)?.mode === "teleoperation" ? drives : holds;
}

/** Return whether this page has asked for control and waits. */
export function asking(model: Model, robot: string): boolean {
  return leaseOf(model, robot)?.askers.some((asker) => asker.viewer === model.viewer) ?? false;
}

/** Return the message over an outdated picture, or null. `seconds` as from `stalledFor`. */
export function stalledText(model: Model, seconds: number | null): { title: string; text: string } | null {
  if (model.phase === "refused" || seconds === null) return null;
  const labels = texts().stalled;
  if (model.phase !== "open") {
    const reconnecting = model.reason === "" ? labels.reconnecting : model.reason;
    if (model.scene === null) return { title: labels.connecting, text: model.reason === "" ? labels.connectingText : reconnecting };
    return { title: labels.lasting(labels.connectionLost, seconds), text: `${labels.outOfDate} ${reconnecting}` };
  }
  const cell = cellOf(model);
  if (cell !== null && cell.state !== "running" && cell.reason !== "") {
    return { title: labels.lasting(cellText(cell.state), seconds), text: cell.reason };
  }
  if (model.now === null) return { title: labels.waiting, text: labels.waitingText };
  return { title: labels.lasting(labels.notResponding, seconds), text: labels.outOfDate };
}

function cellText(state: "failed" | "lost" | "silent" | "starting"): string {
  const { failed, lost, notResponding, starting } = texts().stalled;
  return { failed, lost, silent: notResponding, starting }[state];
}

/** Return why Stop cannot be sent, or null when it can. */
export function stopHindrance(model: Model): string | null {
  return model.phase === "open" ? null : texts().stop.offline;
}

/** Return why a tracked controller does not drive the robot, and a control mode in which it would; null if it does. */
export function poseHindrance(
  info: RobotInfo | null,
  mapping: MappingInfo | null,
  master: MasterInfo | null = null,
): { text: string; other: string | null } | null {
  const { noRobot, byScript, followsNoController, otherFollows } = texts().controlMode;
  if (info === null || mapping === null) return { text: noRobot, other: null };
  if (!info.by_hand) return { text: byScript, other: null };
  if (ledByPose(mapping) || isLedHere(master)) return null;
  const other = info.mappings.find(ledByPose)?.name ?? null;
  return { text: other === null ? followsNoController : otherFollows(capital(mapping.name), capital(other)), other };
}

/** Return how a robot is driven in a control mode that has no keys. */
export function howDriven(mapping: MappingInfo | null): string {
  if (mapping === null) return "";
  const { byJoints, byPose, byPointer } = texts().controlMode;
  if (mapping.kind === "copy-joints") return byJoints;
  return ledByPose(mapping) ? byPose : byPointer;
}
