/** The height of the floor. */

import type { Scene } from "../wire.gen.ts";
import { rotate } from "./math.ts";
import { rigid } from "./poseStore.ts";

/** Return the height of the highest visible level plane, or -Infinity if there is none. */
export function floorOf(scene: Pick<Scene, "geoms">): number {
  let floor = -Infinity;
  for (const geom of scene.geoms) {
    if (geom.shape !== "plane" || !geom.seen) continue;
    const { position, rotation } = rigid(geom.pose);
    if (rotate(rotation, [0, 0, 1])[2] > 0.999) floor = Math.max(floor, position[2]);
  }
  return floor;
}
