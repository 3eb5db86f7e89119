/** Sends what the hand does, for every robot that this page controls. */

import type { FromPage, Reading } from "../wire.gen.ts";
import type { Model } from "../state/model.ts";
import { handAxes, holds, isLedHere, leadsMaster, mappingOf, masterInfo, masterNow, robotInfo, robotNow } from "../state/select.ts";
import { meantPose } from "../view/masterscene.ts";
import type { Hand } from "./hand.ts";
import { Trigger } from "./trigger.ts";

interface Count {
  epoch: number;
  sequence: number;
}

export class Sender {
  private readonly counts = new Map<string, Count>();
  private readonly trigger = new Trigger();

  constructor(
    private readonly hand: Hand,
    private readonly send: (message: FromPage) => boolean,
    /** How the operator's eye is turned in a robot's base frame, for ways to drive that go by what he sees. */
    private readonly eye: (robot: string) => [number, number, number, number] | null = () => null,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Send a reading for each robot that is held; only the chosen one is led by the hand. */
  tick(model: Model, chosen: string): void {
    // Read in any case: a press while nobody may drive must not look fresh later.
    const mapping = mappingOf(model, chosen);
    const view = mapping?.frame === "view" ? this.eye(chosen) : null;
    const led = { ...this.read(model, chosen), ...(view === null ? {} : { view }) };
    if (model.phase !== "open" || model.now === null) return;
    for (const lease of model.leases) {
      // A robot that a script drives is held to be commanded, not to be led.
      if (!holds(model, lease.robot) || robotInfo(model, lease.robot)?.by_hand === false) continue;
      const part = lease.robot === chosen ? led : { deadman: false, axes: [], presses: this.hand.resting() };
      const reading: Reading = {
        sequence: this.count(model, lease.robot, lease.epoch),
        epoch: lease.epoch,
        tick: model.now.tick,
        ...part,
      };
      this.send({ type: "Hand", robot: lease.robot, reading });
    }
  }

  /** Return what the hand does; a master that the page leads has a trigger in place of the gripper's deflection. */
  private read(model: Model, robot: string): ReturnType<Hand["read"]> {
    const axes = handAxes(model, robot);
    const part = this.hand.read(axes);
    if (!isLedHere(masterInfo(model, robot))) return part;
    if (!leadsMaster(model, robot)) return this.besideMaster(model, robot, part);
    if (axes.at(-1) !== "grip") return part;
    const deflections = part.axes ?? [];
    const grip = part.grip ?? this.pull(model, robot, deflections.at(-1) ?? 0);
    return { ...part, axes: deflections.slice(0, -1), ...(grip === null ? {} : { grip }) };
  }

  /** Return what keys do that lead the robot itself: its master stays where it is meant to be. */
  private besideMaster(model: Model, robot: string, part: ReturnType<Hand["read"]>): ReturnType<Hand["read"]> {
    const master = masterNow(model, robot);
    return part.pose !== undefined || part.joints !== undefined || master === null ? part : { ...part, pose: meantPose(master) };
  }

  private pull(model: Model, robot: string, direction: number): number | null {
    const widest = robotInfo(model, robot)?.gripper?.opening ?? 0;
    const open = robotNow(model, robot)?.grip ?? 0;
    const closed = widest > 0 ? Math.max(0, Math.min(1, 1 - open / widest)) : 0;
    return this.trigger.step(direction, closed, this.clock() / 1000);
  }

  /** Count up within a lease, beyond what the cell has heard: after a reload the same lease goes on. */
  private count(model: Model, robot: string, epoch: number): number {
    const heard = robotNow(model, robot)?.heard ?? 0;
    const last = this.counts.get(robot);
    const sequence = last?.epoch === epoch ? Math.max(last.sequence, heard) + 1 : Math.max(0, heard) + 1;
    this.counts.set(robot, { epoch, sequence });
    return sequence;
  }
}
