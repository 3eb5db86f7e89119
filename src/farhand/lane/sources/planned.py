"""A motion along a path that a planner has found around obstacles."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from farhand.lane.intake.requests import Start
from farhand.lane.paths.path_following import Follower, Following
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step, Wanted, progress
from farhand.types import Demand, Trajectory, Vector

__all__ = ["PLANNED", "Planned", "PlannedMove"]

PLANNED = "planned"


class Planned(Struct, frozen=True):
    """The state of a planned motion.

    Args:
        following: The motion along the plan.
        then: The motion that follows it, if any.
    """

    following: Following
    then: Start | None = None


@SOURCES.register(PLANNED)
class PlannedMove:
    """Moves an arm along a plan; after an interruption it is planned again.

    Args:
        config: The robot.
    """

    kind: Kind = "autonomous"
    ended_by_press = None

    def __init__(self, config: SourceConfig) -> None:
        self._follower = Follower(config.joints, config.dt)

    def begin(self, argument: tuple[Trajectory, Start | None], view: SourceView) -> Planned:
        """Return the motion along a plan, and the motion that follows it."""
        trajectory, then = argument
        return Planned(self._follower.begin(trajectory, 0.0, view.setpoint, view.speed, at_once=True), then)

    def resume(self, memory: Planned, _: SourceView) -> Wanted:
        """Return a request for a new plan from the present position."""
        return Wanted(memory.following.taught.points[-1], memory.then)

    def goal(self, memory: Planned) -> Vector:
        """Return the joints at the end of the plan."""
        return memory.following.taught.points[-1]

    def step(self, view: SourceView, memory: Planned) -> Step:
        """Return the demand of the plan in this tick."""
        track, following, arrived = self._follower.follow(memory.following, view.setpoint, view.speed)
        kept = memory.then if arrived and memory.then else replace(memory, following=following)
        return Demand(PLANNED, {"arm": track}), kept, progress(following.waited, arrived=arrived), ()
