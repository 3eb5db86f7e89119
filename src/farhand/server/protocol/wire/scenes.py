"""The scene: everything about a cell that stays the same until its world is edited."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Vec3
from farhand.server.protocol.wire.message import Message
from farhand.server.protocol.wire.replays import ReplayInfo
from farhand.server.protocol.wire.robot_descriptions import JointInfo, RobotInfo
from farhand.world.visual_scene import BodyLook, GeomLook

__all__ = ["MasterInfo", "Scene", "SignalInfo"]


class MasterInfo(Struct, frozen=True, kw_only=True):
    """A master with joints, modelled in the cell or connected from elsewhere, as the page draws it.

    Args:
        name: Name in the cell.
        label: Name of the device that the operator sees.
        hand: Stiffness of a modelled hand: "relaxed", "normal", "firm" or "own"; empty if none is modelled.
        joints: Joints of the device.
        bodies: Its moving bodies, in the order of the poses; the last one is the handle, whose frame is the tip's.
        geoms: Shapes of the bodies, in the frame of the device's base; body -1 is fixed.
        lower: Lowest x, y, z that its tip can reach, in its base frame (x away from the operator, z up), m.
        upper: Highest x, y, z that its tip can reach, m.
        force: Highest force on the hand, N; 0 without force feedback.
        robots: Names of the robots that it drives.
        by_hand: The viewer in control moves it: by `Reading.pose` (intended pose of the tip in its base frame),
            `Reading.joints`, or `Reading.axes` (three translations, then three rotations, in its base axes).
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
    """A signal to plot: its name, the name that the operator sees, its unit, and its heading in the list."""

    name: str
    label: str
    unit: str
    group: str


class Scene(Message, frozen=True, kw_only=True):
    """Everything about a cell that stays the same until its world is edited; updates refer to it.

    Args:
        cell: Name of the cell.
        summary: One sentence about it.
        number: Counts the scenes of this cell; updates carry it.
        timestep: Duration of a tick, s.
        bodies: Moving bodies, in the order of the poses.
        geoms: All shapes; meshes are at /mesh/<cell>/<hash>.
        robots: All robots, in the order of the updates.
        signals: Signals to plot.
        masters: Masters that can be drawn, in the order of the updates.
        replay: The record that is replayed; None: the cell is live.
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
    replay: ReplayInfo | None = None
