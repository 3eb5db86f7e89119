"""Everything that travels between page, gateway and cell, defined once.

::

    page ──Hello, Watch, Hand, Command, Ask, …──▶ gateway ──Order, Reading──▶ cell
    page ◀─Welcome, Scene, Update, Said, Leases──  gateway ◀──Frame, Said, Answer── cell

All of it is msgpack: structs are maps with their type in `type`, bulk numbers are little-endian bytes. The page's
TypeScript types are generated from this file by `farhand.net.typescript`; a test fails when they differ, and a page
that was built from other messages is refused when it connects.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from farhand.poses import Pose, Vec3
from farhand.types import BaseWord, DegradeCamera, Event, Mode, Note, Part, Reading
from farhand.world.scene import BodyLook, GeomLook

__all__ = [
    "POSE_ROW",
    "Answer",
    "Ask",
    "Asker",
    "CameraInfo",
    "CameraUpdate",
    "CellInfo",
    "CellState",
    "Cells",
    "Command",
    "FromPage",
    "GripperInfo",
    "Hand",
    "Heard",
    "Hello",
    "JointInfo",
    "KeptMove",
    "LeaseInfo",
    "Leases",
    "Listen",
    "LogEntry",
    "MappingInfo",
    "MasterInfo",
    "MasterUpdate",
    "MoveInfo",
    "Moves",
    "PartInfo",
    "Ping",
    "Place",
    "Refuse",
    "Refused",
    "Release",
    "RobotInfo",
    "RobotUpdate",
    "Said",
    "Scene",
    "SignalInfo",
    "Signals",
    "Speech",
    "TakeOver",
    "ToPage",
    "TracksInfo",
    "TracksUpdate",
    "Update",
    "Watch",
    "Welcome",
    "Why",
    "Yield",
]

POSE_ROW = 20
"""Bytes of one body's pose: x, y, z as float32, then w, x, y, z of its quaternion as int16 of 1/32767."""

