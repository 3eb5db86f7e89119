/** Thins samples for drawing: the lowest and the highest of each bucket are kept, so that no peak is lost. */

import type { Window } from "./sampleTable.ts";

/** Columns as uPlot draws them; null is a gap. */
export type Drawn = [times: number[], ...columns: (number | null)[][]];

/** Return at most `2 * buckets` rows that look the same. */
export function thin(window: Window, buckets: number): Drawn {
  const rows = window.times.length;
  const size = Math.max(1, Math.ceil(rows / Math.max(1, buckets)));
  if (size <= 2) return [[...window.times], ...window.columns.map((column) => Array.from(column, drawable))];
  const times: number[] = [];
  const columns = window.columns.map((): (number | null)[] => []);
  for (let start = 0; start < rows; start += size) {
    const end = Math.min(start + size, rows);
    times.push(window.times[start] ?? 0, window.times[end - 1] ?? 0);
    window.columns.forEach((column, index) => columns[index]?.push(...extremes(column, start, end)));
  }
  return [times, ...columns];
}

/** Return the lowest and the highest sample, in order of time. */
function extremes(column: Float32Array, start: number, end: number): [number | null, number | null] {
  let low = -1;
  let high = -1;
  for (let row = start; row < end; row += 1) {
    const value = column[row] ?? NaN;
    if (Number.isNaN(value)) continue;
    if (low < 0 || value < (column[low] ?? 0)) low = row;
    if (high < 0 || value > (column[high] ?? 0)) high = row;
  }
  if (low < 0) return [null, null];
  const [first, second] = low <= high ? [low, high] : [high, low];
  return [column[first] ?? null, column[second] ?? null];
}

function drawable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
