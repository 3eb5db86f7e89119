/** Hands poses to the painter one at a time: while it is busy only the newest waits, so nothing ever queues. */

import type { Poses } from "./painterProtocol.ts";

export class PoseFlow {
  private readonly send: (poses: Poses) => void;
  private underway = false;
  private waiting: Poses | null = null;

  constructor(send: (poses: Poses) => void) {
    this.send = send;
  }

  /** Hand on where everything is. The arrays are copied. */
  push(news: Poses): void {
    // A difference that was not handed on yet must not be lost with the poses it replaces.
    const changed = news.changed || (this.waiting?.changed ?? false);
    const poses = { ...news, values: news.values.slice(), asleep: news.asleep.slice(), changed };
    if (this.underway) {
      this.waiting = poses;
      return;
    }
    this.underway = true;
    this.send(poses);
  }

  /** The painter has taken in what it was handed. */
  applied(): void {
    this.underway = false;
    const next = this.waiting;
    if (next === null) return;
    this.waiting = null;
    this.underway = true;
    this.send(next);
  }

  /** A new scene: what waits belongs to the old one. */
  clear(): void {
    this.waiting = null;
  }
}
