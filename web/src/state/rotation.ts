/** Quaternions (w, x, y, z) as roll, pitch and yaw. Pure. */

/** Return roll, pitch and yaw, rad: turns about the fixed x, y and z axes, in this order. */
export function rollPitchYaw(w: number, x: number, y: number, z: number): [number, number, number] {
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  // Straight up or down, roll and yaw turn about the same axis: all of it counts as yaw.
  if (Math.abs(sine) > 1 - 1e-6) return [0, Math.asin(sine), -2 * Math.sign(sine) * Math.atan2(x, w)];
  const roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return [roll, Math.asin(sine), yaw];
}
