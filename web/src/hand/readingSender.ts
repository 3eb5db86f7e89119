/** Sends the readings of the hand, for every robot that this page controls. */

import type { FromPage, Reading } from "../wire.gen.ts";
import type { Model } from "../state/model.ts";
import { handAxes, holds, isLedHere, leadsMaster, mappingOf, masterInfo, masterNow, robotInfo, robotNow } from "../state/selectors.ts";
import { meantPose } from "../view/masterScene.ts";
import type { Hand } from "./hand.ts";
import { PressGate } from "./pressGate.ts";
import { GripTrigger } from "./gripTrigger.ts";

/** The state of the readings for one robot under the current lease. */
interface Sent {
  readonly gate: PressGate;
  sequence: number;
}

type Led = ReturnType<Hand["read"]>;

export class ReadingSender {
  private readonly sent = new Map<string, Sent>();
  private readonly trigger = new GripTrigger();

  constructor(
    private readonly hand: Hand,
    private readonly send: (message: FromPage) => boolean,
    /** Returns the rotation of the operator's eye in a robot's base frame, for control modes in the axes of the view. */
    private readonly eye: (robot: string) => [number, number, number, number] | null = () => null,
    private readonly clock: () => number = () => performance.now(),
    /** Called when a press waited so long that it no longer counts. */
    private readonly late: () => void = () => undefined,
    /** Returns the newest tick whose picture is shown; -1 where the page draws none. */
    private readonly shown: () => number = () => -1,
  ) {}

  /** Send a reading for each robot under control; the hand drives only the chosen one. */
  tick(model: Model, chosen: string): void {
    // Always read the hand: a press while driving is impossible must not look fresh later.
    const mapping = mappingOf(model, chosen);
    const view = mapping?.frame === "view" ? this.eye(chosen) : null;
    const before = this.hand.resting().deadman ?? 0;
    const led = { ...this.read(model, chosen), ...(view === null ? {} : { view }) };
    if (model.phase !== "open" || model.now === null) return;
    const drawn = this.shown();
    for (const lease of model.leases) {
      // A robot that a script drives takes commands, but no readings.
      if (!holds(model, lease.robot) || robotInfo(model, lease.robot)?.by_hand === false) continue;
      const sent = this.count(model, lease.robot, lease.epoch, before);
      const part = lease.robot === chosen ? this.gated(sent.gate, led, model, chosen) : resting(this.hand.resting());
      const echo = { tick: model.now.tick, ...(drawn < 0 ? {} : { drawn }) };
      const reading: Reading = { sequence: sent.sequence, epoch: lease.epoch, ...echo, ...part };
      this.send({ type: "Hand", robot: lease.robot, reading });
    }
  }

  /** Return the hand's part of a reading; at rest while the cell cannot count the press yet. */
  private gated(gate: PressGate, led: Led, model: Model, robot: string): Led {
    if (led.deadman !== true) return led;
    const verdict = gate.judge(led.presses?.deadman ?? 0, model, robot, this.clock());
    if (verdict === "late") this.late();
    return verdict === "through" ? led : resting({ deadman: gate.counted });
  }

  /** Return the state of the hand; a master that the page moves has a trigger in place of the gripper's deflection. */
  private read(model: Model, robot: string): Led {
    const axes = handAxes(model, robot);
    const part = this.hand.read(axes);
    if (!isLedHere(masterInfo(model, robot))) return part;
    if (!leadsMaster(model, robot)) return this.besideMaster(model, robot, part);
    if (axes.at(-1) !== "grip") return part;
    const deflections = part.axes ?? [];
    const grip = part.grip ?? this.pull(model, robot, deflections.at(-1) ?? 0);
    return { ...part, axes: deflections.slice(0, -1), ...(grip === null ? {} : { grip }) };
  }

  /** Return a reading of keys that drive the robot itself: its master keeps its intended pose. */
  private besideMaster(model: Model, robot: string, part: Led): Led {
    const master = masterNow(model, robot);
    return part.pose !== undefined || part.joints !== undefined || master === null ? part : { ...part, pose: meantPose(master) };
  }

  private pull(model: Model, robot: string, direction: number): number | null {
    const widest = robotInfo(model, robot)?.gripper?.opening ?? 0;
    const open = robotNow(model, robot)?.grip ?? 0;
    const closed = widest > 0 ? Math.max(0, Math.min(1, 1 - open / widest)) : 0;
    return this.trigger.step(direction, closed, this.clock() / 1000);
  }

  /** Return the next sequence number of a lease, above those the cell has received: a reload keeps the lease. */
  private count(model: Model, robot: string, epoch: number, presses: number): Sent {
    const heard = Math.max(0, robotNow(model, robot)?.heard ?? 0);
    const last = this.sent.get(robot);
    if (last?.gate.epoch === epoch) {
      last.sequence = Math.max(last.sequence, heard) + 1;
      return last;
    }
    const sent = { gate: new PressGate(epoch, heard + 1, presses), sequence: heard + 1 };
    this.sent.set(robot, sent);
    return sent;
  }
}

function resting(presses: Record<string, number>): Led {
  return { deadman: false, axes: [], presses };
}
