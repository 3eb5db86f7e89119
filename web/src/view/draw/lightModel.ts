/** The lights as plain numbers, shared by both manners of drawing so that they look alike. */

/** A distant light: its direction, colour and strength (π lights white paper fully). */
export interface Sun {
  readonly from: readonly [number, number, number];
  readonly colour: number;
  readonly strength: number;
}

/** Warm, from above and the left of the home view; the only light that casts shadows. */
export const KEY: Sun = { from: unit([-0.55, -0.46, 1.0]), colour: 0xfff4e6, strength: 0.78 * Math.PI };
/** Cool and faint, from behind: it lifts edges from the dark. */
export const RIM: Sun = { from: unit([0.85, 0.1, 0.4]), colour: 0xb4d2ea, strength: 0.2 * Math.PI };
/** From all around: the sky above, the floor's reflection below. */
export const DOME = { sky: 0xe2edf5, ground: 0x7a7e80, strength: 0.58 * Math.PI } as const;

function unit([x, y, z]: readonly [number, number, number]): readonly [number, number, number] {
  const size = Math.hypot(x, y, z);
  return [x / size, y / size, z / size];
}
