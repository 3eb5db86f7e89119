/** How finely and how often to draw, from how long drawing takes. Pure: values in, values out. */

/** One way to draw: share of the full resolution, whether each pixel is lit by itself, whether things cast shadows. */
export interface Quality {
  readonly scale: number;
  readonly fine: boolean;
  readonly shadows: boolean;
}

/** As good as can be. */
export const FINEST: Quality = { scale: 1, fine: true, shadows: true };

/** From finest to cheapest. */
export const LADDER: readonly Quality[] = [
  FINEST,
  { scale: 1, fine: true, shadows: false },
  { scale: 1, fine: false, shadows: false },
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
  /** What a picture takes, smoothed, ms. */
  readonly drawMs: number;
  /** Pictures drawn at this step. */
  readonly drawn: number;
  /** Pictures in a row that would leave room for a finer step. */
  readonly easy: number;
  /** How many of them it takes to try; doubles each time a try fails, so that the picture does not flicker. */
  readonly patience: number;
}

const SLOW = { card: 14, software: 25 };
const SMOOTHING = 0.25;
/** The first pictures of a step compile and upload; they say nothing. */
const SETTLING = 3;
const PATIENCE = 90;
const LONGEST_PATIENCE = 3600;
/** However slow, a picture twice a second. */
const LONGEST_WAIT = 500;
/** The processor begins with no more than this many pixels. */
const FIRST_PIXELS = 1.2e6;

/** Return where to begin with a picture of so many pixels. */
export function openBudget(software: boolean, pixels: number): Budget {
  const finest = software ? SOFTWARE_STEP : 0;
  let step = finest;
  while (software && step < LADDER.length - 1 && pixels * (LADDER[step]?.scale ?? 0) ** 2 > FIRST_PIXELS) step += 1;
  const slow = software ? SLOW.software : SLOW.card;
  return { finest, slow, step, drawMs: 0, drawn: 0, easy: 0, patience: PATIENCE };
}

export function qualityOf(budget: Budget): Quality {
  return LADDER[budget.step] ?? FINEST;
}

/** Return the budget after a picture that took so long. */
export function spend(budget: Budget, drawMs: number): Budget {
  const drawn = budget.drawn + 1;
  if (drawn <= SETTLING) return { ...budget, drawn, drawMs };
  const smooth = budget.drawMs + (drawMs - budget.drawMs) * SMOOTHING;
  const easy = smooth < budget.slow / 2 ? budget.easy + 1 : 0;
  const now = { ...budget, drawn, easy, drawMs: smooth };
  if (smooth > budget.slow && budget.step < LADDER.length - 1) return cheaper(now);
  if (easy >= budget.patience && budget.step > budget.finest) return { ...now, step: budget.step - 1, drawn: 0, easy: 0 };
  return now;
}

function cheaper(budget: Budget): Budget {
  const failed = budget.drawn < budget.patience;
  const patience = failed ? Math.min(budget.patience * 2, LONGEST_PATIENCE) : budget.patience;
  return { ...budget, step: budget.step + 1, drawn: 0, easy: 0, patience };
}

/** Return how long to leave between the beginnings of two pictures (ms), so that drawing takes this share of the time. */
export function pace(budget: Budget, share: number): number {
  return Math.min(budget.drawMs / share, LONGEST_WAIT);
}

/** A picture at rest may take so long (ms), and is not made coarser than this to stay within it. */
const REST_MS = 800;
const REST_SCALE = 0.75;

/** Return the scale of the fine picture at rest, from what a million fine pixels take (ms). */
export function restScale(msPerMegapixel: number, pixels: number): number {
  const affordable = Math.sqrt(REST_MS / Math.max((msPerMegapixel * pixels) / 1e6, 1e-6));
  return Math.min(1, Math.max(REST_SCALE, affordable));
}
