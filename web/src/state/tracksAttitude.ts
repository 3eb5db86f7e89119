/** The attitude of a robot on tracks, as outlines and text. Pure; metres, y up, x ahead or right. */

import { texts } from "../language/language.ts";
import type { TracksInfo } from "../wire.gen.ts";
import type { TracksNow } from "./model.ts";
import type { StatusText, Tone } from "./status.ts";

type Point = readonly [number, number];

/** Angles from which a slope is steep, rad; a robot on tracks falls over sideways sooner than backwards. */
const STEEP_RAD = { pitch: 0.7, roll: 0.44 };
/** Roll from which the robot counts as on its back, not on its side, rad. */
const OVERTURNED_RAD = 1.8;
/** Lag of a flipper from which it is shown, rad. */
const SHOWN_LAG_RAD = 0.06;
const ARC_STEPS = 6;

const TONES: Readonly<Record<TracksNow["word"], Tone>> = {
  standing: "calm",
  driving: "ok",
  slipping: "warn",
  stuck: "warn",
  tipped: "stop",
};

/** Return the state of the tracks in a word or two. */
export function tracksText(now: TracksNow): StatusText {
  const { states, parked, whileParked } = texts().tracks;
  const [text, tone] = [states[now.word], TONES[now.word]];
  if (!now.parked) return { text, tone };
  return now.word === "standing" ? { text: parked, tone: "info" } : { text: whileParked(text), tone };
}

/** Return how dangerous a slope is. */
export function slopeTone(angle: number, along: "pitch" | "roll"): Tone {
  const share = Math.abs(angle) / STEEP_RAD[along];
  if (share >= 1.5) return "stop";
  return share >= 1 ? "warn" : "calm";
}

/** Return an angle within ±π: flippers turn without end. */
export function within(angle: number): number {
  const turns = Math.round(angle / (2 * Math.PI));
  return angle - turns * 2 * Math.PI;
}

/** Return whether the robot lies on its back, or nearly. */
export function overturned({ roll }: Pick<TracksNow, "roll">): boolean {
  return Math.abs(within(roll)) > OVERTURNED_RAD;
}

/** Return whether a flipper is off its commanded angle. */
export function lags(now: TracksNow, flipper: number): boolean {
  return Math.abs((now.asked[flipper] ?? 0) - (now.flippers[flipper] ?? 0)) > SHOWN_LAG_RAD;
}

/** Return the outline of a belt around a flipper's two wheels, seen from the robot's right; flippers 0 and 1 are in front. */
export function flipperSide(info: TracksInfo, flipper: number, angle: number): Point[] {
  const front = flipper < 2;
  const heading = front ? angle : Math.PI - angle;
  const from: Point = [(front ? 0.5 : -0.5) * info.wheelbase, info.hub];
  const to: Point = [from[0] + info.length * Math.cos(heading), from[1] + info.length * Math.sin(heading)];
  const lean = Math.asin((info.hub - info.tip) / info.length);
  return [
    ...arc(from, info.hub, heading + Math.PI / 2 - lean, heading + (3 * Math.PI) / 2 + lean),
    ...arc(to, info.tip, heading - Math.PI / 2 + lean, heading + Math.PI / 2 - lean),
  ];
}

/** Return the outline of a flipper seen from behind: as wide as its belt, from its lowest to its highest point. */
export function flipperRear(info: TracksInfo, flipper: number, angle: number): Point[] {
  const [middle, half] = [(flipper % 2 === 0 ? -0.5 : 0.5) * info.gauge, 0.1 * info.gauge];
  const tip = info.hub + info.length * Math.sin(angle);
  const [low, high] = [Math.min(0, tip - info.tip), Math.max(2 * info.hub, tip + info.tip)];
  return box(middle - half, low, middle + half, high);
}

/** Return the body between the tracks, from the side. */
export function bodySide(info: TracksInfo): Point[] {
  const [half, hub] = [0.5 * info.wheelbase, info.hub];
  return [
    [-half - 0.6 * hub, 1.3 * hub],
    [-half + 0.6 * hub, 2.7 * hub],
    [half - 0.9 * hub, 2.7 * hub],
    [half + 0.6 * hub, 1.3 * hub],
    [half, 0.5 * hub],
    [-half, 0.5 * hub],
  ];
}

/** Return the body between the tracks, from behind. */
export function bodyRear(info: TracksInfo): Point[] {
  const half = 0.4 * info.gauge;
  return box(-half, 0.5 * info.hub, half, 2.7 * info.hub);
}

/** Return the distance from the robot's middle to the farthest point of a stretched flipper, m. */
export function reachOf(info: TracksInfo): number {
  return 0.5 * info.wheelbase + info.length + info.tip;
}

/** Return points as text for SVG, y down. */
export function written(points: readonly Point[]): string {
  return points.map(([x, y]) => `${x.toFixed(3)},${(-y).toFixed(3)}`).join(" ");
}

function box(left: number, low: number, right: number, high: number): Point[] {
  return [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
  ];
}

function arc([x, y]: Point, radius: number, from: number, to: number): Point[] {
  return Array.from({ length: ARC_STEPS + 1 }, (_, i): Point => {
    const angle = from + ((to - from) * i) / ARC_STEPS;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}
