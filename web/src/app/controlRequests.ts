/** Asks for control by itself, once after each connection, if nobody has it; never after the operator gave it back. */

import type { FromPage } from "../wire.gen.ts";
import type { Model } from "../state/model.ts";
import { leaseOf } from "../state/selectors.ts";

export class Asker {
  /** Robots that were asked for on this connection. */
  private readonly asked = new Set<string>();
  /** Robots whose control the operator gave back. */
  private readonly declined = new Set<string>();

  constructor(private readonly send: (message: FromPage) => boolean) {}

  /** A new connection starts. */
  renewed(): void {
    this.asked.clear();
  }

  declines(robot: string): void {
    this.declined.add(robot);
  }

  wants(robot: string): void {
    this.declined.delete(robot);
  }

  /** Look at who controls the robot in front of the operator. */
  look(model: Model, robot: string): void {
    const lease = leaseOf(model, robot);
    if (lease === null || this.asked.has(robot)) return;
    // Its holder lost the connection: wait whether he comes back or it becomes free.
    if (lease.holder !== null && !lease.present) return;
    this.asked.add(robot);
    if (lease.holder === null && !this.declined.has(robot)) this.send({ type: "Ask", robot });
  }
}
