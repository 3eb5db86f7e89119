"""Plans made by a planner; only the program itself can send them."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Pose
from farhand.types.events.commands import Trajectory
from farhand.types.events.declaration import EventStruct, declare
from farhand.types.notes import Note
from farhand.types.quantities import Vector

__all__ = ["PlanFound", "PlanRequest"]


class PlanRequest(Struct, frozen=True):
    """A robot lane's request for a motion around obstacles.

    Args:
        number: Number of the tick in which it was commanded; any later command, press, stop or reset makes it void.
        epoch: Epoch of the lease under which it was commanded.
        goal: Joint positions to end at (rad, m), or a pose of the tip in the base frame.
        start: Joint positions to start from; empty while the arm is still moving.
    """

    number: int
    epoch: int
    goal: Vector | Pose
    start: Vector = ()


@declare(scope="robot", right="inside")
class PlanFound(EventStruct, frozen=True):
    """The answer to a plan request: start the planned motion, unless the robot has received another command since.

    Args:
        robot: Name of the robot.
        request: The request that it answers.
        trajectory: The motion; None if there is none.
        problem: Reason why there is none.
        room: Clearance of the motion between its ends, m; the ends may touch an object.
    """

    robot: str
    request: PlanRequest
    trajectory: Trajectory | None = None
    problem: Note | None = None
    room: float = 0.0
