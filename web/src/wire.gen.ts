// Made from src/farhand/server/protocol/messages.py by `make wire`; do not edit.

/** Identifies this version of the messages. */
export const WIRE = "c946a0bc90c1";
/** Bytes of one body's pose: x, y, z as float32, then quaternion w, x, y, z as int16 of 1/32767. */
export const POSE_ROW = 20;
/** What can be said while the talk key is held. */
export const PHRASES: readonly string[] = ["stop","hold here","reset and be ready","carry on with the move","free me from here","move to home position","power up the robot","power down","scale one","scale two","scale three","scale four","speed one","speed two","speed three","speed four","speed five","faster","slower","next mapping"];
/** For each phrase that starts a motion the one that confirms it. */
export const CONFIRMATIONS: Readonly<Record<string, string>> = {"reset and be ready":"authorize the reset","carry on with the move":"authorize carrying on","free me from here":"authorize backing out","move to home position":"authorize home position","power up the robot":"authorize robot power"};
export type Role = "guest" | "user" | "superuser" | "trainee" | "observer" | "instructor" | "owner";
export type Right = "stop" | "drive" | "reset" | "task" | "inside";
export type Grant = "always" | "control" | "never";
/** The grant of each right to each role: with or without control, in control only, or never. */
export const GRANTS: Record<Role, Record<Right, Grant>> = {
  guest: { stop: "always", drive: "control", reset: "control", task: "never", inside: "never" },
  user: { stop: "always", drive: "control", reset: "control", task: "control", inside: "never" },
  superuser: { stop: "always", drive: "control", reset: "control", task: "control", inside: "never" },
  trainee: { stop: "always", drive: "control", reset: "control", task: "never", inside: "never" },
  observer: { stop: "always", drive: "never", reset: "never", task: "never", inside: "never" },
  instructor: { stop: "always", drive: "control", reset: "always", task: "always", inside: "never" },
  owner: { stop: "always", drive: "control", reset: "always", task: "always", inside: "never" },
};
/** Roles that may send others away, and that nobody sends away. */
export const STAFF: readonly Role[] = ["superuser", "instructor", "owner"];
/** The right that each event needs, and the seconds after which its answer is no longer expected. */
export const EVENTS: Record<Command["event"]["type"], { right: Right; timeOut: number }> = {
  Stop: { right: "stop", timeOut: 2 },
  Reset: { right: "reset", timeOut: 5 },
  MoveJoints: { right: "drive", timeOut: 5 },
  MoveTip: { right: "drive", timeOut: 5 },
  MoveFlippers: { right: "drive", timeOut: 5 },
  FollowPath: { right: "drive", timeOut: 5 },
  Teach: { right: "drive", timeOut: 5 },
  FreeMe: { right: "drive", timeOut: 5 },
  HoldHere: { right: "drive", timeOut: 5 },
  Continue: { right: "drive", timeOut: 5 },
  Power: { right: "drive", timeOut: 5 },
  Park: { right: "drive", timeOut: 5 },
  SetSpeed: { right: "drive", timeOut: 5 },
  SetScale: { right: "drive", timeOut: 5 },
  SelectMapping: { right: "drive", timeOut: 5 },
  Reconfigure: { right: "task", timeOut: 30 },
  ResetRobot: { right: "task", timeOut: 5 },
  ResetObjects: { right: "task", timeOut: 5 },
  AddObject: { right: "task", timeOut: 30 },
  MoveObject: { right: "task", timeOut: 30 },
  RemoveObject: { right: "task", timeOut: 30 },
  ChangeTool: { right: "drive", timeOut: 30 },
  ZeroWrist: { right: "drive", timeOut: 5 },
  AimCamera: { right: "drive", timeOut: 5 },
  Load: { right: "task", timeOut: 5 },
  ClearLoad: { right: "task", timeOut: 5 },
  BreakWrist: { right: "task", timeOut: 5 },
  DegradeCamera: { right: "task", timeOut: 5 },
  SwitchFilter: { right: "task", timeOut: 5 },
  SwitchFeedforward: { right: "task", timeOut: 5 },
  Generate: { right: "task", timeOut: 5 },
  PlanFound: { right: "inside", timeOut: 5 },
};

/** Insert an object into the world; refused if it would overlap a body. An object in mid-air falls, with a note. */
export interface AddObject {
  type: "AddObject";
  object: ObjectSpec;
}

/** Aim a camera's head and set its zoom; the head moves at its own rate. */
export interface AimCamera {
  type: "AimCamera";
  /** Name of the robot. */
  robot: string;
  /** Name of its camera. */
  camera: string;
  /** Radians to the left of straight ahead, limited to the head's range. */
  pan: number;
  /** Radians upwards, limited in the same way. */
  tilt: number;
  /** Magnification from 1, limited in the same way. */
  zoom?: number;
}

/** What became of a `Command` or `Ping`: done, or why not. */
export interface Answer {
  type: "Answer";
  id: number;
  ok: boolean;
  text: string;
}

/** The arrival of a reading from outside, written by the cell's own edge and never by the sender. */
export interface Arrival {
  /** Whole milliseconds since the server received it; -1 if not known. */
  waited?: number;
  /** Milliseconds before that during which readings came without a gap of 0.1 s. */
  steady?: number;
  /** Tick in which it entered the cell, if a modelled device delays it; -1: this tick. */
  taken?: number;
}

