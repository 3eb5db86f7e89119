/** The robots' poses at the end of their moves (ghosts), from updates; each ghost is unpacked once. */

import { POSE_ROW } from "../wire.gen.ts";
import type { BodyLook, RobotInfo, RobotUpdate } from "../wire.gen.ts";
import { POSE, readRow } from "./poseStore.ts";
import type { GhostLook } from "./painterProtocol.ts";

const NONE = new Uint8Array();

export class GhostStore {
  /** The bodies of each robot, in the order of the scene. */
  private readonly bodies: readonly (readonly number[])[];
  /** The bytes that each robot's ghost was unpacked from. */
  private readonly known: Uint8Array[];

  constructor(robots: readonly Pick<RobotInfo, "name">[], bodies: readonly BodyLook[]) {
    this.bodies = robots.map(({ name }) => [...bodies.keys()].filter((body) => bodies[body]?.robot === name));
    this.known = robots.map(() => NONE);
  }

  /** Take an update; return the ghosts now, or null if they have not changed. */
  take(robots: readonly Pick<RobotUpdate, "ghost">[]): GhostLook[] | null {
    let changed = false;
    for (let i = 0; i < this.known.length; i++) {
      const ghost = robots[i]?.ghost ?? NONE;
      if (same(ghost, this.known[i] ?? NONE)) continue;
      this.known[i] = ghost.slice(); // a copy: the message is released
      changed = true;
    }
    return changed ? this.looks() : null;
  }

  private looks(): GhostLook[] {
    return this.known.flatMap((ghost, i) => {
      const look = unpacked(ghost, this.bodies[i] ?? []);
      return look === null ? [] : [look];
    });
  }
}

/** Return a ghost; null if there is none or it does not fit these bodies. */
function unpacked(ghost: Uint8Array, bodies: readonly number[]): GhostLook | null {
  if (ghost.byteLength === 0 || ghost.byteLength !== bodies.length * POSE_ROW) return null;
  const view = new DataView(ghost.buffer, ghost.byteOffset, ghost.byteLength);
  const values = new Float32Array(bodies.length * POSE);
  for (let i = 0; i < bodies.length; i++) {
    const pose = readRow(view, i * POSE_ROW);
    if (pose === null) return null;
    values.set(pose, i * POSE);
  }
  return { bodies, values };
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
