/** Poses as matrices of the 3D library. */

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Pose } from "../../wire.gen.ts";
import { POSE, rigid } from "../poseStore.ts";

const ONE = new Vector3(1, 1, 1);
const POSITION = new Vector3();
const ROTATION = new Quaternion();

/** Return the pose of a shape or frame in the frame of its body. */
export function matrixOf(thing: { readonly pose: Pose }): Matrix4 {
  const { position, rotation } = rigid(thing.pose);
  const [w, x, y, z] = rotation;
  return new Matrix4().compose(POSITION.set(...position), ROTATION.set(x, y, z, w), ONE);
}

/** Read the pose of a body into a matrix. */
export function readPose(values: Float32Array, body: number, into: Matrix4): void {
  const [x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = values.subarray(body * POSE, (body + 1) * POSE);
  into.compose(POSITION.set(x, y, z), ROTATION.set(qx, qy, qz, qw), ONE);
}
