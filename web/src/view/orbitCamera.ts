/** The camera: an eye that looks at a target from a distance, z up. Pure; angles in radians, screen in CSS pixels. */

import { add, along, clamp, cross, dot, rotationOf, scale, subtract } from "./math.ts";
import type { Quat, Vec3 } from "./math.ts";

/** Where the eye is: seen from the target, `yaw` around z from x, `pitch` up from the horizon. */
export interface Orbit {
  readonly target: Vec3;
  readonly yaw: number;
  readonly pitch: number;
  readonly distance: number;
}

/** The window the camera looks through. */
export interface Pane {
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

/** A point on the screen and how far along the line of sight it is. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

/** Vertical angle of view. */
export const FOV = (38 * Math.PI) / 180;
const NEAREST = 0.06;
const FARTHEST = 40;
/** The eye stays this far above the floor, the target on it or above. */
const ABOVE = 0.04;
const STEEPEST = Math.PI / 2 - 1e-4;

/** Return how the eye is turned in the world: its x is right, y up, z towards the operator. */
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

/** Return where a point is on the screen, or null if it is behind the eye. */
export function project(orbit: Orbit, pane: Pane, point: Vec3): Spot | null {
  const { right, up, forward } = basis(orbit);
  const seen = subtract(point, eye(orbit));
  const depth = dot(seen, forward);
  if (depth < 1e-6) return null;
  const pixels = focal(pane) / depth;
  return { x: pane.width / 2 + dot(seen, right) * pixels, y: pane.height / 2 - dot(seen, up) * pixels, depth };
}

/** Return the line of sight through a point of the screen. */
export function ray(orbit: Orbit, pane: Pane, x: number, y: number): Ray {
  const { right, up, forward } = basis(orbit);
  const f = focal(pane);
  const aside = along(scale(right, (x - pane.width / 2) / f), up, (pane.height / 2 - y) / f);
  return { origin: eye(orbit), direction: add(forward, aside) };
}

/** Pixels that one metre takes at a distance of one metre. */
export function focal(pane: Pane): number {
  return pane.height / 2 / Math.tan(FOV / 2);
}

/** Turn about the target, by a pointer's way over the screen: its height is half a turn. */
export function turned(orbit: Orbit, pane: Pane, dx: number, dy: number): Orbit {
  const rate = Math.PI / Math.max(pane.height, 1);
  return { ...orbit, yaw: orbit.yaw - dx * rate, pitch: orbit.pitch + dy * rate };
}

/** Move sideways so that what is at the target's depth stays under the pointer. */
export function panned(orbit: Orbit, pane: Pane, dx: number, dy: number): Orbit {
  const { right, up } = basis(orbit);
  const metres = orbit.distance / focal(pane);
  return { ...orbit, target: along(along(orbit.target, right, -dx * metres), up, dy * metres) };
}

/** Come nearer (factor < 1) or go back; what is under the pointer at the target's depth stays there. */
export function zoomed(orbit: Orbit, pane: Pane, factor: number, x: number, y: number): Orbit {
  const distance = clamp(orbit.distance * factor, NEAREST, FARTHEST);
  const real = distance / orbit.distance;
  const { right, up } = basis(orbit);
  const metres = orbit.distance / focal(pane);
  const beside = along(scale(right, (x - pane.width / 2) * metres), up, (pane.height / 2 - y) * metres);
  return { ...orbit, distance, target: along(orbit.target, beside, 1 - real) };
}

/** Keep the eye above the floor, the target on it or above, and all within reason. */
export function bounded(orbit: Orbit, floor: number): Orbit {
  const distance = clamp(orbit.distance, NEAREST, FARTHEST);
  const [x, y, z] = orbit.target;
  const target: Vec3 = [clamp(x, -100, 100), clamp(y, -100, 100), clamp(z, floor, floor + 100)];
  const lowest = Math.asin(clamp((floor + ABOVE - target[2]) / distance, -1, 1));
  return { target, distance, yaw: orbit.yaw, pitch: clamp(orbit.pitch, lowest, STEEPEST) };
}

/** Return what lies between two orbits, the short way around. */
export function between(from: Orbit, to: Orbit, share: number): Orbit {
  const turn = Math.atan2(Math.sin(to.yaw - from.yaw), Math.cos(to.yaw - from.yaw));
  return {
    target: along(from.target, subtract(to.target, from.target), share),
    yaw: from.yaw + turn * share,
    pitch: from.pitch + (to.pitch - from.pitch) * share,
    distance: from.distance * (to.distance / from.distance) ** share,
  };
}
