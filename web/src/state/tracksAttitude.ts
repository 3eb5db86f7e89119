/** How a robot on tracks stands, as outlines to be drawn and words to be read. Pure; metres, y up, x ahead or right. */

import type { TracksInfo } from "../wire.gen.ts";
import type { TracksNow } from "./model.ts";
import type { Tone, Words } from "./status.ts";

type Point = readonly [number, number];

/** Angles (rad) from which on a slope is steep; a robot on tracks falls over its side sooner than over its tail. */
const STEEP = { pitch: 0.7, roll: 0.44 };
/** Roll (rad) from which on it is on its back; on its side, where it often comes to rest, it is not. */
const OVER = 1.8;
/** Radians that a flipper may lag before it is said. */
const LAG = 0.06;
const FLAT = Math.PI;
const ARC = 6;

const WORDS: Readonly<Record<TracksNow["word"], Words>> = {
  standing: { text: "Standing", tone: "calm" },
  driving: { text: "Driving", tone: "ok" },
  slipping: { text: "Slipping", tone: "warn" },
  stuck: { text: "Stuck", tone: "warn" },
  tipped: { text: "Tipped over", tone: "stop" },
};

/** Return what it does, in a word or two. */
export function stanceWords(now: TracksNow): Words {
  const { text, tone } = WORDS[now.word];
  if (!now.parked) return { text, tone };
  return now.word === "standing" ? { text: "Parked", tone: "info" } : { text: `${text} · parked`, tone };
}

/** Return how grave a slope is. */
export function slopeTone(angle: number, along: "pitch" | "roll"): Tone {
  const share = Math.abs(angle) / STEEP[along];
  if (share >= 1.5) return "stop";
  return share >= 1 ? "warn" : "calm";
}

/** Return an angle within half a turn either way: flippers go round and round. */
export function within(angle: number): number {
  const turns = Math.round(angle / (2 * FLAT));
  return angle - turns * 2 * FLAT;
}

/** Whether it lies on its back, or nearly. */
export function overturned({ roll }: Pick<TracksNow, "roll">): boolean {
  return Math.abs(within(roll)) > OVER;
}

/** Whether a flipper is not where it was told to be. */
export function lags(now: TracksNow, flipper: number): boolean {
  return Math.abs((now.asked[flipper] ?? 0) - (now.flippers[flipper] ?? 0)) > LAG;
}

/** Return the outline of a belt around a flipper's two wheels, seen from the robot's right; flippers 0 and 1 are in front. */
export function flipperSide(info: TracksInfo, flipper: number, angle: number): Point[] {
  const front = flipper < 2;
  const heading = front ? angle : FLAT - angle;
  const from: Point = [(front ? 0.5 : -0.5) * info.wheelbase, info.hub];
  const to: Point = [from[0] + info.length * Math.cos(heading), from[1] + info.length * Math.sin(heading)];
  const lean = Math.asin((info.hub - info.tip) / info.length);
  return [
    ...arc(from, info.hub, heading + FLAT / 2 - lean, heading + (3 * FLAT) / 2 + lean),
    ...arc(to, info.tip, heading - FLAT / 2 + lean, heading + FLAT / 2 - lean),
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

/** Return how far the robot reaches from its middle, whatever its flippers do. */
export function reachOf(info: TracksInfo): number {
  return 0.5 * info.wheelbase + info.length + info.tip;
}

/** Write points as SVG has them, y down. */
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
  return Array.from({ length: ARC + 1 }, (_, i): Point => {
    const angle = from + ((to - from) * i) / ARC;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}
