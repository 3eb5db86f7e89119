/** The clearance between an arm and its nearest obstacle: what to draw and what to write. Pure. */

import { texts } from "../language/language.ts";
import { millimetres } from "./format.ts";
import type { NearNow } from "./model.ts";
import type { Tone } from "./status.ts";

/** Distance beyond which a pair is not shown, m. */
const SHOWN_M = 0.1;
/** Clearance below which a pair is close, and below which it stops the arm, m. */
const CLOSE_M = 0.03;
const SHUT_M = 0.003;
/** Depth inside the margin that the servo's lag does not explain, m. */
const INTRUSION_M = 0.005;

/** "shut": the arm is kept from going nearer, unless it may touch. */
export type Closeness = "far" | "close" | "shut";

export function closeness({ room }: Pick<NearNow, "room">): Closeness {
  if (room <= SHUT_M) return "shut";
  return room < CLOSE_M ? "close" : "far";
}

/** Return whether a pair is near enough to be shown. */
function isShown(near: NearNow): boolean {
  return Math.min(near.room, distanceOf(near)) < SHOWN_M;
}

/** Return whether to draw a line between a pair; none is drawn where the arm may touch and is about to. */
export function isDrawn(near: NearNow): boolean {
  return isShown(near) && !(near.gently && closeness(near) === "shut");
}

/** Return the distance between the two, m. */
function distanceOf({ line }: Pick<NearNow, "line">): number {
  const [x = 0, y = 0, z = 0, u = 0, v = 0, w = 0] = line;
  return Math.hypot(x - u, y - v, z - w);
}

/** Return the distance between the two as short text. */
export function gapText(near: Pick<NearNow, "line" | "room" | "gently">): string {
  // Not "touching": fingers are modelled thicker than they are, so they may be around an object without touching it.
  if (near.gently && near.room <= SHUT_M) return texts().readout.mayTouch;
  if (!near.gently && near.room < -INTRUSION_M) return texts().readout.tooNear;
  return `${millimetres(distanceOf(near))} mm`;
}

const TONES: Readonly<Record<Closeness, Tone>> = { far: "calm", close: "warn", shut: "stop" };

/** Return the nearest pair as text; null if nothing is near enough. */
export function nearestText(near: NearNow | null): { text: string; tone: Tone } | null {
  if (near === null || !isShown(near)) return null;
  const { nearest, stopsArm } = texts().readout;
  const how = closeness(near);
  const stops = how === "shut" && !near.gently ? stopsArm : "";
  const text = nearest(near.first, near.second, gapText(near)) + stops;
  return { text, tone: near.gently && how === "shut" ? "calm" : TONES[how] };
}

/** Return the range in which a joint can move alone before an obstacle stops the arm; null where it is unknown. */
export function freeRangeOf(near: NearNow | null, joint: number): readonly [number, number] | null {
  const count = (near?.limits.length ?? 0) / 2;
  const [lower, upper] = [near?.limits[joint], near?.limits[count + joint]];
  return lower === undefined || upper === undefined || joint >= count ? null : [lower, upper];
}
