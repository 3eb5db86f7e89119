"""What is asked of a robot: stops, moves, lessons, and how it is driven."""

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
        reason: A sentence that is shown to operators as it is; empty: they read who stopped it, and how.
        by: The person who did.
        how: The way it was done; "restarted": the cell's process is a new one.
    """

    reason: str = ""
    by: str = ""
    how: Literal["pressed", "said", "restarted"] = "pressed"


@declare(scope="robot", right="reset", every=True)
class Reset(EventStruct, frozen=True):
    """Clear a latched stop of one robot, or of all; never starts a motion."""

    robot: str = ""


@declare(scope="robot", right="drive")
class MoveJoints(EventStruct, frozen=True):
    """Move a robot's arm by itself to joint positions; `goal` empty means home."""

    robot: str
    goal: Vector = ()


@declare(scope="robot", right="drive")
class MoveTip(EventStruct, frozen=True):
    """Move a robot's arm by itself until its tip has a pose (m, quaternion) in the robot's base frame."""

    robot: str
    pose: Pose


@declare(scope="robot", right="drive")
class MoveFlippers(EventStruct, frozen=True):
    """Turn a robot's flippers by themselves to angles (rad, up from straight ahead), in the robot's order."""

    robot: str
    angles: Vector


class Trajectory(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A way of an arm's joints, as it was taught.

    Args:
        name: What it is called.
        points: Joint positions (rad, m) at each point.
        times: Seconds from its start at each point; none: from point to point as fast as may be, at rest in each.
        rates: Joint rates at each point, where there are times.
    """

    name: str
    points: tuple[Vector, ...]
    times: Vector = ()
    rates: tuple[Vector, ...] = ()


@declare(scope="robot", right="drive")
class FollowPath(EventStruct, frozen=True):
    """Move a robot's arm by itself along a taught trajectory, after a move to its start."""

    robot: str
    trajectory: Trajectory


@declare(scope="robot", right="drive")
class Teach(EventStruct, frozen=True):
    """Teach an arm a trajectory, which the report of the tick that finishes it holds.

    Args:
        robot: Which one.
        action: "record": keep the way it is led from now on; "point": add where it is; "finish": that was it;
            "discard": forget it.
        name: What it shall be called, with "finish".
    """

    robot: str
    action: TeachAction
    name: str = ""


@declare(scope="robot", right="drive")
class FreeMe(EventStruct, frozen=True):
    """Back out of a corner: move the arm by itself, slowly, a piece back along the way it came."""

    robot: str


@declare(scope="robot", right="drive")
class HoldHere(EventStruct, frozen=True):
    """End whatever the robot does, interrupted moves included, and hold it where it is, without latching."""

    robot: str


@declare(scope="robot", right="drive")
class Continue(EventStruct, frozen=True):
    """Take an interrupted autonomous move up again, planned anew from where the arm is."""

    robot: str


@declare(scope="robot", right="drive")
class Power(EventStruct, frozen=True):
    """Power a robot up, or down; for robots that have a switch for it, such as hydraulic ones."""

    robot: str
    on: bool


@declare(scope="robot", right="drive")
class Park(EventStruct, frozen=True):
    """Set a robot's parking brake, or release it; for robots on tracks, whose belts stand while it is set."""

    robot: str
    on: bool


@declare(scope="robot", right="drive")
class SetSpeed(EventStruct, frozen=True):
    """Choose one of the cell's speed levels, counted from 1."""

    robot: str
    level: int


@declare(scope="robot", right="drive")
class SetScale(EventStruct, frozen=True):
    """Choose how far the robot goes for a way of the hand, times what its mapping has; any, not only the cell's."""

    robot: str
    scale: float


@declare(scope="robot", right="drive")
class SelectMapping(EventStruct, frozen=True):
    """Choose how the master drives the robot, by the name the cell file gives the mapping."""

    robot: str
    mapping: str


def _changes_drive(event: Reconfigure) -> bool:
    """Return whether its `part` is "drive"."""
    return event.part == "drive"


@declare(scope="robot", right="task", new_world=_changes_drive, time_out=COMPILE_S)
class Reconfigure(EventStruct, frozen=True, omit_defaults=True):
    """Change how a robot is driven, while it runs; what loosens anything needs a fresh press.

    Args:
        robot: Which one.
        part: What of it.
        name: Of the filter or mapping.
        settings: Its table, as in a cell file; for "speeds" and "scales" the list `values`. None takes a filter or
            mapping out, and puts everything else back to what the cell file says.
        before: The filter before which a new one is put; empty: after all others.
    """

    robot: str
    part: Part
    name: str = ""
    settings: dict[str, Any] | None = None
    before: str = ""
