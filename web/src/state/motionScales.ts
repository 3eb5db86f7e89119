/** The motion scales: how they are written, and their order. Pure. */

import { texts } from "../language/language.ts";

/** Return a scale as text: "2×", "1×", "1/5". */
export function scaleText(scale: number): string {
  const text = scale >= 1 ? `${Number(scale.toFixed(2))}×` : `1/${Number((1 / scale).toFixed(1))}`;
  return text.replace(".", texts().decimal);
}

/** Return the scale after the one nearest to the chosen scale; the first follows the last. Null without any. */
export function scaleAfter(scales: readonly number[], chosen: number): number | null {
  const distances = scales.map((scale) => Math.abs(Math.log(scale / chosen)));
  const nearest = distances.indexOf(Math.min(...distances));
  return scales[(nearest + 1) % scales.length] ?? null;
}
