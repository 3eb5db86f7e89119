/** How finely and how often to draw, from how long drawing takes. Pure: values in, values out. */

import { least, remember, typical } from "./drawCosts.ts";

/** One way to draw: share of the full resolution, whether each pixel is lit by itself, whether things cast shadows. */
export interface Quality {
  readonly scale: number;
  readonly fine: boolean;
  readonly shadows: boolean;
}

/** As good as can be. */
export const FINEST: Quality = { scale: 1, fine: true, shadows: true };

/** Sharp, but plain. */
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
/** Without a graphics card nothing above this is tried while something moves. */
const SOFTWARE_STEP = 2;

export interface Budget {
  /** The finest step that may be tried. */
  readonly finest: number;
  /** Above this a cheaper step is taken; below half of it a finer one is tried (ms). */
  readonly slow: number;
  /** Step of the ladder. */
  readonly step: number;
  /** What the last pictures took, ms. */
  readonly times: readonly number[];
  /** Pictures drawn at this step. */
  readonly drawn: number;
  /** Pictures in a row that would leave room for a finer step. */
  readonly easy: number;
  /** How many of them it takes to try; doubles each time a try fails, so that the picture does not flicker. */
  readonly patience: number;
}

const SLOW = { card: 14, software: 25 };
/** The first pictures of a step compile and upload; they say nothing. */
const SETTLING = 3;
const PATIENCE = 90;
const LONGEST_PATIENCE = 3600;
/** A picture every third frame of a display (ms) is motion to the eye. */
const LIVELY = 48;
/** However slow, a picture twice a second. */
const LONGEST_WAIT = 500;
const LEAST_PIXELS = 4e5;
/** The processor begins with no more than this many pixels. */
const FIRST_PIXELS = 1.2e6;

/** Return where to begin with a picture of so many pixels. */
export function openBudget(software: boolean, pixels: number): Budget {
  const finest = software ? SOFTWARE_STEP : 0;
  let step = finest;
  while (software && step < LADDER.length - 1 && pixels * (LADDER[step]?.scale ?? 0) ** 2 > FIRST_PIXELS) step += 1;
  const slow = software ? SLOW.software : SLOW.card;
  return { finest, slow, step, times: [], drawn: 0, easy: 0, patience: PATIENCE };
}

/** Return how to draw what moves. */
export function qualityOf(budget: Budget): Quality {
  return LADDER[budget.step] ?? FINEST;
}

/** Return the budget after a picture that took so long; it has so many pixels in full. */
export function spend(budget: Budget, drawMs: number, pixels: number): Budget {
  const drawn = budget.drawn + 1;
  if (drawn <= SETTLING) return { ...budget, drawn, times: [Math.min(drawMs, ...budget.times)] };
  const times = remember(budget.times, drawMs);
  const usual = typical(times);
  const easy = usual < budget.slow / 2 ? budget.easy + 1 : 0;
  const now = { ...budget, drawn, easy, times };
  if (usual > budget.slow && worthwhile(budget.step + 1, pixels)) return cheaper(now);
  if (easy >= budget.patience && budget.step > budget.finest) return { ...now, step: budget.step - 1, drawn: 0, easy: 0 };
  return now;
}

/** A step must exist and leave enough pixels: with few, all else takes most of the time, and less is only blurred. */
function worthwhile(step: number, pixels: number): boolean {
  const quality = LADDER[step];
  return quality !== undefined && (quality.scale === 1 || quality.scale ** 2 * pixels >= LEAST_PIXELS);
}

function cheaper(budget: Budget): Budget {
  const failed = budget.drawn < budget.patience;
  const patience = failed ? Math.min(budget.patience * 2, LONGEST_PATIENCE) : budget.patience;
  return { ...budget, step: budget.step + 1, drawn: 0, easy: 0, patience };
}

/** Return how long to leave between the beginnings of two pictures (ms), so that drawing takes this share of the time.
 *
 * A picture that waited for the rest of the page, or for other programs, took none of their time. So `lively` asks for
 * twenty a second if drawing itself leaves room for that, however long each has to wait.
 */
export function pace(budget: Budget, share: number, lively: boolean): number {
  const usual = Math.min(typical(budget.times) / share, LONGEST_WAIT);
  return lively ? Math.min(usual, Math.max(least(budget.times) / share, LIVELY)) : usual;
}

/** A picture at rest may take so long (ms), and is made coarser for it only down to this many pixels. */
const REST_MS = 600;
const REST_PIXELS = 1.3e6;

/** Return how to draw what is at rest, from what a million fine pixels take (ms): fine if there is time, sharp at least. */
export function restQuality(msPerMegapixel: number, pixels: number): Quality {
  const affordable = Math.sqrt(REST_MS / Math.max((msPerMegapixel * pixels) / 1e6, 1e-6));
  if (affordable ** 2 * pixels < Math.min(REST_PIXELS, pixels)) return SHARP;
  return { ...FINEST, scale: Math.min(1, affordable) };
}

/** Return whether a picture drawn so is worth drawing after one drawn like `last`. */
export function finer(quality: Quality, last: Quality | null): boolean {
  if (last === null || (quality.shadows && !last.shadows)) return true;
  return quality.shadows === last.shadows && quality.scale >= last.scale * 1.15;
}
