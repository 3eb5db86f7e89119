/**
 * Holds a fresh press until the cell can count it.
 *
 * The cell counts a press by comparing it with the previous reading of the same lease, and only while its echo is fresh.
 * So a press waits, sent as a hand at rest, until the cell has received a reading of this lease and an update has just
 * come. It passes once. A press from before the lease, or one that waited too long, never counts: the operator must let
 * go and press again.
 */

import type { Model } from "../state/model.ts";
import { robotNow } from "../state/selectors.ts";

/** Age of the newest update above which a reading would echo an old tick, ms. */
export const UPDATE_FRESH_MS = 50;
/** Longest time that a press may wait, ms. */
export const PRESS_KEPT_MS = 500;

/** The decision on a press. "late": it has just become too old. */
export type Verdict = "through" | "wait" | "late";

export class PressGate {
  /** Number of the newest press that passed, or was made before the lease. */
  counted: number;
  private waiting = 0;
  private since = 0;
  private told = 0;

  /**
   * @param epoch Of the lease.
   * @param first Sequence number of the first reading that was sent under it from here.
   * @param before Number of presses before it.
   */
  constructor(
    readonly epoch: number,
    private readonly first: number,
    before: number,
  ) {
    this.counted = before;
  }

  /** Decide on the press with this number, which is held at page time `at` (ms). */
  judge(press: number, model: Model, robot: string, at: number): Verdict {
    if (press <= this.counted) return "through";
    if (press !== this.waiting) [this.waiting, this.since] = [press, at];
    if (at - this.since > PRESS_KEPT_MS) return this.refuse(press);
    if (!this.ready(model, robot, at)) return "wait";
    this.counted = press;
    return "through";
  }

  private refuse(press: number): Verdict {
    if (this.told === press) return "wait";
    this.told = press;
    return "late";
  }

  private ready(model: Model, robot: string, at: number): boolean {
    const now = robotNow(model, robot);
    if (now === null || at - model.heardAt > UPDATE_FRESH_MS) return false;
    return now.epoch === this.epoch && now.heard >= this.first;
  }
}
