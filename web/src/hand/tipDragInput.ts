/**
 * Drags the tip with the pointer. The control mode is changed for the time of the drag:
 *
 *   idle ──start──▶ choosing "drag-tip" ──answer──▶ dragging (deadman held, pose sent) ──end──▶ former mode ──▶ idle
 */

import type { Answer, Pose } from "../wire.gen.ts";
import { NOTHING, type Held, type InputSource } from "./inputState.ts";

export interface DragHost {
  /** Return the control mode in use and the one for dragging, or null if this robot cannot be dragged now. */
  modes(robot: string): { now: string; drag: string } | null;
  /** Return the rotation of the tip, as quaternion w, x, y, z. */
  rotation(robot: string): [number, number, number, number];
  choose(robot: string, mapping: string): Promise<Answer>;
  changed(): void;
}

type Position = [number, number, number];

interface Led {
  readonly robot: string;
  readonly former: string;
  readonly drag: string;
  position: Position;
  rotation: [number, number, number, number];
  /** The cell has switched the mode, and the tip follows. */
  leading: boolean;
}

export class TipDragInput implements InputSource {
  private led: Led | null = null;
  /** The former control mode was requested and is not active yet. */
  private returning: { readonly robot: string; readonly former: string } | null = null;

  constructor(private readonly host: DragHost) {}

  async start(robot: string, position: Position): Promise<void> {
    this.end();
    const modes = this.host.modes(robot);
    if (modes === null) return;
    const led: Led = {
      robot,
      former: this.returning?.robot === robot ? this.returning.former : modes.now,
      drag: modes.drag,
      position,
      rotation: this.host.rotation(robot),
      leading: false,
    };
    this.led = led;
    if (led.former !== led.drag) {
      const answer = await this.host.choose(robot, led.drag);
      if (!answer.ok) {
        if (this.led === led) this.led = null;
        return;
      }
    }
    // A drag that has ended meanwhile is no longer `this.led` and moves nothing.
    led.leading = true;
    led.rotation = this.host.rotation(robot);
    this.host.changed();
  }

  move(position: Position): void {
    if (this.led !== null) this.led.position = position;
  }

  /** End the drag and return to the former control mode. */
  end(): void {
    const led = this.led;
    if (led === null) return;
    this.led = null;
    this.host.changed();
    if (led.former !== led.drag) void this.goBack(led);
  }

  private async goBack({ robot, former }: Led): Promise<void> {
    const back = { robot, former };
    this.returning = back;
    await this.host.choose(robot, former);
    if (this.returning === back) this.returning = null;
  }

  read(): Held {
    if (this.led?.leading !== true) return NOTHING;
    const pose: Pose = { position: this.led.position, rotation: this.led.rotation };
    return { deadman: true, axes: {}, pose };
  }

  release(): void {
    this.end();
  }
}
