/** All that an operator can do by a key or a button: deflect an axis, or act. */

/** Something that happens once when it is pressed. */
export type Action =
  | "talk"
  | "reset"
  | "home"
  | "free"
  | "mapping"
  | Mode
  | "park"
  | "scale"
  | "slower"
  | "faster"
  | CameraKey
  | "camera-next"
  | "overview"
  | "cameras-only"
  | Aim
  | "plots"
  | "log";

/** What a robot on tracks is led by: each is one key away. */
export type Mode = "drive" | "flippers" | "arm";

/** Puts a camera's picture into the large place, by its number in the robot. */
export type CameraKey = "camera:0" | "camera:1" | "camera:2" | "camera:3" | "camera:4" | "camera:5";

/** Turns and zooms a camera with a moving head, a little with each press. */
export type Aim = "pan-left" | "pan-right" | "tilt-up" | "tilt-down" | "zoom-in" | "zoom-out";

export const CAMERA_KEYS: readonly CameraKey[] = ["camera:0", "camera:1", "camera:2", "camera:3", "camera:4", "camera:5"];
export const MODES: readonly Mode[] = ["drive", "flippers", "arm"];
export const AIMS: readonly Aim[] = ["pan-left", "pan-right", "tilt-up", "tilt-down", "zoom-in", "zoom-out"];

/** What a deflection is called, whatever causes it. */
export interface AxisWords {
  /** Short, for the key panel. */
  readonly name: string;
  readonly plus: string;
  readonly minus: string;
}

const WORDS: Readonly<Record<string, AxisWords>> = {
  x: { name: "reach", plus: "Forward (x+)", minus: "Back (x−)" },
  y: { name: "side", plus: "Left (y+)", minus: "Right (y−)" },
  z: { name: "lift", plus: "Up (z+)", minus: "Down (z−)" },
  roll: { name: "roll", plus: "Roll right (about x+)", minus: "Roll left (about x−)" },
  pitch: { name: "pitch", plus: "Pitch (about y+)", minus: "Pitch (about y−)" },
  yaw: { name: "turn", plus: "Turn left (about z+)", minus: "Turn right (about z−)" },
  grip: { name: "grip", plus: "Open the gripper", minus: "Close the gripper" },
  forward: { name: "drive", plus: "Drive ahead", minus: "Drive back" },
  turn: { name: "turn", plus: "Turn left", minus: "Turn right" },
  flippers: { name: "flippers", plus: "Raise all flippers", minus: "Lower all flippers" },
  "flippers:front": { name: "front", plus: "Raise the front flippers", minus: "Lower the front flippers" },
  "flippers:rear": { name: "rear", plus: "Raise the rear flippers", minus: "Lower the rear flippers" },
  "flipper:0": { name: "front left", plus: "Raise the front left flipper", minus: "Lower the front left flipper" },
  "flipper:1": { name: "front right", plus: "Raise the front right flipper", minus: "Lower the front right flipper" },
  "flipper:2": { name: "rear left", plus: "Raise the rear left flipper", minus: "Lower the rear left flipper" },
  "flipper:3": { name: "rear right", plus: "Raise the rear right flipper", minus: "Lower the rear right flipper" },
  raise: { name: "all four", plus: "Raise all flippers", minus: "Lower all flippers" },
  "raise:front": { name: "front", plus: "Raise the front flippers", minus: "Lower the front flippers" },
  "raise:rear": { name: "rear", plus: "Raise the rear flippers", minus: "Lower the rear flippers" },
  "raise:0": { name: "front L", plus: "Raise the front left flipper", minus: "Lower the front left flipper" },
  "raise:1": { name: "front R", plus: "Raise the front right flipper", minus: "Lower the front right flipper" },
  "raise:2": { name: "rear L", plus: "Raise the rear left flipper", minus: "Lower the rear left flipper" },
  "raise:3": { name: "rear R", plus: "Raise the rear right flipper", minus: "Lower the rear right flipper" },
};

/** Axes of mappings that drive a robot on tracks, as far as they have keys: single flippers have a mode of their own. */
export const TRACK_AXES: readonly string[] = ["forward", "turn", "flippers", "flippers:front", "flippers:rear"];

/** Axes of mappings that raise its flippers. */
export const FLIPPER_AXES: readonly string[] = ["raise:0", "raise:1", "raise:2", "raise:3", "raise:front", "raise:rear", "raise"];

/** Axes of mappings that move the tip. */
export const TIP_AXES: readonly string[] = ["x", "y", "z", "roll", "pitch", "yaw"];

/** How many joints have keys of their own. */
export const JOINT_KEYS = 8;

export const JOINT_AXES: readonly string[] = Array.from({ length: JOINT_KEYS }, (_, index) => `joint:${index}`);

/** Return what an axis is called; joints by their own label where it is known. */
export function axisWords(axis: string, labels: readonly string[] = []): AxisWords {
  const known = WORDS[axis];
  if (known !== undefined) return known;
  const index = jointIndex(axis);
  const name = index === null ? axis : (labels[index] ?? `joint ${index + 1}`);
  const start = name.charAt(0).toUpperCase() + name.slice(1);
  return { name, plus: `${start} +`, minus: `${start} −` };
}

/** Return which joint an axis like "joint:2" turns, counted from 0, or null. */
export function jointIndex(axis: string): number | null {
  const match = /^joint:(\d+)$/.exec(axis);
  return match === null ? null : Number(match[1]);
}

export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  talk: "Hold and speak",
  reset: "Reset after a stop",
  home: "Move home",
  free: "Free me: back out along the way in",
  mapping: "Next way to drive",
  drive: "Drive on the tracks",
  flippers: "Lead the flippers",
  arm: "Lead the arm; again: the next way to",
  park: "Parking brake",
  scale: "Next scale of the hand's motion",
  slower: "Slower",
  faster: "Faster",
  "camera:0": "First camera large",
  "camera:1": "Second camera large",
  "camera:2": "Third camera large",
  "camera:3": "Fourth camera large",
  "camera:4": "Fifth camera large",
  "camera:5": "Sixth camera large",
  "camera-next": "Next picture large",
  overview: "3D overview large",
  "cameras-only": "Cameras only, without the overview",
  "pan-left": "Pan the large camera left",
  "pan-right": "Pan it right",
  "tilt-up": "Tilt it up",
  "tilt-down": "Tilt it down",
  "zoom-in": "Zoom in",
  "zoom-out": "Zoom out",
  plots: "Larger plots",
  log: "Log",
};
