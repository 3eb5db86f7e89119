/** A tip dragged by the pointer: in the plane that faces the camera, or up and down only. Pure. */

import { basis, ray } from "./orbitCamera.ts";
import type { Orbit, Pane } from "./orbitCamera.ts";
import { add, subtract } from "./math.ts";
import type { Vec3 } from "./math.ts";
import { heightNear, meetsPlane, pointOn } from "./rayGeometry.ts";

/** Which way the pointer leads the target. */
export type Way = "facing" | "vertical";

export interface TipDrag {
  readonly way: Way;
  /** Where the tip is wanted, in the world. */
  readonly target: Vec3;
  /** Where the target was when this way began. */
  readonly anchor: Vec3;
  /** From the point that the pointer meant when this way began to the anchor. */
  readonly offset: Vec3;
}

/** The pointer grabs a handle at `tip`; where exactly within the handle does not matter. */
export function grab(orbit: Orbit, pane: Pane, tip: Vec3, x: number, y: number, way: Way): TipDrag {
  const meant = meantBy(orbit, pane, tip, x, y, way);
  return { way, target: tip, anchor: tip, offset: meant === null ? [0, 0, 0] : subtract(tip, meant) };
}

/** The pointer moves; a change of the way goes on from where the target is. */
export function lead(drag: TipDrag, orbit: Orbit, pane: Pane, x: number, y: number, way: Way): TipDrag {
  if (way !== drag.way) return grab(orbit, pane, drag.target, x, y, way);
  const meant = meantBy(orbit, pane, drag.anchor, x, y, way);
  return meant === null ? drag : { ...drag, target: add(meant, drag.offset) };
}

function meantBy(orbit: Orbit, pane: Pane, anchor: Vec3, x: number, y: number, way: Way): Vec3 | null {
  const sight = ray(orbit, pane, x, y);
  if (way === "vertical") {
    const height = heightNear(sight, anchor);
    return height === null ? null : [anchor[0], anchor[1], height];
  }
  const along = meetsPlane(sight, anchor, basis(orbit).forward);
  return along === null ? null : pointOn(sight, along);
}
