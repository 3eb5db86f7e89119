/** How near an arm is to something, for the operator's eyes and in his words. Pure. */

import { millimetres } from "./format.ts";
import type { NearNow } from "./model.ts";
import type { Tone } from "./status.ts";

/** Metres between two things beyond which nothing is shown of them. */
const SHOWN = 0.1;
/** Metres of room below which a pair is close, and below which it stops the arm. */
const CLOSE = 0.03;
const SHUT = 0.003;
/** Metres that an arm is nearer than it should be, beyond what its servo's lag explains. */
const INTRUDED = 0.005;

/** "shut": the arm goes no nearer, unless it may touch. */
export type Closeness = "far" | "close" | "shut";

export function closeness({ room }: Pick<NearNow, "room">): Closeness {
  if (room <= SHUT) return "shut";
  return room < CLOSE ? "close" : "far";
}

/** Return whether a pair is near enough to be told. */
function worthTelling(near: NearNow): boolean {
  return Math.min(near.room, apart(near)) < SHOWN;
}

/** Return whether a line shall be drawn: at what may be touched, and is about to be, there is nothing left to show. */
export function worthDrawing(near: NearNow): boolean {
  return worthTelling(near) && !(near.gently && closeness(near) === "shut");
}

/** Return the metres between the two. */
function apart({ line }: Pick<NearNow, "line">): number {
  const [x = 0, y = 0, z = 0, u = 0, v = 0, w = 0] = line;
  return Math.hypot(x - u, y - v, z - w);
}

/** Return how far apart the two are, as short as can be. */
export function gapWords(near: Pick<NearNow, "line" | "room" | "gently">): string {
  // Not "touching": fingers are taken for thicker than they are, so that they may be around a thing and not at it.
  if (near.gently && near.room <= SHUT) return "may touch";
  if (!near.gently && near.room < -INTRUDED) return "too near";
  return `${millimetres(apart(near))} mm`;
}

const TONES: Readonly<Record<Closeness, Tone>> = { far: "calm", close: "warn", shut: "stop" };

/** Return the nearest pair in words; null if nothing is near enough. */
export function nearWords(near: NearNow | null): { text: string; tone: Tone } | null {
  if (near === null || !worthTelling(near)) return null;
  const how = closeness(near);
  const stops = how === "shut" && !near.gently ? " · stops the arm" : "";
  const text = `Nearest: ${near.first} – ${near.second}, ${gapWords(near)}${stops}`;
  return { text, tone: near.gently && how === "shut" ? "calm" : TONES[how] };
}

/** Return how far a joint may go by itself before something stops the arm; null where nobody knows. */
export function reachOf(near: NearNow | null, joint: number): readonly [number, number] | null {
  const count = (near?.limits.length ?? 0) / 2;
  const [lower, upper] = [near?.limits[joint], near?.limits[count + joint]];
  return lower === undefined || upper === undefined || joint >= count ? null : [lower, upper];
}
