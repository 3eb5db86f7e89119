"""Edits of the world from outside: reset, add, move and remove objects; change tools; zero sensors; aim cameras."""

from __future__ import annotations

from farhand.poses import Pose
from farhand.types.events.declaration import COMPILE_S, EventStruct, declare
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


@declare(scope="robot", right="task")
class ResetRobot(EventStruct, frozen=True):
    """Put a robot back where the cell file places it, upright, at home, at rest; on tracks, above objects there.

    A latched stop stays latched; press the deadman again to drive on.
    """

    robot: str


@declare(scope="cell", right="task")
class ResetObjects(EventStruct, frozen=True, omit_defaults=True):
    """Put movable objects back where the cell file places them, at rest; above objects that stand there.

    Args:
        name: Name of the only object to be reset; empty: all.
    """

    name: str = ""


@declare(scope="cell", right="task", new_world=True, time_out=COMPILE_S)
class AddObject(EventStruct, frozen=True):
    """Insert an object into the world; refused if it would overlap a body. An object in mid-air falls, with a note."""

    object: ObjectSpec


@declare(scope="cell", right="task", new_world=True, time_out=COMPILE_S)
class MoveObject(EventStruct, frozen=True):
    """Put an object elsewhere, at rest; refused if it would overlap a robot."""

    name: str
    pose: Pose


@declare(scope="cell", right="task", new_world=True, time_out=COMPILE_S)
class RemoveObject(EventStruct, frozen=True):
    """Remove an object from the world; refused while a gripper holds it or another object stands on it."""

    name: str


@declare(scope="robot", right="drive", new_world=True, time_out=COMPILE_S)
class ChangeTool(EventStruct, frozen=True):
    """Give a robot another tool of the catalogue, or none; it must be at rest, hold nothing, and have clearance."""

    robot: str
    tool: str = ""


@declare(scope="robot", right="drive")
class ZeroWrist(EventStruct, frozen=True):
    """Zero a robot's wrist force sensor; the tool must hang free."""

    robot: str


@declare(scope="robot", right="drive")
class AimCamera(EventStruct, frozen=True):
    """Aim a camera's head and set its zoom; the head moves at its own rate.

    Args:
        robot: Name of the robot.
        camera: Name of its camera.
        pan: Radians to the left of straight ahead, limited to the head's range.
        tilt: Radians upwards, limited in the same way.
        zoom: Magnification from 1, limited in the same way.
    """

    robot: str
    camera: str
    pan: float
    tilt: float
    zoom: float = 1.0
