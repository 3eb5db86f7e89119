/** The gaps between arrows around a point. Pure. */

/** Return the middles of the gaps between directions (rad), the widest gap first. */
export function gaps(directions: readonly number[]): number[] {
  const sorted = [...directions].sort((a, b) => a - b);
  const found = sorted.map((from, i) => {
    const to = sorted[i + 1] ?? (sorted[0] ?? 0) + 2 * Math.PI;
    return { middle: (from + to) / 2, width: to - from };
  });
  return found.sort((a, b) => b.width - a.width).map((gap) => gap.middle);
}
