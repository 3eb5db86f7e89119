/** Intersections of lines of sight with planes, lines and boxes. Pure. */

import type { Ray } from "./orbitCamera.ts";
import { along, applyInverse, conjugate, dot, rotate, subtract } from "./math.ts";
import type { Rigid, Vec3 } from "./math.ts";

/** Return the distance along the ray to a plane in front of it, in lengths of its direction, or null. */
export function meetsPlane(ray: Ray, point: Vec3, normal: Vec3): number | null {
  const slope = dot(ray.direction, normal);
  if (Math.abs(slope) < 1e-9) return null;
  const way = dot(subtract(point, ray.origin), normal) / slope;
  return way > 0 ? way : null;
}

export function pointOn(ray: Ray, way: number): Vec3 {
  return along(ray.origin, ray.direction, way);
}

/** Return the height of the point of a vertical line that is nearest to the ray, or null if they are parallel. */
export function heightNear(ray: Ray, foot: Vec3): number | null {
  const [dx, dy, dz] = ray.direction;
  const level = dx * dx + dy * dy;
  if (level < 1e-9) return null;
  const way = ((foot[0] - ray.origin[0]) * dx + (foot[1] - ray.origin[1]) * dy) / level;
  return way > 0 ? ray.origin[2] + way * dz : null;
}

/** Return the distance along the ray to a rotated box with these half lengths, or null. */
export function meetsBox(ray: Ray, box: Rigid, half: Vec3): number | null {
  const origin = applyInverse(box, ray.origin);
  const direction = rotate(conjugate(box.rotation), ray.direction);
  let enter = 0;
  let leave = Infinity;
  for (const axis of [0, 1, 2] as const) {
    const [o, d, h] = [origin[axis], direction[axis], half[axis]];
    if (Math.abs(d) < 1e-12) {
      if (Math.abs(o) > h) return null;
      continue;
    }
    const [a, b] = [(-h - o) / d, (h - o) / d];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter <= leave ? enter : null;
}
