/** What an arm that comes near to something sounds like: beats that grow higher and quicker, then no break. Pure. */

import { closeness } from "../state/clearance.ts";
import type { NearNow } from "../state/model.ts";

/** Metres of room below which it is heard. */
const HEARD = 0.05;
/** Hz, where it begins and at the bound. */
const PITCH = { far: 330, near: 660 };
/** Beats a second, likewise. */
const BEAT = { far: 2, near: 10 };
/** Share of full loudness. What may be touched is worth half a warning. */
const LOUD = { never: 0.05, gently: 0.025 };

export interface Sound {
  /** Hz. */
  readonly pitch: number;
  /** Beats a second; 0: without a break. */
  readonly beat: number;
  /** Share of full loudness. */
  readonly loud: number;
}

/** Return what is heard of the nearest pair; null for silence. What is touched, and may be, makes no sound. */
export function soundOf(near: Pick<NearNow, "room" | "gently"> | null): Sound | null {
  if (near === null || near.room >= HEARD) return null;
  const shut = closeness(near) === "shut";
  if (shut && near.gently) return null;
  const loud = near.gently ? LOUD.gently : LOUD.never;
  if (shut) return { pitch: PITCH.near, beat: 0, loud };
  const share = 1 - near.room / HEARD;
  return {
    pitch: Math.round(PITCH.far * (PITCH.near / PITCH.far) ** share),
    beat: Math.round(10 * (BEAT.far + share * (BEAT.near - BEAT.far))) / 10,
    loud,
  };
}