/** I want to control this robot: granted at once if nobody does, otherwise the one who does is asked. */
export interface Ask {
  type: "Ask";
  robot: string;
}

/** A viewer who asks for control, and how long ago (s). */
export interface Asker {
  viewer: number;
  name: string;
  waited: number;
}

/** A moving body. */
export interface BodyLook {
  /** Of the body in the compiled model. */
  name: string;
  /** Name of the robot it belongs to; empty for a loose object. */
  robot: string;
}

/** Inject a fault: a robot's wrist sensor falls silent or returns NaN; with neither it works again. */
export interface BreakWrist {
  type: "BreakWrist";
  robot: string;
  how?: "" | "nan" | "silent";
}

/** A camera of a robot. */
export interface CameraInfo {
  /** Unique on its robot; its pictures are at /camera/<cell>/<robot>/<name>.jpg, a stream of them at .mjpeg. */
  name: string;
  /** What the operator calls it. */
  label: string;
  /** Its frame, on the body that moves with it: it looks along -z, x to the right, y up. */
  place: Place;
  /** Vertical field of view, rad, without zoom; zoom divides its half's tangent. */
  fov: number;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** How far its head turns to the right (negative) and to the left, rad; None if it does not. */
  pan: [number, number] | null;
  /** How far down (negative) and up; None if it does not. */
  tilt: [number, number] | null;
  /** The most; 1 for none. */
  zoom: number;
}

/** One camera now. */
export interface CameraUpdate {
  /** Radians to the left of straight ahead. */
  pan: number;
  /** Radians up. */
  tilt: number;
  /** How many times nearer. */
  zoom: number;
  /** How its picture was made worse on purpose: show the server's, which is; None if it was not. */
  degraded: DegradeCamera | null;
}

/** A cell of this server. */
export interface CellInfo {
  /** Of the cell. */
  name: string;
  /** What it is. */
  summary: string;
  /** "silent": it has said nothing for a moment; "lost": its process ended and is restarted; "failed": it ended too often, and is tried again every minute or by `Restart`. */
  state: "failed" | "lost" | "running" | "silent" | "starting";
  /** A sentence about that. */
  reason: string;
}

/** The cells and how they are, whenever that changes. */
export interface Cells {
  type: "Cells";
  cells: CellInfo[];
}

/** Give a robot another tool of the catalogue, or none; it must be at rest, hold nothing, and have clearance. */
export interface ChangeTool {
  type: "ChangeTool";
  robot: string;
  tool?: string;
}

/** End an injected load. */
export interface ClearLoad {
  type: "ClearLoad";
  robot: string;
}

/** An event for the cell; is answered with `Answer` of the same id. */
export interface Command {
  type: "Command";
  id: number;
  event: Stop | Reset | MoveJoints | MoveTip | MoveFlippers | FollowPath | Teach | FreeMe | HoldHere | Continue | Power | Park | SetSpeed | SetScale | SelectMapping | Reconfigure | ResetRobot | ResetObjects | AddObject | MoveObject | RemoveObject | ChangeTool | ZeroWrist | AimCamera | Load | ClearLoad | BreakWrist | DegradeCamera | SwitchFilter | SwitchFeedforward | Generate | PlanFound;
}

/** Do what I said: answers a `Heard` that waits for it, and is answered by one of the same id. */
export interface Confirm {
  type: "Confirm";
  id: number;
}

/** Continue an interrupted autonomous move, planned again from the arm's present position. */
export interface Continue {
  type: "Continue";
  robot: string;
}

/** Degrade the picture of a camera, or, with names alone, restore it. */
export interface DegradeCamera {
  type: "DegradeCamera";
  /** Name of the robot. */
  robot: string;
  /** Name of its camera; empty: all of this robot. */
  camera?: string;
  /** Share of its pixels that are kept in each direction, up to 1. */
  resolution?: number;
  /** Pictures per second; 0: every picture. */
  rate?: number;
  /** Grain, from 0 to 1. */
  noise?: number;
  /** Delay of its pictures, s. */
  delay?: number;
  /** It keeps showing its last picture. */
  frozen?: boolean;
}

/** Move a robot's arm autonomously along a taught trajectory, after a move to its start. */
export interface FollowPath {
  type: "FollowPath";
  robot: string;
  trajectory: Trajectory;
}

/** Back out of a corner: move the arm slowly a short distance back along the path on which it came. */
export interface FreeMe {
  type: "FreeMe";
  robot: string;
}

/** Replace the operator's hand by a signal generator, or remove the generator. */
export interface Generate {
  type: "Generate";
  robot: string;
  generator?: Generator | null;
}

/** A test signal in place of the operator's hand; runs while the deadman is held, through every filter. */
export interface Generator {
  /** Index of the axis of the chosen mapping that it deflects, from 0. */
  axis: number;
  /** Waveform. */
  wave?: "constant" | "sine" | "square" | "triangle";
  /** Deflection from 0 to 1. */
  amplitude?: number;
  /** Hz; unused for a "constant". */
  frequency?: number;
}

