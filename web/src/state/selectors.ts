/** Questions to the model. */

import type { CellInfo, LeaseInfo, MappingInfo, MasterInfo, NoteText, RobotInfo } from "../wire.gen.ts";
import type { Mode } from "../hand/axesAndActions.ts";
import type { MasterNow, Model, RobotNow } from "./model.ts";

/** Milliseconds without an update after which the picture is called old. */
export const STALLED_AFTER = 500;

export function robotInfo(model: Model, robot: string): RobotInfo | null {
  return model.scene?.robots.find((info) => info.name === robot) ?? null;
}

export function robotNow(model: Model, robot: string): RobotNow | null {
  const index = model.scene?.robots.findIndex((info) => info.name === robot) ?? -1;
  return index < 0 ? null : (model.now?.robots[index] ?? null);
}

/** The master that drives the robot, if it is one that can be shown. */
export function masterInfo(model: Model, robot: string): MasterInfo | null {
  return model.scene?.masters.find((info) => info.robots.includes(robot)) ?? null;
}

export function masterNow(model: Model, robot: string): MasterNow | null {
  const index = model.scene?.masters.findIndex((info) => info.robots.includes(robot)) ?? -1;
  const now = index < 0 ? undefined : model.now?.masters[index];
  return now === undefined || now.tip.length < 7 ? null : now;
}

/** Whether whoever holds control moves this master from the page: one whose hand is modelled, not one that is held elsewhere. */
export function isLedHere(master: MasterInfo | null): boolean {
  return master !== null && master.by_hand && master.hand !== "";
}

/** How a master that the page leads is deflected, where its pose leads the robot: along and about the axes of its base. */
const MASTER_AXES: readonly string[] = ["x", "y", "z", "roll", "pitch", "yaw"];
const MASTER_GRIPS: readonly string[] = [...MASTER_AXES, "grip"];

/** Whether keys, sticks and gamepads move the master that drives the robot: not in a way to drive that goes by keys itself. */
export function leadsMaster(model: Model, robot: string): boolean {
  return isLedHere(masterInfo(model, robot)) && (mappingOf(model, robot)?.axes ?? []).length === 0;
}

/** Return what keys, sticks and gamepads deflect: the master that this page leads, else the robot by its mapping. */
export function handAxes(model: Model, robot: string): readonly string[] {
  if (!leadsMaster(model, robot)) return mappingOf(model, robot)?.axes ?? [];
  return robotInfo(model, robot)?.gripper === null ? MASTER_AXES : MASTER_GRIPS;
}

export function leaseOf(model: Model, robot: string): LeaseInfo | null {
  return model.leases.find((lease) => lease.robot === robot) ?? null;
}

/** Whether this page controls the robot. */
export function holds(model: Model, robot: string): boolean {
  const lease = leaseOf(model, robot);
  return lease !== null && lease.holder !== null && lease.holder === model.viewer;
}

/** The way in which the robot is driven now. */
export function mappingOf(model: Model, robot: string): MappingInfo | null {
  const now = robotNow(model, robot);
  return now === null ? null : (robotInfo(model, robot)?.mappings[now.mapping] ?? null);
}

export function notesOf(model: Model, robot: string): readonly NoteText[] {
  return model.why[robot] ?? [];
}

/** Notes on a robot, then those on its whole cell. */
export function allNotes(model: Model, robot: string): readonly NoteText[] {
  const cell = model.why[""] ?? [];
  return cell.length === 0 ? notesOf(model, robot) : [...notesOf(model, robot), ...cell];
}

export function cellOf(model: Model): CellInfo | null {
  return model.cells.find((cell) => cell.name === model.watching) ?? null;
}

/** Whether a stop is latched: only a reset leads out. */
export function latched(now: RobotNow | null): boolean {
  return now?.mode === "stopped" || now?.mode === "fault";
}

/** Whole seconds since the newest update, or null while updates come. */
export function stalledFor(model: Model, at: number): number | null {
  const silent = at - model.heardAt;
  if (model.phase === "open" && silent < STALLED_AFTER) return null;
  return Math.floor(silent / 1000);
}

/** The robot to show first: one that is driven by hand, if there is one. */
export function firstRobot(model: Model): string {
  const robots = model.scene?.robots ?? [];
  return (robots.find((robot) => robot.by_hand) ?? robots[0])?.name ?? "";
}

/** Return what a way to drive leads of a robot on tracks. */
export function modeOf(mapping: Pick<MappingInfo, "kind">): Mode {
  if (mapping.kind === "drive-tracks") return "drive";
  return mapping.kind === "raise-flippers" ? "flippers" : "arm";
}

/** Whether the hand's pose leads the robot in this way to drive; one that drags the tip is led by the pointer alone. */
export function ledByPose(mapping: MappingInfo): boolean {
  return mapping.axes.length === 0 && mapping.kind !== "drag-tip" && mapping.kind !== "copy-joints";
}
