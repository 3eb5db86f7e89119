"""What is done to the world from outside: things put back, added, moved and taken out, tools, sensors, cameras."""

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
    """Put a robot back to where the cell file has it, upright, at home and at rest; on tracks, above what stands there.

    A latched stop stays latched, and driving on needs a fresh press.
    """

    robot: str


@declare(scope="cell", right="task")
class ResetObjects(EventStruct, frozen=True, omit_defaults=True):
    """Put objects that move back to where the cell file has them, at rest; above what stands there.

    Args:
        name: Of the only one to be put back; empty: all.
    """

    name: str = ""


@declare(scope="cell", right="task", new_world=True, time_out=COMPILE_S)
class AddObject(EventStruct, frozen=True):
    """Insert an object into the world; refused where something else is. One in mid-air falls, and a note says so."""

    object: ObjectSpec


@declare(scope="cell", right="task", new_world=True, time_out=COMPILE_S)
class MoveObject(EventStruct, frozen=True):
    """Put an object elsewhere, at rest; refused where a robot is."""

    name: str
    pose: Pose


@declare(scope="cell", right="task", new_world=True, time_out=COMPILE_S)
class RemoveObject(EventStruct, frozen=True):
    """Remove an object from the world; refused while a gripper holds it or something stands on it."""

    name: str


@declare(scope="robot", right="drive", new_world=True, time_out=COMPILE_S)
class ChangeTool(EventStruct, frozen=True):
    """Give a robot another tool of the catalogue, or none: at rest, with nothing held, and where it has room."""

    robot: str
    tool: str = ""


@declare(scope="robot", right="drive")
class ZeroWrist(EventStruct, frozen=True):
    """Take what a robot's wrist sensor feels now for nothing; for a tool that hangs free."""

    robot: str


@declare(scope="robot", right="drive")
class AimCamera(EventStruct, frozen=True):
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
