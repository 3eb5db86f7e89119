/** Profiles: which input of a gamepad or console deflects which axis or starts which action. Saved per device id. */

import { texts } from "../language/language.ts";
import { CAMERA_KEYS, type Action } from "./axesAndActions.ts";

/** "standard": the W3C's gamepad; "spacemouse": a cap with six axes; "": unknown. */
export type Layout = "" | "standard" | "spacemouse";

/** The inputs of a device at one instant. */
export interface PadState {
  readonly id: string;
  readonly layout: Layout;
  readonly axes: readonly number[];
  /** Pressure of each button, 0 to 1. */
  readonly buttons: readonly number[];
}

/** One direction of an axis, or a button: 0 at `rest`, 1 at `full`. */
export interface Input {
  readonly on: "axis" | "button";
  readonly index: number;
  readonly rest: number;
  readonly full: number;
}

/** The inputs that deflect one axis of the robot. */
export interface Deflection {
  readonly plus: Input | null;
  readonly minus: Input | null;
  readonly invert: boolean;
  /** Share of the deflection around rest that is ignored. */
  readonly deadZone: number;
}

/** A function of a button. */
export type Push = "deadman" | "stop" | Action;

export interface Profile {
  readonly motions: Readonly<Record<string, Deflection>>;
  readonly pushes: Readonly<Partial<Record<Push, Input>>>;
}

export const EMPTY_PROFILE: Profile = { motions: {}, pushes: {} };
export const DEAD_ZONE = 0.12;
export const PUSHES: readonly Push[] = [
  ...(["deadman", "stop", "reset", "mapping", "drive", "flippers", "arm", "park"] as const),
  ...(["scale", "slower", "faster", "home", "free", "camera-next", "overview", ...CAMERA_KEYS] as const),
];

/** Return the text of a button's function. */
export function pushText(push: Push): string {
  const { pushes } = texts().devices;
  if (push === "deadman" || push === "stop" || push === "scale" || push === "free") return pushes[push];
  return texts().keys.actions[push];
}

export function button(index: number): Input {
  return { on: "button", index, rest: 0, full: 1 };
}

/** Return both directions of an axis that rests in its middle; `full` is the end that means plus. */
export function stick(index: number, full: 1 | -1): Deflection {
  const towards = (end: number): Input => ({ on: "axis", index, rest: 0, full: end });
  return { plus: towards(full), minus: towards(-full), invert: false, deadZone: DEAD_ZONE };
}

export function pair(plus: number, minus: number): Deflection {
  return { plus: button(plus), minus: button(minus), invert: false, deadZone: 0 };
}

/** Return whether a saved value is a profile. */
export function isProfile(value: unknown): value is Profile {
  if (!isObject(value) || !isObject(value.motions) || !isObject(value.pushes)) return false;
  return Object.values(value.motions).every(isDeflection) && Object.values(value.pushes).every(isInput);
}

function isDeflection(value: unknown): value is Deflection {
  if (!isObject(value)) return false;
  const ends = [value.plus, value.minus].every((end) => end === null || isInput(end));
  return ends && typeof value.invert === "boolean" && Number.isFinite(value.deadZone);
}

function isInput(value: unknown): value is Input {
  if (!isObject(value)) return false;
  const known = value.on === "axis" || value.on === "button";
  return known && Number.isInteger(value.index) && Number.isFinite(value.rest) && Number.isFinite(value.full);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