Name = Annotated[str, Meta(max_length=64)]
Id = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class _Message(Struct, frozen=True, kw_only=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """A message that says its own type."""


# ── From the page ────────────────────────────────────────────────────────────────────────────────────────────────


class Hello(_Message, frozen=True, kw_only=True):
    """The first message of a page.

    Args:
        wire: What messages it was built from; see `WIRE`.
        token: From the link that Farhand printed.
        client: A secret of this tab, kept over reloads, by which it keeps its control over a lost connection.
        name: What other people see; empty: a name is given.
    """

    wire: Annotated[str, Meta(max_length=64)]
    token: Annotated[str, Meta(max_length=128)]
    client: Annotated[str, Meta(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
    name: Name = ""


class Watch(_Message, frozen=True, kw_only=True):
    """Show me this cell, from its scene on; whatever was shown before ends."""

    cell: Name


class Hand(_Message, frozen=True, kw_only=True):
    """What the operator's hand does, for the robot he holds the control of; sent many times a second."""

    robot: Name
    reading: Reading


class Command(_Message, frozen=True, kw_only=True):
    """An event for the cell; is answered with `Answer` of the same id."""

    id: Id
    event: Event


class KeptMove(_Message, frozen=True, kw_only=True):
    """Do something with a move that was taught; is answered with `Answer` of the same id.

    Args:
        id: Of the answer.
        robot: Whose it is.
        name: Of the move.
        action: Have the robot move along it, give it another name, or delete it.
        to: The other name.
    """

    id: Id
    robot: Name
    name: Name
    action: Literal["replay", "rename", "delete"]
    to: Name = ""


class Ping(_Message, frozen=True, kw_only=True):
    """Is answered by the cell itself, with `Answer`; measures the way there and back."""

    id: Id


class Ask(_Message, frozen=True, kw_only=True):
    """I want to control this robot: granted at once if nobody does, otherwise the one who does is asked."""

    robot: Name


class Release(_Message, frozen=True, kw_only=True):
    """I give the control of this robot back, or take my asking back."""

    robot: Name


class Yield(_Message, frozen=True, kw_only=True):
    """I hand my control of this robot over to a viewer who asked for it."""

    robot: Name
    viewer: Id


class Refuse(_Message, frozen=True, kw_only=True):
    """I keep my control of this robot; tells the viewer who asked."""

    robot: Name
    viewer: Id


class TakeOver(_Message, frozen=True, kw_only=True):
    """I asked, and the one who holds control has not answered in time and does not drive: I take it."""

    robot: Name


class Listen(_Message, frozen=True, kw_only=True):
    """Send me these signals, sampled every tick; names as in `Scene.signals`."""

    signals: Annotated[tuple[Annotated[str, Meta(max_length=128)], ...], Meta(max_length=16)]


class Speech(_Message, frozen=True, kw_only=True):
    """A piece of what is spoken while the talk key is held; after the last one comes `Heard` of the same id.

    Args:
        id: Of the utterance; pieces of another one begin it anew.
        robot: Whom it is said to.
        pcm: Samples, int16, 16 kHz, one channel.
        last: The key was let go.
    """

    id: Id
    robot: Name
    pcm: Annotated[bytes, Meta(max_length=16_384)]
    last: bool = False


FromPage = (
    Hello | Watch | Hand | Command | KeptMove | Ping | Ask | Release | Yield | Refuse | TakeOver | Listen | Speech
)


# ── To the page ──────────────────────────────────────────────────────────────────────────────────────────────────


CellState = Literal["starting", "running", "silent", "lost", "failed"]


class CellInfo(Struct, frozen=True, kw_only=True):
    """A cell of this server.

    Args:
        name: Of the cell.
        summary: What it is.
        state: "silent": it has said nothing for a moment; "lost": its process ended and is started anew; "failed": it
            does not start.
        reason: A sentence about that.
    """

    name: str
    summary: str = ""
    state: CellState = "starting"
    reason: str = ""


class Welcome(_Message, frozen=True, kw_only=True):
    """The answer to `Hello`.

    Args:
        viewer: This page's number, by which others speak of it.
        name: What it is called.
        version: Of Farhand.
        cells: What can be watched.
        exam: This viewer sits an exam: it gets the cameras' pictures from the server, and no poses.
        trainer: Somebody else does, and this viewer may set his task without control.
    """

    viewer: int
    name: str
    version: str
    cells: tuple[CellInfo, ...]
    exam: bool = False
    trainer: bool = False


class Refused(_Message, frozen=True, kw_only=True):
    """This page may not go on, and why; the connection ends. With `retry` it is worth trying again."""

    reason: str
    retry: bool = False


class Cells(_Message, frozen=True, kw_only=True):
    """The cells and how they are, whenever that changes."""

    cells: tuple[CellInfo, ...]


class JointInfo(Struct, frozen=True, kw_only=True):
    """A joint of an arm.

    Args:
        name: Unique in its robot.
        label: What the operator calls it.
        kind: "hinge": radians; "slide": metres.
        lower: Limit; None for a continuous joint.
        upper: Limit; None for a continuous joint.
        home: Where "home" is.
        velocity: Top rate.
    """

    name: str
    label: str
    kind: Literal["hinge", "slide"]
    lower: float | None
    upper: float | None
    home: float
    velocity: float


class GripperInfo(Struct, frozen=True, kw_only=True):
    """A gripper: metres between its fingers when open."""

    opening: float


class MappingInfo(Struct, frozen=True, kw_only=True):
    """A way to drive a robot.

    Args:
        name: As the cell file calls it.
        kind: Of the mapping: "jog-joints", "jog-tip", "drag-tip", …
        feel: One sentence about it.
        axes: What each axis of a reading does, in order: "joint:0", "x", "y", "z", "roll", "pitch", "yaw", "grip".
            Empty for one that is led by a pose or by joints.
        frame: Axes in which "x" and the others are meant.
        scalable: The operator can choose how far the robot goes for a way of the hand.
    """

    name: str
    kind: str
    feel: str
    axes: tuple[str, ...] = ()
    frame: Literal["base", "tool", "view", ""] = ""
    scalable: bool = False


class Place(Struct, frozen=True, kw_only=True):
    """A frame on a moving body, or in the world (body -1), with what it is called."""

    body: int
    pose: Pose
    name: str = ""


class PartInfo(Struct, frozen=True, kw_only=True):
    """A part of how a robot is driven: which, its name if there are several, and its settings."""

    part: Part
    name: str
    settings: dict[str, Any]


class TracksInfo(Struct, frozen=True, kw_only=True):
    """What carries a robot about.

    Args:
        flippers: Front left, front right, rear left, rear right; zero is level, positive angles raise the tip.
        speed: Top speed of a belt, m/s.
        wheelbase: Metres from the front hubs to the rear ones.
        gauge: Metres from the left flippers to the right ones.
        length: Of a flipper from axle to axle.
        hub: Radius of the wheel about which it turns.
        tip: Radius of the wheel at its end.
    """

    flippers: tuple[JointInfo, ...]
    speed: float
    wheelbase: float
    gauge: float
    length: float
    hub: float
    tip: float


class CameraInfo(Struct, frozen=True, kw_only=True):
    """A camera of a robot.

    Args:
        name: Unique on its robot; its pictures are at /camera/<cell>/<robot>/<name>.jpg, a stream of them at .mjpeg.
        label: What the operator calls it.
        place: Its frame, on the body that moves with it: it looks along -z, x to the right, y up.
        fov: Vertical field of view, rad, without zoom; zoom divides its half's tangent.
        width: Pixels.
        height: Pixels.
        pan: How far its head turns to the right (negative) and to the left, rad; None if it does not.
        tilt: How far down (negative) and up; None if it does not.
        zoom: The most; 1 for none.
    """

    name: str
    label: str
    place: Place
    fov: float
    width: int
    height: int
    pan: tuple[float, float] | None = None
    tilt: tuple[float, float] | None = None
    zoom: float = 1.0


class RobotInfo(Struct, frozen=True, kw_only=True):
    """A robot as the page must know it.

    Args:
        name: In the cell.
        model: What kind of robot it is.
        joints: Of the arm.
        gripper: If there is one.
        base: Its base frame.
        tip: Its tip frame.
        frames: The frame of each joint along the chain (Denavit–Hartenberg), base first.
        mappings: Ways to drive it.
        filters: Names of the lane's filters, in order; they can be switched off to find a fault, except "scale".
        master: What drives it, by name.
        by_hand: Whoever holds control drives it; otherwise a script does.
        switch: It has a power switch, and must be powered up before it moves.
        wrist: It has a force sensor in its wrist, which can be zeroed.
        tool: What it carries; empty for nothing.
        tools: What it can be given instead while it runs.
        scales: Of the hand's motion, to choose from.
        speeds: Speed levels as shares of full speed.
        parts: What can be changed about how it is driven, with its settings.
        tracks: What carries it about, if it does not stand.
        cameras: What it looks through.
    """

    name: str
    model: str
    joints: tuple[JointInfo, ...]
    gripper: GripperInfo | None
    base: Place
    tip: Place
    frames: tuple[Place, ...]
    mappings: tuple[MappingInfo, ...]
    filters: tuple[str, ...]
    master: str
    by_hand: bool
    switch: bool = False
    wrist: bool = False
    tool: str = ""
    tools: tuple[str, ...] = ()
    scales: tuple[float, ...] = ()
    speeds: tuple[float, ...] = ()
    parts: tuple[PartInfo, ...] = ()
    tracks: TracksInfo | None = None
    cameras: tuple[CameraInfo, ...] = ()


class MasterInfo(Struct, frozen=True, kw_only=True):
    """A master that has joints, modelled here or held elsewhere, as the page can show it.

    Args:
        name: In the cell.
        label: What people call the device.
        hand: How it is held, if the hand is modelled: "relaxed", "normal", "firm" or "own"; else empty.
        joints: Of the device.
        bodies: Its moving bodies, in the order of the poses; the last one is the handle, whose frame is the tip's.
        geoms: Their shapes; what is on body -1 stands still. All in the frame of the device's base.
        lower: Lowest x, y, z that its tip can be brought to, in its base frame (x away from the operator, z up).
        upper: Highest.
        force: N that it can make the hand feel; 0 for none.
        robots: Which robots it drives.
        by_hand: Whoever holds control of them moves it: by `Reading.pose` (where the tip is meant to be, in its base
            frame), `Reading.joints`, or `Reading.axes` (three shifts, three turns in its base axes).
    """

    name: str
    label: str
    hand: str
    joints: tuple[JointInfo, ...]
    bodies: tuple[BodyLook, ...]
    geoms: tuple[GeomLook, ...]
    lower: Vec3
    upper: Vec3
    force: float
    robots: tuple[str, ...]
    by_hand: bool


class SignalInfo(Struct, frozen=True, kw_only=True):
    """Something that can be plotted: its name, what the operator calls it, its unit, under which heading it stands."""

    name: str
    label: str
    unit: str
    group: str


class Scene(_Message, frozen=True, kw_only=True):
    """A cell, whole: all that stays as it is until the world is edited. Updates refer to it.

    Args:
        cell: Name of the cell.
        summary: What it is.
        number: Counts the scenes of this cell; updates carry it.
        timestep: Seconds per tick.
        bodies: Moving bodies, in the order of the poses.
        geoms: All shapes; meshes are fetched by their hash from /mesh/<cell>/<hash>.
        robots: All robots, in the order of the updates.
        signals: What can be plotted.
        masters: Those that can be shown, in the order of the updates.
    """

    cell: str
    summary: str
    number: int
    timestep: float
    bodies: tuple[BodyLook, ...]
    geoms: tuple[GeomLook, ...]
    robots: tuple[RobotInfo, ...]
    signals: tuple[SignalInfo, ...]
    masters: tuple[MasterInfo, ...] = ()


class MasterUpdate(Struct, frozen=True, kw_only=True):
    """One master now.

    Args:
        bodies: Poses of its bodies in the frame of its base, `POSE_ROW` bytes each; empty before it has spoken.
        joints: Positions of its joints, float32.
        tip: Its tip in its base frame: x, y, z, then quaternion w, x, y, z, float32.
        intended: Where the hand means to be, likewise; empty if nobody knows.
        felt: N that the hand feels, in its base axes, float32.
        held: The deadman is held.
        alone: It goes by itself, as a demonstration, until somebody in control presses the deadman.
    """

    bodies: bytes
    joints: bytes
    tip: bytes
    intended: bytes
    felt: bytes
    held: bool
    alone: bool = False


class NearUpdate(Struct, frozen=True, kw_only=True):
    """How an arm that keeps clear stands with its surroundings.

    Args:
        first: The link that is nearest to something, or what it carries.
        second: What that is.
        room: Metres until it stops the arm; below zero: it is too near.
        gently: It may be touched, slowly.
        line: The nearest points on both, world frame: six float32.
        ways: Whether the tip is free to go +x, +y, +z, -x, -y, -z, in the axes of the robot's base.
        limits: How far each joint may go by itself: all lower ones, then all upper ones, float32.
    """

    first: str
    second: str
    room: float
    gently: bool
    line: bytes
    ways: tuple[bool, ...]
    limits: bytes


class TracksUpdate(Struct, frozen=True, kw_only=True):
    """How a robot on tracks stands, as it feels it itself; nothing here tells where it is.

    Args:
        pitch: Nose up, rad.
        roll: Right side down, rad.
        flippers: Measured angles, float32.
        asked: Where they were told to be, float32.
        belts: Speeds of left and right, m/s, float32.
        braked: The belts are told to stand, and held.
        parked: The parking brake is set: they will not run.
        word: What it does.
    """

    pitch: float
    roll: float
    flippers: bytes
    asked: bytes
    belts: bytes
    braked: bool
    parked: bool
    word: BaseWord


class CameraUpdate(Struct, frozen=True, kw_only=True):
    """One camera now.

    Args:
        pan: Radians to the left of straight ahead.
        tilt: Radians up.
        zoom: How many times nearer.
        degraded: How its picture was made worse on purpose: show the server's, which is; None if it was not.
    """

    pan: float
    tilt: float
    zoom: float
    degraded: DegradeCamera | None = None


class RobotUpdate(Struct, frozen=True, kw_only=True):
    """One robot now.

    Args:
        mode: Who is in charge.
        level: Speed level, counted from 1.
        mapping: Index of the mapping in use.
        age: Milliseconds since the last good reading of its master; -1 before the first.
        heard: Sequence number of that reading.
        joints: Measured positions of the arm's joints, float32.
        grip: Metres between the fingers; -1 without a gripper.
        tip: Measured tip in the robot's base frame: x, y, z, then quaternion w, x, y, z, float32.
        force: What the surroundings do to the tip, N, world axes, float32.
        waiting: An interrupted move waits for "continue".
        off: What is switched off to find a fault: names of filters, "feed-forward".
        generating: A signal generator drives in place of the hand.
        scale: How far the robot goes for a way of the hand, times what its mapping has.
        felt: N that the hand shall feel.
        payload: Kilograms that the wrist's sensor has weighed in the gripper; -1 while there are none.
        lesson: How many points of a move have been taught so far; -1 while nothing is taught.
        recording: It is taught by recording.
        near: What an arm that keeps clear is near to; nothing if it is near to nothing.
        tracks: How a robot on tracks stands.
        cameras: In the order of the scene's.
    """

    mode: Mode
    level: int
    mapping: int
    age: int
    heard: int
    joints: bytes
    grip: float
    tip: bytes
    force: bytes
    waiting: bool = False
    off: tuple[str, ...] = ()
    generating: bool = False
    scale: float = 1.0
    felt: float = 0.0
    payload: float = -1.0
    lesson: int = -1
    recording: bool = False
    near: NearUpdate | None = None
    tracks: TracksUpdate | None = None
    cameras: tuple[CameraUpdate, ...] = ()


class Update(_Message, frozen=True, kw_only=True):
    """The cell now; only the newest one matters.

    Args:
        scene: Number of the scene it belongs to; another one than the page has is to be ignored.
        tick: Number of the newest tick; to be echoed in readings.
        time: Seconds of the cell's time.
        factor: How fast time runs; 1 is real time.
        late: How many ticks so far began more than half a tick late.
        moved: Poses of the bodies that moved since the last update to this viewer: rows of uint16 index, then as
            `POSE_ROW`.
        asleep: A bit for each body (byte i // 8, bit i % 8) that rests and costs nothing until touched.
        robots: In the scene's order.
        contacts: Rows of float32 x, y, z (world) and force (N), the hardest 32.
        masters: In the scene's order.
    """

    scene: int
    tick: int
    time: float
    factor: float
    late: int
    moved: bytes
    asleep: bytes
    robots: tuple[RobotUpdate, ...]
    contacts: bytes
    masters: tuple[MasterUpdate, ...] = ()


class Signals(_Message, frozen=True, kw_only=True):
    """Samples of the signals that this viewer listens to, none left out unless the viewer is too slow.

    Args:
        tick: Number of the first sample's tick.
        names: What was asked for and exists.
        values: float32, for each tick all signals in the order of `names`.
    """

    tick: int
    names: tuple[str, ...]
    values: bytes


class Why(_Message, frozen=True, kw_only=True):
    """What alters or keeps back the motion of each robot just now, by robot; empty when nothing does."""

    robots: dict[str, tuple[Note, ...]]


class LogEntry(Struct, frozen=True, kw_only=True):
    """Something that happened.

    Args:
        number: Counts up without gaps.
        time: Seconds of the cell's time.
        robot: Whom it concerns; empty for the cell.
        text: A sentence.
        level: As in `Note`.
        code: What a program can match.
    """

    number: int
    time: float
    robot: str
    text: str
    level: Literal["info", "slow", "stop", "fault"] = "info"
    code: str = ""


class Said(_Message, frozen=True, kw_only=True):
    """Entries of the cell's log; none is ever left out."""

    entries: tuple[LogEntry, ...]


class Asker(Struct, frozen=True, kw_only=True):
    """A viewer who asks for control, and how long ago (s)."""

    viewer: int
    name: str
    waited: float


class LeaseInfo(Struct, frozen=True, kw_only=True):
    """Who controls a robot.

    Args:
        robot: Which one.
        holder: Viewer number; None if nobody.
        name: Of the holder.
        epoch: Counts the changes of hands; readings carry it.
        present: False while the holder's connection is lost and the control is kept for it.
        askers: Who else wants it, first come first.
        may_take: You asked, were not answered, and may take over now.
    """

    robot: str
    holder: int | None
    name: str
    epoch: int
    present: bool
    askers: tuple[Asker, ...]
    may_take: bool


class Leases(_Message, frozen=True, kw_only=True):
    """Who controls which robot of the watched cell, and how many people look on (you included)."""

    robots: tuple[LeaseInfo, ...]
    viewers: int


class MoveInfo(Struct, frozen=True, kw_only=True):
    """A move that was taught: its name, how many points it has, and seconds at full speed; 0: from point to point."""

    name: str
    points: int
    seconds: float


class Moves(_Message, frozen=True, kw_only=True):
    """The moves that were taught, by robot, whenever there are others."""

    robots: dict[str, tuple[MoveInfo, ...]]


class Answer(_Message, frozen=True, kw_only=True):
    """What became of a `Command` or `Ping`: done, or why not."""

    id: int
    ok: bool
    text: str = ""


class Heard(_Message, frozen=True, kw_only=True):
    """What was understood of an utterance, and what came of it.

    Args:
        id: Of the utterance.
        ok: It was done.
        phrase: What was said; empty if it was not understood.
        text: What was done, or why nothing was.
    """

    id: int
    ok: bool
    phrase: str = ""
    text: str = ""


ToPage = Welcome | Refused | Cells | Scene | Update | Signals | Why | Said | Leases | Moves | Answer | Heard
