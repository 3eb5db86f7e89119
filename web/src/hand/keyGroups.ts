/** The keys that a robot has a use for, in groups with headings. Pure. */

import { texts } from "../language/language.ts";
import type { MappingInfo, RobotInfo } from "../wire.gen.ts";
import { aimable } from "../state/cameraWall.ts";
import { AIMS, CAMERA_KEYS, MODES, type Action } from "./axesAndActions.ts";
import { axisOf, FUNCTIONS, functionText, type Context, type KeyFunction } from "./keyMap.ts";

/** Keys of one context. */
export interface KeyGroup {
  readonly context: Context;
  readonly heading: string;
  /** The chosen control mode uses these keys. */
  readonly chosen: boolean;
  readonly keys: readonly { readonly id: string; readonly text: string }[];
}

const ORDER: readonly Context[] = ["tip", "joints", "tracks", "flippers", "always"];

/** Return the keys of a robot, those of the chosen control mode first; `axes` are the axes that keys deflect now. */
export function keyGroups(info: RobotInfo | null, axes: readonly string[]): KeyGroup[] {
  const all = new Set([...(info?.by_hand === false ? [] : axes), ...modesOf(info).flatMap((mapping) => mapping.axes)]);
  const joints = info?.joints.map((joint) => joint.label) ?? [];
  const groups = ORDER.map((context): KeyGroup => {
    const functions = FUNCTIONS.filter((each) => each.context === context && isUsed(each, info, all));
    const chosen = context !== "always" && functions.some(({ id }) => axes.includes(axisOf(id)));
    return { context, heading: texts().keys.groups[context], chosen, keys: functions.map((each) => labelled(each, joints)) };
  }).filter((group) => group.keys.length > 0);
  return [...groups.filter(({ chosen }) => chosen), ...groups.filter(({ chosen }) => !chosen)];
}

/** Return the control modes that this page can drive in. */
function modesOf(info: RobotInfo | null): readonly MappingInfo[] {
  return info?.by_hand === true ? info.mappings : [];
}

function isUsed({ id, context }: KeyFunction, info: RobotInfo | null, axes: ReadonlySet<string>): boolean {
  if (context !== "always") return axes.has(axisOf(id));
  return id === "grip+" || id === "grip-" ? axes.has("grip") : canAct(id as Action, info);
}

/** Return whether a robot has a use for an action; actions of every robot and page are not listed. */
function canAct(action: Action, info: RobotInfo | null): boolean {
  const tracked = (info?.tracks ?? null) !== null;
  const cameras = info?.cameras ?? [];
  if ((MODES as readonly Action[]).includes(action) || action === "park") return tracked;
  if ((AIMS as readonly Action[]).includes(action)) return cameras.some((camera) => aimable(camera));
  const camera = (CAMERA_KEYS as readonly Action[]).indexOf(action);
  if (camera >= 0) return camera < cameras.length;
  switch (action) {
    case "mapping":
      return (info?.mappings.length ?? 0) > 1;
    case "scale":
      return info?.mappings.some((mapping) => mapping.scalable) === true;
    case "camera-next":
    case "overview":
    case "cameras-only":
      return cameras.length > 0;
    default:
      return true;
  }
}

/** Return a key with its text; joints go by the labels of this robot. */
function labelled({ id, context }: KeyFunction, joints: readonly string[]): { id: string; text: string } {
  return { id, text: functionText(id, context === "joints" ? joints : []) };
}
