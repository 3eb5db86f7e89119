/** How the world is lit, as plain numbers: both ways of drawing take their light from here and look alike. */

/** A light from far away: where it comes from, its colour, and how strong it is (π lights white paper fully). */
export interface Sun {
  readonly from: readonly [number, number, number];
  readonly colour: number;
  readonly strength: number;
}

/** Warm, from above and the left of the first sight; the only one that casts shadows. */
export const KEY: Sun = { from: unit([-0.55, -0.46, 1.0]), colour: 0xfff4e6, strength: 0.78 * Math.PI };
/** Cool and faint, from behind: parts edges from the dark. */
export const RIM: Sun = { from: unit([0.85, 0.1, 0.4]), colour: 0xb4d2ea, strength: 0.2 * Math.PI };
/** From everywhere: the sky above, the floor's reflection below. */
export const DOME = { sky: 0xe2edf5, ground: 0x7a7e80, strength: 0.58 * Math.PI } as const;

function unit([x, y, z]: readonly [number, number, number]): readonly [number, number, number] {
  const size = Math.hypot(x, y, z);
  return [x / size, y / size, z / size];
}
