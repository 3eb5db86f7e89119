/** The length and the progress of taught paths as text. Pure. */

import { texts } from "../language/language.ts";

import type { MoveInfo } from "../wire.gen.ts";

/** Return the length of a path: its duration, or the number of its points. */
export function pathLength(move: MoveInfo): string {
  return move.seconds > 0 ? `${String(move.seconds).replace(".", texts().decimal)} s` : texts().paths.points(move.points);
}

/** Return the progress of a path that is being taught. */
export function teachingProgress(points: number, recording: boolean): string {
  const labels = texts().paths;
  const counted = labels.points(points);
  return recording ? labels.recordingProgress(counted) : labels.teachingProgress(counted);
}
