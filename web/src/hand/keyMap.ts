/** The functions of keys, by a key's place on the keyboard (`KeyboardEvent.code`), so that every layout works alike. */

import { texts } from "../language/language.ts";
import { AIMS, FLIPPER_AXES, JOINT_AXES, TIP_AXES, TRACK_AXES, axisText, type Action } from "./axesAndActions.ts";

/** Function → code. Functions are axes with a sign ("x+", "joint:0-") and actions ("home"). */
export type KeyMap = Readonly<Record<string, string>>;

/** The context in which a function applies: one key may serve the tip, the joints, the tracks and the flippers. */
export type Context = "tip" | "joints" | "tracks" | "flippers" | "always";

export interface KeyFunction {
  readonly id: string;
  readonly context: Context;
  readonly code: string;
}

const TIP_CODES: Readonly<Record<string, readonly [string, string]>> = {
  x: ["KeyW", "KeyS"],
  y: ["KeyA", "KeyD"],
  z: ["KeyR", "KeyF"],
  roll: ["KeyE", "KeyQ"],
  pitch: ["ArrowUp", "ArrowDown"],
  yaw: ["ArrowLeft", "ArrowRight"],
};

const JOINT_CODES: readonly (readonly [string, string])[] = [
  ["KeyQ", "KeyA"],
  ["KeyW", "KeyS"],
  ["KeyE", "KeyD"],
  ["KeyR", "KeyF"],
  ["KeyT", "KeyG"],
  ["KeyY", "KeyH"],
  ["KeyU", "KeyJ"],
  ["KeyI", "KeyK"],
];

const TRACK_CODES: Readonly<Record<string, readonly [string, string]>> = {
  forward: ["KeyW", "KeyS"],
  turn: ["KeyA", "KeyD"],
  flippers: ["KeyR", "KeyF"],
  "flippers:front": ["KeyT", "KeyG"],
  "flippers:rear": ["KeyY", "KeyH"],
};

/** Single flippers use the keys of the joints; the pairs use the same keys as while driving. */
const FLIPPER_CODES: Readonly<Record<string, readonly [string, string]>> = {
  "raise:0": ["KeyQ", "KeyA"],
  "raise:1": ["KeyW", "KeyS"],
  "raise:2": ["KeyE", "KeyD"],
  "raise:3": ["KeyR", "KeyF"],
  "raise:front": ["KeyT", "KeyG"],
  "raise:rear": ["KeyY", "KeyH"],
  raise: ["KeyU", "KeyJ"],
};

const ACTION_CODES: Readonly<Record<Action, string>> = {
  talk: "KeyV",
  reset: "Enter",
  home: "Home",
  free: "KeyB",
  mapping: "KeyM",
  drive: "Digit7",
  flippers: "Digit8",
  arm: "Digit9",
  park: "KeyN",
  scale: "KeyC",
  slower: "BracketLeft",
  faster: "BracketRight",
  "camera:0": "Digit1",
  "camera:1": "Digit2",
  "camera:2": "Digit3",
  "camera:3": "Digit4",
  "camera:4": "Digit5",
  "camera:5": "Digit6",
  "camera-next": "PageDown",
  overview: "Digit0",
  "cameras-only": "KeyO",
  "pan-left": "Comma",
  "pan-right": "Slash",
  "tilt-up": "Semicolon",
  "tilt-down": "Period",
  "zoom-in": "Equal",
  "zoom-out": "Minus",
  plots: "KeyP",
  log: "KeyL",
};

/** Keys that cannot be changed: stop, close a dialog, move the focus. */
export const FIXED: ReadonlySet<string> = new Set(["Space", "Escape", "Tab"]);

/** All functions with their default keys, in the order in which they are shown. */
export const FUNCTIONS: readonly KeyFunction[] = [
  ...TIP_AXES.flatMap((axis) => both(axis, "tip", TIP_CODES[axis] ?? ["", ""])),
  ...JOINT_AXES.flatMap((axis, index) => both(axis, "joints", JOINT_CODES[index] ?? ["", ""])),
  ...TRACK_AXES.flatMap((axis) => both(axis, "tracks", TRACK_CODES[axis] ?? ["", ""])),
  ...FLIPPER_AXES.flatMap((axis) => both(axis, "flippers", FLIPPER_CODES[axis] ?? ["", ""])),
  ...both("grip", "always", ["KeyX", "KeyZ"]),
  ...(Object.keys(ACTION_CODES) as Action[]).map(
    (id): KeyFunction => ({ id, context: "always", code: ACTION_CODES[id] }),
  ),
];

function both(axis: string, context: Context, codes: readonly [string, string]): KeyFunction[] {
  return [
    { id: `${axis}+`, context, code: codes[0] },
    { id: `${axis}-`, context, code: codes[1] },
  ];
}

/** Return the axis of a function like "joint:0+". */
export function axisOf(id: string): string {
  return id.slice(0, -1);
}

/** Return the text of a function; `joints` are the labels of the robot's joints. */
export function functionText(id: string, joints: readonly string[] = []): string {
  if (id in ACTION_CODES) return texts().keys.actions[id as Action];
  const { plus, minus } = axisText(axisOf(id), joints);
  return id.endsWith("+") ? plus : minus;
}

export const DEFAULT_KEYS: KeyMap = Object.fromEntries(FUNCTIONS.map(({ id, code }) => [id, code]));

/** Return the default keys with the saved changes of those that still exist. */
export function withChanges(changes: Readonly<Record<string, string>>): KeyMap {
  const known = Object.entries(changes).filter(([id, code]) => id in DEFAULT_KEYS && !FIXED.has(code));
  return { ...DEFAULT_KEYS, ...Object.fromEntries(known) };
}

/** Return only the keys that differ from the defaults. */
export function changesIn(keys: KeyMap): Record<string, string> {
  return Object.fromEntries(Object.entries(keys).filter(([id, code]) => DEFAULT_KEYS[id] !== code));
}

/** Give a function another key. A function of the same context that had it gets the old key in exchange. */
export function assign(keys: KeyMap, id: string, code: string): KeyMap {
  if (FIXED.has(code) || !(id in keys)) return keys;
  const rival = FUNCTIONS.find((other) => other.id !== id && keys[other.id] === code && clash(other.id, id));
  const old = keys[id] ?? "";
  return { ...keys, ...(rival === undefined ? {} : { [rival.id]: old }), [id]: code };
}

function clash(one: string, other: string): boolean {
  const [a, b] = [contextOf(one), contextOf(other)];
  return a === b || a === "always" || b === "always";
}

function contextOf(id: string): Context {
  return FUNCTIONS.find((entry) => entry.id === id)?.context ?? "always";
}

/** Return the action that a key starts, or null. */
export function actionOf(keys: KeyMap, code: string): Action | null {
  const same = code === "NumpadEnter" ? "Enter" : code;
  const actions = Object.keys(ACTION_CODES) as Action[];
  return actions.find((action) => keys[action] === same) ?? null;
}

/** Return whether an action repeats while its key is held. */
export function repeats(action: Action): boolean {
  return (AIMS as readonly Action[]).includes(action);
}

/** Return the axis and the direction that a key deflects among these axes, or null. */
export function deflectionOf(keys: KeyMap, code: string, axes: readonly string[]): { axis: string; sign: 1 | -1 } | null {
  for (const axis of axes) {
    if (keys[`${axis}+`] === code) return { axis, sign: 1 };
    if (keys[`${axis}-`] === code) return { axis, sign: -1 };
  }
  return null;
}
