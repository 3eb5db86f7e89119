"""A move to joint positions, or home."""

from __future__ import annotations

from farhand.lane.profiles import Profile, begin_profile, follow_profile, limits_of
from farhand.lane.requests import REQUESTS, Requests, start_source
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step, progress
from farhand.types import Demand, MoveJoints, Vector

__all__ = ["JointMove"]

NAME = "move"


@SOURCES.register(NAME)
class JointMove:
    """Moves an arm to joint positions; its memory is a `Profile`.

    Args:
        config: The robot.
    """

    kind: Kind = "autonomous"
    ended_by_press = None

    def __init__(self, config: SourceConfig) -> None:
        self._limits, self._home, self._dt = limits_of(config.joints), config.home, config.dt

    def begin(self, argument: Vector, view: SourceView) -> Profile:
        """Return a move to joint positions (rad, m), none meaning home."""
        return begin_profile(self._limits, argument or self._home, view.setpoint, view.speed)

    def resume(self, memory: Profile, view: SourceView) -> Profile:
        """Return the move planned anew from where the arm is."""
        return begin_profile(self._limits, memory.goal, view.setpoint, view.speed)

    def step(self, view: SourceView, memory: Profile) -> Step:
        """Return where the move wants the arm in this tick."""
        track, memory, arrived = follow_profile(self._limits, memory, view.setpoint, view.speed, self._dt)
        return Demand(NAME, {"arm": track}), memory, progress(memory.waited, arrived=arrived), ()


@REQUESTS.register(MoveJoints)
def _move(asked: Requests, event: MoveJoints, number: int) -> Requests:
    return start_source(asked, number, NAME, event.goal)
