/** The clearance lines to draw, from an update. Pure. */

import { closeness, gapText, isDrawn } from "../state/clearance.ts";
import { unpackNear } from "../state/unpackUpdate.ts";
import type { ClearanceUpdate, RobotUpdate } from "../wire.gen.ts";
import type { ClearanceLook } from "./painterProtocol.ts";

/** Return the line of each robot that is near an obstacle. */
export function nearLooks(robots: readonly Pick<RobotUpdate, "near">[]): ClearanceLook[] {
  return robots.flatMap(({ near }, robot) => {
    const look = near === null ? null : lookOf(near, robot);
    return look === null ? [] : [look];
  });
}

function lookOf(update: ClearanceUpdate, robot: number): ClearanceLook | null {
  const near = unpackNear(update);
  if (!isDrawn(near)) return null;
  const [x = 0, y = 0, z = 0, u = 0, v = 0, w = 0] = near.line;
  const ways = near.ways.every((free) => free) ? [] : near.ways;
  const { gently } = near;
  return { robot, from: [x, y, z], to: [u, v, w], closeness: closeness(near), gently, text: gapText(near), ways };
}
