/** The clearance tone: beats that become higher and faster as the arm nears an obstacle, then a steady tone. Pure. */

import { closeness } from "../state/clearance.ts";
import type { NearNow } from "../state/model.ts";

/** Clearance below which the tone is heard, m. */
const HEARD_M = 0.05;
/** Pitch where the tone begins and at the obstacle's margin, Hz. */
const PITCH_HZ = { far: 330, near: 660 };
/** Beats, likewise, Hz. */
const BEAT_HZ = { far: 2, near: 10 };
/** Share of full loudness: half as loud where the arm may touch. */
const LOUDNESS = { never: 0.05, gently: 0.025 };

export interface Sound {
  /** Hz. */
  readonly pitch: number;
  /** Beats, Hz; 0 for a steady tone. */
  readonly beat: number;
  /** Share of full loudness. */
  readonly loud: number;
}

/** Return the tone for the nearest pair; null for silence, also where the arm touches as it may. */
export function soundOf(near: Pick<NearNow, "room" | "gently"> | null): Sound | null {
  if (near === null || near.room >= HEARD_M) return null;
  const shut = closeness(near) === "shut";
  if (shut && near.gently) return null;
  const loud = near.gently ? LOUDNESS.gently : LOUDNESS.never;
  if (shut) return { pitch: PITCH_HZ.near, beat: 0, loud };
  const share = 1 - near.room / HEARD_M;
  return {
    pitch: Math.round(PITCH_HZ.far * (PITCH_HZ.near / PITCH_HZ.far) ** share),
    beat: Math.round(10 * (BEAT_HZ.far + share * (BEAT_HZ.near - BEAT_HZ.far))) / 10,
    loud,
  };
}
