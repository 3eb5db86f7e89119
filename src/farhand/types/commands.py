"""What is asked of a robot: stops, moves, lessons, and how it is driven."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from farhand.types.quantities import Vector

__all__ = [
    "Continue",
    "FreeMe",
    "HoldHere",
    "MoveJoints",
    "Park",
    "Part",
    "Power",
    "Reconfigure",
    "Replay",
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


class Stop(Struct, frozen=True, tag=True, kw_only=True):
    """Stop every robot of the cell, latched; `reason` is shown to the operator."""

    reason: str = "Stop was pressed."


class Reset(Struct, frozen=True, tag=True):
    """Clear a latched stop of one robot, or of all; never starts a motion."""

    robot: str = ""


class MoveJoints(Struct, frozen=True, tag=True):
    """Move a robot's arm by itself to joint positions; `goal` empty means home."""

    robot: str
    goal: Vector = ()


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


class Replay(Struct, frozen=True, tag=True):
    """Move a robot's arm by itself along a taught trajectory, after a move to its start."""

    robot: str
    trajectory: Trajectory


class Teach(Struct, frozen=True, tag=True):
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


class FreeMe(Struct, frozen=True, tag=True):
    """Back out of a corner: move the arm by itself, slowly, a piece back along the way it came."""

    robot: str


class HoldHere(Struct, frozen=True, tag=True):
    """End whatever the robot does, interrupted moves included, and hold it where it is, without latching."""

    robot: str


class Continue(Struct, frozen=True, tag=True):
    """Take an interrupted autonomous move up again, planned anew from where the arm is."""

    robot: str


class Power(Struct, frozen=True, tag=True):
    """Power a robot up, or down; for robots that have a switch for it, such as hydraulic ones."""

    robot: str
    on: bool


class Park(Struct, frozen=True, tag=True):
    """Set a robot's parking brake, or release it; for robots on tracks, whose belts stand while it is set."""

    robot: str
    on: bool


class SetSpeed(Struct, frozen=True, tag=True):
    """Choose one of the cell's speed levels, counted from 1."""

    robot: str
    level: int


class SetScale(Struct, frozen=True, tag=True):
    """Choose how far the robot goes for a way of the hand, times what its mapping has; any, not only the cell's."""

    robot: str
    scale: float


class SelectMapping(Struct, frozen=True, tag=True):
    """Choose how the master drives the robot, by the name the cell file gives the mapping."""

    robot: str
    mapping: str


class Reconfigure(Struct, frozen=True, tag=True, omit_defaults=True):
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
