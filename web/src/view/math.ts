/** Vectors, quaternions (wxyz) and rigid poses as plain tuples, for use without the 3D library. */

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number];

/** The pose of a frame in another. */
export interface Rigid {
  readonly position: Vec3;
  readonly rotation: Quat;
}

export const IDENTITY: Rigid = { position: [0, 0, 0], rotation: [1, 0, 0, 0] };

export function add(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function subtract(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function scale(a: Vec3, factor: number): Vec3 {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

/** a + factor · b */
export function along(a: Vec3, b: Vec3, factor: number): Vec3 {
  return [a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor];
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function length(a: Vec3): number {
  return Math.hypot(a[0], a[1], a[2]);
}

/** Return the unit vector; zero stays zero. */
export function unit(a: Vec3): Vec3 {
  const size = length(a);
  return size > 0 ? scale(a, 1 / size) : a;
}

export function lerp(a: Vec3, b: Vec3, share: number): Vec3 {
  return along(a, subtract(b, a), share);
}

export function clamp(value: number, lower: number, upper: number): number {
  return Math.min(Math.max(value, lower), upper);
}

/** q v q⁻¹ for a unit quaternion. */
export function rotate(q: Quat, v: Vec3): Vec3 {
  const [w, x, y, z] = q;
  const t = scale(cross([x, y, z], v), 2);
  return add(along(v, t, w), cross([x, y, z], t));
}

export function conjugate(q: Quat): Quat {
  return [q[0], -q[1], -q[2], -q[3]];
}

export function multiply(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** T_a_c from T_a_b and T_b_c. */
export function compose(outer: Rigid, inner: Rigid): Rigid {
  return { position: apply(outer, inner.position), rotation: multiply(outer.rotation, inner.rotation) };
}

/** Return a point of the inner frame in the outer one. */
export function apply(pose: Rigid, point: Vec3): Vec3 {
  return add(pose.position, rotate(pose.rotation, point));
}

/** Return a point of the outer frame in the inner one. */
export function applyInverse(pose: Rigid, point: Vec3): Vec3 {
  return rotate(conjugate(pose.rotation), subtract(point, pose.position));
}

/** Return the rotation whose x, y and z axes are these: right-handed unit vectors. */
export function rotationOf(x: Vec3, y: Vec3, z: Vec3): Quat {
  // Divide by the largest of the four, which is never near zero.
  const candidates: readonly Quat[] = [
    [1 + x[0] + y[1] + z[2], y[2] - z[1], z[0] - x[2], x[1] - y[0]],
    [y[2] - z[1], 1 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2]],
    [z[0] - x[2], y[0] + x[1], 1 - x[0] + y[1] - z[2], z[1] + y[2]],
    [x[1] - y[0], z[0] + x[2], z[1] + y[2], 1 - x[0] - y[1] + z[2]],
  ];
  const best = candidates.reduce((a, b) => (Math.hypot(...b) > Math.hypot(...a) ? b : a));
  const size = Math.hypot(...best);
  return [best[0] / size, best[1] / size, best[2] / size, best[3] / size];
}
