/** Orbits that fill the picture with the robots and the objects around them. */

import type { Scene } from "../wire.gen.ts";
import type { Look } from "./api.ts";
import { cornersOf, robotOf } from "./shapeBounds.ts";
import type { MeshBounds } from "./shapeBounds.ts";
import { basis, eye, FOV } from "./orbitCamera.ts";
import type { Orbit, Viewport } from "./orbitCamera.ts";
import { add, along, dot, length, scale, subtract } from "./math.ts";
import type { Vec3 } from "./math.ts";
import type { PoseStore } from "./poseStore.ts";

const DEGREE = Math.PI / 180;
/** Share of the picture to fill. */
const FILLED = 0.86;
/** Loose objects farther from the robots than this many of their radii are left out. */
const MAX_DISTANCE_RADII = 3.5;
/** Smallest radius to frame, m. */
const MIN_RADIUS_M = 0.15;

const DIRECTIONS: Record<Exclude<Look, "tip">, { yaw: number; pitch: number }> = {
  // From behind and the right, as an operator would stand: forward leads away, left is left.
  home: { yaw: -116 * DEGREE, pitch: 25 * DEGREE },
  front: { yaw: 0, pitch: 12 * DEGREE },
  side: { yaw: -90 * DEGREE, pitch: 8 * DEGREE },
  top: { yaw: -180 * DEGREE, pitch: 89.9 * DEGREE },
};

/** Return the corners of the robots and the objects around them, or of everything where there is no robot. */
export function subjectOf(scene: Scene, poses: PoseStore, meshes: MeshBounds): Vec3[] {
  const robots: Vec3[] = [];
  const objects: Vec3[][] = [];
  const rest: Vec3[] = [];
  for (const geom of scene.geoms) {
    if (!geom.seen) continue;
    const corners = cornersOf(geom, poses, meshes);
    if (robotOf(geom, scene) !== "") robots.push(...corners);
    else if (geom.body >= 0) objects.push(corners);
    else rest.push(...corners);
  }
  for (const robot of scene.robots) {
    for (const place of [robot.base, robot.tip, ...robot.frames]) {
      const frame = poses.place(place.body, place.pose);
      if (frame !== null) robots.push(frame.position);
    }
  }
  if (robots.length === 0) return [...rest, ...objects.flat()];
  const { middle, radius } = ball(robots);
  return robots.concat(objects.filter((corners) => corners.every((c) => length(subtract(c, middle)) < MAX_DISTANCE_RADII * radius)).flat());
}

/** Return a ball around points; it may be larger than the smallest one. */
export function ball(points: readonly Vec3[]): { middle: Vec3; radius: number } {
  const middle = scale(points.reduce<Vec3>(add, [0, 0, 0]), 1 / Math.max(points.length, 1));
  return { middle, radius: Math.max(MIN_RADIUS_M, ...points.map((p) => length(subtract(p, middle)))) };
}

/** Return the orbit in a direction that shows all points as large as possible. */
export function fitted(points: readonly Vec3[], direction: { yaw: number; pitch: number }, viewport: Viewport): Orbit {
  const { middle, radius } = ball(points);
  let orbit: Orbit = { target: middle, distance: radius / Math.sin(FOV / 2), ...direction };
  // Each round centres the picture as seen from the distance of the round before.
  for (let round = 0; round < 6; round++) orbit = fittedOnce(points, orbit, viewport);
  return orbit;
}

function fittedOnce(points: readonly Vec3[], orbit: Orbit, viewport: Viewport): Orbit {
  const { right, up, forward } = basis(orbit);
  const tall = Math.tan(FOV / 2) * FILLED;
  const wide = (tall * viewport.width) / Math.max(viewport.height, 1);
  let [left, most, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const point of points) {
    const seen = subtract(point, eye(orbit));
    const depth = Math.max(dot(seen, forward), 1e-3);
    const [x, y] = [dot(seen, right) / depth / wide, dot(seen, up) / depth / tall];
    [left, most, low, high] = [Math.min(left, x), Math.max(most, x), Math.min(low, y), Math.max(high, y)];
  }
  if (!Number.isFinite(left)) return orbit;
  const aside = along(scale(right, ((left + most) / 2) * wide * orbit.distance), up, ((low + high) / 2) * tall * orbit.distance);
  const filled = Math.max((most - left) / 2, (high - low) / 2);
  const smallest = MIN_RADIUS_M / Math.sin(FOV / 2);
  return { ...orbit, target: add(orbit.target, aside), distance: Math.max(orbit.distance * filled, smallest) };
}

/** Return the orbit of a named look; for "tip", close to this point. */
export function lookAt(from: Look, subject: readonly Vec3[], tip: Vec3 | null, viewport: Viewport): Orbit {
  if (from !== "tip") return fitted(subject, DIRECTIONS[from], viewport);
  const { radius } = ball(subject);
  return { target: tip ?? ball(subject).middle, yaw: DIRECTIONS.home.yaw, pitch: DIRECTIONS.home.pitch, distance: Math.max(radius * 0.9, 0.25) };
}
