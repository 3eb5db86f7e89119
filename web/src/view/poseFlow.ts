/** Sends poses to the painter one at a time: while it is busy only the newest waits, so no queue builds up. */

import type { Poses } from "./painterProtocol.ts";

export class PoseFlow {
  private readonly send: (poses: Poses) => void;
  private underway = false;
  private waiting: Poses | null = null;

  constructor(send: (poses: Poses) => void) {
    this.send = send;
  }

  /** Send poses. The arrays are copied. */
  push(news: Poses): void {
    // A change that was not sent yet must not be lost with the poses that are replaced.
    const changed = news.changed || (this.waiting?.changed ?? false);
    const poses = { ...news, values: news.values.slice(), asleep: news.asleep.slice(), changed };
    if (this.underway) {
      this.waiting = poses;
      return;
    }
    this.underway = true;
    this.send(poses);
  }

  /** The painter has applied the poses that were sent. */
  applied(): void {
    this.underway = false;
    const next = this.waiting;
    if (next === null) return;
    this.waiting = null;
    this.underway = true;
    this.send(next);
  }

  /** Drop waiting poses: they belong to the old scene. */
  clear(): void {
    this.waiting = null;
  }
}
