/** Unpacks the packed numbers of updates. Pure. */

import type { MasterUpdate, ClearanceUpdate, RobotUpdate, TracksUpdate, Update } from "../wire.gen.ts";
import type { MasterNow, NearNow, Now, RobotNow, TracksNow } from "./model.ts";

const FLOAT_BYTES = 4;

/** Return little-endian float32 bytes as numbers. */
export function floats(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.byteLength / FLOAT_BYTES);
  return Array.from({ length: count }, (_, index) => view.getFloat32(index * FLOAT_BYTES, true));
}

/** Return the state of the cell in an update, without the poses, which only the 3D view needs. */
export function unpack(update: Update): Now {
  const { tick, time, factor, playback } = update;
  const robots = update.robots.map((robot, index) => unpackRobot(robot, update.epochs[index] ?? -1));
  return { tick, time, factor, playback, robots, masters: update.masters.map(unpackMaster) };
}

function unpackRobot(robot: RobotUpdate, epoch: number): RobotNow {
  const { joints, tip, force, near, tracks, ghost } = robot;
  const told = { ghost: ghost.byteLength > 0, near: near && unpackNear(near), tracks: tracks && unpackTracks(tracks) };
  return { ...robot, epoch, joints: floats(joints), tip: floats(tip), force: floats(force), ...told };
}

function unpackTracks(tracks: TracksUpdate): TracksNow {
  return { ...tracks, flippers: floats(tracks.flippers), asked: floats(tracks.asked), belts: floats(tracks.belts) };
}

/** Return the nearest pair of an arm. */
export function unpackNear(near: ClearanceUpdate): NearNow {
  return { ...near, line: floats(near.line), limits: floats(near.limits) };
}

function unpackMaster({ bodies, joints, tip, intended, felt, alone }: MasterUpdate): MasterNow {
  return { bodies, joints: floats(joints), tip: floats(tip), intended: floats(intended), felt: floats(felt), demonstrating: alone };
}
