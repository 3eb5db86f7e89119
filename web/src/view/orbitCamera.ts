/** The overview's camera: an eye that looks at a target from a distance, z up. Pure; angles in rad, screen in CSS pixels. */

import { add, along, clamp, cross, dot, rotationOf, scale, subtract } from "./math.ts";
import type { Quat, Vec3 } from "./math.ts";

/** The eye as seen from the target: `yaw` around z from x, `pitch` up from the horizon. */
export interface Orbit {
  readonly target: Vec3;
  readonly yaw: number;
  readonly pitch: number;
  readonly distance: number;
}

/** The area that the camera draws to. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** The eye's own directions, unit vectors of the world. */
export interface Basis {
  readonly right: Vec3;
  readonly up: Vec3;
  readonly forward: Vec3;
}

export interface Ray {
  readonly origin: Vec3;
  readonly direction: Vec3;
}

/** A point on the screen and its distance along the line of sight. */
export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

/** Vertical angle of view, rad. */
export const FOV = (38 * Math.PI) / 180;
const MIN_DISTANCE_M = 0.06;
const MAX_DISTANCE_M = 40;
/** Least height of the eye above the floor, m. */
const MIN_HEIGHT_M = 0.04;
const MAX_PITCH = Math.PI / 2 - 1e-4;

/** Return the rotation of the eye in the world: x right, y up, z towards the operator. */
export function rotation(orbit: Orbit): Quat {
  const { right, up, forward } = basis(orbit);
  return rotationOf(right, up, scale(forward, -1));
}

export function basis(orbit: Orbit): Basis {
  const right: Vec3 = [-Math.sin(orbit.yaw), Math.cos(orbit.yaw), 0];
  const forward = scale(outward(orbit), -1);
  return { right, up: cross(right, forward), forward };
}

export function eye(orbit: Orbit): Vec3 {
  return along(orbit.target, outward(orbit), orbit.distance);
}

function outward(orbit: Orbit): Vec3 {
  const level = Math.cos(orbit.pitch);
  return [level * Math.cos(orbit.yaw), level * Math.sin(orbit.yaw), Math.sin(orbit.pitch)];
}

/** Return a point's place on the screen, or null if it is behind the eye. */
export function project(orbit: Orbit, viewport: Viewport, point: Vec3): ScreenPoint | null {
  const { right, up, forward } = basis(orbit);
  const seen = subtract(point, eye(orbit));
  const depth = dot(seen, forward);
  if (depth < 1e-6) return null;
  const pixels = focal(viewport) / depth;
  return { x: viewport.width / 2 + dot(seen, right) * pixels, y: viewport.height / 2 - dot(seen, up) * pixels, depth };
}

/** Return the line of sight through a point of the screen. */
export function ray(orbit: Orbit, viewport: Viewport, x: number, y: number): Ray {
  const { right, up, forward } = basis(orbit);
  const f = focal(viewport);
  const aside = along(scale(right, (x - viewport.width / 2) / f), up, (viewport.height / 2 - y) / f);
  return { origin: eye(orbit), direction: add(forward, aside) };
}

/** Return the pixels per metre at a distance of one metre. */
export function focal(viewport: Viewport): number {
  return viewport.height / 2 / Math.tan(FOV / 2);
}

/** Turn about the target by a pointer's motion; the height of the screen is half a turn. */
export function turned(orbit: Orbit, viewport: Viewport, dx: number, dy: number): Orbit {
  const rate = Math.PI / Math.max(viewport.height, 1);
  return { ...orbit, yaw: orbit.yaw - dx * rate, pitch: orbit.pitch + dy * rate };
}

/** Move sideways so that a point at the target's depth stays under the pointer. */
export function panned(orbit: Orbit, viewport: Viewport, dx: number, dy: number): Orbit {
  const { right, up } = basis(orbit);
  const metres = orbit.distance / focal(viewport);
  return { ...orbit, target: along(along(orbit.target, right, -dx * metres), up, dy * metres) };
}

/** Zoom in (factor < 1) or out; a point at the target's depth stays under the pointer. */
export function zoomed(orbit: Orbit, viewport: Viewport, factor: number, x: number, y: number): Orbit {
  const distance = clamp(orbit.distance * factor, MIN_DISTANCE_M, MAX_DISTANCE_M);
  const real = distance / orbit.distance;
  const { right, up } = basis(orbit);
  const metres = orbit.distance / focal(viewport);
  const beside = along(scale(right, (x - viewport.width / 2) * metres), up, (viewport.height / 2 - y) * metres);
  return { ...orbit, distance, target: along(orbit.target, beside, 1 - real) };
}

/** Return the orbit clamped: the eye above the floor, the target not below it, distances bounded. */
export function bounded(orbit: Orbit, floor: number): Orbit {
  const distance = clamp(orbit.distance, MIN_DISTANCE_M, MAX_DISTANCE_M);
  const [x, y, z] = orbit.target;
  const target: Vec3 = [clamp(x, -100, 100), clamp(y, -100, 100), clamp(z, floor, floor + 100)];
  const lowest = Math.asin(clamp((floor + MIN_HEIGHT_M - target[2]) / distance, -1, 1));
  return { target, distance, yaw: orbit.yaw, pitch: clamp(orbit.pitch, lowest, MAX_PITCH) };
}

/** Return the orbit at a share of the way between two orbits, turning the shorter way. */
export function between(from: Orbit, to: Orbit, share: number): Orbit {
  const turn = Math.atan2(Math.sin(to.yaw - from.yaw), Math.cos(to.yaw - from.yaw));
  return {
    target: along(from.target, subtract(to.target, from.target), share),
    yaw: from.yaw + turn * share,
    pitch: from.pitch + (to.pitch - from.pitch) * share,
    distance: from.distance * (to.distance / from.distance) ** share,
  };
}
