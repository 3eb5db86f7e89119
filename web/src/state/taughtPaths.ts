/** Words about taught moves. */

import type { MoveInfo } from "../wire.gen.ts";

/** Return how long a move is: in seconds, or by its points. */
export function moveWords(move: MoveInfo): string {
  return move.seconds > 0 ? `${move.seconds} s` : count(move.points);
}

/** Return how far a lesson is. */
export function lessonWords(points: number, recording: boolean): string {
  return recording ? `Recording: drive the arm. ${count(points)} so far.` : `${count(points)} so far. Drive on, and add the next.`;
}

function count(points: number): string {
  return points === 1 ? "1 point" : `${points} points`;
}
