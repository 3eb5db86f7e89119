"""The interface between a lane and its sources of motion: their inputs, their results and their registry."""

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
"""A waiting source runs, but the arm makes no progress; a source that has arrived or is stuck has ended."""
Step = tuple[Demand, Any, Status, tuple[Note, ...]]
"""The demand of a tick, the source's memory, its status and its notes. A source that has arrived may return as its
memory a `Start`: the motion that follows it."""
STUCK_S = 1.0  # without progress, after which a source is stuck


class SourceConfig(Struct, frozen=True):
    """The robot that a source is made for.

    Args:
        robot: Its name.
        joints: The joints of the arm, for their limits.
        home: Joint positions of "home" (rad, m).
        dt: Seconds per tick.
        mappings: Its control modes, by name.
        chain: Its kinematics; None in tests of sources that do not need it.
        flippers: The joints of its flippers, for a tracked robot.
    """

    robot: str
    joints: tuple[JointSpec, ...]
    home: Vector
    dt: float
    mappings: Names[str, Mapping]
    chain: Mechanism | None = None
    flippers: tuple[JointSpec, ...] = ()


class SourceView(Struct, frozen=True):
    """The inputs of a source in one tick.

    Args:
        tick: Number of the tick.
        robot: The measured state.
        setpoints: The last set-points of the drives, by group.
        setpoint: The last set-point of the arm, with its rates and accelerations.
        speed: The chosen share of full speed.
        trail: The last measured positions of the arm, oldest first.
        reading: The newest reading of the master.
        mapping: Name of the chosen mapping.
        scale: The chosen scale of the hand's motion; multiplies that of the mapping.
        engaged: Whether the operator engages in this tick.
        around: The space around the arm; None without collision avoidance.
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
    """A motion around obstacles, which a planner has to find first.

    Args:
        goal: The joint positions at its end, or the pose of the tip in the base frame.
        then: The motion that follows it, if any.
    """

    goal: Vector | Pose
    then: Start | None = None


class Source(Protocol):
    """Demands motion, tick by tick; its only state is the memory that it returns, a frozen value."""

    @property
    def kind(self) -> Kind:
        """Whether the hand drives, or nobody."""
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
        """Return the memory at its start, the reason of a refusal, or a plan that is needed first.

        Args:
            argument: The argument of the request.
            view: The inputs of this tick.

        Raises:
            CommandError: If no motion within the joints' limits leads there.
        """
        ...

    def resume(self, memory: Any, view: SourceView) -> Any | Note | Wanted:
        """Return the memory of an interrupted motion that continues from the present set-point; otherwise as `begin`.

        Args:
            memory: The memory when it was interrupted.
            view: The inputs of this tick.

        Raises:
            CommandError: If no motion within the joints' limits leads there.
        """
        ...


@runtime_checkable
class Aimed(Source, Protocol):
    """A source whose motion has a known end."""

    def goal(self, memory: Any) -> Vector:
        """Return the joint positions (rad, m) at which the motion ends."""
        ...


@runtime_checkable
class Retracing(Protocol):
    """A source that moves back along the trail, which does not grow meanwhile."""

    def remaining(self, memory: Any) -> int:
        """Return the number of points of the trail that have not been retraced."""
        ...


class Active(Struct, frozen=True):
    """An autonomous source that runs or is interrupted.

    Args:
        source: Its name.
        memory: Its memory.
        state: Interrupted, running, or waiting: running without progress.
    """

    source: str
    memory: Any
    state: Literal["interrupted", "running", "waiting"] = "running"


class Awaited(Struct, frozen=True):
    """A plan that the lane waits for.

    Args:
        request: The request to the planner.
        then: The motion that follows the planned one, if any.
    """

    request: PlanRequest
    then: Start | None = None


SOURCES: Registry[Callable[[SourceConfig], Source]] = Registry("source")
"""The factory of each source, by name."""


def progress(waited: float, *, arrived: bool) -> Status:
    """Return the status of a source.

    Args:
        waited: Time without progress, s.
        arrived: Whether it is at its goal, at rest.
    """
    if waited > STUCK_S:
        return "stuck"
    return "arrived" if arrived else "waiting" if waited > 0.0 else "running"
