/** Queries of the model. Pure. */

import type { CellInfo, LeaseInfo, MappingInfo, MasterInfo, NoteText, RobotInfo } from "../wire.gen.ts";
import type { Mode } from "../hand/axesAndActions.ts";
import type { MasterNow, Model, RobotNow } from "./model.ts";

/** Time without an update after which the picture counts as out of date, ms. */
export const STALLED_AFTER_MS = 500;

export function robotInfo(model: Model, robot: string): RobotInfo | null {
  return model.scene?.robots.find((info) => info.name === robot) ?? null;
}

export function robotNow(model: Model, robot: string): RobotNow | null {
  const index = model.scene?.robots.findIndex((info) => info.name === robot) ?? -1;
  return index < 0 ? null : (model.now?.robots[index] ?? null);
}

/** Return the master of the robot, if it can be shown. */
export function masterInfo(model: Model, robot: string): MasterInfo | null {
  return model.scene?.masters.find((info) => info.robots.includes(robot)) ?? null;
}

export function masterNow(model: Model, robot: string): MasterNow | null {
  const index = model.scene?.masters.findIndex((info) => info.robots.includes(robot)) ?? -1;
  const now = index < 0 ? undefined : model.now?.masters[index];
  return now === undefined || now.tip.length < 7 ? null : now;
}

/** Return whether the operator in control moves this master from the page: its hand is modelled, not held elsewhere. */
export function isLedHere(master: MasterInfo | null): boolean {
  return master !== null && master.by_hand && master.hand !== "";
}

/** Axes of a master that the page moves: along and about the axes of its base. */
const MASTER_AXES: readonly string[] = ["x", "y", "z", "roll", "pitch", "yaw"];
const MASTER_GRIPS: readonly string[] = [...MASTER_AXES, "grip"];

/** Return whether keys, sticks and gamepads move the robot's master: not in a control mode that uses keys itself. */
export function leadsMaster(model: Model, robot: string): boolean {
  return isLedHere(masterInfo(model, robot)) && (mappingOf(model, robot)?.axes ?? []).length === 0;
}

/** Return the axes that keys, sticks and gamepads deflect: of the master that this page moves, otherwise of the control mode. */
export function handAxes(model: Model, robot: string): readonly string[] {
  if (!leadsMaster(model, robot)) return mappingOf(model, robot)?.axes ?? [];
  return robotInfo(model, robot)?.gripper === null ? MASTER_AXES : MASTER_GRIPS;
}

export function leaseOf(model: Model, robot: string): LeaseInfo | null {
  return model.leases.find((lease) => lease.robot === robot) ?? null;
}

/** Return whether this page controls the robot. */
export function holds(model: Model, robot: string): boolean {
  const lease = leaseOf(model, robot);
  return lease !== null && lease.holder !== null && lease.holder === model.viewer;
}

/** Return the control mode of the robot. */
export function mappingOf(model: Model, robot: string): MappingInfo | null {
  const now = robotNow(model, robot);
  return now === null ? null : (robotInfo(model, robot)?.mappings[now.mapping] ?? null);
}

export function notesOf(model: Model, robot: string): readonly NoteText[] {
  return model.why[robot] ?? [];
}

/** Return the notes on a robot, then those on its whole cell. */
export function allNotes(model: Model, robot: string): readonly NoteText[] {
  const cell = model.why[""] ?? [];
  return cell.length === 0 ? notesOf(model, robot) : [...notesOf(model, robot), ...cell];
}

export function cellOf(model: Model): CellInfo | null {
  return model.cells.find((cell) => cell.name === model.watching) ?? null;
}

/** Return whether a stop is latched, which only a reset clears. */
export function latched(now: RobotNow | null): boolean {
  return now?.mode === "stopped" || now?.mode === "fault";
}

/** Return the whole seconds since the newest update, or null while updates come. */
export function stalledFor(model: Model, at: number): number | null {
  const silent = at - model.heardAt;
  if (model.phase === "open" && silent < STALLED_AFTER_MS) return null;
  return Math.floor(silent / 1000);
}

/** Return the robot to show first: one that is driven by hand, if there is one. */
export function firstRobot(model: Model): string {
  const robots = model.scene?.robots ?? [];
  return (robots.find((robot) => robot.by_hand) ?? robots[0])?.name ?? "";
}

/** Return the part of a robot on tracks that a control mode drives. */
export function modeOf(mapping: Pick<MappingInfo, "kind">): Mode {
  if (mapping.kind === "drive-tracks") return "drive";
  return mapping.kind === "raise-flippers" ? "flippers" : "arm";
}

/** Return whether a control mode follows the pose of a hand; dragging the tip follows the pointer alone. */
export function ledByPose(mapping: MappingInfo): boolean {
  return mapping.axes.length === 0 && mapping.kind !== "drag-tip" && mapping.kind !== "copy-joints";
}
