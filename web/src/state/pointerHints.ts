/** Which hints are true of the robot and the pictures in front of the operator. Pure. */

import { OVERVIEW } from "../view/api.ts";
import type { MasterInfo, RobotInfo } from "../wire.gen.ts";
import { isLedHere } from "./selectors.ts";
import { aimable, type Pane } from "./cameraWall.ts";

/** What the pointer can do in the pictures. */
export interface Pointing {
  /** Drag the large picture to look around. */
  readonly looks: boolean;
  /** Drag a ring to lead something: what it is at, or nothing. */
  readonly ring: "the tip" | "the master's tip" | null;
}

export function pointing(info: RobotInfo | null, master: MasterInfo | null, panes: readonly Pane[]): Pointing {
  const large = panes.find((pane) => pane.large);
  const overview = large?.name === OVERVIEW;
  const drags = info?.mappings.some((way) => way.kind === "drag-tip") === true;
  return {
    looks: overview || (large !== undefined && aimable(large.camera)),
    ring: isLedHere(master) ? "the master's tip" : overview && drags ? "the tip" : null,
  };
}

/** Return the sentence about that; empty if there is nothing to drag. */
export function pointingWords({ looks, ring }: Pointing): string {
  if (looks) return ring === null ? "Drag in the picture to look around." : `Drag in the picture to look around, or the ring at ${ring} to lead it.`;
  return ring === null ? "" : `Drag the ring at ${ring} to lead it.`;
}
