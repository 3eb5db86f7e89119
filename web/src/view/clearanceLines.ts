/** What is drawn of the nearest pairs. Pure. */

import { closeness, gapText, isDrawn } from "../state/clearance.ts";
import { unpackNear } from "../state/unpackUpdate.ts";
import type { ClearanceUpdate, RobotUpdate } from "../wire.gen.ts";
import type { NearLook } from "./painterProtocol.ts";

/** Return a look for each robot that is near to something. */
export function nearLooks(robots: readonly Pick<RobotUpdate, "near">[]): NearLook[] {
  return robots.flatMap(({ near }, robot) => {
    const look = near === null ? null : lookOf(near, robot);
    return look === null ? [] : [look];
  });
}

function lookOf(update: ClearanceUpdate, robot: number): NearLook | null {
  const near = unpackNear(update);
  if (!isDrawn(near)) return null;
  const [x = 0, y = 0, z = 0, u = 0, v = 0, w = 0] = near.line;
  const ways = near.ways.every((free) => free) ? [] : near.ways;
  const { gently } = near;
  return { robot, from: [x, y, z], to: [u, v, w], closeness: closeness(near), gently, text: gapText(near), ways };
}
