"""What a robot is, as far as the page must know it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from farhand.poses import Pose
from farhand.types import Part

__all__ = ["CameraInfo", "GripperInfo", "JointInfo", "MappingInfo", "PartInfo", "Place", "RobotInfo", "TracksInfo"]


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
