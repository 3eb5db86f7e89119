/** Which keys a robot has a use for, and under which headings: what it lacks is not shown. Pure. */

import type { MappingInfo, RobotInfo } from "../wire.gen.ts";
import { aimable } from "../state/cameraWall.ts";
import { AIMS, axisWords, CAMERA_KEYS, MODES, type Action } from "./axesAndActions.ts";
import { FUNCTIONS, type Context, type KeyFunction } from "./keyMap.ts";

/** Keys of one use. */
export interface KeyGroup {
  readonly context: Context;
  readonly heading: string;
  /** The way to drive that is chosen goes by these. */
  readonly chosen: boolean;
  readonly keys: readonly { readonly id: string; readonly words: string }[];
}

const HEADINGS: Readonly<Record<Context, string>> = {
  tip: "Move and turn the tip",
  joints: "Turn single joints",
  tracks: "Drive on tracks",
  flippers: "Lead the flippers",
  always: "Always",
};
const ORDER: readonly Context[] = ["tip", "joints", "tracks", "flippers", "always"];

/** Return the keys of a robot, those of the chosen way to drive first; `axes` are what keys deflect just now. */
export function keyGroups(info: RobotInfo | null, axes: readonly string[]): KeyGroup[] {
  const all = new Set([...(info?.by_hand === false ? [] : axes), ...waysOf(info).flatMap((way) => way.axes)]);
  const joints = info?.joints.map((joint) => joint.label) ?? [];
  const groups = ORDER.map((context): KeyGroup => {
    const functions = FUNCTIONS.filter((each) => each.context === context && isUsed(each, info, all));
    const chosen = context !== "always" && functions.some(({ id }) => axes.includes(axisOf(id)));
    return { context, heading: HEADINGS[context], chosen, keys: functions.map((each) => worded(each, joints)) };
  }).filter((group) => group.keys.length > 0);
  return [...groups.filter(({ chosen }) => chosen), ...groups.filter(({ chosen }) => !chosen)];
}

/** Ways to drive that this page can lead. */
function waysOf(info: RobotInfo | null): readonly MappingInfo[] {
  return info?.by_hand === true ? info.mappings : [];
}

function isUsed({ id, context }: KeyFunction, info: RobotInfo | null, axes: ReadonlySet<string>): boolean {
  if (context !== "always") return axes.has(axisOf(id));
  return id === "grip+" || id === "grip-" ? axes.has("grip") : canAct(id as Action, info);
}

/** Return whether a robot can do what a key asks; what every robot and every page can is not listed. */
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
      return info?.mappings.some((way) => way.scalable) === true;
    case "camera-next":
    case "overview":
    case "cameras-only":
      return cameras.length > 0;
    default:
      return true;
  }
}

/** Joints are called as this robot calls them. */
function worded({ id, words, context }: KeyFunction, joints: readonly string[]): { id: string; words: string } {
  if (context !== "joints") return { id, words };
  const { plus, minus } = axisWords(axisOf(id), joints);
  return { id, words: id.endsWith("+") ? plus : minus };
}

/** Return the axis of a function like "joint:0+". */
function axisOf(id: string): string {
  return id.slice(0, -1);
}