/** A shape on a body. */
export interface GeomLook {
  /** Index of the moving body that carries it, or -1 if it is fixed to the world. */
  body: number;
  /** Its form. */
  shape: "box" | "capsule" | "cylinder" | "ellipsoid" | "mesh" | "plane" | "sphere";
  /** Metres. plane: half lengths, 0 for endless; box: three half lengths; sphere: radius; cylinder and capsule: radius and half length along z; ellipsoid: three radii; mesh: none. */
  size: number[];
  /** In the body's frame, or in the world's if it is fixed. */
  pose: Pose;
  /** Red, green, blue, opacity, 0 to 1. */
  colour: [number, number, number, number];
  /** Hash of the mesh's content, for the shape "mesh". */
  mesh: string;
  /** It is meant to be looked at. */
  seen: boolean;
  /** The physics lets it touch others. */
  touched: boolean;
  /** Of what it belongs to, for the operator. */
  name: string;
  /** Only shown to help the operator: no robot's camera sees it. */
  virtual: boolean;
}

/** A gripper: metres between its fingers when open. */
export interface GripperInfo {
  opening: number;
}

/** What the operator's hand does, for the robot he holds the control of; sent many times a second. */
export interface Hand {
  type: "Hand";
  robot: string;
  reading: Reading;
}

/** What was understood of an utterance, and what came of it. */
export interface Heard {
  type: "Heard";
  /** Of the utterance. */
  id: number;
  /** It was done. */
  ok: boolean;
  /** What was said; empty if it was not understood. */
  phrase: string;
  /** What was done, what will be done once it is confirmed, or why nothing was. */
  text: string;
  /** Seconds in which the speaker can confirm it, by the word or by `Confirm`; 0: nothing waits. */
  confirm: number;
}

/** The first message of a page. */
export interface Hello {
  type: "Hello";
  /** What messages it was built from; see `WIRE`. */
  wire: string;
  /** From the link that Farhand printed. */
  token: string;
  /** A secret of this tab, kept over reloads, by which it keeps its control over a lost connection. */
  client: string;
  /** What other people see; empty: a name is given. */
  name?: string;
  /** The language to be told notes in: "en", "de"; English where it is another one. */
  language?: string;
}

/** End any motion of a robot, including interrupted moves, and hold it where it is, without latching. */
export interface HoldHere {
  type: "HoldHere";
  robot: string;
}

/** A joint of an arm. */
export interface JointInfo {
  /** Unique in its robot. */
  name: string;
  /** What the operator calls it. */
  label: string;
  /** "hinge": radians; "slide": metres. */
  kind: "hinge" | "slide";
  /** Limit; None for a continuous joint. */
  lower: number | null;
  /** Limit; None for a continuous joint. */
  upper: number | null;
  /** Where "home" is. */
  home: number;
  /** Top rate. */
  velocity: number;
}

/** Do something with a move that was taught; is answered with `Answer` of the same id. */
export interface KeptMove {
  type: "KeptMove";
  /** Of the answer. */
  id: number;
  /** Whose it is. */
  robot: string;
  /** Of the move. */
  name: string;
  /** Have the robot move along it, give it another name, or delete it. */
  action: "delete" | "rename" | "run";
  /** The other name. */
  to?: string;
}

/** Who controls a robot. */
export interface LeaseInfo {
  /** Which one. */
  robot: string;
  /** Viewer number; None if nobody. */
  holder: number | null;
  /** Of the holder. */
  name: string;
  /** Counts the changes of hands; readings carry it. */
  epoch: number;
  /** False while the holder's connection is lost and the control is kept for it. */
  present: boolean;
  /** Who else wants it, first come first. */
  askers: Asker[];
  /** You asked, were not answered, and may take over now. */
  may_take: boolean;
}

/** Who controls which robot of the watched cell, and how many people look on (you included). */
export interface Leases {
  type: "Leases";
  robots: LeaseInfo[];
  viewers: number;
}

/** Send me these signals, sampled every tick; names as in `Scene.signals`. */
export interface Listen {
  type: "Listen";
  signals: string[];
}

/** Inject a fault: a lasting force (N) in world axes at a robot's tip, unknown to the controller. */
export interface Load {
  type: "Load";
  robot: string;
  force: [number, number, number];
}

/** Something that happened. */
export interface LogEntry {
  /** Counts up without gaps. */
  number: number;
  /** Seconds of the cell's time. */
  time: number;
  /** Whom it concerns; empty for the cell. */
  robot: string;
  /** A sentence, in the viewer's language. */
  text: string;
  /** As in `NoteText`. */
  level: "fault" | "info" | "slow" | "stop";
  /** What a program can match. */
  code: string;
}

/** A way to drive a robot. */
export interface MappingInfo {
  /** As the cell file calls it. */
  name: string;
  /** Of the mapping: "jog-joints", "jog-tip", "drag-tip", … */
  kind: string;
  /** One sentence about it. */
  feel: string;
  /** What each axis of a reading does, in order: "joint:0", "x", "y", "z", "roll", "pitch", "yaw", "grip". Empty for one that is led by a pose or by joints. */
  axes: string[];
  /** Axes in which "x" and the others are meant. */
  frame: "" | "base" | "tool" | "view";
  /** The operator can choose how far the robot goes for a way of the hand. */
  scalable: boolean;
}

