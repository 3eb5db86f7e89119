/**
 * Reads the reports of a SpaceMouse (3Dconnexion). Pure.
 *
 *   report 1: shift along the device's axes, three int16, or six with the turns behind them
 *   report 2: turn about them
 *   report 3: a bit for each button
 *
 * The device's x points right, y towards the operator, z down. Here x is forward, y left, z up, as everywhere.
 */

/** What the cap and the buttons say. */
export interface Puck {
  /** Forward, left, up, then turns about these, from -1 to 1. */
  readonly axes: readonly number[];
  /** 1 for a pressed button. */
  readonly buttons: readonly number[];
}

/** Counts at full deflection. */
const FULL = 350;
const MOST_BUTTONS = 32;

/** Every one has at least two buttons. */
export const AT_REST: Puck = { axes: [0, 0, 0, 0, 0, 0], buttons: [0, 0] };

/** Return what is held after a report; one that is none of these changes nothing. */
export function decode(puck: Puck, report: number, data: DataView): Puck {
  const [x, y, z, roll, pitch, yaw] = puck.axes as [number, number, number, number, number, number];
  switch (report) {
    case 1:
      if (data.byteLength >= 12) return { ...puck, axes: [...turned(data, 0), ...turned(data, 6)] };
      return data.byteLength >= 6 ? { ...puck, axes: [...turned(data, 0), roll, pitch, yaw] } : puck;
    case 2:
      return data.byteLength >= 6 ? { ...puck, axes: [x, y, z, ...turned(data, 0)] } : puck;
    case 3:
      return { ...puck, buttons: pressed(data, puck.buttons.length) };
    default:
      return puck;
  }
}

/** Return three counts, turned into our axes, as shares of the full deflection. */
function turned(data: DataView, at: number): [number, number, number] {
  const share = (offset: number): number => Math.max(-1, Math.min(1, data.getInt16(at + offset, true) / FULL));
  return [0 - share(2), 0 - share(0), 0 - share(4)];
}

/** Return the buttons; how many there are shows only when they are pressed. */
function pressed(data: DataView, known: number): number[] {
  const bit = (index: number): number => (data.getUint8(index >> 3) >> (index & 7)) & 1;
  const bits = Array.from({ length: Math.min(data.byteLength * 8, MOST_BUTTONS) }, (_, index) => bit(index));
  return Array.from({ length: Math.max(known, bits.lastIndexOf(1) + 1) }, (_, index) => bits[index] ?? 0);
}
