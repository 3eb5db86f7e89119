/** Hints about the pointer that fit the robot and the pictures shown. Pure. */

import { texts } from "../language/language.ts";
import { OVERVIEW } from "../view/api.ts";
import type { MasterInfo, RobotInfo } from "../wire.gen.ts";
import { isLedHere } from "./selectors.ts";
import { aimable, type Pane } from "./cameraWall.ts";

/** The uses of the pointer in the pictures. */
export interface Pointing {
  /** Dragging the large picture looks around. */
  readonly looks: boolean;
  /** Dragging a ring moves the robot's tip, the master's tip, or there is no ring. */
  readonly ring: "tip" | "master" | null;
}

export function pointing(info: RobotInfo | null, master: MasterInfo | null, panes: readonly Pane[]): Pointing {
  const large = panes.find((pane) => pane.large);
  const overview = large?.name === OVERVIEW;
  const drags = info?.mappings.some((way) => way.kind === "drag-tip") === true;
  return {
    looks: overview || (large !== undefined && aimable(large.camera)),
    ring: isLedHere(master) ? "master" : overview && drags ? "tip" : null,
  };
}

/** Return the sentence about the pointer; empty if there is nothing to drag. */
export function pointingText({ looks, ring }: Pointing): string {
  const { look, lookAndTip, lookAndMaster, dragTip, dragMaster } = texts().firstSteps;
  switch (ring) {
    case "tip":
      return looks ? lookAndTip : dragTip;
    case "master":
      return looks ? lookAndMaster : dragMaster;
    case null:
      return looks ? look : "";
  }
}
