"""A motion along a recorded path."""

from __future__ import annotations

from farhand.lane.intake.requests import REQUESTS, Requests, Start, start_source
from farhand.lane.paths.path_following import Follower, Following
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step, Wanted, progress
from farhand.types import Demand, FollowPath, Trajectory, Vector

__all__ = ["TaughtPath"]

NAME = "path"


@SOURCES.register(NAME)
class TaughtPath:
    """Moves an arm along a recorded path.

    Args:
        config: The robot.
    """

    kind: Kind = "autonomous"
    ended_by_press = None

    def __init__(self, config: SourceConfig) -> None:
        self._follower = Follower(config.joints, config.dt)

    def begin(self, argument: tuple[Trajectory, float], view: SourceView) -> Following | Wanted:
        """Return a motion along a path from a place on it (s, or a point's number); straight to it if that is free."""
        path, along = argument
        joined = self._follower.joining(path, along)
        if not view.is_free(joined):
            return Wanted(joined, Start(NAME, argument))
        return self._follower.begin(path, along, view.setpoint, view.speed)

    def resume(self, memory: Following, view: SourceView) -> Following | Wanted:
        """Return the motion along the rest of the path, joined where it was left."""
        return self.begin((memory.taught, memory.along), view)

    def goal(self, memory: Following) -> Vector:
        """Return the joints at the end of the path."""
        return memory.taught.points[-1]

    def step(self, view: SourceView, memory: Following) -> Step:
        """Return the demand of the path in this tick."""
        track, memory, arrived = self._follower.follow(memory, view.setpoint, view.speed)
        return Demand(NAME, {"arm": track}), memory, progress(memory.waited, arrived=arrived), ()


@REQUESTS.register(FollowPath)
def _follow(asked: Requests, event: FollowPath, number: int) -> Requests:
    return start_source(asked, number, NAME, (event.trajectory, 0.0))
