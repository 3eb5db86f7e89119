/** Small messages for tests. */

import type { LeaseInfo, LogEntry, MappingInfo, ClearanceUpdate, RobotInfo, RobotUpdate, Scene, ToPage, Update } from "../src/wire.gen.ts";
import { initial, type Model } from "../src/state/model.ts";
import { notice, reduce } from "../src/state/reduce.ts";

const POSE = { position: [0, 0, 0] as [number, number, number], rotation: [1, 0, 0, 0] as [number, number, number, number] };
const PLACE = { body: -1, pose: POSE, name: "" };

export const TIP: MappingInfo = {
  name: "base axes",
  kind: "jog-tip",
  feel: "",
  axes: ["x", "y", "z", "roll", "pitch", "yaw", "grip"],
  frame: "base",
  scalable: false,
};

export const SEEN: MappingInfo = { ...TIP, name: "as seen", kind: "jog-view", frame: "view" };

export const JOINTS: MappingInfo = { ...TIP, name: "joints", kind: "jog-joints", axes: ["joint:0", "joint:1", "grip"], frame: "" };

export const ROBOT: RobotInfo = {
  name: "arm",
  model: "irb120",
  joints: [{ name: "j1", label: "Turn", kind: "hinge", lower: -1, upper: 1, home: 0, velocity: 1 }],
  gripper: { opening: 0.08 },
  base: PLACE,
  tip: PLACE,
  frames: [],
  mappings: [TIP, JOINTS, SEEN],
  filters: ["scale", "smooth"],
  scales: [1, 0.5, 0.2, 0.05],
  speeds: [0.1, 0.5, 1],
  parts: [],
  tracks: null,
  cameras: [],
  master: "hand",
  by_hand: true,
  switch: false,
  wrist: false,
  tool: "",
  tools: [],
};

export function scene(changes: Partial<Scene> = {}): Scene {
  return {
    type: "Scene",
    cell: "irb120",
    summary: "A cell.",
    number: 1,
    timestep: 0.002,
    bodies: [],
    geoms: [],
    robots: [ROBOT],
    signals: [],
    masters: [],
    replay: null,
    ...changes,
  };
}

export function bytes(...values: number[]): Uint8Array {
  return new Uint8Array(new Float32Array(values).buffer);
}

export function robotUpdate(changes: Partial<RobotUpdate> = {}): RobotUpdate {
  return {
    mode: "idle",
    level: 2,
    mapping: 0,
    age: 5,
    heard: 0,
    joints: bytes(0.5),
    grip: 0.04,
    tip: bytes(0.4, 0, 0.5, 1, 0, 0, 0),
    force: bytes(0, 0, 0),
    waiting: false,
    off: [],
    generating: false,
    scale: 1,
    felt: 0,
    payload: -1,
    lesson: -1,
    recording: false,
    near: null,
    tracks: null,
    cameras: [],
    powered: true,
    baseline: 0,
    planning: false,
    ghost: new Uint8Array(),
    ...changes,
  };
}

/** The forearm so many metres above a table, of which the arm keeps 10 mm clear. */
export function nearUpdate(distance: number, changes: Partial<ClearanceUpdate> = {}): ClearanceUpdate {
  return {
    first: "forearm",
    second: "table",
    room: distance - 0.01,
    gently: false,
    line: bytes(0.4, 0, 0.6 + distance, 0.4, 0, 0.6),
    ways: [true, true, true, true, true, true],
    limits: bytes(-1, 0.7),
    ...changes,
  };
}

export function update(changes: Partial<Update> = {}, robot: Partial<RobotUpdate> = {}): Update {
  const none = new Uint8Array();
  return {
    type: "Update",
    scene: 1,
    tick: 100,
    time: 0.2,
    factor: 1,
    late: 0,
    moved: none,
    asleep: none,
    robots: [robotUpdate(robot)],
    epochs: [3],
    contacts: none,
    masters: [],
    playback: null,
    ...changes,
  };
}

export function lease(changes: Partial<LeaseInfo> = {}): LeaseInfo {
  return { robot: "arm", holder: 1, name: "Guest 1", epoch: 3, present: true, askers: [], may_take: false, ...changes };
}

export function said(number: number, text = `entry ${number}`): LogEntry {
  return { number, time: number, robot: "", text, level: "info", code: "" };
}

/** A page that is connected as viewer 1, holds control and has had one update. */
export function driving(robot: Partial<RobotUpdate> = {}): Model {
  const messages: ToPage[] = [
    { type: "Welcome", viewer: 1, name: "Guest 1", version: "1", cells: [], role: "user" },
    scene(),
    { type: "Leases", robots: [lease()], viewers: 1 },
    update({}, robot),
  ];
  const start = notice(initial(0), { type: "watching", cell: "irb120" });
  return messages.reduce((model, message) => reduce(model, message, 1000), start);
}
