/** What pictures take, from the last few: any of them may have had to wait for something else. Pure. */

const KEPT = 5;

/** Return the last few times (ms) and one more. */
export function remember(times: readonly number[], ms: number): readonly number[] {
  return [...times, ms].slice(-KEPT);
}

/** Return what a picture usually takes: the middle one, so that a late one is no news. 0 if nothing is known. */
export function typical(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[(times.length - 1) >> 1] ?? 0;
}

/** Return what drawing itself takes: the quickest one waited for nothing else, or for least. 0 if nothing is known. */
export function least(times: readonly number[]): number {
  return times.length === 0 ? 0 : Math.min(...times);
}
