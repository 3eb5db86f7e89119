"""Descriptions of robots: everything about them that stays the same until the world is edited."""

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
        label: Name that the operator sees.
        kind: "hinge": radians; "slide": metres.
        lower: Lower limit; None for a continuous joint.
        upper: Upper limit; None for a continuous joint.
        home: Position at home.
        velocity: Highest speed, rad/s or m/s.
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
    """A control mode of a robot.

    Args:
        name: Name in the cell file.
        kind: Kind of mapping: "jog-joints", "jog-tip", "drag-tip", …
        feel: One sentence for the operator.
        axes: Effect of each axis of a reading, in order: "joint:0", "x", "y", "z", "roll", "pitch", "yaw", "grip".
            Empty for a control mode that needs a pose or joint positions.
        frame: Frame of "x" and the other axes.
        scalable: The operator can scale the robot's motion against the hand's.
    """

    name: str
    kind: str
    feel: str
    axes: tuple[str, ...] = ()
    frame: Literal["base", "tool", "view", ""] = ""
    scalable: bool = False


class Place(Struct, frozen=True, kw_only=True):
    """A named frame on a moving body, or in the world (body -1)."""

    body: int
    pose: Pose
    name: str = ""


class PartInfo(Struct, frozen=True, kw_only=True):
    """A part of a robot's set-up that can be changed: its kind, its name if there are several, and its settings."""

    part: Part
    name: str
    settings: dict[str, Any]


class TracksInfo(Struct, frozen=True, kw_only=True):
    """The tracks of a mobile robot.

    Args:
        flippers: Front left, front right, rear left, rear right; zero is level, positive angles raise the tip.
        speed: Highest speed of a belt, m/s.
        wheelbase: Distance from the front hubs to the rear ones, m.
        gauge: Distance from the left flippers to the right ones, m.
        length: Length of a flipper from axle to axle, m.
        hub: Radius of the wheel about which a flipper turns, m.
        tip: Radius of the wheel at its end, m.
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
        name: Unique on its robot; its picture is at /camera/<cell>/<robot>/<name>.jpg, a stream of pictures at .mjpeg.
        label: Name that the operator sees.
        place: Its frame, on the body that carries it: it looks along -z, x to the right, y up.
        fov: Vertical field of view without zoom, rad; zoom divides the tangent of its half.
        width: Pixels.
        height: Pixels.
        pan: Limits of the head to the right (negative) and to the left, rad; None if it does not pan.
        tilt: Limits down (negative) and up, rad; None if it does not tilt.
        zoom: Highest magnification; 1: no zoom.
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
    """A robot: everything about it that stays the same until the world is edited.

    Args:
        name: Name in the cell.
        model: Name of the robot model.
        joints: Joints of the arm.
        gripper: Its gripper; None if it has none.
        base: Base frame.
        tip: Tip frame.
        frames: Frame of each joint along the chain (Denavit–Hartenberg), base first.
        mappings: Control modes.
        filters: Names of the lane's filters, in order; all but "scale" can be switched off to find a fault.
        master: Name of the master that drives it.
        by_hand: The viewer in control drives it; otherwise a script does.
        switch: It has a power switch, and must be powered up before it moves.
        wrist: It has a force sensor in its wrist, which can be zeroed.
        tool: Name of its tool; empty for none.
        tools: Tools that it can change to while it runs.
        scales: Motion scales to choose from.
        speeds: Speed levels, as shares of full speed.
        parts: Parts of its set-up that can be changed, with their settings.
        tracks: Its tracks; None for a fixed base.
        cameras: Its cameras.
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