/** A master that has joints, modelled here or held elsewhere, as the page can show it. */
export interface MasterInfo {
  /** In the cell. */
  name: string;
  /** What people call the device. */
  label: string;
  /** How it is held, if the hand is modelled: "relaxed", "normal", "firm" or "own"; else empty. */
  hand: string;
  /** Of the device. */
  joints: JointInfo[];
  /** Its moving bodies, in the order of the poses; the last one is the handle, whose frame is the tip's. */
  bodies: BodyLook[];
  /** Their shapes; what is on body -1 stands still. All in the frame of the device's base. */
  geoms: GeomLook[];
  /** Lowest x, y, z that its tip can be brought to, in its base frame (x away from the operator, z up). */
  lower: [number, number, number];
  /** Highest. */
  upper: [number, number, number];
  /** N that it can make the hand feel; 0 for none. */
  force: number;
  /** Which robots it drives. */
  robots: string[];
  /** Whoever holds control of them moves it: by `Reading.pose` (where the tip is meant to be, in its base frame), `Reading.joints`, or `Reading.axes` (three shifts, three turns in its base axes). */
  by_hand: boolean;
}

/** One master now. */
export interface MasterUpdate {
  /** Poses of its bodies in the frame of its base, `POSE_ROW` bytes each; empty before it has spoken. */
  bodies: Uint8Array;
  /** Positions of its joints, float32. */
  joints: Uint8Array;
  /** Its tip in its base frame: x, y, z, then quaternion w, x, y, z, float32. */
  tip: Uint8Array;
  /** Where the hand means to be, likewise; empty if nobody knows. */
  intended: Uint8Array;
  /** N that the hand feels, in its base axes, float32. */
  felt: Uint8Array;
  /** The deadman is held. */
  held: boolean;
  /** It goes by itself, as a demonstration, until somebody in control presses the deadman. */
  alone: boolean;
}

/** Turn a robot's flippers autonomously to angles (rad, up from straight ahead), in the robot's order. */
export interface MoveFlippers {
  type: "MoveFlippers";
  robot: string;
  angles: number[];
}

/** A move that was taught: its name, how many points it has, and seconds at full speed; 0: from point to point. */
export interface MoveInfo {
  name: string;
  points: number;
  seconds: number;
}

/** Move a robot's arm autonomously to joint positions (rad, m); an empty `goal` means home. */
export interface MoveJoints {
  type: "MoveJoints";
  robot: string;
  goal?: number[];
}

/** Put an object elsewhere, at rest; refused if it would overlap a robot. */
export interface MoveObject {
  type: "MoveObject";
  name: string;
  pose: Pose;
}

/** Move a robot's arm autonomously until its tip reaches a pose (m, quaternion) in the robot's base frame. */
export interface MoveTip {
  type: "MoveTip";
  robot: string;
  pose: Pose;
}

/** The moves that were taught, by robot, whenever there are others. */
export interface Moves {
  type: "Moves";
  robots: Record<string, MoveInfo[]>;
}

/** How an arm that keeps clear stands with its surroundings. */
export interface NearUpdate {
  /** The link that is nearest to something, or what it carries. */
  first: string;
  /** What that is. */
  second: string;
  /** Metres until it stops the arm; below zero: it is too near. */
  room: number;
  /** It may be touched, slowly. */
  gently: boolean;
  /** The nearest points on both, world frame: six float32. */
  line: Uint8Array;
  /** Whether the tip is free to go +x, +y, +z, -x, -y, -z, in the axes of the robot's base. */
  ways: boolean[];
  /** How far each joint may go by itself: all lower ones, then all upper ones, float32. */
  limits: Uint8Array;
}

/** The reason why a command was altered, refused or stopped; `farhand.notes.render` makes the sentence. */
export interface Note {
  /** The meaning; each one is declared in `farhand.notes.codes`. */
  code: string;
  /** "info" changes nothing, "slow" slows or bends a motion, "stop" ends it, "fault" means broken. */
  level?: "fault" | "info" | "slow" | "stop";
  /** Subjects, in the order that the code declares. */
  about?: Subject[];
  /** Numbers of the note. */
  quantities?: Quantity[];
  /** Codes of the motions that remain free, if the note is about a limit. */
  free?: string[];
  /** Reason of a pause, a stop or a refusal. */
  cause?: Note | null;
  /** Number of the event that the note refuses; -1 for all other notes. */
  answers?: number;
}

/** A note in the viewer's language. */
export interface NoteText {
  /** The note's code, which a program can match. */
  code: string;
  /** The sentence. */
  text: string;
  /** "info" changes nothing, "slow" slows or bends a motion, "stop" ends it, "fault" is broken. */
  level: "fault" | "info" | "slow" | "stop";
  /** The ways out, as sentences; empty if there are none to name. */
  free: string;
}

/** The joint on which an object turns or slides in its place, as of a door, a valve or a drawer. */
export interface ObjectJoint {
  /** "hinge" turns (rad), "slide" slides (m). */
  kind?: "hinge" | "slide";
  /** Direction of the axis, in the object's frame. */
  axis?: [number, number, number];
  /** A point of the axis, in the object's frame; for a hinge. */
  at?: [number, number, number];
  /** Lowest and highest position, counted from where the cell file puts the object; left out: endless. */
  range?: [number, number] | null;
  /** Torque (Nm) or force (N) below which it does not move: dry friction. */
  friction?: number;
  /** Nm·s/rad or N·s/m. */
  damping?: number;
  /** Nm/rad or N/m towards `rest`. */
  spring?: number;
  /** Rest position of the spring (rad, m). */
  rest?: number;
  /** Name of the object that carries it, as a door carries its handle. Its position is then in that object's frame. */
  on?: string;
  /** Name of an object with a joint that moves this one, as a handle moves its bolt. */
  follows?: string;
  /** Travel of this joint per radian or metre of the one it follows. */
  ratio?: number;
}

