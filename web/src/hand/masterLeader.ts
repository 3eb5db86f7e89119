/** Moves a modelled master from the page, by its tip or its joints. Holding the pointer is the deadman. */

import { signal } from "@preact/signals";
import type { Pose } from "../wire.gen.ts";
import { NOTHING, type Held, type InputSource } from "./inputState.ts";

export class MasterLead implements InputSource {
  /** All devices move the master without the robot, so that the hand can be brought back. */
  readonly alone = signal(false);
  private held: Held | null = null;

  constructor(private readonly changed: () => void) {}

  /** Move the master's tip to a pose in its base frame, and the robot with it. */
  tip(pose: Pose): void {
    this.hold({ deadman: true, axes: {}, pose });
  }

  /** Move the master's tip without the robot. */
  tipAlone(pose: Pose): void {
    this.hold({ deadman: true, axes: {}, pose, alone: true });
  }

  joints(joints: readonly number[]): void {
    this.hold({ deadman: true, axes: {}, pose: null, joints });
  }

  end(): void {
    if (this.held === null) return;
    this.held = null;
    this.changed();
  }

  read(): Held {
    return this.held ?? NOTHING;
  }

  release(): void {
    this.held = null;
  }

  private hold(held: Held): void {
    const fresh = this.held === null;
    this.held = held;
    if (fresh) this.changed();
  }
}
