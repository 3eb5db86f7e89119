/** A gripper's trigger for devices with buttons for open and close: it moves while one of them is held. */

/** Rate of the trigger, shares of its travel per second. */
const RATE_PER_S = 1;
/** Longest time between two steps of one motion, s. */
const MAX_STEP_S = 0.1;
/** Greatest lead over the fingers, as a share of the travel: enough to squeeze. */
const MAX_LEAD = 0.025;

export class GripTrigger {
  private pulled: number | null = null;
  private at = 0;

  /**
   * Return the travel of the trigger, 0 to 1; null while it is released, and the gripper stays as it is.
   *
   * @param direction 1 opens, -1 closes, 0 lets go.
   * @param closed Closure of the fingers, 0 to 1, where the trigger begins.
   * @param now Time, s.
   */
  step(direction: number, closed: number, now: number): number | null {
    const passed = Math.max(0, Math.min(now - this.at, MAX_STEP_S));
    this.at = now;
    if (direction === 0) {
      this.pulled = null;
      return null;
    }
    const wanted = (this.pulled ?? closed) - direction * RATE_PER_S * passed;
    this.pulled = clamp(wanted, Math.max(0, closed - MAX_LEAD), Math.min(1, closed + MAX_LEAD));
    return this.pulled;
  }
}

function clamp(value: number, lower: number, upper: number): number {
  return Math.max(lower, Math.min(upper, value));
}
