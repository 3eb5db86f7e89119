/** Bounding boxes of shapes, in the frames of their bodies. */

import type { GeomLook, Scene } from "../wire.gen.ts";
import type { MeshData } from "./api.ts";
import { apply, compose } from "./math.ts";
import type { Rigid, Vec3 } from "./math.ts";
import { rigid } from "./poseStore.ts";
import type { PoseStore } from "./poseStore.ts";

/** A box around a shape: its middle's pose in the frame of the body, and its half lengths. */
export interface Bound {
  readonly pose: Rigid;
  readonly half: Vec3;
}

/** Boxes around meshes, in the mesh's own frame, by hash. */
export type MeshBounds = ReadonlyMap<string, { readonly middle: Vec3; readonly half: Vec3 }>;

/** Return the box around a mesh, or null if it has no vertex. */
export function meshBound(mesh: MeshData): { middle: Vec3; half: Vec3 } | null {
  if (mesh.vertices.length < 3) return null;
  const lower = [Infinity, Infinity, Infinity] as [number, number, number];
  const upper = [-Infinity, -Infinity, -Infinity] as [number, number, number];
  for (let i = 0; i + 2 < mesh.vertices.length; i += 3) {
    for (const axis of [0, 1, 2] as const) {
      const value = mesh.vertices[i + axis] ?? 0;
      lower[axis] = Math.min(lower[axis], value);
      upper[axis] = Math.max(upper[axis], value);
    }
  }
  return {
    middle: [(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, (lower[2] + upper[2]) / 2],
    half: [(upper[0] - lower[0]) / 2, (upper[1] - lower[1]) / 2, (upper[2] - lower[2]) / 2],
  };
}

/** Return the half lengths of the box around a plain shape, in its own frame; null for meshes and planes. */
export function halfOf(geom: GeomLook): Vec3 | null {
  const [a = 0, b = 0, c = 0] = geom.size;
  switch (geom.shape) {
    case "box":
    case "ellipsoid":
      return [a, b, c];
    case "sphere":
      return [a, a, a];
    case "cylinder":
      return [a, a, b];
    case "capsule":
      return [a, a, b + a];
    case "plane":
    case "mesh":
      return null;
  }
}

/** Return the box around a shape in the frame of its body; null for planes and for meshes not loaded yet. */
export function boundOf(geom: GeomLook, meshes: MeshBounds): Bound | null {
  const pose = rigid(geom.pose);
  const half = halfOf(geom);
  if (half !== null) return { pose, half };
  const mesh = geom.shape === "mesh" ? meshes.get(geom.mesh) : undefined;
  if (mesh === undefined) return null;
  return { pose: compose(pose, { position: mesh.middle, rotation: [1, 0, 0, 0] }), half: mesh.half };
}

/** Return the corners in the world of the box around a shape; none while its pose is unknown. */
export function cornersOf(geom: GeomLook, poses: PoseStore, meshes: MeshBounds): Vec3[] {
  const bound = boundOf(geom, meshes);
  const body = poses.pose(geom.body);
  if (bound === null || body === null) return [];
  const box = compose(body, bound.pose);
  const corners: Vec3[] = [];
  for (const x of [-1, 1]) {
    for (const y of [-1, 1]) {
      for (const z of [-1, 1]) corners.push(apply(box, [x * bound.half[0], y * bound.half[1], z * bound.half[2]]));
    }
  }
  return corners;
}

/** Return the name of the robot a shape belongs to; empty for anything else. */
export function robotOf(geom: GeomLook, scene: Scene): string {
  const body = scene.bodies[geom.body];
  if (body !== undefined) return body.robot;
  return scene.robots.find((robot) => geom.name.startsWith(`${robot.name}/`))?.name ?? "";
}
