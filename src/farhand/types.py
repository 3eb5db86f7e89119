"""The frozen values that travel through a tick, in the order they travel.

::

    Inputs (Reading, Event) → Demand (Motion) → Setpoint → State → Tick

Constant things (the scene, the robots' limits) live elsewhere; what is here changes every tick. All lengths are
metres, angles radians, quaternions wxyz. Joint vectors are tuples: they compare, hash and travel as they are, and
kernels turn them into arrays at their own border. Mappings in these values are read-only by agreement.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from farhand.poses import Pose, Quaternion, Vec3

__all__ = [
    "HOLD",
    "STOP",
    "AddObject",
    "AimCamera",
    "BaseWord",
    "BreakWrist",
    "CameraState",
    "ChangeTool",
    "ClearLoad",
    "Contact",
    "Continue",
    "DegradeCamera",
    "Demand",
    "DriveRate",
    "Event",
    "Feedback",
    "Frame",
    "FreeMe",
    "Generate",
    "Generator",
    "GripRate",
    "GripTo",
    "GroupState",
    "Hold",
    "HoldHere",
    "Inputs",
    "JointRates",
    "JointTrack",
    "LaneReport",
    "Limb",
    "Load",
    "Mode",
    "Motion",
    "MoveJoints",
    "MoveObject",
    "Note",
    "ObjectJoint",
    "ObjectPart",
    "ObjectSpec",
    "Park",
    "Part",
    "Power",
    "Reading",
    "Reconfigure",
    "RemoveObject",
    "Replay",
    "Reset",
    "ResetObjects",
    "ResetRobot",
    "RobotState",
    "SelectMapping",
    "SetScale",
    "SetSpeed",
    "Setpoint",
    "Shape",
    "State",
    "Stop",
    "SwitchFeedforward",
    "SwitchFilter",
    "Teach",
    "TeachAction",
    "Tick",
    "TipTrack",
    "TipTwist",
    "Touch",
    "Trajectory",
    "Twist",
    "Vector",
    "Wall",
    "Wave",
    "Wrench",
    "ZeroWrist",
]

Vector = tuple[float, ...]
Frame = Literal["base", "tool"]
Shape = Literal["box", "cylinder", "sphere", "capsule", "mesh"]
Touch = Literal["never", "may", "free"]
Wave = Literal["sine", "square", "triangle", "constant"]
TeachAction = Literal["record", "point", "finish", "discard"]
BaseWord = Literal["standing", "driving", "slipping", "stuck", "tipped"]
Limb = Literal["arm", "flippers"]
Part = Literal["filter", "mapping", "watchdog", "speeds", "scales", "feedback"]
Mode = Literal["off", "powering", "idle", "teleoperation", "autonomous", "paused", "stopped", "fault"]


# ── What comes in ────────────────────────────────────────────────────────────────────────────────────────────────


class Twist(Struct, frozen=True):
    """How a tip moves: velocity (m/s) and turn rate (rad/s), in the axes of the frame its pose is given in."""

    linear: Vec3 = (0.0, 0.0, 0.0)
    angular: Vec3 = (0.0, 0.0, 0.0)


class Reading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a master says at one instant.

    Args:
        sequence: Counts up with every reading of this master and epoch; an old or repeated one is refused.
        epoch: The lease under which it was sent; a new one always needs a fresh press of the deadman.
        tick: The newest tick the sender had seen, or -1 if it sees none; old echoes reveal a queue on the way.
        deadman: True while the operator enables motion.
        axes: Deflections from -1 to 1 (held keys, sticks), in the order the mapping expects.
        joints: Joint positions of a master that has joints.
        pose: Where the master's tip is, in the master's own base frame.
        twist: How it moves there, if the master knows; otherwise it is told from one reading to the next.
        view: How the camera is turned that the operator looks through, in the robot's base frame: x right, y up,
            z towards the operator.
        grip: Gripper trigger from 0 (open) to 1 (closed), if the master has one.
        presses: How often each button has been pressed so far; counters survive lost readings, edges do not. "deadman"
            enables, "scale" goes on to the next scale of the hand's motion, "stop" and "reset" do so for a master that
            has joined from elsewhere.
    """

    sequence: int = 0
    epoch: int = 0
    tick: int = -1
    deadman: bool = False
    axes: Vector = ()
    joints: Vector = ()
    pose: Pose | None = None
    twist: Twist | None = None
    view: Quaternion | None = None
    grip: float | None = None
    presses: dict[str, int] = {}


