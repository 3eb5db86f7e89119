"""A cell as it is now."""

from __future__ import annotations

from msgspec import Struct

from farhand.server.protocol.wire.message import Message
from farhand.types import BaseWord, DegradeCamera, Mode

__all__ = ["CameraUpdate", "MasterUpdate", "NearUpdate", "RobotUpdate", "TracksUpdate", "Update"]


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
        powered: There is power, or it is coming; also while a stop is latched.
        baseline: Milliseconds; the usual delay of its master's link, by which readings may be older.
        planning: A way around what is in the way is being looked for; `HoldHere` ends that.
        ghost: Poses of the robot's bodies, in the order of the scene's, where a move ends that is under way or being
            planned: `POSE_ROW` bytes each; empty while there is none, or it is not known.
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
    powered: bool = True
    baseline: int = 0
    planning: bool = False
    ghost: bytes = b""


class Update(Message, frozen=True, kw_only=True):
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
        epochs: The newest lease epoch of which the cell has heard a reading, for each robot; -1 before the first. A
            press counts from the moment this is the holder's own epoch.
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
    epochs: tuple[int, ...]
    contacts: bytes
    masters: tuple[MasterUpdate, ...] = ()
