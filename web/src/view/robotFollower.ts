/** Measures the motion of a robot that drives, so that the camera can follow it. */

import { length, subtract } from "./math.ts";
import type { Vec3 } from "./math.ts";

/** Smallest motion that counts as driving, m. */
const MIN_SHIFT_M = 0.002;
/** Motion after which the lights must follow, as a share of the camera's distance. */
const LIGHT_SHIFT = 0.25;

export class RobotFollower {
  robot: string | null = null;
  private last: Vec3 | null = null;
  private lit: Vec3 | null = null;

  /** Follow another robot, or none. */
  follow(robot: string | null): void {
    if (robot === this.robot) return;
    this.robot = robot;
    this.lose();
  }

  /** Forget its last position. */
  lose(): void {
    this.last = this.lit = null;
  }

  /** Return the motion since the last step, m, or null if there is none. */
  step(position: Vec3 | null): Vec3 | null {
    if (position === null) return null;
    if (this.last === null) {
      this.last = this.lit = position;
      return null;
    }
    const way = subtract(position, this.last);
    if (length(way) < MIN_SHIFT_M) return null;
    this.last = position;
    return way;
  }

  /** Return, once, whether it has moved so far that the lights must follow. */
  strayed(distance: number): boolean {
    if (this.last === null || this.lit === null || length(subtract(this.last, this.lit)) < LIGHT_SHIFT * distance) return false;
    this.lit = this.last;
    return true;
  }
}