class ObjectPart(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A further shape of an object, fixed to its first one.

    Args:
        shape: Its form; no mesh.
        size: As that of an object.
        position: Centre, in the object's frame.
        rotation: Quaternion wxyz, in the object's frame.
        colour: Left out: the object's.
        collides: Others touch it; without, it is only looked at, and weighs nothing.
    """

    shape: Shape = "box"
    size: Vector = ()
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    colour: tuple[float, float, float, float] | None = None
    collides: bool = True


class ObjectJoint(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What lets an object turn or slide in its place, as a door, a valve or a drawer does.

    Args:
        kind: "hinge" turns (rad), "slide" slides (m).
        axis: About or along which, in the object's frame.
        at: A point of the axis, in the object's frame; for a hinge.
        range: Lowest and highest position, counted from where the cell file puts the object; left out: endless.
        friction: Torque (Nm) or force (N) below which it does not move: dry friction.
        damping: Nm·s/rad or N·s/m.
        spring: Nm/rad or N/m towards `rest`.
        rest: Where the spring would have it.
        on: Another object that carries it, as a door does its handle. Its own position is then in that one's frame.
        follows: Another object with a joint, which moves this one as a handle does its bolt.
        ratio: How far it goes for each radian or metre of that one.
    """

    kind: Literal["hinge", "slide"] = "hinge"
    axis: Vec3 = (0.0, 0.0, 1.0)
    at: Vec3 = (0.0, 0.0, 0.0)
    range: tuple[float, float] | None = None
    friction: float = 0.0
    damping: float = 0.0
    spring: float = 0.0
    rest: float = 0.0
    on: str = ""
    follows: str = ""
    ratio: float = 1.0


class ObjectSpec(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An object of the world, as a cell file or an edit describes it.

    Args:
        name: Unique in its world.
        shape: Its form.
        size: Metres: box: three edge lengths; cylinder: radius, length; capsule: radius, length
            without its caps; sphere: radius; mesh: none.
        position: Centre (of a mesh: the origin of its file), in the world frame.
        rotation: Quaternion wxyz.
        mass: Kilograms, of all its shapes; 0 makes it part of the fixed surroundings.
        colour: Red, green, blue and opacity from 0 to 1.
        friction: Coulomb coefficient of sliding.
        mesh: Path of an .stl, .obj or .dae file, for the shape "mesh".
        stiffness: N/m of springs that hold it in its place without turning, in every direction; 0: none. A wall of a
            given stiffness is such a body: what two bodies do where they touch is not a stiffness.
        damping: Of the springs, as a share of the critical one.
        touch: What an arm that keeps clear does about it: "never" touch it; "may" touch it, gently; "free": it is
            neither slowed nor stopped before it.
        parts: Further shapes; they share its mass by their volume.
        joint: What it turns or slides on; left out: it lies loose, or is fixed if it has no mass.
    """

    name: str
    shape: Shape = "box"
    size: Vector = ()
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    mass: float = 0.1
    colour: tuple[float, float, float, float] = (0.85, 0.55, 0.2, 1.0)
    friction: float = 0.8
    mesh: str = ""
    stiffness: float = 0.0
    damping: float = 0.5
    touch: Touch = "may"
    parts: tuple[ObjectPart, ...] = ()
    joint: ObjectJoint | None = None


class Stop(Struct, frozen=True, tag=True, kw_only=True):
    """Stop every robot of the cell, latched; `reason` is shown to the operator."""

    reason: str = "Stop was pressed."


class Reset(Struct, frozen=True, tag=True):
    """Clear a latched stop of one robot, or of all; never starts a motion."""

    robot: str = ""


class MoveJoints(Struct, frozen=True, tag=True):
    """Move a robot's arm by itself to joint positions; `goal` empty means home."""

    robot: str
    goal: Vector = ()


class Trajectory(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A way of an arm's joints, as it was taught.

    Args:
        name: What it is called.
        points: Joint positions (rad, m) at each point.
        times: Seconds from its start at each point; none: from point to point as fast as may be, at rest in each.
        rates: Joint rates at each point, where there are times.
    """

    name: str
    points: tuple[Vector, ...]
    times: Vector = ()
    rates: tuple[Vector, ...] = ()


class Replay(Struct, frozen=True, tag=True):
    """Move a robot's arm by itself along a taught trajectory, after a move to its start."""

    robot: str
    trajectory: Trajectory


class Teach(Struct, frozen=True, tag=True):
    """Teach an arm a trajectory, which the report of the tick that finishes it holds.

    Args:
        robot: Which one.
        action: "record": keep the way it is led from now on; "point": add where it is; "finish": that was it;
            "discard": forget it.
        name: What it shall be called, with "finish".
    """

    robot: str
    action: TeachAction
    name: str = ""


class FreeMe(Struct, frozen=True, tag=True):
    """Back out of a corner: move the arm by itself, slowly, a piece back along the way it came."""

    robot: str


class HoldHere(Struct, frozen=True, tag=True):
    """End whatever the robot does, interrupted moves included, and hold it where it is, without latching."""

    robot: str


class Continue(Struct, frozen=True, tag=True):
    """Take an interrupted autonomous move up again, planned anew from where the arm is."""

    robot: str


class Power(Struct, frozen=True, tag=True):
    """Power a robot up, or down; for robots that have a switch for it, such as hydraulic ones."""

    robot: str
    on: bool


class Park(Struct, frozen=True, tag=True):
    """Set a robot's parking brake, or release it; for robots on tracks, whose belts stand while it is set."""

    robot: str
    on: bool


class SetSpeed(Struct, frozen=True, tag=True):
    """Choose one of the cell's speed levels, counted from 1."""

    robot: str
    level: int


class SetScale(Struct, frozen=True, tag=True):
    """Choose how far the robot goes for a way of the hand, times what its mapping has; any, not only the cell's."""

    robot: str
    scale: float


class SelectMapping(Struct, frozen=True, tag=True):
    """Choose how the master drives the robot, by the name the cell file gives the mapping."""

    robot: str
    mapping: str


class Reconfigure(Struct, frozen=True, tag=True, omit_defaults=True):
    """Change how a robot is driven, while it runs; what loosens anything needs a fresh press.

    Args:
        robot: Which one.
        part: What of it.
        name: Of the filter or mapping.
        settings: Its table, as in a cell file; for "speeds" and "scales" the list `values`. None takes a filter or
            mapping out, and puts everything else back to what the cell file says.
        before: The filter before which a new one is put; empty: after all others.
    """

    robot: str
    part: Part
    name: str = ""
    settings: dict[str, Any] | None = None
    before: str = ""


class ResetRobot(Struct, frozen=True, tag=True):
    """Put a robot back to where the cell file has it, upright, at home and at rest; on tracks, above what stands there.

    A latched stop stays latched, and driving on needs a fresh press.
    """

    robot: str


class ResetObjects(Struct, frozen=True, tag=True, omit_defaults=True):
    """Put objects that move back to where the cell file has them, at rest; above what stands there.

    Args:
        name: Of the only one to be put back; empty: all.
    """

    name: str = ""


class AddObject(Struct, frozen=True, tag=True):
    """Insert an object into the world; refused where a robot is."""

    object: ObjectSpec


class MoveObject(Struct, frozen=True, tag=True):
    """Put an object elsewhere, at rest; refused where a robot is."""

    name: str
    pose: Pose


class RemoveObject(Struct, frozen=True, tag=True):
    """Take an object out of the world."""

    name: str


class Load(Struct, frozen=True, tag=True):
    """Inject a fault: a lasting force in world axes at a robot's tip that the controller does not know of."""

    robot: str
    force: Vec3


class ClearLoad(Struct, frozen=True, tag=True):
    """End an injected load."""

    robot: str


class ChangeTool(Struct, frozen=True, tag=True):
    """Give a robot another tool of the catalogue, or none: at rest, with nothing held, and where it has room."""

    robot: str
    tool: str = ""


class ZeroWrist(Struct, frozen=True, tag=True):
    """Take what a robot's wrist sensor feels now for nothing; for a tool that hangs free."""

    robot: str


class BreakWrist(Struct, frozen=True, tag=True):
    """Inject a fault: a robot's wrist sensor falls silent or gives no numbers; with neither it is whole again."""

    robot: str
    how: Literal["", "silent", "nan"] = "silent"


class AimCamera(Struct, frozen=True, tag=True):
    """Turn a camera's head and zoom; it gets there at the head's own rate.

    Args:
        robot: Whose camera.
        camera: Which one.
        pan: Radians to the left of straight ahead; beyond the head's limits: up to them.
        tilt: Radians up, likewise.
        zoom: How many times nearer, from 1, likewise.
    """

    robot: str
    camera: str
    pan: float
    tilt: float
    zoom: float = 1.0


class DegradeCamera(Struct, frozen=True, tag=True):
    """Make the picture of a camera worse on purpose, or, with nothing but names, as good as it was.

    Args:
        robot: Whose camera.
        camera: Which one; empty: all of this robot.
        resolution: Share of its pixels that are left in each direction, up to 1.
        rate: Pictures a second; 0: as they come.
        noise: Grain, from 0 to 1.
        delay: Seconds that its pictures are late.
        frozen: It keeps showing what it showed.
    """

    robot: str
    camera: str = ""
    resolution: float = 1.0
    rate: float = 0.0
    noise: float = 0.0
    delay: float = 0.0
    frozen: bool = False


class Generator(Struct, frozen=True, forbid_unknown_fields=True):
    """A signal in place of the operator's hand, to find a fault; runs while the deadman is held, through every filter.

    Args:
        axis: Which axis of the chosen mapping it deflects, counted from 0.
        wave: Its form.
        amplitude: Deflection from 0 to 1.
        frequency: Hz; how often it repeats. A "constant" does not.
    """

    axis: int
    wave: Wave = "sine"
    amplitude: float = 0.3
    frequency: float = 0.5


class SwitchFilter(Struct, frozen=True, tag=True):
    """Switch a filter of a robot's lane off, or on again, to find a fault; the speed level stays on."""

    robot: str
    filter: str
    on: bool


class SwitchFeedforward(Struct, frozen=True, tag=True):
    """Switch the feed-forward of a robot's drive off, or on again, to find a fault."""

    robot: str
    on: bool


class Generate(Struct, frozen=True, tag=True):
    """Put a signal generator in place of the operator's hand, or take it away."""

    robot: str
    generator: Generator | None = None


Event = (
    Stop
    | Reset
    | MoveJoints
    | Replay
    | Teach
    | FreeMe
    | HoldHere
    | Continue
    | Power
    | Park
    | SetSpeed
    | SetScale
    | SelectMapping
    | Reconfigure
    | ResetRobot
    | ResetObjects
    | AddObject
    | MoveObject
    | RemoveObject
    | Load
    | ClearLoad
    | SwitchFilter
    | SwitchFeedforward
    | Generate
    | ChangeTool
    | ZeroWrist
    | BreakWrist
    | AimCamera
    | DegradeCamera
)


class Inputs(Struct, frozen=True, omit_defaults=True):
    """All that enters a tick.

    Args:
        readings: New ones, by master name.
        events: In order.
        held_up: Seconds for which the cell stood still before this tick, though time went on outside.
    """

    readings: dict[str, Reading] = {}
    events: tuple[Event, ...] = ()
    held_up: float = 0.0


# ── What a source asks for ───────────────────────────────────────────────────────────────────────────────────────


class Hold(Struct, frozen=True, tag=True):
    """Stay: brake to rest within the limits and keep that position."""


class JointRates(Struct, frozen=True, tag=True):
    """Turn the joints at these rates (rad/s, m/s for sliding ones)."""

    rates: Vector


class JointTrack(Struct, frozen=True, tag=True):
    """Be at these joint positions now, moving at these rates."""

    positions: Vector
    rates: Vector


class TipTwist(Struct, frozen=True, tag=True):
    """Move the tip at this velocity (m/s) and turn it about itself at this rate (rad/s).

    Args:
        linear: Velocity, in the axes of `frame`.
        angular: Turn rate, in the axes of `turn_frame`.
        frame: "base": axes of the robot's base; "tool": axes of the tip.
        turn_frame: Likewise for the turn: R' = R(φ)·R in base axes, R·R(φ) in tool axes.
    """

    linear: Vec3
    angular: Vec3
    frame: Frame = "base"
    turn_frame: Frame = "base"


class TipTrack(Struct, frozen=True, tag=True):
    """Be with the tip at T_base_tip now, moving at this twist in base axes."""

    pose: Pose
    linear: Vec3 = (0.0, 0.0, 0.0)
    angular: Vec3 = (0.0, 0.0, 0.0)


class GripRate(Struct, frozen=True, tag=True):
    """Open (positive) or close (negative) the gripper at this rate, m/s between the fingers."""

    rate: float


class GripTo(Struct, frozen=True, tag=True):
    """Bring the gripper to this opening, in metres between the fingers, at a share of its top speed."""

    opening: float
    share: float = 1.0


class DriveRate(Struct, frozen=True, tag=True):
    """Drive the robot's base ahead at this speed (m/s) and turn it to the left at this rate (rad/s)."""

    forward: float
    turn: float


Motion = Hold | JointRates | JointTrack | TipTwist | TipTrack | GripRate | GripTo | DriveRate


class Wall(Struct, frozen=True):
    """A bound that a filter lays on the tip: its speed along `normal` (base axes) stays at most `speed`.

    Args:
        normal: Unit vector towards what is bounded.
        speed: m/s; negative: it must back out, at least this fast.
        name: What is there, as the operator would say it ("the front face of its work space").
        gap: Metres left.
        turn: What bounds a point beside the tip: r × normal, with r from the tip to there.
        grip: Share of a way against it that may lead aside without sliding; twice as much slides freely.
        hollow: What is there has an inside, in which the tip is if no room is left; else it is beyond.
    """

    normal: Vec3
    speed: float
    name: str
    gap: float
    turn: Vec3 = (0.0, 0.0, 0.0)
    grip: float = 0.0
    hollow: bool = False


HOLD = "hold"
"""The source of a robot that nobody drives: it comes to rest on its path."""
STOP = "stop"
"""The source of a robot that must not move: every joint brakes as fast as it may."""


class Demand(Struct, frozen=True):
    """What a source asks of one robot in one tick, one motion per group of joints.

    Args:
        source: Who asks: the name of the mapping in use, "move", "replay", "free me", "generator", or `HOLD` or `STOP`.
        motions: By group name; a group without an entry holds.
        walls: Bounds added by filters on the way.
    """

    source: str
    motions: dict[str, Motion] = {}
    walls: tuple[Wall, ...] = ()


class Setpoint(Struct, frozen=True):
    """Where a group of joints shall be at the end of this tick, and how it moves there."""

    positions: Vector
    rates: Vector
    accelerations: Vector


# ── What comes out ───────────────────────────────────────────────────────────────────────────────────────────────


class Note(Struct, frozen=True):
    """Why a command was altered, as a sentence for the operator.

    Args:
        code: What a program can match, e.g. ``"guard.lag"``.
        text: What was done and why.
        level: How grave: "info" changes nothing, "slow" slows or bends a motion, "stop" ends it, "fault" is broken.
        free: Which way out there is, if the note is about a limit.
    """

    code: str
    text: str
    level: Literal["info", "slow", "stop", "fault"] = "info"
    free: str = ""


class Wrench(Struct, frozen=True):
    """Force (N) and torque (Nm) at a point, in world axes where nothing else is said."""

    force: Vec3 = (0.0, 0.0, 0.0)
    torque: Vec3 = (0.0, 0.0, 0.0)


class Contact(Struct, frozen=True):
    """Two bodies that touch: where, and how hard along the normal (N)."""

    first: str
    second: str
    position: Vec3
    force: float


class GroupState(Struct, frozen=True):
    """Measured joints of one group: positions, rates, drive efforts."""

    positions: Vector
    rates: Vector
    efforts: Vector


class CameraState(Struct, frozen=True):
    """A camera now: radians to the left of and above straight ahead, and its zoom."""

    pan: float = 0.0
    tilt: float = 0.0
    zoom: float = 1.0


class RobotState(Struct, frozen=True):
    """A robot as measured.

    Args:
        groups: Joints by group name.
        T_base_tip: The tip in the robot's base frame, from the measured joints.
        contact: What the surroundings do to the tip, in world axes.
        touching: True while the tip's contact sensor feels anything.
        held: Names of objects that move and that two fingers touch.
        wrist: What the wrist's force sensor says is done to the tool, weights included, at the sensor and in its own
            axes; None if there is none, or if it is silent.
        T_world_base: Where a robot is that can drive about; None for one that stands.
        base_twist: How its base moves, in its own axes.
        cameras: Of the robot, in the order of its cameras.
        clamped: Two fingers press from opposite sides on something that does not move.
    """

    groups: dict[str, GroupState]
    T_base_tip: Pose
    contact: Wrench = Wrench()
    touching: bool = False
    held: tuple[str, ...] = ()
    wrist: Wrench | None = None
    T_world_base: Pose | None = None
    base_twist: Twist | None = None
    cameras: tuple[CameraState, ...] = ()
    clamped: bool = False


class State(Struct, frozen=True):
    """The measured world at the end of a tick.

    Args:
        robots: By name.
        objects: Poses of the objects that move, loose ones and those on joints, in the world frame, by name.
        asleep: Names of those that rest and cost nothing until touched.
        contacts: How many contacts the physics has.
        joints: Positions (rad, m) of the objects on joints, by name.
    """

    robots: dict[str, RobotState]
    objects: dict[str, Pose]
    asleep: frozenset[str] = frozenset()
    contacts: int = 0
    joints: dict[str, float] = {}


class LaneReport(Struct, frozen=True):
    """What one robot's lane did in a tick.

    Args:
        mode: Who is in charge of the robot.
        demand: What was asked after the filters.
        setpoints: What the drives were told, by group.
        speed_level: The chosen speed level, counted from 1.
        mapping: The chosen mapping.
        age: Seconds since the last good reading of this robot's master; None before the first.
        notes: Everything that altered the command, in order.
        heard: Sequence number of the last good reading.
        waiting: An interrupted move waits to be continued.
        off: What is switched off to find a fault: names of filters, "feed-forward".
        generating: A signal generator stands in for the hand.
        felt: What the hand shall feel, in the axes of the master's base.
        scale: How far the robot goes for a way of the hand, times what the mapping has.
        contact: What the surroundings do to the tip, world axes, as far as the robot can tell: by its wrist sensor,
            weights subtracted, or where it has none as the physics has it.
        payload: Kilograms that the wrist sensor has weighed in the gripper; None while there are none.
        lesson: How many points of a trajectory have been taught so far; -1 while nothing is taught.
        recording: It is taught by recording, not point by point.
        taught: A trajectory whose teaching ended in this tick.
        parked: The parking brake of a robot on tracks is set.
    """

    mode: Mode
    demand: Demand
    setpoints: dict[str, Setpoint]
    speed_level: int
    mapping: str
    age: float | None
    notes: tuple[Note, ...] = ()
    heard: int = -1
    waiting: bool = False
    off: tuple[str, ...] = ()
    generating: bool = False
    felt: Wrench = Wrench()
    scale: float = 1.0
    contact: Wrench = Wrench()
    payload: float | None = None
    lesson: int = -1
    recording: bool = False
    taught: Trajectory | None = None
    parked: bool = False


class Tick(Struct, frozen=True):
    """One step of the cell: its number, its time, what was measured, what the lanes did, notes on the whole cell."""

    number: int
    time: float
    state: State
    lanes: dict[str, LaneReport]
    notes: tuple[Note, ...] = ()


class Feedback(Struct, frozen=True):
    """What a master gets back each tick.

    Args:
        tick: The newest tick's number, to be echoed.
        wrench: What the surroundings do to the tip it drives, in world axes, as measured.
        felt: What the hand shall feel of it, at the master's tip in the axes of the master's base: filtered, scaled,
            and turned as the mapping turns motions. A master with force saturates it to what it can do.
        driving: The robot follows this master just now.
    """

    tick: int
    wrench: Wrench = Wrench()
    felt: Wrench = Wrench()
    driving: bool = False
