/** Requests control of a free robot, once per connection; never after the operator released it. */

import type { FromPage } from "../wire.gen.ts";
import type { Model } from "../state/model.ts";
import { leaseOf } from "../state/selectors.ts";

export class ControlRequests {
  /** Robots that were considered on this connection. */
  private readonly asked = new Set<string>();
  /** Robots whose control the operator released. */
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

  /** Request control of the picked robot if it is free. */
  update(model: Model, robot: string): void {
    const lease = leaseOf(model, robot);
    if (lease === null || this.asked.has(robot)) return;
    // Its holder lost the connection: wait until they return or it becomes free.
    if (lease.holder !== null && !lease.present) return;
    this.asked.add(robot);
    if (lease.holder === null && !this.declined.has(robot)) this.send({ type: "Ask", robot });
  }
}
