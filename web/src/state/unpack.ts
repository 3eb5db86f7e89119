/** Turns the bulk numbers of messages into plain ones. */

import type { MasterUpdate, RobotUpdate, Update } from "../wire.gen.ts";
import type { MasterNow, Now, RobotNow } from "./model.ts";

const FLOAT = 4;

/** Return little-endian float32 bytes as numbers. */
export function floats(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.byteLength / FLOAT);
  return Array.from({ length: count }, (_, index) => view.getFloat32(index * FLOAT, true));
}

/** Return what an update says of the cell, without the poses, which only the 3D view needs. */
export function unpack(update: Update): Now {
  const { tick, time, factor } = update;
  return { tick, time, factor, robots: update.robots.map(unpackRobot), masters: update.masters.map(unpackMaster) };
}

function unpackRobot(robot: RobotUpdate): RobotNow {
  return { ...robot, joints: floats(robot.joints), tip: floats(robot.tip), force: floats(robot.force) };
}

function unpackMaster({ bodies, joints, tip, intended, felt, alone }: MasterUpdate): MasterNow {
  return { bodies, joints: floats(joints), tip: floats(tip), intended: floats(intended), felt: floats(felt), demonstrating: alone };
}
