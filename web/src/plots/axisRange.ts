/** The height of a plot: what is in it with some air, and never so little that noise looks like motion. Pure. */

const LEAST: Readonly<Record<string, number>> = { N: 2, Nm: 0.5, m: 0.01, "°": 2, "°/s": 2, mm: 10, rad: 0.02, "m/s": 0.01, "rad/s": 0.02, ms: 1 };
const AIR = 0.12;
const MOST_DECIMALS = 6;

/** Return the range to show for samples between these, null where there are none. */
export function heightOf(lowest: number | null, highest: number | null, unit: string): [number, number] {
  if (lowest === null || highest === null || !Number.isFinite(lowest) || !Number.isFinite(highest)) return [0, 1];
  const least = Math.max(LEAST[unit] ?? 1e-3, 1e-6 * Math.max(Math.abs(lowest), Math.abs(highest)));
  const span = Math.max(highest - lowest, least);
  const middle = (lowest + highest) / 2;
  const half = span * (0.5 + AIR);
  return [middle - half, middle + half];
}

/** Return how many decimals the marks of an axis need when they are this far apart. */
export function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals += 1) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 && Math.round(scaled) > 0) return decimals;
  }
  return MOST_DECIMALS;
}
