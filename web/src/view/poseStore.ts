/** The poses of all bodies, from updates that list only the bodies that moved. */

import { POSE_ROW } from "../wire.gen.ts";
import type { Pose } from "../wire.gen.ts";
import { compose, IDENTITY } from "./math.ts";
import type { Rigid } from "./math.ts";

/** Numbers of one body's pose: x, y, z, then the quaternion w, x, y, z. */
export const POSE = 7;

const ROW = 2 + POSE_ROW;
const UNIT = 32767;
/** Smallest visible motion: 20 µm, and 0.1 mrad as a difference of quaternions. An arm at rest trembles by less. */
const VISIBLE_M = 2e-5;
const VISIBLE_TURN = 5e-5;

export class PoseStore {
  readonly count: number;
  /** All poses, one after another. */
  readonly values: Float32Array;
  /** The poses at the last visible change. */
  private readonly shown: Float32Array;
  private readonly known: Uint8Array;
  private unknown: number;

  constructor(count: number) {
    this.count = count;
    this.values = new Float32Array(count * POSE);
    this.shown = new Float32Array(count * POSE);
    this.known = new Uint8Array(count);
    this.unknown = count;
    for (let body = 0; body < count; body++) this.values[body * POSE + 3] = 1;
  }

  /** True once the pose of every body is known. */
  get complete(): boolean {
    return this.unknown === 0;
  }

  /** Take the rows of an update; return whether there is a visible change. */
  take(moved: Uint8Array): boolean {
    const view = new DataView(moved.buffer, moved.byteOffset, moved.byteLength);
    let seen = false;
    for (let row = 0; row + ROW <= moved.byteLength; row += ROW) {
      const body = view.getUint16(row, true);
      if (body < this.count && this.put(body, view, row + 2)) seen = true;
    }
    return seen;
  }

  /** Return the pose of a body, or null while it is unknown. Body -1 is the world. */
  pose(body: number): Rigid | null {
    if (body < 0) return IDENTITY;
    if (body >= this.count || this.known[body] !== 1) return null;
    const [x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = this.values.subarray(body * POSE, (body + 1) * POSE);
    return { position: [x, y, z], rotation: [qw, qx, qy, qz] };
  }

  /** Return the pose in the world of a frame on a body, or null while it is unknown. */
  place(body: number, pose: Pose): Rigid | null {
    const carrier = this.pose(body);
    return carrier && compose(carrier, rigid(pose));
  }

  private put(body: number, view: DataView, at: number): boolean {
    const pose = readRow(view, at);
    if (pose === null) return false;
    this.values.set(pose, body * POSE);
    return this.differs(body);
  }

  /** Compare with the last visible pose, not with the last row: slow motion adds up. */
  private differs(body: number): boolean {
    const first = this.known[body] !== 1;
    if (first) {
      this.known[body] = 1;
      this.unknown -= 1;
    }
    const at = body * POSE;
    let differs = first;
    for (let i = 0; i < POSE && !differs; i++) {
      const change = Math.abs((this.values[at + i] ?? 0) - (this.shown[at + i] ?? 0));
      differs = change > (i < 3 ? VISIBLE_M : VISIBLE_TURN);
    }
    if (differs) this.shown.set(this.values.subarray(at, at + POSE), at);
    return differs;
  }
}

/** Return the pose in a row of an update, from byte `at` on; null if it is invalid. */
export function readRow(view: DataView, at: number): readonly number[] | null {
  const x = view.getFloat32(at, true);
  const y = view.getFloat32(at + 4, true);
  const z = view.getFloat32(at + 8, true);
  const w = view.getInt16(at + 12, true) / UNIT;
  const i = view.getInt16(at + 14, true) / UNIT;
  const j = view.getInt16(at + 16, true) / UNIT;
  const k = view.getInt16(at + 18, true) / UNIT;
  const size = Math.hypot(w, i, j, k);
  if (!Number.isFinite(x + y + z) || size < 0.5) return null;
  return [x, y, z, w / size, i / size, j / size, k / size];
}

/** Return a pose of the wire with its defaults filled in. */
export function rigid(pose: Pose): Rigid {
  return { position: pose.position ?? IDENTITY.position, rotation: pose.rotation ?? IDENTITY.rotation };
}

/** Return little-endian float32 numbers from bytes of any alignment. */
export function floats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float32Array(Math.floor(bytes.byteLength / 4));
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(i * 4, true);
  return values;
}
