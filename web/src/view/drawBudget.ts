/** The quality and the rate of drawing, from the time that drawing takes. Pure. */

import { least, remember, typical } from "./drawCosts.ts";

/** A quality: share of the full resolution, lighting per pixel, shadows. */
export interface Quality {
  readonly scale: number;
  readonly fine: boolean;
  readonly shadows: boolean;
}

/** The finest quality. */
export const FINEST: Quality = { scale: 1, fine: true, shadows: true };

/** Full resolution without lighting per pixel and shadows. */
export const SHARP: Quality = { scale: 1, fine: false, shadows: false };

/** From finest to cheapest. */
export const LADDER: readonly Quality[] = [
  FINEST,
  { scale: 1, fine: true, shadows: false },
  SHARP,
  { scale: 0.85, fine: false, shadows: false },
  { scale: 0.7, fine: false, shadows: false },
  { scale: 0.6, fine: false, shadows: false },
  { scale: 0.5, fine: false, shadows: false },
];
/** Finest step without a graphics card while anything moves. */
const SOFTWARE_STEP = 2;

export interface Budget {
  /** The finest step that may be tried. */
  readonly finest: number;
  /** Time above which a cheaper step is taken; below half of it a finer one is tried, ms. */
  readonly slow: number;
  /** Step of the ladder. */
  readonly step: number;
  /** Times of the last pictures, ms. */
  readonly times: readonly number[];
  /** Pictures drawn at this step. */
  readonly drawn: number;
  /** Pictures in a row that would leave room for a finer step. */
  readonly easy: number;
  /** Number of easy pictures before a finer step is tried; doubles with each failed try, against flicker. */
  readonly triesAfter: number;
}

const SLOW_MS = { card: 14, software: 25 };
/** First pictures of a step that do not count: they compile shaders and upload data. */
const SETTLING_PICTURES = 3;
/** Easy pictures before a finer step is tried, at first and at most. */
const TRY_AFTER = 90;
const MAX_TRY_AFTER = 3600;
/** Longest time between pictures that still looks like motion, ms. */
const LIVELY_MS = 48;
/** Longest wait between two pictures, ms. */
const MAX_WAIT_MS = 500;
/** Fewest pixels that a coarser step may leave. */
const MIN_PIXELS = 4e5;
/** Most pixels to begin with, without a graphics card. */
const MAX_FIRST_PIXELS = 1.2e6;

/** Return the first budget for a picture of this many pixels. */
export function openBudget(software: boolean, pixels: number): Budget {
  const finest = software ? SOFTWARE_STEP : 0;
  let step = finest;
  while (software && step < LADDER.length - 1 && pixels * (LADDER[step]?.scale ?? 0) ** 2 > MAX_FIRST_PIXELS) step += 1;
  const slow = software ? SLOW_MS.software : SLOW_MS.card;
  return { finest, slow, step, times: [], drawn: 0, easy: 0, triesAfter: TRY_AFTER };
}

/** Return the quality for moving pictures. */
export function qualityOf(budget: Budget): Quality {
  return LADDER[budget.step] ?? FINEST;
}

/** Return the budget after a picture that took `drawMs`, of `pixels` at full resolution. */
export function spend(budget: Budget, drawMs: number, pixels: number): Budget {
  const drawn = budget.drawn + 1;
  if (drawn <= SETTLING_PICTURES) return { ...budget, drawn, times: [Math.min(drawMs, ...budget.times)] };
  const times = remember(budget.times, drawMs);
  const usual = typical(times);
  const easy = usual < budget.slow / 2 ? budget.easy + 1 : 0;
  const now = { ...budget, drawn, easy, times };
  if (usual > budget.slow && worthwhile(budget.step + 1, pixels)) return cheaper(now);
  if (easy >= budget.triesAfter && budget.step > budget.finest) return { ...now, step: budget.step - 1, drawn: 0, easy: 0 };
  return now;
}

/** Return whether a step exists and leaves enough pixels; with fewer, other work takes most of the time. */
function worthwhile(step: number, pixels: number): boolean {
  const quality = LADDER[step];
  return quality !== undefined && (quality.scale === 1 || quality.scale ** 2 * pixels >= MIN_PIXELS);
}

function cheaper(budget: Budget): Budget {
  const failed = budget.drawn < budget.triesAfter;
  const triesAfter = failed ? Math.min(budget.triesAfter * 2, MAX_TRY_AFTER) : budget.triesAfter;
  return { ...budget, step: budget.step + 1, drawn: 0, easy: 0, triesAfter };
}

/** Return the time between the starts of two pictures, ms, so that drawing takes this share of the time.
 *
 * Time that a picture spends waiting for the page or for other programs costs them nothing. So `lively` asks for twenty
 * pictures per second if drawing itself is fast enough, however long each one waits.
 */
export function pace(budget: Budget, share: number, lively: boolean): number {
  const usual = Math.min(typical(budget.times) / share, MAX_WAIT_MS);
  return lively ? Math.min(usual, Math.max(least(budget.times) / share, LIVELY_MS)) : usual;
}

/** Longest time for a picture at rest, ms, and the fewest pixels to which it may be coarsened for that. */
const MAX_REST_MS = 600;
const MIN_REST_PIXELS = 1.3e6;

/** Return the quality at rest, from the time of a million fine pixels, ms: fine if time allows, sharp at least. */
export function restQuality(msPerMegapixel: number, pixels: number): Quality {
  const affordable = Math.sqrt(MAX_REST_MS / Math.max((msPerMegapixel * pixels) / 1e6, 1e-6));
  if (affordable ** 2 * pixels < Math.min(MIN_REST_PIXELS, pixels)) return SHARP;
  return { ...FINEST, scale: Math.min(1, affordable) };
}

/** Return whether a quality is visibly finer than that of the last picture. */
export function finer(quality: Quality, last: Quality | null): boolean {
  if (last === null || (quality.shadows && !last.shadows)) return true;
  return quality.shadows === last.shadows && quality.scale >= last.scale * 1.15;
}