/** A further shape of an object, fixed to its first one. */
export interface ObjectPart {
  /** Form; not "mesh". */
  shape?: "box" | "capsule" | "cylinder" | "mesh" | "sphere";
  /** As in `ObjectSpec`. */
  size?: number[];
  /** Centre, in the object's frame. */
  position?: [number, number, number];
  /** Quaternion wxyz, in the object's frame. */
  rotation?: [number, number, number, number];
  /** As in `ObjectSpec`; left out: the object's own. */
  colour?: [number, number, number, number] | null;
  /** Takes part in contacts; if not, the part is only drawn and weighs nothing. */
  collides?: boolean;
}

/** An object of the world, as a cell file or an edit describes it. */
export interface ObjectSpec {
  /** Unique in its world. */
  name: string;
  /** Form. */
  shape?: "box" | "capsule" | "cylinder" | "mesh" | "sphere";
  /** Metres: box: three edge lengths; cylinder: radius, length; capsule: radius, length without its caps; sphere: radius; mesh: none. */
  size?: number[];
  /** Centre (of a mesh: the origin of its file), in the world frame. */
  position?: [number, number, number];
  /** Quaternion wxyz. */
  rotation?: [number, number, number, number];
  /** Kilograms, of all its shapes; 0 makes it part of the fixed surroundings. */
  mass?: number;
  /** Red, green, blue and opacity from 0 to 1. */
  colour?: [number, number, number, number];
  /** Coulomb coefficient of sliding; None for ordinary ground, on which belts grip by their own coefficient. */
  friction?: number | null;
  /** Name of a surface that sets the friction instead: "ice", "gravel". */
  surface?: string;
  /** Path of an .stl, .obj or .dae file, for the shape "mesh". */
  mesh?: string;
  /** N/m of springs that hold it in place without turning, in every direction; 0: none. Model a wall of a given stiffness as such a body: contacts between bodies have no stiffness of their own. */
  stiffness?: number;
  /** Damping of the springs, as a share of the critical damping. */
  damping?: number;
  /** Rule for an arm that keeps clearance: "never" touch it; "may" touch it, gently; "free": the arm is neither slowed nor stopped before it. */
  touch?: "free" | "may" | "never";
  /** Further shapes; the mass is shared among all shapes by volume. */
  parts?: ObjectPart[];
  /** Joint on which it turns or slides; left out: it lies loose, or is fixed if it has no mass. */
  joint?: ObjectJoint | null;
}

/** Set or release a robot's parking brake; for tracked robots, whose belts stand while it is set. */
export interface Park {
  type: "Park";
  robot: string;
  on: boolean;
}

/** A part of how a robot is driven: which, its name if there are several, and its settings. */
export interface PartInfo {
  part: "avoid" | "drive" | "feedback" | "filter" | "mapping" | "scales" | "speeds" | "watchdog";
  name: string;
  settings: Record<string, unknown>;
}

/** Someone who looks at the watched cell: number, name and role. */
export interface Person {
  viewer: number;
  name: string;
  role: "guest" | "instructor" | "observer" | "owner" | "superuser" | "trainee" | "user";
}

/** Is answered by the cell itself, with `Answer`; measures the way there and back. */
export interface Ping {
  type: "Ping";
  id: number;
}

/** A frame on a moving body, or in the world (body -1), with what it is called. */
export interface Place {
  body: number;
  pose: Pose;
  name: string;
}

/** Start a planned motion, unless the robot has received another command since the request. */
export interface PlanFound {
  type: "PlanFound";
  /** Name of the robot. */
  robot: string;
  /** The request that it answers. */
  request: PlanRequest;
  /** The motion; None if there is none. */
  trajectory?: Trajectory | null;
  /** Reason why there is none. */
  problem?: Note | null;
  /** Clearance of the motion between its ends, m; the ends may touch an object. */
  room?: number;
}

/** A robot lane's request for a motion around obstacles. */
export interface PlanRequest {
  /** Number of the tick in which it was commanded; any later command, press, stop or reset makes it void. */
  number: number;
  /** Epoch of the lease under which it was commanded. */
  epoch: number;
  /** Joint positions to end at (rad, m), or a pose of the tip in the base frame. */
  goal: number[] | Pose;
  /** Joint positions to start from; empty while the arm is still moving. */
  start?: number[];
}

/** A pose of one frame in another. */
export interface Pose {
  /** Metres. */
  position?: [number, number, number];
  /** Unit quaternion (w, x, y, z). */
  rotation?: [number, number, number, number];
}

/** Power a robot up or down; for robots with a power switch, such as hydraulic ones. */
export interface Power {
  type: "Power";
  robot: string;
  on: boolean;
}

/** A number of a note, by name and unit (SI, radians; "share" of 1; "count"). */
export interface Quantity {
  name: string;
  value: number;
  unit: "" | "Hz" | "N" | "Nm" | "count" | "m" | "m/s" | "rad" | "rad/s" | "s" | "share";
}

