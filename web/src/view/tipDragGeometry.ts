/** The target of a tip dragged by the pointer: in the plane that faces the camera, or vertically. Pure. */

import { basis, ray } from "./orbitCamera.ts";
import type { Orbit, Viewport } from "./orbitCamera.ts";
import { add, subtract } from "./math.ts";
import type { Vec3 } from "./math.ts";
import { heightNear, meetsPlane, pointOn } from "./rayGeometry.ts";

/** The plane that faces the camera, or the vertical line. */
export type DragPlane = "facing" | "vertical";

export interface DragState {
  readonly plane: DragPlane;
  /** Target of the tip in the world, m. */
  readonly target: Vec3;
  /** The target when this plane was chosen, m. */
  readonly anchor: Vec3;
  /** From the point under the pointer to the anchor when this plane was chosen, m. */
  readonly offset: Vec3;
}

/** Begin a drag of the handle at `tip`; the exact place within the handle does not matter. */
export function grab(orbit: Orbit, viewport: Viewport, tip: Vec3, x: number, y: number, plane: DragPlane): DragState {
  const point = pointUnder(orbit, viewport, tip, x, y, plane);
  return { plane, target: tip, anchor: tip, offset: point === null ? [0, 0, 0] : subtract(tip, point) };
}

/** Continue a drag; after a change of the plane it continues from the target. */
export function lead(drag: DragState, orbit: Orbit, viewport: Viewport, x: number, y: number, plane: DragPlane): DragState {
  if (plane !== drag.plane) return grab(orbit, viewport, drag.target, x, y, plane);
  const point = pointUnder(orbit, viewport, drag.anchor, x, y, plane);
  return point === null ? drag : { ...drag, target: add(point, drag.offset) };
}

function pointUnder(orbit: Orbit, viewport: Viewport, anchor: Vec3, x: number, y: number, plane: DragPlane): Vec3 | null {
  const sight = ray(orbit, viewport, x, y);
  if (plane === "vertical") {
    const height = heightNear(sight, anchor);
    return height === null ? null : [anchor[0], anchor[1], height];
  }
  const along = meetsPlane(sight, anchor, basis(orbit).forward);
  return along === null ? null : pointOn(sight, along);
}
