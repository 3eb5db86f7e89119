/** The state of the page as one frozen value. Messages from the server fold into it; see reduce.ts. */

import type { CameraUpdate, CellInfo, LeaseInfo, LogEntry, MasterUpdate, MoveInfo, NoteText, Person, PlaybackUpdate, Recording, RobotUpdate, Role, Scene, TracksUpdate } from "../wire.gen.ts";

/** The state of the connection. "refused": the server refused this page, with a reason. */
export type Phase = "connecting" | "open" | "lost" | "refused";

/** The state of one robot, its numbers unpacked. */
export interface RobotNow {
  readonly mode: RobotUpdate["mode"];
  readonly level: number;
  readonly mapping: number;
  readonly age: number;
  readonly heard: number;
  /** The newest lease of which the cell has received a reading; -1 before the first. */
  readonly epoch: number;
  readonly joints: readonly number[];
  readonly grip: number;
  /** x, y, z (m), then quaternion w, x, y, z, in the robot's base frame. */
  readonly tip: readonly number[];
  readonly force: readonly number[];
  readonly waiting: boolean;
  /** A free path is being planned. */
  readonly planning: boolean;
  /** The update has the robot's poses at the end of a move, which only the 3D view uses. */
  readonly ghost: boolean;
  readonly off: readonly string[];
  readonly generating: boolean;
  /** The motion scale, on top of the control mode's own. */
  readonly scale: number;
  /** Force feedback that is asked of the master, N. */
  readonly felt: number;
  /** Measured load of the gripper, kg; -1 while it is empty. */
  readonly payload: number;
  /** Number of points taught so far; -1 while no path is being taught. */
  readonly lesson: number;
  readonly recording: boolean;
  /** The nearest pair of an arm that avoids obstacles; null if nothing is near. */
  readonly near: NearNow | null;
  /** The attitude of a robot on tracks; null for one without tracks. */
  readonly tracks: TracksNow | null;
  /** In the order of the robot's cameras. */
  readonly cameras: readonly CameraUpdate[];
  /** The robot is powered or powering up; also while a stop is latched. */
  readonly powered: boolean;
  /** Usual age of its master's readings on arrival, ms. */
  readonly baseline: number;
}

/** The attitude of a robot on tracks, its numbers unpacked. */
export interface TracksNow {
  /** Nose up, rad. */
  readonly pitch: number;
  /** Right side down, rad. */
  readonly roll: number;
  /** Angles of front left, front right, rear left, rear right; positive ones raise the tip. */
  readonly flippers: readonly number[];
  /** Commanded angles of the flippers, rad. */
  readonly asked: readonly number[];
  /** Speeds of the left and the right belt, m/s. */
  readonly belts: readonly number[];
  readonly braked: boolean;
  /** The parking brake is set. */
  readonly parked: boolean;
  readonly word: TracksUpdate["word"];
}

/** The nearest pair of an arm and an obstacle, its numbers unpacked. */
export interface NearNow {
  readonly first: string;
  readonly second: string;
  /** Clearance until it stops the arm, m. */
  readonly room: number;
  /** The arm may touch it, slowly. */
  readonly gently: boolean;
  /** The nearest points on both, x, y, z and x, y, z in the world. */
  readonly line: readonly number[];
  /** The free directions of the tip: +x, +y, +z, -x, -y, -z in the axes of the robot's base. */
  readonly ways: readonly boolean[];
  /** The range in which each joint can move alone: all lower ends, then all upper ends. */
  readonly limits: readonly number[];
}

/** The state of one master, its numbers unpacked. */
export interface MasterNow {
  /** Poses of its bodies, as packed in the update. */
  readonly bodies: MasterUpdate["bodies"];
  readonly joints: readonly number[];
  /** x, y, z (m), then quaternion w, x, y, z, in its base frame; empty before its first data. */
  readonly tip: readonly number[];
  /** The pose that the hand aims at, likewise; empty if unknown. */
  readonly intended: readonly number[];
  /** Force feedback in its base axes, N. */
  readonly felt: readonly number[];
  /** It moves by itself, as a demonstration, until the operator in control presses. */
  readonly demonstrating: boolean;
}

/** The state of the cell. */
export interface Now {
  readonly tick: number;
  readonly time: number;
  readonly factor: number;
  readonly robots: readonly RobotNow[];
  readonly masters: readonly MasterNow[];
  /** State of the playback of a record; null in a live cell. */
  readonly playback: PlaybackUpdate | null;
}

export interface Model {
  readonly phase: Phase;
  /** The server's reason for refusing this page, for good or for now. */
  readonly reason: string;
  /** The close code that came with it; 0 without one. */
  readonly closing: number;
  readonly viewer: number | null;
  readonly name: string;
  readonly version: string;
  /** This page is a trainee's, in an exam: it gets the robot's measurements and camera pictures only. */
  readonly exam: boolean;
  /** Role of the person at this page, which grants its rights. */
  readonly role: Role;
  readonly cells: readonly CellInfo[];
  /** Name of the cell being watched; empty before one is chosen. */
  readonly watching: string;
  readonly scene: Scene | null;
  readonly now: Now | null;
  /** Page time of the newest update, ms; of the start, before the first one. */
  readonly heardAt: number;
  readonly why: Readonly<Record<string, readonly NoteText[]>>;
  readonly log: readonly LogEntry[];
  readonly leases: readonly LeaseInfo[];
  readonly viewers: number;
  /** The viewers, if this page may send them away; otherwise empty. */
  readonly people: readonly Person[];
  /** Taught paths, by robot. */
  readonly moves: Readonly<Record<string, readonly MoveInfo[]>>;
  /** The recording of this cell's run; null before it is known, and where runs are not recorded. */
  readonly runRecording: Recording | null;
  /** Round trip to the cell, ms; null while it is not measured. */
  readonly roundTrip: number | null;
}

/** The page before its first message. */
export function initial(at: number): Model {
  return {
    phase: "connecting",
    reason: "",
    closing: 0,
    viewer: null,
    name: "",
    version: "",
    exam: false,
    role: "user",
    cells: [],
    watching: "",
    scene: null,
    now: null,
    heardAt: at,
    why: {},
    log: [],
    leases: [],
    viewers: 0,
    people: [],
    moves: {},
    runRecording: null,
    roundTrip: null,
  };
}
