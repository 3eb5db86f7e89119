/** The layout of a joint's bar: its marker, its range, and the parts an obstacle blocks. Pure. */

import type { JointInfo } from "../wire.gen.ts";

/** Share of the bar left free beyond each limit. */
const MARGIN = 0.06;
/** Share of the range next to a joint limit, and next to an obstacle, that counts as near. */
const NEAR_LIMIT = 0.05;
const NEAR_OBSTACLE = 0.02;
/** Blocked share of the range from which it is shown. */
const SHOWN_BLOCKED = 0.01;
const TURN = 2 * Math.PI;

/** From, to: shares of the bar, 0 to 1. */
export type BarSpan = readonly [number, number];

export interface Bar {
  /** Place of the marker, 0 to 1. */
  readonly at: number;
  /** The range between the limits; null for a joint without limits. */
  readonly range: BarSpan | null;
  /** Parts of the range that an obstacle blocks now. */
  readonly shut: readonly BarSpan[];
  readonly near: boolean;
}

/** Return the bar of a joint at a position; `free` is the range that no obstacle blocks. */
export function bar(joint: Pick<JointInfo, "lower" | "upper">, position: number, free: BarSpan | null = null): Bar {
  const { lower, upper } = joint;
  if (lower === null || upper === null || upper <= lower) {
    const turned = (((position + Math.PI) % TURN) + TURN) % TURN;
    return { at: turned / TURN, range: null, shut: [], near: false };
  }
  const shareOf = (value: number): number => (value - lower) / (upper - lower);
  const share = shareOf(position);
  const [from, to] = free === null ? [0, 1] : [clamped(shareOf(free[0])), clamped(shareOf(free[1]))];
  const shut: BarSpan[] = [];
  if (from > SHOWN_BLOCKED) shut.push([MARGIN, placeOf(from)]);
  if (to < 1 - SHOWN_BLOCKED) shut.push([placeOf(to), 1 - MARGIN]);
  const atStart = from > SHOWN_BLOCKED && share < from + NEAR_OBSTACLE;
  const atEnd = to < 1 - SHOWN_BLOCKED && share > to - NEAR_OBSTACLE;
  const near = share < NEAR_LIMIT || share > 1 - NEAR_LIMIT || atStart || atEnd;
  return { at: clamped(placeOf(share)), range: [MARGIN, 1 - MARGIN], shut, near };
}

/** Return the bar of a gripper, filled as far as it is open. */
export function gripBar(opening: number, widest: number): Bar {
  const share = widest > 0 ? clamped(opening / widest) : 0;
  return { at: share, range: [0, share], shut: [], near: false };
}

function placeOf(share: number): number {
  return MARGIN + share * (1 - 2 * MARGIN);
}

function clamped(share: number): number {
  return Math.max(0, Math.min(1, share));
}
