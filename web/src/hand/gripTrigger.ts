/** A gripper's trigger for devices that can only open and close: it moves for as long as one of them is held. */

/** Shares of the way per second. */
const RATE = 1;
/** Seconds between two looks that count as one motion. */
const LONGEST = 0.1;
/** How far it goes ahead of the fingers: far enough to squeeze, near enough to be taken for where they are. */
const LEAD = 0.025;

export class GripTrigger {
  private pulled: number | null = null;
  private at = 0;

  /**
   * Return how far it is pulled, 0 to 1; null while it is let go, and the gripper stays as it is.
   *
   * @param direction 1 opens, -1 closes, 0 lets go.
   * @param closed How far the fingers are closed: there it begins.
   * @param now Seconds.
   */
  step(direction: number, closed: number, now: number): number | null {
    const passed = Math.max(0, Math.min(now - this.at, LONGEST));
    this.at = now;
    if (direction === 0) {
      this.pulled = null;
      return null;
    }
    const wanted = (this.pulled ?? closed) - direction * RATE * passed;
    this.pulled = clamp(wanted, Math.max(0, closed - LEAD), Math.min(1, closed + LEAD));
    return this.pulled;
  }
}

function clamp(value: number, lower: number, upper: number): number {
  return Math.max(lower, Math.min(upper, value));
}
