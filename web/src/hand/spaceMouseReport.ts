/**
 * Reads the reports of a SpaceMouse (3Dconnexion). Pure.
 *
 *   report 1: shift along the device's axes, three int16; some models append the turns, six int16
 *   report 2: turn about them
 *   report 3: a bit for each button
 *
 * The device's x points right, y towards the operator, z down. Here x is forward, y left, z up, as everywhere.
 */

/** The state of cap and buttons. */
export interface SpaceMouseState {
  /** Forward, left, up, then turns about these, from -1 to 1. */
  readonly axes: readonly number[];
  /** 1 for a pressed button. */
  readonly buttons: readonly number[];
}

/** Counts at full deflection. */
const FULL_COUNTS = 350;
const MAX_BUTTONS = 32;

/** The state at rest; every model has at least two buttons. */
export const AT_REST: SpaceMouseState = { axes: [0, 0, 0, 0, 0, 0], buttons: [0, 0] };

/** Return the state after a report; reports of other kinds change nothing. */
export function decode(state: SpaceMouseState, report: number, data: DataView): SpaceMouseState {
  const [x, y, z, roll, pitch, yaw] = state.axes as [number, number, number, number, number, number];
  switch (report) {
    case 1:
      if (data.byteLength >= 12) return { ...state, axes: [...turned(data, 0), ...turned(data, 6)] };
      return data.byteLength >= 6 ? { ...state, axes: [...turned(data, 0), roll, pitch, yaw] } : state;
    case 2:
      return data.byteLength >= 6 ? { ...state, axes: [x, y, z, ...turned(data, 0)] } : state;
    case 3:
      return { ...state, buttons: pressed(data, state.buttons.length) };
    default:
      return state;
  }
}

/** Return three counts in our axes, as shares of the full deflection. */
function turned(data: DataView, at: number): [number, number, number] {
  const share = (offset: number): number => Math.max(-1, Math.min(1, data.getInt16(at + offset, true) / FULL_COUNTS));
  return [0 - share(2), 0 - share(0), 0 - share(4)];
}

/** Return the buttons; the device tells of a button only once it is pressed. */
function pressed(data: DataView, known: number): number[] {
  const bit = (index: number): number => (data.getUint8(index >> 3) >> (index & 7)) & 1;
  const bits = Array.from({ length: Math.min(data.byteLength * 8, MAX_BUTTONS) }, (_, index) => bit(index));
  return Array.from({ length: Math.max(known, bits.lastIndexOf(1) + 1) }, (_, index) => bits[index] ?? 0);
}
