/** All that an operator can do by a key or a button: deflect an axis, or act. */

/** Something that happens once when it is pressed. */
export type Action = "reset" | "home" | "free" | "mapping" | "scale" | "slower" | "faster" | "plots" | "log";

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
};

/** Axes of mappings that drive a robot on tracks. */
export const TRACK_AXES: readonly string[] = [
  "forward",
  "turn",
  "flippers",
  "flippers:front",
  "flippers:rear",
  "flipper:0",
  "flipper:1",
  "flipper:2",
  "flipper:3",
];

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
  reset: "Reset after a stop",
  home: "Move home",
  free: "Free me: back out along the way in",
  mapping: "Next way to drive",
  scale: "Next scale of the hand's motion",
  slower: "Slower",
  faster: "Faster",
  plots: "Larger plots",
  log: "Log",
};
