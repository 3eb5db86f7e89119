"""Updates: the state of a cell now."""

from __future__ import annotations

from msgspec import Struct

from farhand.server.protocol.wire.message import Message
from farhand.server.protocol.wire.replays import PlaybackUpdate
from farhand.types import BaseWord, DegradeCamera, Mode

__all__ = ["CameraUpdate", "ClearanceUpdate", "MasterUpdate", "RobotUpdate", "TracksUpdate", "Update"]


class MasterUpdate(Struct, frozen=True, kw_only=True):
    """State of a master.

    Args:
        bodies: Poses of its bodies in its base frame, `POSE_ROW` bytes each; empty before the first reading.
        joints: Joint positions, float32.
        tip: Its tip in its base frame: x, y, z, then quaternion w, x, y, z, float32.
        intended: Pose that the hand aims at, likewise; empty if unknown.
        felt: Force on the hand, N, in its base axes, float32.
        held: The deadman is held.
        alone: It moves by itself, as a demonstration, until the operator in control presses the deadman.
    """

    bodies: bytes
    joints: bytes
    tip: bytes
    intended: bytes
    felt: bytes
    held: bool
    alone: bool = False


class ClearanceUpdate(Struct, frozen=True, kw_only=True):
    """Clearance of an arm with collision avoidance.

    Args:
        first: Link of the arm, or its load, that is nearest to another body.
        second: That body.
        room: Clearance left until the arm stops, m; negative: it is too near.
        gently: Contact with the body is allowed, at low speed.
        line: Nearest points on both, world frame: six float32.
        ways: Whether the tip may move along +x, +y, +z, -x, -y, -z, in the axes of the robot's base.
        limits: Positions that each joint may reach by itself: all lower ones, then all upper ones, float32.
    """

    first: str
    second: str
    room: float
    gently: bool
    line: bytes
    ways: tuple[bool, ...]
    limits: bytes


class TracksUpdate(Struct, frozen=True, kw_only=True):
    """State of a robot on tracks, as its own sensors measure it; its position in the world is not part of it.

    Args:
        pitch: Nose up, rad.
        roll: Right side down, rad.
        flippers: Measured flipper angles, rad, float32.
        asked: Commanded flipper angles, rad, float32.
        belts: Speeds of the left and right belt, m/s, float32.
        braked: The belts are commanded to stand still.
        parked: The parking brake is set, so the belts cannot run.
        word: Its present motion, as one word of a closed list.
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
    """State of a camera.

    Args:
        pan: Angle to the left of straight ahead, rad.
        tilt: Angle up, rad.
        zoom: Magnification.
        degraded: How its picture is degraded: show the server's picture then; None if it is not.
    """

    pan: float
    tilt: float
    zoom: float
    degraded: DegradeCamera | None = None


class RobotUpdate(Struct, frozen=True, kw_only=True):
    """State of a robot.

    Args:
        mode: Mode of the robot: idle, teleoperation, a kind of standing still, …
        level: Speed level, counted from 1.
        mapping: Index of the active control mode.
        age: Milliseconds since the last good reading of its master; -1 before the first.
        heard: Sequence number of that reading.
        joints: Measured joint positions of the arm, float32.
        grip: Distance between the fingers, m; -1 without a gripper.
        tip: Measured tip in the robot's base frame: x, y, z, then quaternion w, x, y, z, float32.
        force: Contact force at the tip, N, world axes, float32.
        waiting: An interrupted move waits for "continue".
        off: Names of the filters that are switched off to find a fault, and "feed-forward".
        generating: A signal generator drives instead of the operator.
        scale: Motion scale, on top of the control mode's own.
        felt: Force feedback to the hand, N.
        payload: Mass in the gripper as weighed by the wrist sensor, kg; -1 if not weighed.
        lesson: Number of points taught so far; -1 while no path is taught.
        recording: The path is taught by recording.
        near: Clearance of an arm with collision avoidance; None if no body is near.
        tracks: State of its tracks; None for a fixed base.
        cameras: State of each camera, in the scene's order.
        powered: Power is on or coming on; also while a stop is latched.
        baseline: Baseline delay of its master's link, ms, by which readings may be older.
        planning: A path around an obstacle is being planned; `HoldHere` ends that.
        ghost: Poses of the robot's bodies at the end of its present or planned move, in the scene's order, `POSE_ROW`
            bytes each; empty without a move, or if its end is unknown.
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
    near: ClearanceUpdate | None = None
    tracks: TracksUpdate | None = None
    cameras: tuple[CameraUpdate, ...] = ()
    powered: bool = True
    baseline: int = 0
    planning: bool = False
    ghost: bytes = b""


class Update(Message, frozen=True, kw_only=True):
    """State of the cell; only the newest update matters.

    Args:
        scene: Number of its scene; ignore an update for another scene than yours.
        tick: Number of the newest tick; echo it in your readings.
        time: Cell time, s.
        factor: Speed of cell time; 1 is real time.
        late: Number of ticks so far that began more than half a tick late.
        moved: Poses of the bodies that moved since the last update to this viewer: rows of a uint16 index and a pose
            of `POSE_ROW` bytes.
        asleep: A bit for each body (byte i // 8, bit i % 8), set while it rests.
        robots: State of each robot, in the scene's order.
        epochs: Newest lease epoch of which the cell has had a reading, for each robot; -1 before the first. A press
            counts once this is your own epoch.
        contacts: Rows of float32 x, y, z (world) and force (N) of the 32 hardest contacts.
        masters: State of each master, in the scene's order.
        playback: State of the playback; None: the cell is live.
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
    playback: PlaybackUpdate | None = None
