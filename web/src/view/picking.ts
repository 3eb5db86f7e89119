/** Finds the tip handle or the nearest shape under the pointer. Pure. */

import type { Scene } from "../wire.gen.ts";
import { boundOf } from "./shapeBounds.ts";
import type { MeshBounds } from "./shapeBounds.ts";
import { project } from "./orbitCamera.ts";
import type { Orbit, Viewport, Ray } from "./orbitCamera.ts";
import { compose, rotate } from "./math.ts";
import type { Vec3 } from "./math.ts";
import { rigid } from "./poseStore.ts";
import type { PoseStore } from "./poseStore.ts";
import { meetsBox, meetsPlane, pointOn } from "./rayGeometry.ts";

/** Radius around the handle in which a pointer grabs it, CSS pixels. */
export const GRAB_RADIUS = { mouse: 24, touch: 44 } as const;

/** Return whether a pointer is on the handle at a point of the world. */
export function onHandle(orbit: Orbit, viewport: Viewport, tip: Vec3, x: number, y: number, pointer: string): boolean {
  const spot = project(orbit, viewport, tip);
  if (spot === null) return false;
  return Math.hypot(spot.x - x, spot.y - y) <= (pointer === "touch" ? GRAB_RADIUS.touch : GRAB_RADIUS.mouse);
}

/** Return the nearest point of the line of sight on a shape (on the box around it), or null if it meets none. */
export function nearestShape(ray: Ray, scene: Scene, poses: PoseStore, meshes: MeshBounds): Vec3 | null {
  let nearest = Infinity;
  for (const geom of scene.geoms) {
    if (!geom.seen) continue;
    const way = geom.shape === "plane" ? planeWay(ray, geom.pose) : boxWay(geom);
    if (way !== null && way < nearest) nearest = way;
  }
  return Number.isFinite(nearest) ? pointOn(ray, nearest) : null;

  function boxWay(geom: Scene["geoms"][number]): number | null {
    const bound = boundOf(geom, meshes);
    const body = poses.pose(geom.body);
    return bound && body && meetsBox(ray, compose(body, bound.pose), bound.half);
  }
}

function planeWay(ray: Ray, pose: Scene["geoms"][number]["pose"]): number | null {
  const { position, rotation } = rigid(pose);
  return meetsPlane(ray, position, rotate(rotation, [0, 0, 1]));
}
