"""Plans that a planner has made; the program sends them, nobody else can."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Pose
from farhand.types.events.commands import Trajectory
from farhand.types.events.declaration import EventStruct, declare
from farhand.types.notes import Note
from farhand.types.quantities import Vector

__all__ = ["PlanFound", "PlanRequest"]


class PlanRequest(Struct, frozen=True):
    """A motion around what is in the way, which a robot's lane asks for.

    Args:
        number: Of the tick in which it was commanded; any later command, press, stop or reset makes it void.
        epoch: Of the lease of whoever commanded it.
        goal: Joint positions to end at, or a pose of the tip in the base frame.
        start: Joint positions to start from; none while the arm does not rest yet.
    """

    number: int
    epoch: int
    goal: Vector | Pose
    start: Vector = ()


@declare(scope="robot", right="inside")
class PlanFound(EventStruct, frozen=True):
    """Start a motion that was planned, if nothing has happened to the robot since it was asked for.

    Args:
        robot: Which one.
        request: What was asked for.
        trajectory: The motion; None if there is none.
        problem: Why there is none.
        room: Metres that the motion keeps from everything between its ends, which may touch something.
    """

    robot: str
    request: PlanRequest
    trajectory: Trajectory | None = None
    problem: Note | None = None
    room: float = 0.0
