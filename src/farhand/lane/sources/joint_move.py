"""A move to joint positions, or home."""

from __future__ import annotations

from farhand.lane.intake.requests import REQUESTS, Requests, start_source
from farhand.lane.paths.joint_profiles import JointProfile, begin_profile, follow_profile, limits_of
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step, Wanted, progress
from farhand.types import Demand, MoveJoints, Vector

__all__ = ["JointMove"]

NAME = "move"


@SOURCES.register(NAME)
class JointMove:
    """Moves an arm to joint positions; its memory is a `JointProfile`.

    Args:
        config: The robot.
    """

    kind: Kind = "autonomous"
    ended_by_press = None

    def __init__(self, config: SourceConfig) -> None:
        self._limits, self._home, self._dt = limits_of(config.joints), config.home, config.dt

    def begin(self, argument: Vector, view: SourceView) -> JointProfile | Wanted:
        """Return a move to joint positions (rad, m), or home for an empty goal; straight if that is free."""
        goal = argument or self._home
        if not view.is_free(goal):
            return Wanted(goal)
        return begin_profile(self._limits, goal, view.setpoint, view.speed)

    def resume(self, memory: JointProfile, view: SourceView) -> JointProfile | Wanted:
        """Return the move, planned again from the present position."""
        return self.begin(memory.goal, view)

    def goal(self, memory: JointProfile) -> Vector:
        """Return the joints at the end of the move."""
        return memory.goal

    def step(self, view: SourceView, memory: JointProfile) -> Step:
        """Return the demand of the move in this tick."""
        track, memory, arrived = follow_profile(self._limits, memory, view.setpoint, view.speed, self._dt)
        return Demand(NAME, {"arm": track}), memory, progress(memory.waited, arrived=arrived), ()


@REQUESTS.register(MoveJoints)
def _move(asked: Requests, event: MoveJoints, number: int) -> Requests:
    return start_source(asked, number, NAME, event.goal)
