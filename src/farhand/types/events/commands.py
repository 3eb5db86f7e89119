"""Commands to a robot: stops, moves, teaching, and the set-up of its drive."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from farhand.poses import Pose
from farhand.types.events.declaration import COMPILE_S, EventStruct, declare
from farhand.types.quantities import Vector

__all__ = [
    "Continue",
    "FollowPath",
    "FreeMe",
    "HoldHere",
    "MoveJoints",
    "Park",
    "Part",
    "Power",
    "Reconfigure",
    "Reset",
    "SelectMapping",
    "SetScale",
    "SetSpeed",
    "Stop",
    "Teach",
    "TeachAction",
    "Trajectory",
]

TeachAction = Literal["record", "point", "finish", "discard"]
Part = Literal["filter", "mapping", "watchdog", "speeds", "scales", "feedback", "avoid", "drive"]


@declare(scope="cell", right="stop", time_out=2.0, urgent=True)
class Stop(EventStruct, frozen=True, kw_only=True):
    """Stop every robot of the cell, latched.

    Args:
        reason: Sentence shown to operators as it is; empty: they read who stopped the robots, and how.
        by: Name of the person who stopped them.
        how: How it was stopped; "restarted": the cell's process is a new one.
    """

    reason: str = ""
    by: str = ""
    how: Literal["pressed", "said", "restarted"] = "pressed"


@declare(scope="robot", right="reset", every=True)
class Reset(EventStruct, frozen=True):
    """Clear a latched stop of one robot, or of all robots; never starts a motion."""

    robot: str = ""


@declare(scope="robot", right="drive")
class MoveJoints(EventStruct, frozen=True):
    """Move a robot's arm autonomously to joint positions (rad, m); an empty `goal` means home."""

    robot: str
    goal: Vector = ()


@declare(scope="robot", right="drive")
class MoveTip(EventStruct, frozen=True):
    """Move a robot's arm autonomously until its tip reaches a pose (m, quaternion) in the robot's base frame."""

    robot: str
    pose: Pose


@declare(scope="robot", right="drive")
class MoveFlippers(EventStruct, frozen=True):
    """Turn a robot's flippers autonomously to angles (rad, up from straight ahead), in the robot's order."""

    robot: str
    angles: Vector


class Trajectory(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A taught trajectory of an arm's joints.

    Args:
        name: Name of the trajectory.
        points: Joint positions (rad, m) at each point.
        times: Seconds from the start at each point; empty: as fast as the limits allow, at rest in each point.
        rates: Joint rates at each point (rad/s, m/s), if there are times.
    """

    name: str
    points: tuple[Vector, ...]
    times: Vector = ()
    rates: tuple[Vector, ...] = ()


@declare(scope="robot", right="drive")
class FollowPath(EventStruct, frozen=True):
    """Move a robot's arm autonomously along a taught trajectory, after a move to its start."""

    robot: str
    trajectory: Trajectory


@declare(scope="robot", right="drive")
class Teach(EventStruct, frozen=True):
    """Teach an arm a trajectory; the report of the tick that finishes it holds the result.

    Args:
        robot: Name of the robot.
        action: "record": record the arm's motion from now on; "point": add its present position; "finish": end the
            trajectory; "discard": drop it.
        name: Name of the trajectory, with "finish".
    """

    robot: str
    action: TeachAction
    name: str = ""


@declare(scope="robot", right="drive")
class FreeMe(EventStruct, frozen=True):
    """Back out of a corner: move the arm slowly a short distance back along the path on which it came."""

    robot: str


@declare(scope="robot", right="drive")
class HoldHere(EventStruct, frozen=True):
    """End any motion of a robot, including interrupted moves, and hold it where it is, without latching."""

    robot: str


@declare(scope="robot", right="drive")
class Continue(EventStruct, frozen=True):
    """Continue an interrupted autonomous move, planned again from the arm's present position."""

    robot: str


@declare(scope="robot", right="drive")
class Power(EventStruct, frozen=True):
    """Power a robot up or down; for robots with a power switch, such as hydraulic ones."""

    robot: str
    on: bool


@declare(scope="robot", right="drive")
class Park(EventStruct, frozen=True):
    """Set or release a robot's parking brake; for tracked robots, whose belts stand while it is set."""

    robot: str
    on: bool


@declare(scope="robot", right="drive")
class SetSpeed(EventStruct, frozen=True):
    """Choose one of the cell's speed levels, counted from 1."""

    robot: str
    level: int


@declare(scope="robot", right="drive")
class SetScale(EventStruct, frozen=True):
    """Set the robot's motion per hand motion, as a factor on the mapping's scale; any value, not only the cell's."""

    robot: str
    scale: float


@declare(scope="robot", right="drive")
class SelectMapping(EventStruct, frozen=True):
    """Choose the control mode, by the name that the cell file gives the mapping."""

    robot: str
    mapping: str


def _changes_drive(event: Reconfigure) -> bool:
    """Return whether its `part` is "drive"."""
    return event.part == "drive"


@declare(scope="robot", right="task", new_world=_changes_drive, time_out=COMPILE_S)
class Reconfigure(EventStruct, frozen=True, omit_defaults=True):
    """Change how a robot is driven, at run time; relaxed limits apply the next time the operator engages.

    Args:
        robot: Name of the robot.
        part: The part of its set-up to be changed.
        name: Name of the filter or mapping.
        settings: Its table, as in a cell file; for "speeds" and "scales" the list `values`. None removes a filter or
            mapping, and restores every other part from the cell file.
        before: Name of the filter before which a new one is inserted; empty: after all others.
    """

    robot: str
    part: Part
    name: str = ""
    settings: dict[str, Any] | None = None
    before: str = ""
