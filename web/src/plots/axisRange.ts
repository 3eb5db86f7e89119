/** The range of a plot's axis: the samples with a margin, and a least span so that noise does not look like motion. Pure. */

/** Least span by unit. */
const MIN_SPAN: Readonly<Record<string, number>> = { N: 2, Nm: 0.5, m: 0.01, "°": 2, "°/s": 2, mm: 10, rad: 0.02, "m/s": 0.01, "rad/s": 0.02, ms: 1 };
/** Margin above and below, as a share of the span. */
const MARGIN = 0.12;
const MAX_DECIMALS = 6;

/** Return the range of the axis for samples between two values, null where there are none. */
export function axisRange(lowest: number | null, highest: number | null, unit: string): [number, number] {
  if (lowest === null || highest === null || !Number.isFinite(lowest) || !Number.isFinite(highest)) return [0, 1];
  const least = Math.max(MIN_SPAN[unit] ?? 1e-3, 1e-6 * Math.max(Math.abs(lowest), Math.abs(highest)));
  const span = Math.max(highest - lowest, least);
  const middle = (lowest + highest) / 2;
  const half = span * (0.5 + MARGIN);
  return [middle - half, middle + half];
}

/** Return the decimals of axis marks with this distance. */
export function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals += 1) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 && Math.round(scaled) > 0) return decimals;
  }
  return MAX_DECIMALS;
}
