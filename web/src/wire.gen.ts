// Made from src/farhand/server/protocol/messages.py by `make wire`; do not edit.

/** Identifies this version of the messages. */
export const WIRE = "168576cfa92d";
/** Bytes of one body's pose: x, y, z as float32, then quaternion w, x, y, z as int16 of 1/32767. */
export const POSE_ROW = 20;
/** The phrases that are understood while the talk key is held. */
export const PHRASES: readonly string[] = ["stop","hold here","reset and be ready","carry on with the move","free me from here","move to home position","power up the robot","power down","scale one","scale two","scale three","scale four","speed one","speed two","speed three","speed four","speed five","faster","slower","next mapping"];
/** The confirming phrase of each phrase that starts a motion. */
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
/** Roles that may send others away and cannot be sent away. */
export const STAFF: readonly Role[] = ["superuser", "instructor", "owner"];
/** The right that each event needs, and its time-out in seconds. */
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

/** Notes that alter or stop the motion of each robot now, by robot; empty while all move freely. */
export interface ActiveNotes {
  type: "ActiveNotes";
  robots: Record<string, NoteText[]>;
}

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

/** The answer to a `Command` or `Ping`: done, or the reason why not. */
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

/** Ask for control of a robot: granted at once if it is free, otherwise its holder is asked. */
export interface Ask {
  type: "Ask";
  robot: string;
}

/** A viewer who asks for control, and for how long (s). */
export interface Asker {
  viewer: number;
  name: string;
  waited: number;
}

/** A moving body. */
export interface BodyLook {
  /** Of the body in the compiled model. */
  name: string;
  /** Name of its robot; empty for a loose object. */
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
  /** Unique on its robot; its picture is at /camera/<cell>/<robot>/<name>.jpg, a stream of pictures at .mjpeg. */
  name: string;
  /** Name that the operator sees. */
  label: string;
  /** Its frame, on the body that carries it: it looks along -z, x to the right, y up. */
  place: Place;
  /** Vertical field of view without zoom, rad; zoom divides the tangent of its half. */
  fov: number;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** Limits of the head to the right (negative) and to the left, rad; None if it does not pan. */
  pan: [number, number] | null;
  /** Limits down (negative) and up, rad; None if it does not tilt. */
  tilt: [number, number] | null;
  /** Highest magnification; 1: no zoom. */
  zoom: number;
}

/** State of a camera. */
export interface CameraUpdate {
  /** Angle to the left of straight ahead, rad. */
  pan: number;
  /** Angle up, rad. */
  tilt: number;
  /** Magnification. */
  zoom: number;
  /** How its picture is degraded: show the server's picture then; None if it is not. */
  degraded: DegradeCamera | null;
}

/** A cell of this server. */
export interface CellInfo {
  /** Name of the cell. */
  name: string;
  /** One sentence about it. */
  summary: string;
  /** "silent": no message from it for a moment; "lost": its process ended and restarts; "failed": its process ended too often, and is started again every minute or by `Restart`. */
  state: "failed" | "lost" | "running" | "silent" | "starting";
  /** A sentence about that state. */
  reason: string;
}

/** The cells and their states; sent whenever one changes. */
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

/** Clearance of an arm with collision avoidance. */
export interface ClearanceUpdate {
  /** Link of the arm, or its load, that is nearest to another body. */
  first: string;
  /** That body. */
  second: string;
  /** Clearance left until the arm stops, m; negative: it is too near. */
  room: number;
  /** Contact with the body is allowed, at low speed. */
  gently: boolean;
  /** Nearest points on both, world frame: six float32. */
  line: Uint8Array;
  /** Whether the tip may move along +x, +y, +z, -x, -y, -z, in the axes of the robot's base. */
  ways: boolean[];
  /** Positions that each joint may reach by itself: all lower ones, then all upper ones, float32. */
  limits: Uint8Array;
}

/** Send an event to the cell; `Answer` has the same id. */
export interface Command {
  type: "Command";
  id: number;
  event: Stop | Reset | MoveJoints | MoveTip | MoveFlippers | FollowPath | Teach | FreeMe | HoldHere | Continue | Power | Park | SetSpeed | SetScale | SelectMapping | Reconfigure | ResetRobot | ResetObjects | AddObject | MoveObject | RemoveObject | ChangeTool | ZeroWrist | AimCamera | Load | ClearLoad | BreakWrist | DegradeCamera | SwitchFilter | SwitchFeedforward | Generate | PlanFound;
}

