/** The operator's hand: all devices combined, with a counter of fresh deadman presses. */

import type { Reading } from "../wire.gen.ts";
import { combine, type HandReading, type InputSource } from "./inputState.ts";

export class Hand {
  private deadman = false;
  private presses = 0;

  constructor(
    private readonly sources: readonly InputSource[],
    /** Returns whether the operator moves the master without the robot. */
    private readonly alone: () => boolean = () => false,
  ) {}

  /** Return the reading of the hand. Call it at every change, so that no press is missed. */
  read(axes: readonly string[]): HandReading & Pick<Reading, "presses"> {
    const part = combine(this.sources.map((source) => source.read(axes)), axes);
    const deadman = part.deadman === true && !this.alone();
    if (deadman && !this.deadman) this.presses += 1;
    this.deadman = deadman;
    return { ...part, deadman, presses: this.resting() };
  }

  /** Return the press counters alone, for robots that the hand does not drive. */
  resting(): Record<string, number> {
    return { deadman: this.presses };
  }

  /** Release everything held. */
  release(): void {
    for (const source of this.sources) source.release();
    this.deadman = false;
  }
}
