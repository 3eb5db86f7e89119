"""The seam between a lane and its sources of motion: what a source is told, what it answers, and where it registers."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Names
from typing import Any, Literal, Protocol, runtime_checkable

from msgspec import Struct

from farhand.formats.model import JointSpec
from farhand.kinematics import Mechanism
from farhand.lane.intake.requests import Start
from farhand.mapping import Mapping
from farhand.poses import Pose
from farhand.registry import Registry
from farhand.surroundings import FreeSpace
from farhand.types import Demand, Note, PlanRequest, Reading, RobotState, Setpoint, Vector

__all__ = [
    "SOURCES",
    "STUCK_S",
    "Active",
    "Aimed",
    "Autonomous",
    "Awaited",
    "Kind",
    "Retracing",
    "Source",
    "SourceConfig",
    "SourceView",
    "Status",
    "Step",
    "Wanted",
    "progress",
]

Kind = Literal["hand", "autonomous"]
Status = Literal["running", "waiting", "arrived", "stuck"]
"""A source that waits is running, but the arm does not get on; one that has arrived or is stuck has ended."""
Step = tuple[Demand, Any, Status, tuple[Note, ...]]
"""The demand of a tick, the source's memory, how it gets on, and its notes. One that has arrived may leave a `Start`
as its memory: that of what follows it."""
STUCK_S = 1.0  # seconds without getting on after which a source is stuck


class SourceConfig(Struct, frozen=True):
    """The robot that a source is made for.

    Args:
        robot: Its name.
        joints: The arm's, for their limits.
        home: Joint positions of "home" (rad, m).
        dt: Seconds per tick.
        mappings: Ways to drive it by hand, by name.
        chain: Its kinematics; None in tests of sources that do without.
        flippers: Of a robot on tracks.
    """

    robot: str
    joints: tuple[JointSpec, ...]
    home: Vector
    dt: float
    mappings: Names[str, Mapping]
    chain: Mechanism | None = None
    flippers: tuple[JointSpec, ...] = ()


class SourceView(Struct, frozen=True):
    """What a source looks at in one tick.

    Args:
        tick: This tick's number.
        robot: As measured.
        setpoints: What the drives were told last, by group.
        setpoint: Where the arm was told to be last, and how it moves there.
        speed: The chosen share of full speed.
        trail: Where the arm has been lately, as measured, oldest first.
        reading: The newest one of the master.
        mapping: Name of the chosen mapping.
        scale: How far the robot goes for a motion of the hand, times that of the mapping.
        engaged: Driving begins in this tick.
        around: What is around the arm; None where it keeps clear of nothing.
    """

    tick: int
    robot: RobotState
    setpoints: Names[str, Setpoint]
    setpoint: Setpoint
    speed: float
    trail: tuple[Vector, ...]
    reading: Reading
    mapping: str
    scale: float
    engaged: bool
    around: FreeSpace | None = None

    def is_free(self, goal: Vector) -> bool:
        """Return whether the straight motion of the joints to a goal (rad, m) is proven free."""
        return self.around is None or self.around.is_free(self.setpoint, goal)


class Wanted(Struct, frozen=True):
    """A motion around what is in the way, which a planner has to find first.

    Args:
        goal: Joint positions to end at, or a pose of the tip in the base frame.
        then: What follows it, if anything does.
    """

    goal: Vector | Pose
    then: Start | None = None


class Source(Protocol):
    """Asks for motion, tick by tick; all that it remembers is the memory that it returns, a plain frozen value."""

    @property
    def kind(self) -> Kind:
        """Whether the hand leads, or nobody."""
        ...

    def step(self, view: SourceView, memory: Any) -> Step:
        """Return the demand of this tick, the memory, the status and notes."""
        ...


@runtime_checkable
class Autonomous(Source, Protocol):
    """A source that moves the arm without a hand."""

    @property
    def ended_by_press(self) -> Note | None:
        """The note of a source that ends when a press takes over; None for one that waits for `Continue`."""
        ...

    def begin(self, argument: Any, view: SourceView) -> Any | Note | Wanted:
        """Return the memory at its start, why it cannot start, or what has to be planned first.

        Args:
            argument: Of the request.
            view: Of this tick.

        Raises:
            CommandError: If there is no way there within the joints' limits.
        """
        ...

    def resume(self, memory: Any, view: SourceView) -> Any | Note | Wanted:
        """Return the memory where it is taken up again from the set-point that there is now; otherwise as `begin`.

        Args:
            memory: Of the tick in which it was interrupted.
            view: Of this tick.

        Raises:
            CommandError: If there is no way there within the joints' limits.
        """
        ...


@runtime_checkable
class Aimed(Source, Protocol):
    """A source of which is known where the arm will end."""

    def goal(self, memory: Any) -> Vector:
        """Return the joint positions (rad, m) at which the motion ends."""
        ...


@runtime_checkable
class Retracing(Protocol):
    """A source that leads back along the trail, which is not added to meanwhile."""

    def remaining(self, memory: Any) -> int:
        """Return how many points of the trail have not been retraced."""
        ...


class Active(Struct, frozen=True):
    """The autonomous source that is under way or interrupted.

    Args:
        source: Its name.
        memory: Its own.
        state: Interrupted, running, or running while the arm does not get on.
    """

    source: str
    memory: Any
    state: Literal["interrupted", "running", "waiting"] = "running"


class Awaited(Struct, frozen=True):
    """A plan that is waited for.

    Args:
        request: What was asked of the planner.
        then: What follows the planned motion, if anything does.
    """

    request: PlanRequest
    then: Start | None = None


SOURCES: Registry[Callable[[SourceConfig], Source]] = Registry("source")
"""What makes a source for a robot, by the source's name."""


def progress(waited: float, *, arrived: bool) -> Status:
    """Return the status of a source.

    Args:
        waited: Seconds for which the arm has not got on.
        arrived: It is where it shall be, and rests.
    """
    if waited > STUCK_S:
        return "stuck"
    return "arrived" if arrived else "waiting" if waited > 0.0 else "running"
