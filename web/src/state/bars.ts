/** Where a joint's marker stands on its bar. Pure. */

import type { JointInfo } from "../wire.gen.ts";

/** Share of the bar left free beyond each limit. */
const MARGIN = 0.06;
/** Share of the range next to a limit that counts as near. */
const NEAR = 0.05;
const TURN = 2 * Math.PI;

export interface Bar {
  /** Place of the marker, 0 to 1. */
  readonly at: number;
  /** The range between the limits, 0 to 1; null for a joint without limits. */
  readonly range: readonly [number, number] | null;
  readonly near: boolean;
}

/** Return how to draw a joint at this position. */
export function bar(joint: Pick<JointInfo, "lower" | "upper">, position: number): Bar {
  const { lower, upper } = joint;
  if (lower === null || upper === null || upper <= lower) {
    const turned = (((position + Math.PI) % TURN) + TURN) % TURN;
    return { at: turned / TURN, range: null, near: false };
  }
  const share = (position - lower) / (upper - lower);
  const at = MARGIN + share * (1 - 2 * MARGIN);
  return { at: Math.max(0, Math.min(1, at)), range: [MARGIN, 1 - MARGIN], near: share < NEAR || share > 1 - NEAR };
}

/** Return how to draw a gripper's opening: filled as far as it is open. */
export function gripBar(opening: number, widest: number): Bar {
  const share = widest > 0 ? Math.max(0, Math.min(1, opening / widest)) : 0;
  return { at: share, range: [0, share], near: false };
}