/** Confirm the command of a `SpeechResult` that waits for it; another `SpeechResult` of the same id answers. */
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
  /** Whether it is visible. */
  seen: boolean;
  /** Whether it collides. */
  touched: boolean;
  /** Name of its object or link, for the operator. */
  name: string;
  /** It is only drawn to help the operator: no robot's camera sees it. */
  virtual: boolean;
}

/** A gripper: metres between its fingers when open. */
export interface GripperInfo {
  opening: number;
}

/** A reading of the operator's master, for a robot in their control; sent many times a second. */
export interface Hand {
  type: "Hand";
  robot: string;
  reading: Reading;
}

/** The first message of a page. */
export interface Hello {
  type: "Hello";
  /** Version of the messages that the page was built for; see `WIRE`. */
  wire: string;
  /** Token from the link that Farhand printed. */
  token: string;
  /** Secret of this tab, kept over reloads; with it a new connection gets its control back. */
  client: string;
  /** Name that others see; empty: the server gives one. */
  name?: string;
  /** Language of notes: "en" or "de"; any other gives English. */
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
  /** Name that the operator sees. */
  label: string;
  /** "hinge": radians; "slide": metres. */
  kind: "hinge" | "slide";
  /** Lower limit; None for a continuous joint. */
  lower: number | null;
  /** Upper limit; None for a continuous joint. */
  upper: number | null;
  /** Position at home. */
  home: number;
  /** Highest speed, rad/s or m/s. */
  velocity: number;
}

/** Run, rename or delete a taught move; `Answer` has the same id. */
export interface KeptMove {
  type: "KeptMove";
  /** Number that the answer repeats. */
  id: number;
  /** Name of the robot. */
  robot: string;
  /** Name of the move. */
  name: string;
  /** "run" starts the move; "rename" and "delete" change the list of moves. */
  action: "delete" | "rename" | "run";
  /** New name, for "rename". */
  to?: string;
}

/** The lease of one robot. */
export interface LeaseInfo {
  /** Name of the robot. */
  robot: string;
  /** Number of the viewer in control; None if the robot is free. */
  holder: number | null;
  /** Name of the holder. */
  name: string;
  /** Counts the changes of control; readings carry it. */
  epoch: number;
  /** False while the holder's connection is lost and control is kept for it. */
  present: boolean;
  /** Viewers who ask for control, the first one first. */
  askers: Asker[];
  /** You asked, got no answer, and may take over now. */
  may_take: boolean;
}

/** The leases of the watched cell, and the number of its viewers, you included. */
export interface Leases {
  type: "Leases";
  robots: LeaseInfo[];
  viewers: number;
}

/** Choose the signals that the server samples every tick and sends; names as in `Scene.signals`. */
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

/** New entries of the cell's log, without gaps. */
export interface LogEntries {
  type: "LogEntries";
  entries: LogEntry[];
}

/** An entry of the cell's log. */
export interface LogEntry {
  /** Counts up without gaps. */
  number: number;
  /** Cell time, s. */
  time: number;
  /** Name of the robot; empty for the whole cell. */
  robot: string;
  /** A sentence in the viewer's language. */
  text: string;
  /** As in `NoteText`. */
  level: "fault" | "info" | "slow" | "stop";
  /** Code of the note, for programs. */
  code: string;
}

/** A control mode of a robot. */
export interface MappingInfo {
  /** Name in the cell file. */
  name: string;
  /** Kind of mapping: "jog-joints", "jog-tip", "drag-tip", … */
  kind: string;
  /** One sentence for the operator. */
  feel: string;
  /** Effect of each axis of a reading, in order: "joint:0", "x", "y", "z", "roll", "pitch", "yaw", "grip". Empty for a control mode that needs a pose or joint positions. */
  axes: string[];
  /** Frame of "x" and the other axes. */
  frame: "" | "base" | "tool" | "view";
  /** The operator can scale the robot's motion against the hand's. */
  scalable: boolean;
}

