/** Statistics of the last drawing times; any of them may include waiting for other work. Pure. */

const KEPT_TIMES = 5;

/** Return the last few times with one more, ms. */
export function remember(times: readonly number[], ms: number): readonly number[] {
  return [...times, ms].slice(-KEPT_TIMES);
}

/** Return the median time, ms; 0 if there is none. */
export function typical(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[(times.length - 1) >> 1] ?? 0;
}

/** Return the shortest time, ms, which has the least waiting in it; 0 if there is none. */
export function least(times: readonly number[]): number {
  return times.length === 0 ? 0 : Math.min(...times);
}
