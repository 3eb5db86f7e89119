/** The scales of the hand's motion: what they are called, and which follows which. */

/** Return how a scale is written: "2×", "1×", "1/5". */
export function scaleWords(scale: number): string {
  return scale >= 1 ? `${Number(scale.toFixed(2))}×` : `1/${Number((1 / scale).toFixed(1))}`;
}

/** Return the scale after the one nearest to what is chosen; the first follows the last. Null without any. */
export function scaleAfter(scales: readonly number[], chosen: number): number | null {
  const away = scales.map((scale) => Math.abs(Math.log(scale / chosen)));
  const nearest = away.indexOf(Math.min(...away));
  return scales[(nearest + 1) % scales.length] ?? null;
}