/** A mark on the timeline of a record. */
export interface MarkInfo {
  /** Kind of mark. */
  kind: "bookmark" | "contact" | "episode" | "gap" | "note" | "stop";
  /** Time where it begins, s of the cell's time. */
  first: number;
  /** Time where it ends; equal to `first` for a moment. */
  last: number;
  /** Its text, by language: "en", "de". */
  text: Record<string, string>;
  /** Colour of a bookmark, as "#rrggbb"; empty: the usual one of its kind. */
  colour: string;
  /** Outcome of an episode: "success", "failure", "discarded" or empty. */
  result: string;
}

/** A master with joints, modelled in the cell or connected from elsewhere, as the page draws it. */
export interface MasterInfo {
  /** Name in the cell. */
  name: string;
  /** Name of the device that the operator sees. */
  label: string;
  /** Stiffness of a modelled hand: "relaxed", "normal", "firm" or "own"; empty if none is modelled. */
  hand: string;
  /** Joints of the device. */
  joints: JointInfo[];
  /** Its moving bodies, in the order of the poses; the last one is the handle, whose frame is the tip's. */
  bodies: BodyLook[];
  /** Shapes of the bodies, in the frame of the device's base; body -1 is fixed. */
  geoms: GeomLook[];
  /** Lowest x, y, z that its tip can reach, in its base frame (x away from the operator, z up), m. */
  lower: [number, number, number];
  /** Highest x, y, z that its tip can reach, m. */
  upper: [number, number, number];
  /** Highest force on the hand, N; 0 without force feedback. */
  force: number;
  /** Names of the robots that it drives. */
  robots: string[];
  /** The viewer in control moves it: by `Reading.pose` (intended pose of the tip in its base frame), `Reading.joints`, or `Reading.axes` (three translations, then three rotations, in its base axes). */
  by_hand: boolean;
}

/** State of a master. */
export interface MasterUpdate {
  /** Poses of its bodies in its base frame, `POSE_ROW` bytes each; empty before the first reading. */
  bodies: Uint8Array;
  /** Joint positions, float32. */
  joints: Uint8Array;
  /** Its tip in its base frame: x, y, z, then quaternion w, x, y, z, float32. */
  tip: Uint8Array;
  /** Pose that the hand aims at, likewise; empty if unknown. */
  intended: Uint8Array;
  /** Force on the hand, N, in its base axes, float32. */
  felt: Uint8Array;
  /** The deadman is held. */
  held: boolean;
  /** It moves by itself, as a demonstration, until the operator in control presses the deadman. */
  alone: boolean;
}

/** Turn a robot's flippers autonomously to angles (rad, up from straight ahead), in the robot's order. */
export interface MoveFlippers {
  type: "MoveFlippers";
  robot: string;
  angles: number[];
}

/** A taught move: its name, its number of points, and its duration at full speed (s); 0: from point to point. */
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

