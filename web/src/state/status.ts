/** What the page says about the state of things, in the operator's words. */

import type { LeaseInfo, MappingInfo, MasterInfo, RobotInfo } from "../wire.gen.ts";
import { capital } from "./format.ts";
import type { Model, RobotNow } from "./model.ts";
import { cellOf, holds, isLedHere, leaseOf, ledByPose, mappingOf, masterNow, notesOf, robotInfo, robotNow } from "./selectors.ts";

/** How something is meant: colours follow from it. */
export type Tone = "ok" | "calm" | "info" | "warn" | "stop";

export interface Words {
  readonly tone: Tone;
  readonly text: string;
}

/** Said while a plan for a move is made. */
export const LOOKING = "Looking for a free path…";

/** Return what the robot is doing; of a cell that is silent nobody knows. */
export function modeWords(model: Model, robot: string, stalled: number | null = null): Words {
  const now = robotNow(model, robot);
  if (model.phase !== "open") return { tone: "stop", text: "Not connected" };
  if (now !== null && stalled !== null) return { tone: "stop", text: "No news from the cell" };
  if (now === null) return { tone: "calm", text: "Waiting for the cell" };
  switch (now.mode) {
    case "off":
      return { tone: "calm", text: "Off" };
    case "powering":
      return { tone: "info", text: "Powering up" };
    case "idle":
      if (now.planning) return { tone: "info", text: LOOKING };
      return now.waiting ? { tone: "warn", text: "Holding · move interrupted" } : { tone: "calm", text: "Holding" };
    case "teleoperation":
      if (isBraked(model, robot, now)) return { tone: "warn", text: "Held by the parking brake" };
      return { tone: "ok", text: driving(model, robot, now) };
    case "autonomous":
      return { tone: "info", text: "Moving by itself" };
    case "paused":
      return { tone: "warn", text: reason(model, robot, "mode.paused", "Paused") };
    case "stopped":
      return { tone: "stop", text: reason(model, robot, "mode.stopped", "Stopped") };
    case "fault":
      return { tone: "stop", text: reason(model, robot, "mode.fault", "Fault") };
  }
}

/** Whether what is led would drive the belts, and the parking brake keeps them. */
function isBraked(model: Model, robot: string, now: RobotNow): boolean {
  return now.tracks?.parked === true && mappingOf(model, robot)?.kind === "drive-tracks";
}

function driving(model: Model, robot: string, now: RobotNow): string {
  const lease = leaseOf(model, robot);
  const held = (lease?.holder ?? null) !== null;
  const other = held && !holds(model, robot) ? `${lease?.name ?? ""} drives` : "Driving";
  const script = robotInfo(model, robot)?.by_hand === false;
  const demonstration = masterNow(model, robot)?.demonstrating === true;
  const who = script ? "A script drives" : demonstration ? "Demonstration" : other;
  const how = now.generating ? "signal generator" : (mappingOf(model, robot)?.name ?? "");
  return how === "" ? who : `${who} · ${how}`;
}

function reason(model: Model, robot: string, code: string, otherwise: string): string {
  return notesOf(model, robot).find((note) => note.code === code)?.text ?? otherwise;
}

/** Return who controls the robot and how many look on. */
export function leaseWords(model: Model, robot: string): string {
  const lease = leaseOf(model, robot);
  if (lease === null) return "";
  const mine = holds(model, robot);
  const others = model.viewers - 1 - (mine || lease.holder === null ? 0 : 1);
  const watching = others > 0 ? ` · ${others} ${mine ? "" : "others "}watching` : "";
  if (mine) return `You hold control${watching}`;
  if (lease.holder === null) return `Nobody holds control${watching}`;
  return `Watching · ${lease.name} ${whatHolderDoes(model, robot, lease)}`;
}

function whatHolderDoes(model: Model, robot: string, lease: LeaseInfo): string {
  if (!lease.present) return "lost the connection";
  return robotNow(model, robot)?.mode === "teleoperation" ? "drives" : "holds control";
}

/** Whether this page has asked for control and waits. */
export function asking(model: Model, robot: string): boolean {
  return leaseOf(model, robot)?.askers.some((asker) => asker.viewer === model.viewer) ?? false;
}

/** Return what to say over the picture when it is old, or null. `seconds` as from `stalledFor`. */
export function stalledWords(model: Model, seconds: number | null): { title: string; text: string } | null {
  if (model.phase === "refused" || seconds === null) return null;
  const span = seconds < 1 ? "a moment" : `${seconds} s`;
  if (model.phase !== "open") {
    const again = model.reason === "" ? "Trying to connect again." : model.reason;
    if (model.scene === null) return { title: "Connecting…", text: model.reason === "" ? "Looking for Farhand." : again };
    return { title: `Connection lost: stalled for ${span}`, text: `What you see is old. ${again}` };
  }
  const cell = cellOf(model);
  if (cell !== null && cell.state !== "running" && cell.reason !== "") {
    return { title: `${stateWord(cell.state)}: stalled for ${span}`, text: cell.reason };
  }
  if (model.now === null) return { title: "Waiting for the cell…", text: "Its picture comes in a moment." };
  return { title: `The cell is silent: stalled for ${span}`, text: "What you see is old." };
}

function stateWord(state: "failed" | "lost" | "silent" | "starting"): string {
  return {
    failed: "The cell ended too often",
    lost: "The cell was lost",
    silent: "The cell is silent",
    starting: "The cell is starting",
  }[state];
}

/** Return why Stop cannot be sent, or null when it can. */
export function stopHindrance(model: Model): string | null {
  if (model.phase === "open") return null;
  return "Stop cannot be sent: not connected. The cell's watchdog stops a robot that you were driving, by itself.";
}

/** Return why a hand in the room does not lead the robot, and a way to drive in which it would; null if it does. */
export function poseHindrance(
  info: RobotInfo | null,
  mapping: MappingInfo | null,
  master: MasterInfo | null = null,
): { text: string; way: string | null } | null {
  if (info === null || mapping === null) return { text: "There is no robot yet.", way: null };
  if (!info.by_hand) return { text: "A script drives this robot.", way: null };
  if (ledByPose(mapping) || isLedHere(master)) return null;
  const way = info.mappings.find(ledByPose)?.name ?? null;
  const now = `“${capital(mapping.name)}” is not led by a hand in the room`;
  if (way !== null) return { text: `${now}; “${capital(way)}” is.`, way };
  return { text: `${now}, and this robot has no way to drive that is.`, way };
}

/** Return what leads a robot that no key does. */
export function ledWords(mapping: MappingInfo | null): string {
  if (mapping === null) return "";
  if (mapping.kind === "copy-joints") return "The joints of its master lead it.";
  return ledByPose(mapping) ? "A hand in the room leads it: see Devices." : "Drag the ring at the tip in the picture.";
}
