/** Moves the camera smoothly from one orbit to another. */

import { between, bounded } from "./orbitCamera.ts";
import type { Orbit } from "./orbitCamera.ts";
import { add } from "./math.ts";
import type { Vec3 } from "./math.ts";

const GLIDE_MS = 200;

export class OrbitAnimator {
  orbit: Orbit = { target: [0, 0, 0.4], yaw: -0.9, pitch: 0.4, distance: 3 };
  /** Height that the camera stays above. */
  floor = -Infinity;
  /** The operator has moved it by hand. */
  steered = false;
  private readonly changed: () => void;
  private glide: { from: Orbit; to: Orbit; start: number } | null = null;
  private frame = 0;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  /** Follow the operator's hand. */
  steer(orbit: Orbit): void {
    this.steered = true;
    this.jump(orbit);
  }

  /** Shift the camera with its target, also during a glide. */
  shift(way: Vec3): void {
    const along = (orbit: Orbit): Orbit => ({ ...orbit, target: add(orbit.target, way) });
    if (this.glide !== null) this.glide = { ...this.glide, from: along(this.glide.from), to: along(this.glide.to) };
    this.put(along(this.orbit));
  }

  /** Go to an orbit at once. */
  jump(orbit: Orbit): void {
    this.glide = null;
    this.put(orbit);
  }

  /** Glide to an orbit, unless the operator prefers reduced motion. */
  go(orbit: Orbit): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.jump(orbit);
      return;
    }
    this.glide = { from: this.orbit, to: orbit, start: performance.now() };
    this.request();
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.glide = null;
  }

  private put(orbit: Orbit): void {
    this.orbit = Number.isFinite(this.floor) ? bounded(orbit, this.floor) : bounded(orbit, -50);
    this.request();
  }

  /** Report changes once per frame, however many pointer events there are. */
  private request(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame((now) => this.step(now));
  }

  private step(now: number): void {
    this.frame = 0;
    if (this.glide !== null) {
      const { from, to, start } = this.glide;
      const share = Math.min(Math.max((now - start) / GLIDE_MS, 0), 1);
      if (share === 1) this.glide = null;
      this.put(between(from, to, share * share * (3 - 2 * share)));
    }
    this.changed();
  }
}