/** A reading of a master at one instant. */
export interface Reading {
  /** Counter of the readings of this master and epoch; an old or repeated one is refused. */
  sequence?: number;
  /** The lease under which it was sent; after a change of epoch the deadman must be pressed again. */
  epoch?: number;
  /** The newest tick that the sender had seen, or -1 if it sees none; old echoes reveal a queue in the network. */
  tick?: number;
  /** True while the operator enables motion. */
  deadman?: boolean;
  /** Deflections from -1 to 1 (held keys, sticks), in the order the mapping expects. */
  axes?: number[];
  /** Joint positions of a master that has joints. */
  joints?: number[];
  /** Pose of the master's tip, in the master's own base frame. */
  pose?: Pose | null;
  /** Velocity of that tip, if the master measures it; otherwise it is computed from successive readings. */
  twist?: Twist | null;
  /** Rotation of the operator's camera, in the robot's base frame: x right, y up, z towards the operator. */
  view?: [number, number, number, number] | null;
  /** Gripper trigger from 0 (open) to 1 (closed), if the master has one. */
  grip?: number | null;
  /** Number of presses of each button so far; counters survive lost readings, edges do not. "deadman" enables, "scale" selects the next scale of the hand's motion, "stop" and "reset" serve a master that joined over the network. */
  presses?: Record<string, number>;
  /** Tick of the newest picture that the operator's page has drawn; -1 if it draws none. */
  drawn?: number;
  /** Arrival of a reading from outside; None for readings made in the cell's own process. */
  arrival?: Arrival | null;
}

/** Change how a robot is driven, at run time; relaxed limits apply the next time the operator engages. */
export interface Reconfigure {
  type: "Reconfigure";
  /** Name of the robot. */
  robot: string;
  /** The part of its set-up to be changed. */
  part: "avoid" | "drive" | "feedback" | "filter" | "mapping" | "scales" | "speeds" | "watchdog";
  /** Name of the filter or mapping. */
  name?: string;
  /** Its table, as in a cell file; for "speeds" and "scales" the list `values`. None removes a filter or mapping, and restores every other part from the cell file. */
  settings?: Record<string, unknown> | null;
  /** Name of the filter before which a new one is inserted; empty: after all others. */
  before?: string;
}

/** I keep my control of this robot; tells the viewer who asked. */
export interface Refuse {
  type: "Refuse";
  robot: string;
  viewer: number;
}

/** This client may not go on; the connection ends. */
export interface Refused {
  type: "Refused";
  /** A sentence. */
  reason: string;
  /** It is worth trying again. */
  retry: boolean;
  /** The close code of the socket; see `farhand.server.protocol.close_codes`. */
  code: number;
}

/** I give the control of this robot back, or take my asking back. */
export interface Release {
  type: "Release";
  robot: string;
}

/** Remove an object from the world; refused while a gripper holds it or another object stands on it. */
export interface RemoveObject {
  type: "RemoveObject";
  name: string;
}

/** Clear a latched stop of one robot, or of all robots; never starts a motion. */
export interface Reset {
  type: "Reset";
  robot?: string;
}

/** Put movable objects back where the cell file places them, at rest; above objects that stand there. */
export interface ResetObjects {
  type: "ResetObjects";
  /** Name of the only object to be reset; empty: all. */
  name?: string;
}

/** Put a robot back where the cell file places it, upright, at home, at rest; on tracks, above objects there. */
export interface ResetRobot {
  type: "ResetRobot";
  robot: string;
}

/** Try the watched cell again now, which ended too often to be restarted at once; is answered with `Answer`. */
export interface Restart {
  type: "Restart";
  id: number;
}

/** A robot as the page must know it. */
export interface RobotInfo {
  /** In the cell. */
  name: string;
  /** What kind of robot it is. */
  model: string;
  /** Of the arm. */
  joints: JointInfo[];
  /** If there is one. */
  gripper: GripperInfo | null;
  /** Its base frame. */
  base: Place;
  /** Its tip frame. */
  tip: Place;
  /** The frame of each joint along the chain (Denavit–Hartenberg), base first. */
  frames: Place[];
  /** Ways to drive it. */
  mappings: MappingInfo[];
  /** Names of the lane's filters, in order; they can be switched off to find a fault, except "scale". */
  filters: string[];
  /** What drives it, by name. */
  master: string;
  /** Whoever holds control drives it; otherwise a script does. */
  by_hand: boolean;
  /** It has a power switch, and must be powered up before it moves. */
  switch: boolean;
  /** It has a force sensor in its wrist, which can be zeroed. */
  wrist: boolean;
  /** What it carries; empty for nothing. */
  tool: string;
  /** What it can be given instead while it runs. */
  tools: string[];
  /** Of the hand's motion, to choose from. */
  scales: number[];
  /** Speed levels as shares of full speed. */
  speeds: number[];
  /** What can be changed about how it is driven, with its settings. */
  parts: PartInfo[];
  /** What carries it about, if it does not stand. */
  tracks: TracksInfo | null;
  /** What it looks through. */
  cameras: CameraInfo[];
}

