/** Leads a modelled master from the page: its tip in the picture, or its joints. Holding on is the deadman. */

import { signal } from "@preact/signals";
import type { Pose } from "../wire.gen.ts";
import { NOTHING, type Held, type InputSource } from "./inputState.ts";

export class MasterLead implements InputSource {
  /** Everything moves the master alone, so that the hand can be brought back. */
  readonly alone = signal(false);
  private held: Held | null = null;

  constructor(private readonly changed: () => void) {}

  /** The tip shall be there, in the master's base frame. */
  tip(pose: Pose): void {
    this.hold({ deadman: true, axes: {}, pose });
  }

  /** The same, and the robot stays where it is. */
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
