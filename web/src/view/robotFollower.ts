/** Goes along with a robot that drives about: how far it went since it was looked at last. Pure but for its memory. */

import { length, subtract } from "./math.ts";
import type { Vec3 } from "./math.ts";

/** What is less than this (m) is trembling, not driving. */
const TREMBLING = 0.002;
/** Share of the distance it is seen from that it may go before the light must follow. */
const STRAYED = 0.25;

export class Companion {
  robot: string | null = null;
  private last: Vec3 | null = null;
  private lit: Vec3 | null = null;

  /** Go along with another robot, or with none. */
  follow(robot: string | null): void {
    if (robot === this.robot) return;
    this.robot = robot;
    this.lose();
  }

  /** Forget where it was. */
  lose(): void {
    this.last = this.lit = null;
  }

  /** Return how far it went, or null if it did not. */
  step(position: Vec3 | null): Vec3 | null {
    if (position === null) return null;
    if (this.last === null) {
      this.last = this.lit = position;
      return null;
    }
    const way = subtract(position, this.last);
    if (length(way) < TREMBLING) return null;
    this.last = position;
    return way;
  }

  /** Return, once, whether it has gone so far that what is around it is something else. */
  strayed(distance: number): boolean {
    if (this.last === null || this.lit === null || length(subtract(this.last, this.lit)) < STRAYED * distance) return false;
    this.lit = this.last;
    return true;
  }
}