/** One robot now. */
export interface RobotUpdate {
  /** Who is in charge. */
  mode: "autonomous" | "fault" | "idle" | "off" | "paused" | "powering" | "stopped" | "teleoperation";
  /** Speed level, counted from 1. */
  level: number;
  /** Index of the mapping in use. */
  mapping: number;
  /** Milliseconds since the last good reading of its master; -1 before the first. */
  age: number;
  /** Sequence number of that reading. */
  heard: number;
  /** Measured positions of the arm's joints, float32. */
  joints: Uint8Array;
  /** Metres between the fingers; -1 without a gripper. */
  grip: number;
  /** Measured tip in the robot's base frame: x, y, z, then quaternion w, x, y, z, float32. */
  tip: Uint8Array;
  /** What the surroundings do to the tip, N, world axes, float32. */
  force: Uint8Array;
  /** An interrupted move waits for "continue". */
  waiting: boolean;
  /** What is switched off to find a fault: names of filters, "feed-forward". */
  off: string[];
  /** A signal generator drives in place of the hand. */
  generating: boolean;
  /** How far the robot goes for a way of the hand, times what its mapping has. */
  scale: number;
  /** N that the hand shall feel. */
  felt: number;
  /** Kilograms that the wrist's sensor has weighed in the gripper; -1 while there are none. */
  payload: number;
  /** How many points of a move have been taught so far; -1 while nothing is taught. */
  lesson: number;
  /** It is taught by recording. */
  recording: boolean;
  /** What an arm that keeps clear is near to; nothing if it is near to nothing. */
  near: NearUpdate | null;
  /** How a robot on tracks stands. */
  tracks: TracksUpdate | null;
  /** In the order of the scene's. */
  cameras: CameraUpdate[];
  /** There is power, or it is coming; also while a stop is latched. */
  powered: boolean;
  /** Milliseconds; the usual delay of its master's link, by which readings may be older. */
  baseline: number;
  /** A way around what is in the way is being looked for; `HoldHere` ends that. */
  planning: boolean;
  /** Poses of the robot's bodies, in the order of the scene's, where a move ends that is under way or being planned: `POSE_ROW` bytes each; empty while there is none, or it is not known. */
  ghost: Uint8Array;
}

/** Entries of the cell's log; none is ever left out. */
export interface Said {
  type: "Said";
  entries: LogEntry[];
}

/** A cell, whole: all that stays as it is until the world is edited. Updates refer to it. */
export interface Scene {
  type: "Scene";
  /** Name of the cell. */
  cell: string;
  /** What it is. */
  summary: string;
  /** Counts the scenes of this cell; updates carry it. */
  number: number;
  /** Seconds per tick. */
  timestep: number;
  /** Moving bodies, in the order of the poses. */
  bodies: BodyLook[];
  /** All shapes; meshes are fetched by their hash from /mesh/<cell>/<hash>. */
  geoms: GeomLook[];
  /** All robots, in the order of the updates. */
  robots: RobotInfo[];
  /** What can be plotted. */
  signals: SignalInfo[];
  /** Those that can be shown, in the order of the updates. */
  masters: MasterInfo[];
}

/** Choose the control mode, by the name that the cell file gives the mapping. */
export interface SelectMapping {
  type: "SelectMapping";
  robot: string;
  mapping: string;
}

/** Send a viewer of this cell away; is answered with `Answer` of the same id. */
export interface SendAway {
  type: "SendAway";
  id: number;
  viewer: number;
}

/** Set the robot's motion per hand motion, as a factor on the mapping's scale; any value, not only the cell's. */
export interface SetScale {
  type: "SetScale";
  robot: string;
  scale: number;
}

/** Choose one of the cell's speed levels, counted from 1. */
export interface SetSpeed {
  type: "SetSpeed";
  robot: string;
  level: number;
}

/** Something that can be plotted: its name, what the operator calls it, its unit, under which heading it stands. */
export interface SignalInfo {
  name: string;
  label: string;
  unit: string;
  group: string;
}

/** Samples of the signals that this viewer listens to, none left out unless the viewer is too slow. */
export interface Signals {
  type: "Signals";
  /** Number of the first sample's tick. */
  tick: number;
  /** What was asked for and exists. */
  names: string[];
  /** float32, for each tick all signals in the order of `names`. */
  values: Uint8Array;
}

/** A piece of what is spoken while the talk key is held; after the last one comes `Heard` of the same id. */
export interface Speech {
  type: "Speech";
  /** Of the utterance; pieces of another one begin it anew. */
  id: number;
  /** Whom it is said to. */
  robot: string;
  /** Samples, int16, 16 kHz, one channel. A first piece without any has the recogniser made ready. */
  pcm: Uint8Array;
  /** The key was let go. */
  last?: boolean;
}

/** Stop every robot of the cell, latched. */
export interface Stop {
  type: "Stop";
  /** Sentence shown to operators as it is; empty: they read who stopped the robots, and how. */
  reason?: string;
  /** Name of the person who stopped them. */
  by?: string;
  /** How it was stopped; "restarted": the cell's process is a new one. */
  how?: "pressed" | "restarted" | "said";
}

/** A subject of a note. */
export interface Subject {
  /** Kind of subject: "robot", "joint", "body", …; `farhand.notes` has the list. */
  kind: string;
  /** Its own name, or a word of a closed list that each language translates. */
  name: string;
}

/** Switch the feed-forward of a robot's drive off, or on again, to find a fault. */
export interface SwitchFeedforward {
  type: "SwitchFeedforward";
  robot: string;
  on: boolean;
}

