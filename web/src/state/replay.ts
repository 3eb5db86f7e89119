/** The timeline of a replayed record: marks, times as text, the next mark. Pure functions. */

import type { MarkInfo, ReplayInfo } from "../wire.gen.ts";
import { fixed } from "./format.ts";

/** The speeds that can be chosen. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16] as const;
/** A mark this near to the moment (s) is where we are, not the next one. */
const SAME_S = 0.02;
const MINUTE_S = 60;

/** Return a time with hundredths, as in 1:02.50; hours where there are any. */
export function exactClock(seconds: number): string {
  const hundredths = Math.max(0, Math.round(seconds * 100));
  const rest = (hundredths % (MINUTE_S * 100)) / 100;
  const minutes = Math.floor(hundredths / (MINUTE_S * 100));
  const tail = `${rest < 10 ? "0" : ""}${fixed(rest, 2)}`;
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** Return the seconds of a time such as 83.5, 1:23.5 or 1:02:03; null if it is none. */
export function parseClock(text: string): number | null {
  const parts = text.trim().replace(",", ".").split(":");
  if (parts.length > 3 || parts.some((part) => !/^\d+(\.\d*)?$/.test(part))) return null;
  return parts.reduce((sum, part) => sum * MINUTE_S + Number(part), 0);
}

/** Return the moment in an address such as …#t=12.3; null if there is none. */
export function momentIn(hash: string): number | null {
  const given = new URLSearchParams(hash.replace(/^#/, "")).get("t");
  return given === null ? null : parseClock(given);
}

/** Return where a moment lies in the record, from 0 to 1. */
export function shareOf(info: ReplayInfo, moment: number): number {
  const length = info.last - info.first;
  return length <= 0 ? 0 : Math.min(1, Math.max(0, (moment - info.first) / length));
}

/** Return the moment at a place from 0 to 1. */
export function momentAt(info: ReplayInfo, share: number): number {
  return info.first + Math.min(1, Math.max(0, share)) * (info.last - info.first);
}

/** Return the time of the next mark, or of the previous one; null if there is none. */
export function markFrom(marks: readonly MarkInfo[], moment: number, direction: 1 | -1): number | null {
  const times = marks.flatMap((mark) => (mark.last > mark.first ? [mark.first, mark.last] : [mark.first])).sort((a, b) => a - b);
  const found = direction > 0 ? times.find((time) => time > moment + SAME_S) : times.findLast((time) => time < moment - SAME_S);
  return found ?? null;
}

/** Return the shortest span (an episode) that contains a moment; null if there is none. */
export function spanAt(marks: readonly MarkInfo[], moment: number): MarkInfo | null {
  const spans = marks.filter((mark) => mark.kind === "episode" && mark.first <= moment && moment <= mark.last);
  return spans.sort((a, b) => a.last - a.first - (b.last - b.first))[0] ?? null;
}

/** Return the next speed of the list, keeping the direction. */
export function speedAfter(speed: number, direction: 1 | -1): number {
  const now = Math.abs(speed);
  const found = direction > 0 ? SPEEDS.find((each) => each > now * 1.01) : SPEEDS.findLast((each) => each < now * 0.99);
  return Math.sign(speed) * (found ?? now);
}
