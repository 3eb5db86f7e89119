"""What is done to the world from outside: things put back, added, moved and taken out, tools, sensors, cameras."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Pose
from farhand.types.objects import ObjectSpec

__all__ = [
    "AddObject",
    "AimCamera",
    "ChangeTool",
    "MoveObject",
    "RemoveObject",
    "ResetObjects",
    "ResetRobot",
    "ZeroWrist",
]


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


class ChangeTool(Struct, frozen=True, tag=True):
    """Give a robot another tool of the catalogue, or none: at rest, with nothing held, and where it has room."""

    robot: str
    tool: str = ""


class ZeroWrist(Struct, frozen=True, tag=True):
    """Take what a robot's wrist sensor feels now for nothing; for a tool that hangs free."""

    robot: str


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