/** Switch a filter of a robot's lane off, or on again, to find a fault; the speed level stays on. */
export interface SwitchFilter {
  type: "SwitchFilter";
  robot: string;
  filter: string;
  on: boolean;
}

/** I asked, and the one who holds control has not answered in time and does not drive: I take it. */
export interface TakeOver {
  type: "TakeOver";
  robot: string;
}

/** Teach an arm a trajectory; the report of the tick that finishes it holds the result. */
export interface Teach {
  type: "Teach";
  /** Name of the robot. */
  robot: string;
  /** "record": record the arm's motion from now on; "point": add its present position; "finish": end the trajectory; "discard": drop it. */
  action: "discard" | "finish" | "point" | "record";
  /** Name of the trajectory, with "finish". */
  name?: string;
}

/** What carries a robot about. */
export interface TracksInfo {
  /** Front left, front right, rear left, rear right; zero is level, positive angles raise the tip. */
  flippers: JointInfo[];
  /** Top speed of a belt, m/s. */
  speed: number;
  /** Metres from the front hubs to the rear ones. */
  wheelbase: number;
  /** Metres from the left flippers to the right ones. */
  gauge: number;
  /** Of a flipper from axle to axle. */
  length: number;
  /** Radius of the wheel about which it turns. */
  hub: number;
  /** Radius of the wheel at its end. */
  tip: number;
}

/** How a robot on tracks stands, as it feels it itself; nothing here tells where it is. */
export interface TracksUpdate {
  /** Nose up, rad. */
  pitch: number;
  /** Right side down, rad. */
  roll: number;
  /** Measured angles, float32. */
  flippers: Uint8Array;
  /** Where they were told to be, float32. */
  asked: Uint8Array;
  /** Speeds of left and right, m/s, float32. */
  belts: Uint8Array;
  /** The belts are told to stand, and held. */
  braked: boolean;
  /** The parking brake is set: they will not run. */
  parked: boolean;
  /** What it does. */
  word: "driving" | "slipping" | "standing" | "stuck" | "tipped";
}

/** A taught trajectory of an arm's joints. */
export interface Trajectory {
  /** Name of the trajectory. */
  name: string;
  /** Joint positions (rad, m) at each point. */
  points: number[][];
  /** Seconds from the start at each point; empty: as fast as the limits allow, at rest in each point. */
  times?: number[];
  /** Joint rates at each point (rad/s, m/s), if there are times. */
  rates?: number[][];
}

/** A velocity (m/s) and a turn rate (rad/s), in the axes of the frame in which the pose is given. */
export interface Twist {
  linear?: [number, number, number];
  angular?: [number, number, number];
}

/** The cell now; only the newest one matters. */
export interface Update {
  type: "Update";
  /** Number of the scene it belongs to; another one than the page has is to be ignored. */
  scene: number;
  /** Number of the newest tick; to be echoed in readings. */
  tick: number;
  /** Seconds of the cell's time. */
  time: number;
  /** How fast time runs; 1 is real time. */
  factor: number;
  /** How many ticks so far began more than half a tick late. */
  late: number;
  /** Poses of the bodies that moved since the last update to this viewer: rows of uint16 index, then as `POSE_ROW`. */
  moved: Uint8Array;
  /** A bit for each body (byte i // 8, bit i % 8) that rests and costs nothing until touched. */
  asleep: Uint8Array;
  /** In the scene's order. */
  robots: RobotUpdate[];
  /** The newest lease epoch of which the cell has heard a reading, for each robot; -1 before the first. A press counts from the moment this is the holder's own epoch. */
  epochs: number[];
  /** Rows of float32 x, y, z (world) and force (N), the hardest 32. */
  contacts: Uint8Array;
  /** In the scene's order. */
  masters: MasterUpdate[];
}

/** Who looks at the watched cell; only for those who may send a viewer away, and empty once they may not. */
export interface Viewers {
  type: "Viewers";
  people: Person[];
}

/** Show me this cell, from its scene on; whatever was shown before ends. */
export interface Watch {
  type: "Watch";
  cell: string;
}

/** The answer to `Hello`. */
export interface Welcome {
  type: "Welcome";
  /** This page's number, by which others speak of it. */
  viewer: number;
  /** What it is called. */
  name: string;
  /** Of Farhand. */
  version: string;
  /** What can be watched. */
  cells: CellInfo[];
  /** Of the person at this page. A trainee, who sits an exam, gets pictures from the server and no poses. */
  role: "guest" | "instructor" | "observer" | "owner" | "superuser" | "trainee" | "user";
}

/** What alters or keeps back the motion of each robot just now, by robot; empty when nothing does. */
export interface Why {
  type: "Why";
  robots: Record<string, NoteText[]>;
}

/** I hand my control of this robot over to a viewer who asked for it. */
export interface Yield {
  type: "Yield";
  robot: string;
  viewer: number;
}

/** Zero a robot's wrist force sensor; the tool must hang free. */
export interface ZeroWrist {
  type: "ZeroWrist";
  robot: string;
}

export type FromPage = Hello | Watch | Hand | Command | KeptMove | Ping | Ask | Release | Yield | Refuse | TakeOver | SendAway | Restart | Listen | Speech | Confirm;

export type ToPage = Welcome | Refused | Cells | Scene | Update | Signals | Why | Said | Leases | Viewers | Moves | Answer | Heard;
