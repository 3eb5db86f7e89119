/** Built-in profiles: of devices with a known layout, and presets that the operator can choose. */

import type { Texts } from "../language/english.ts";
import { texts } from "../language/language.ts";
import { button, EMPTY_PROFILE, pair, stick, type Deflection, type Input, type Layout, type Profile } from "./padProfile.ts";

/**
 * The W3C's "standard gamepad": left stick plane, right stick height and turn, right bumper enables, triggers grip.
 * With the bumper held A and X turn a seventh joint; without it the cross, to the right, goes to the next picture.
 */
export const STANDARD: Profile = {
  motions: {
    x: stick(1, -1),
    y: stick(0, -1),
    z: stick(3, -1),
    yaw: stick(2, -1),
    roll: pair(15, 14),
    pitch: pair(12, 13),
    grip: pair(6, 7),
    "joint:0": stick(0, -1),
    "joint:1": stick(1, -1),
    "joint:2": stick(3, -1),
    "joint:3": stick(2, -1),
    "joint:4": pair(12, 13),
    "joint:5": pair(15, 14),
    "joint:6": pair(0, 2),
    forward: stick(1, -1),
    turn: stick(0, -1),
    flippers: stick(3, -1),
    "flippers:front": pair(12, 13),
    "flippers:rear": pair(15, 14),
    "raise:0": stick(1, -1),
    "raise:1": stick(3, -1),
    "raise:2": across(0, 1),
    "raise:3": across(2, 1),
    "raise:front": pair(12, 13),
    "raise:rear": pair(15, 14),
  },
  pushes: {
    deadman: button(5),
    stop: button(1),
    reset: button(9),
    mapping: button(3),
    drive: button(10),
    flippers: button(4),
    arm: button(11),
    slower: button(2),
    faster: button(0),
    home: button(8),
    park: button(16),
    "camera-next": button(15),
  },
};

/**
 * A cap that is pushed in the direction of the tip's motion. Larger models open and close the gripper with their keys 1 and 2, and turn
 * a seventh joint with 3 and 4.
 */
export const SPACEMOUSE: Profile = {
  motions: {
    x: stick(0, 1),
    y: stick(1, 1),
    z: stick(2, 1),
    roll: stick(3, 1),
    pitch: stick(4, 1),
    yaw: stick(5, 1),
    grip: pair(12, 13),
    "joint:0": stick(5, 1),
    "joint:1": stick(0, 1),
    "joint:2": stick(2, 1),
    "joint:3": stick(3, 1),
    "joint:4": stick(4, 1),
    "joint:5": stick(1, 1),
    "joint:6": pair(14, 15),
    forward: stick(0, 1),
    turn: stick(5, 1),
    flippers: stick(2, 1),
    raise: stick(2, 1),
    "raise:front": stick(0, 1),
    "raise:rear": stick(4, 1),
  },
  pushes: { deadman: button(0), stop: button(1) },
};

/**
 * A bomb-disposal robot's hand controller: two sticks that also twist, a rocker for the flippers, a hat, an enabling
 * switch. Left stick plane and turn, right stick the wrist, rocker height or flippers; the hat chooses the speed and
 * turns a seventh joint.
 *
 *   axes: 1–3 left stick (across, along, twist), 4–6 right stick, 7 rocker, 8–9 hat (across, along)
 *   buttons: 1 enable, 2 close, 3 open, 4 stop, 5 reset, 6 next control mode, 7 home, 8 parking brake,
 *   9 next picture
 */
export const BOMB_DISPOSAL: Profile = {
  motions: {
    x: stick(1, -1),
    y: stick(0, -1),
    z: stick(6, -1),
    yaw: stick(2, -1),
    roll: stick(3, 1),
    pitch: stick(4, -1),
    grip: pair(2, 1),
    "joint:0": stick(2, -1),
    "joint:1": stick(1, -1),
    "joint:2": stick(6, -1),
    "joint:3": stick(3, 1),
    "joint:4": stick(4, -1),
    "joint:5": stick(5, 1),
    "joint:6": stick(7, 1),
    forward: stick(1, -1),
    turn: stick(0, -1),
    flippers: stick(6, -1),
    "flippers:front": stick(4, -1),
    "flippers:rear": stick(3, 1),
    raise: stick(6, -1),
    "raise:0": stick(1, -1),
    "raise:1": stick(4, -1),
    "raise:2": across(0, 1),
    "raise:3": across(3, 1),
  },
  pushes: {
    deadman: button(0),
    stop: button(3),
    reset: button(4),
    mapping: button(5),
    home: button(6),
    park: button(7),
    "camera-next": button(8),
    slower: towards(8, 1),
    faster: towards(8, -1),
  },
};

/** A profile that the operator can choose for any device. */
export interface Preset {
  readonly id: keyof Texts["devices"]["presets"];
  readonly profile: Profile;
  /** Number of inputs that a device needs for all of it. */
  readonly axes: number;
  readonly buttons: number;
}

export const PRESETS: readonly Preset[] = [
  {
    id: "bomb-disposal",
    profile: BOMB_DISPOSAL,
    axes: 9,
    buttons: 9,
  },
];

const KNOWN: Readonly<Record<Layout, Profile>> = { "": EMPTY_PROFILE, standard: STANDARD, spacemouse: SPACEMOUSE };

/** The name of a layout, and how to drive with it. */
interface LayoutText {
  readonly name: string;
  readonly how: string;
}

export function layoutText(layout: Layout): LayoutText {
  return texts().devices.layouts[layout];
}

export function presetText({ id }: Preset): LayoutText {
  return texts().devices.presets[id];
}

/** Return the saved profile of a device, or the one of its layout; empty for an unknown layout. */
export function profileFor(layout: Layout, saved: Profile | null): Profile {
  return saved ?? KNOWN[layout];
}

/** Return the preset that equals a saved profile; null if it was taught. */
export function presetOf(saved: Profile): Preset | null {
  return PRESETS.find(({ profile }) => JSON.stringify(profile) === JSON.stringify(saved)) ?? null;
}

/** Return the sideways axis of a stick that drives along: its large dead zone keeps it from counting by accident. */
function across(index: number, full: 1 | -1): Deflection {
  return { ...stick(index, full), deadZone: 0.4 };
}

/** Return one end of an axis as a button, as hats report it. */
function towards(index: number, full: 1 | -1): Input {
  return { on: "axis", index, rest: 0, full };
}
