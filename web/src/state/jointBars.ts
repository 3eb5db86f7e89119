/** Where a joint's marker stands on its bar. Pure. */

import type { JointInfo } from "../wire.gen.ts";

/** Share of the bar left free beyond each limit. */
const MARGIN = 0.06;
/** Share of the range next to a limit that counts as near; what is in the way gives notice later. */
const NEAR = 0.05;
const NEAR_SHUT = 0.02;
/** Share of the range that must be shut before it is told. */
const TOLD = 0.01;
const TURN = 2 * Math.PI;

/** From, to: shares of the bar, 0 to 1. */
export type Part = readonly [number, number];

export interface Bar {
  /** Place of the marker, 0 to 1. */
  readonly at: number;
  /** The range between the limits; null for a joint without limits. */
  readonly range: Part | null;
  /** Parts of the range that cannot be reached now: something is in the way. */
  readonly shut: readonly Part[];
  readonly near: boolean;
}

/** Return how to draw a joint at this position; `reach` is how far it may go now. */
export function bar(joint: Pick<JointInfo, "lower" | "upper">, position: number, reach: Part | null = null): Bar {
  const { lower, upper } = joint;
  if (lower === null || upper === null || upper <= lower) {
    const turned = (((position + Math.PI) % TURN) + TURN) % TURN;
    return { at: turned / TURN, range: null, shut: [], near: false };
  }
  const shareOf = (value: number): number => (value - lower) / (upper - lower);
  const share = shareOf(position);
  const [from, to] = reach === null ? [0, 1] : [clamped(shareOf(reach[0])), clamped(shareOf(reach[1]))];
  const shut: Part[] = [];
  if (from > TOLD) shut.push([MARGIN, placeOf(from)]);
  if (to < 1 - TOLD) shut.push([placeOf(to), 1 - MARGIN]);
  const stopped = (from > TOLD && share < from + NEAR_SHUT) || (to < 1 - TOLD && share > to - NEAR_SHUT);
  const near = share < NEAR || share > 1 - NEAR || stopped;
  return { at: clamped(placeOf(share)), range: [MARGIN, 1 - MARGIN], shut, near };
}

/** Return how to draw a gripper's opening: filled as far as it is open. */
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