/** All taught moves, by robot; sent whenever they change. */
export interface Moves {
  type: "Moves";
  robots: Record<string, MoveInfo[]>;
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
  /** Code of the note, for programs. */
  code: string;
  /** The sentence. */
  text: string;
  /** "info" changes nothing, "slow" slows or bends a motion, "stop" ends it, "fault" means broken. */
  level: "fault" | "info" | "slow" | "stop";
  /** The motions that remain free, as sentences; empty if the note names none. */
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

/** A part of a robot's set-up that can be changed: its kind, its name if there are several, and its settings. */
export interface PartInfo {
  part: "avoid" | "drive" | "feedback" | "filter" | "mapping" | "scales" | "speeds" | "watchdog";
  name: string;
  settings: Record<string, unknown>;
}

/** A viewer of the watched cell: number, name and role. */
export interface Person {
  viewer: number;
  name: string;
  role: "guest" | "instructor" | "observer" | "owner" | "superuser" | "trainee" | "user";
}

/** Measure the round trip to the cell, which sends an `Answer` of the same id. */
export interface Ping {
  type: "Ping";
  id: number;
}

/** A named frame on a moving body, or in the world (body -1). */
export interface Place {
  body: number;
  pose: Pose;
  name: string;
}

/** The answer to a plan request: start the planned motion, unless the robot has received another command since. */
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

/** Play a record otherwise; every viewer may. The next update shows the result. */
export interface Playback {
  type: "Playback";
  /** "seek" goes to a moment, "step" goes by a number of recorded pictures, "speed" changes the speed, "loop" repeats a span, "unloop" ends that. */
  action: "loop" | "pause" | "play" | "seek" | "speed" | "step" | "unloop";
  /** Moment (s), number of pictures, speed (0.1 to 16, negative: backwards), or first second of the loop. */
  value?: number;
  /** Last second of the loop. */
  until?: number;
}

/** State of the playback of a record. */
export interface PlaybackUpdate {
  /** Present moment, s of the cell's time. */
  moment: number;
  /** It plays. */
  playing: boolean;
  /** Speed, 1 is real time; negative: backwards. */
  speed: number;
  /** First and last second of the span that is repeated; None: no loop. */
  loop: [number, number] | null;
  /** The record has no picture of this moment: the last one before it is shown. */
  missing: boolean;
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

/** State of the recording of the watched cell; sent whenever it changes. */
export interface Recording {
  type: "Recording";
  /** "off": runs of this server are not recorded; "alarm": the recording is interrupted. */
  state: "alarm" | "off" | "recording";
  /** Identifier of the run; empty while there is none. */
  run: string;
  /** Number of its last tick that is safe on the disk. */
  tick: number;
  /** Bytes of its file. */
  size: number;
  /** Bytes that runs may still take before the oldest one goes. */
  left: number;
  /** Kind of interruption; "quota": the room that runs may take is used up; "silent": the recorder does not answer. */
  reason: "" | "failed" | "full" | "quota" | "read-only" | "silent";
  /** An English sentence about the interruption, with details. */
  alarm: string;
}

/** Keep control of a robot and refuse the viewer who asked for it. */
export interface Refuse {
  type: "Refuse";
  robot: string;
  viewer: number;
}

/** The server ends this connection. */
export interface Refused {
  type: "Refused";
  /** A sentence. */
  reason: string;
  /** The client may try again. */
  retry: boolean;
  /** Close code of the socket; see `farhand.server.protocol.close_codes`. */
  code: number;
}

/** Release control of a robot, or withdraw a request for it. */
export interface Release {
  type: "Release";
  robot: string;
}

/** Remove an object from the world; refused while a gripper holds it or another object stands on it. */
export interface RemoveObject {
  type: "RemoveObject";
  name: string;
}

/** The record that is replayed. */
export interface ReplayInfo {
  /** Identifier of the run. */
  run: string;
  /** Title of the run. */
  title: string;
  /** Start of the run, ms since 1970, UTC. */
  started: number;
  /** Time of its first tick, s of the cell's time. */
  first: number;
  /** Time of its last tick. */
  last: number;
  /** Marks, in order of their beginning. */
  marks: MarkInfo[];
  /** Sentences about damage of the file. */
  problems: string[];
  /** Sentences about what differs between the Farhand that recorded it and this one. */
  build: string[];
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

/** Restart the watched cell now, after its process ended too often; `Answer` has the same id. */
export interface Restart {
  type: "Restart";
  id: number;
}

/** A robot: everything about it that stays the same until the world is edited. */
export interface RobotInfo {
  /** Name in the cell. */
  name: string;
  /** Name of the robot model. */
  model: string;
  /** Joints of the arm. */
  joints: JointInfo[];
  /** Its gripper; None if it has none. */
  gripper: GripperInfo | null;
  /** Base frame. */
  base: Place;
  /** Tip frame. */
  tip: Place;
  /** Frame of each joint along the chain (Denavit–Hartenberg), base first. */
  frames: Place[];
  /** Control modes. */
  mappings: MappingInfo[];
  /** Names of the lane's filters, in order; all but "scale" can be switched off to find a fault. */
  filters: string[];
  /** Name of the master that drives it. */
  master: string;
  /** The viewer in control drives it; otherwise a script does. */
  by_hand: boolean;
  /** It has a power switch, and must be powered up before it moves. */
  switch: boolean;
  /** It has a force sensor in its wrist, which can be zeroed. */
  wrist: boolean;
  /** Name of its tool; empty for none. */
  tool: string;
  /** Tools that it can change to while it runs. */
  tools: string[];
  /** Motion scales to choose from. */
  scales: number[];
  /** Speed levels, as shares of full speed. */
  speeds: number[];
  /** Parts of its set-up that can be changed, with their settings. */
  parts: PartInfo[];
  /** Its tracks; None for a fixed base. */
  tracks: TracksInfo | null;
  /** Its cameras. */
  cameras: CameraInfo[];
}

/** State of a robot. */
export interface RobotUpdate {
  /** Mode of the robot: idle, teleoperation, a kind of standing still, … */
  mode: "autonomous" | "fault" | "idle" | "off" | "paused" | "powering" | "stopped" | "teleoperation";
  /** Speed level, counted from 1. */
  level: number;
  /** Index of the active control mode. */
  mapping: number;
  /** Milliseconds since the last good reading of its master; -1 before the first. */
  age: number;
  /** Sequence number of that reading. */
  heard: number;
  /** Measured joint positions of the arm, float32. */
  joints: Uint8Array;
  /** Distance between the fingers, m; -1 without a gripper. */
  grip: number;
  /** Measured tip in the robot's base frame: x, y, z, then quaternion w, x, y, z, float32. */
  tip: Uint8Array;
  /** Contact force at the tip, N, world axes, float32. */
  force: Uint8Array;
  /** An interrupted move waits for "continue". */
  waiting: boolean;
  /** Names of the filters that are switched off to find a fault, and "feed-forward". */
  off: string[];
  /** A signal generator drives instead of the operator. */
  generating: boolean;
  /** Motion scale, on top of the control mode's own. */
  scale: number;
  /** Force feedback to the hand, N. */
  felt: number;
  /** Mass in the gripper as weighed by the wrist sensor, kg; -1 if not weighed. */
  payload: number;
  /** Number of points taught so far; -1 while no path is taught. */
  lesson: number;
  /** The path is taught by recording. */
  recording: boolean;
  /** Clearance of an arm with collision avoidance; None if no body is near. */
  near: ClearanceUpdate | null;
  /** State of its tracks; None for a fixed base. */
  tracks: TracksUpdate | null;
  /** State of each camera, in the scene's order. */
  cameras: CameraUpdate[];
  /** Power is on or coming on; also while a stop is latched. */
  powered: boolean;
  /** Baseline delay of its master's link, ms, by which readings may be older. */
  baseline: number;
  /** A path around an obstacle is being planned; `HoldHere` ends that. */
  planning: boolean;
  /** Poses of the robot's bodies at the end of its present or planned move, in the scene's order, `POSE_ROW` bytes each; empty without a move, or if its end is unknown. */
  ghost: Uint8Array;
}

/** Everything about a cell that stays the same until its world is edited; updates refer to it. */
export interface Scene {
  type: "Scene";
  /** Name of the cell. */
  cell: string;
  /** One sentence about it. */
  summary: string;
  /** Counts the scenes of this cell; updates carry it. */
  number: number;
  /** Duration of a tick, s. */
  timestep: number;
  /** Moving bodies, in the order of the poses. */
  bodies: BodyLook[];
  /** All shapes; meshes are at /mesh/<cell>/<hash>. */
  geoms: GeomLook[];
  /** All robots, in the order of the updates. */
  robots: RobotInfo[];
  /** Signals to plot. */
  signals: SignalInfo[];
  /** Masters that can be drawn, in the order of the updates. */
  masters: MasterInfo[];
  /** The record that is replayed; None: the cell is live. */
  replay: ReplayInfo | null;
}

/** Choose the control mode, by the name that the cell file gives the mapping. */
export interface SelectMapping {
  type: "SelectMapping";
  robot: string;
  mapping: string;
}

/** Send a viewer of this cell away; `Answer` has the same id. */
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

/** A signal to plot: its name, the name that the operator sees, its unit, and its heading in the list. */
export interface SignalInfo {
  name: string;
  label: string;
  unit: string;
  group: string;
}

/** Samples of the signals that this viewer has chosen, without gaps unless the viewer is too slow. */
export interface Signals {
  type: "Signals";
  /** Number of the first sample's tick. */
  tick: number;
  /** Chosen signals that exist. */
  names: string[];
  /** float32: for each tick one value per signal, in the order of `names`. */
  values: Uint8Array;
}

/** A piece of speech, sent while the talk key is held; after the last piece comes `SpeechResult` of the same id. */
export interface Speech {
  type: "Speech";
  /** Number of the utterance; a new number starts a new utterance. */
  id: number;
  /** Name of the robot that you address. */
  robot: string;
  /** Samples: int16, 16 kHz, one channel. A first piece without samples starts the recogniser. */
  pcm: Uint8Array;
  /** The talk key was released. */
  last?: boolean;
}

/** The result of an utterance. */
export interface SpeechResult {
  type: "SpeechResult";
  /** Number of the utterance. */
  id: number;
  /** The command was carried out. */
  ok: boolean;
  /** The recognised phrase; empty if it was not understood. */
  phrase: string;
  /** The command that was carried out, the question to confirm it, or the reason why not. */
  text: string;
  /** Seconds within which you can confirm it, by voice or by `Confirm`; 0: no command waits. */
  confirm: number;
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

/** Take control of a robot whose holder has not answered your request in time and does not drive. */
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

/** The tracks of a mobile robot. */
export interface TracksInfo {
  /** Front left, front right, rear left, rear right; zero is level, positive angles raise the tip. */
  flippers: JointInfo[];
  /** Highest speed of a belt, m/s. */
  speed: number;
  /** Distance from the front hubs to the rear ones, m. */
  wheelbase: number;
  /** Distance from the left flippers to the right ones, m. */
  gauge: number;
  /** Length of a flipper from axle to axle, m. */
  length: number;
  /** Radius of the wheel about which a flipper turns, m. */
  hub: number;
  /** Radius of the wheel at its end, m. */
  tip: number;
}

/** State of a robot on tracks, as its own sensors measure it; its position in the world is not part of it. */
export interface TracksUpdate {
  /** Nose up, rad. */
  pitch: number;
  /** Right side down, rad. */
  roll: number;
  /** Measured flipper angles, rad, float32. */
  flippers: Uint8Array;
  /** Commanded flipper angles, rad, float32. */
  asked: Uint8Array;
  /** Speeds of the left and right belt, m/s, float32. */
  belts: Uint8Array;
  /** The belts are commanded to stand still. */
  braked: boolean;
  /** The parking brake is set, so the belts cannot run. */
  parked: boolean;
  /** Its present motion, as one word of a closed list. */
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

/** State of the cell; only the newest update matters. */
export interface Update {
  type: "Update";
  /** Number of its scene; ignore an update for another scene than yours. */
  scene: number;
  /** Number of the newest tick; echo it in your readings. */
  tick: number;
  /** Cell time, s. */
  time: number;
  /** Speed of cell time; 1 is real time. */
  factor: number;
  /** Number of ticks so far that began more than half a tick late. */
  late: number;
  /** Poses of the bodies that moved since the last update to this viewer: rows of a uint16 index and a pose of `POSE_ROW` bytes. */
  moved: Uint8Array;
  /** A bit for each body (byte i // 8, bit i % 8), set while it rests. */
  asleep: Uint8Array;
  /** State of each robot, in the scene's order. */
  robots: RobotUpdate[];
  /** Newest lease epoch of which the cell has had a reading, for each robot; -1 before the first. A press counts once this is your own epoch. */
  epochs: number[];
  /** Rows of float32 x, y, z (world) and force (N) of the 32 hardest contacts. */
  contacts: Uint8Array;
  /** State of each master, in the scene's order. */
  masters: MasterUpdate[];
  /** State of the playback; None: the cell is live. */
  playback: PlaybackUpdate | null;
}

/** The viewers of the watched cell; sent only to those who may send a viewer away, and empty once they may not. */
export interface Viewers {
  type: "Viewers";
  people: Person[];
}

/** Watch this cell instead of any other; the answer begins with its `Scene`. */
export interface Watch {
  type: "Watch";
  cell: string;
}

/** The answer to `Hello`. */
export interface Welcome {
  type: "Welcome";
  /** Viewer number of this page. */
  viewer: number;
  /** Name under which others see it. */
  name: string;
  /** Version of Farhand. */
  version: string;
  /** The cells of this server. */
  cells: CellInfo[];
  /** Your role. A trainee in an exam gets pictures from the server and no poses. */
  role: "guest" | "instructor" | "observer" | "owner" | "superuser" | "trainee" | "user";
}

/** Hand control of a robot over to a viewer who asked for it. */
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

export type FromPage = Hello | Watch | Hand | Command | KeptMove | Ping | Ask | Release | Yield | Refuse | TakeOver | SendAway | Restart | Listen | Speech | Confirm | Playback;

export type ToPage = Welcome | Refused | Cells | Scene | Update | Signals | ActiveNotes | LogEntries | Leases | Viewers | Moves | Recording | Answer | SpeechResult;
