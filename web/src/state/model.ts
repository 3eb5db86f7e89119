/** Everything the page knows from the server, as one frozen value. Messages fold into it; see reduce.ts. */

import type { CameraUpdate, CellInfo, LeaseInfo, LogEntry, MasterUpdate, MoveInfo, NoteText, Person, PlaybackUpdate, Recording, RobotUpdate, Role, Scene, TracksUpdate } from "../wire.gen.ts";

/** How the connection is. "refused": the server said no, and why. */
export type Phase = "connecting" | "open" | "lost" | "refused";

/** One robot now, its numbers unpacked. */
export interface RobotNow {
  readonly mode: RobotUpdate["mode"];
  readonly level: number;
  readonly mapping: number;
  readonly age: number;
  readonly heard: number;
  /** The newest lease of which the cell has heard a reading; -1 before the first. */
  readonly epoch: number;
  readonly joints: readonly number[];
  readonly grip: number;
  /** x, y, z (m), then quaternion w, x, y, z, in the robot's base frame. */
  readonly tip: readonly number[];
  readonly force: readonly number[];
  readonly waiting: boolean;
  /** A way around what is in the way is being looked for. */
  readonly planning: boolean;
  /** It is told where it will be at the end of a move; the poses are for the 3D view alone. */
  readonly ghost: boolean;
  readonly off: readonly string[];
  readonly generating: boolean;
  /** How far the robot goes for a way of the hand, times what the way to drive has. */
  readonly scale: number;
  /** N that the hand shall feel. */
  readonly felt: number;
  /** Kilograms that have been weighed in the gripper; -1 while there are none. */
  readonly payload: number;
  /** How many points of a move have been taught so far; -1 while nothing is taught. */
  readonly lesson: number;
  readonly recording: boolean;
  /** What an arm that keeps clear is near to; null if it is near to nothing. */
  readonly near: NearNow | null;
  /** How a robot on tracks stands; null for one that has none. */
  readonly tracks: TracksNow | null;
  /** In the order of the robot's cameras. */
  readonly cameras: readonly CameraUpdate[];
  /** There is power, or it is coming; also while a stop is latched. */
  readonly powered: boolean;
  /** Milliseconds by which readings of its master are usually old. */
  readonly baseline: number;
}

/** How a robot on tracks stands, its numbers unpacked. */
export interface TracksNow {
  /** Nose up, rad. */
  readonly pitch: number;
  /** Right side down, rad. */
  readonly roll: number;
  /** Angles of front left, front right, rear left, rear right; positive ones raise the tip. */
  readonly flippers: readonly number[];
  /** Where they were told to be. */
  readonly asked: readonly number[];
  /** Speeds of left and right, m/s. */
  readonly belts: readonly number[];
  readonly braked: boolean;
  /** The parking brake is set. */
  readonly parked: boolean;
  readonly word: TracksUpdate["word"];
}

/** How an arm that keeps clear stands with its surroundings, its numbers unpacked. */
export interface NearNow {
  readonly first: string;
  readonly second: string;
  /** Metres until it stops the arm. */
  readonly room: number;
  /** It may be touched, slowly. */
  readonly gently: boolean;
  /** The nearest points on both, x, y, z and x, y, z in the world. */
  readonly line: readonly number[];
  /** Whether the tip is free to go +x, +y, +z, -x, -y, -z, in the axes of the robot's base. */
  readonly ways: readonly boolean[];
  /** How far each joint may go by itself: all lower ones, then all upper ones. */
  readonly limits: readonly number[];
}

/** One master now, its numbers unpacked. */
export interface MasterNow {
  /** Poses of its bodies, as they came. */
  readonly bodies: MasterUpdate["bodies"];
  readonly joints: readonly number[];
  /** x, y, z (m), then quaternion w, x, y, z, in its base frame; empty before it has spoken. */
  readonly tip: readonly number[];
  /** Where the hand means to be, likewise; empty if nobody knows. */
  readonly intended: readonly number[];
  /** N that the hand feels, in its base axes. */
  readonly felt: readonly number[];
  /** It goes by itself, as a demonstration, until somebody in control presses. */
  readonly demonstrating: boolean;
}

/** The cell now. */
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
  /** Why the server refused this page, for good or for now. */
  readonly reason: string;
  /** The close code that came with it; 0 without one. */
  readonly closing: number;
  readonly viewer: number | null;
  readonly name: string;
  readonly version: string;
  /** This page is a trainee's, in an exam: it is told what the robot feels and what its cameras see, and nothing else. */
  readonly exam: boolean;
  /** Of the person at this page; says which rights it has. */
  readonly role: Role;
  readonly cells: readonly CellInfo[];
  /** Name of the cell being watched; empty before one is chosen. */
  readonly watching: string;
  readonly scene: Scene | null;
  readonly now: Now | null;
  /** Page time (ms) of the newest update; of the start, before the first one. */
  readonly heardAt: number;
  readonly why: Readonly<Record<string, readonly NoteText[]>>;
  readonly log: readonly LogEntry[];
  readonly leases: readonly LeaseInfo[];
  readonly viewers: number;
  /** Who looks on, if this page may send them away; else nobody. */
  readonly people: readonly Person[];
  /** Moves that were taught, by robot. */
  readonly moves: Readonly<Record<string, readonly MoveInfo[]>>;
  /** The recording of this cell's run; null before it is known, and where runs are not recorded. */
  readonly runRecording: Recording | null;
  /** Round trip to the cell, ms; null before it was measured and while it is not. */
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
