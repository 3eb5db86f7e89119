/** How a camera's picture can be made worse on purpose, to train for the day when it is. Pure. */

import type { DegradeCamera } from "../wire.gen.ts";

/** What makes a picture worse, as the server takes it. */
export type Degrading = Omit<DegradeCamera, "type" | "robot" | "camera">;

/** One way to be worse. */
export interface Flaw {
  readonly name: string;
  /** A sentence about it. */
  readonly words: string;
  /** How bad it is made from here. */
  readonly bad: Degrading;
}

/** What a picture is like that nobody made worse. */
const GOOD = { resolution: 1, rate: 0, noise: 0, delay: 0, frozen: false } as const;

export const FLAWS: readonly Flaw[] = [
  { name: "Coarse", words: "An eighth of the pixels in each direction", bad: { resolution: 0.125 } },
  { name: "Noisy", words: "Grain, as of a weak signal", bad: { noise: 0.3 } },
  { name: "Rare", words: "One picture a second", bad: { rate: 1 } },
  { name: "Late", words: "What was to be seen 1.5 s ago", bad: { delay: 1.5 } },
  { name: "Frozen", words: "The last picture, again and again", bad: { frozen: true } },
];

/** Return whether a picture has this flaw, however bad. */
export function has(now: Degrading | null, { bad }: Flaw): boolean {
  return keysOf(bad).some((key) => (now?.[key] ?? GOOD[key]) !== GOOD[key]);
}

/** Return how to degrade a picture so that it has this flaw too, or no longer; its others stay as bad as they are. */
export function turned(now: Degrading | null, flaw: Flaw): Degrading {
  const others = Object.fromEntries(keysOf(GOOD).map((key) => [key, now?.[key] ?? GOOD[key]])) as Required<Degrading>;
  return { ...others, ...(has(now, flaw) ? Object.fromEntries(keysOf(flaw.bad).map((key) => [key, GOOD[key]])) : flaw.bad) };
}

function keysOf(part: Degrading): (keyof Degrading)[] {
  return Object.keys(part) as (keyof Degrading)[];
}
