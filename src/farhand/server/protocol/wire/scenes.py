"""A cell as it is until its world is edited."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Vec3
from farhand.server.protocol.wire.message import Message
from farhand.server.protocol.wire.robot_descriptions import JointInfo, RobotInfo
from farhand.world.visual_scene import BodyLook, GeomLook

__all__ = ["MasterInfo", "Scene", "SignalInfo"]


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


class Scene(Message, frozen=True, kw_only=True):
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
