"""A move of the flippers to angles."""

from __future__ import annotations

import math

from farhand.formats.model import JointSpec
from farhand.lane.intake.requests import REQUESTS, Requests, start_source
from farhand.lane.paths.joint_profiles import JointProfile, begin_profile, follow_profile, limits_of
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step, progress
from farhand.types import Demand, MoveFlippers, Vector

__all__ = ["FlipperMove"]

NAME, GROUP = "move flippers", "flippers"


@SOURCES.register(NAME)
class FlipperMove:
    """Turns flippers to angles, by the shorter turn if they turn endlessly; its memory is a `JointProfile`.

    Args:
        config: The robot.
    """

    kind: Kind = "autonomous"
    ended_by_press = None

    def __init__(self, config: SourceConfig) -> None:
        self._joints, self._dt = config.flippers, config.dt
        self._limits = limits_of(config.flippers)

    def begin(self, argument: Vector, view: SourceView) -> JointProfile:
        """Return a move to angles (rad)."""
        start = view.setpoints[GROUP]
        rows = zip(self._joints, argument, start.positions, strict=True)
        goal = tuple([at + math.remainder(to - at, math.tau) if _turns(j) else to for j, to, at in rows])
        return begin_profile(self._limits, goal, start, view.speed)

    def resume(self, memory: JointProfile, view: SourceView) -> JointProfile:
        """Return the move, planned again from the present angles."""
        return self.begin(memory.goal, view)

    def step(self, view: SourceView, memory: JointProfile) -> Step:
        """Return the demand of the flippers in this tick; the arm holds."""
        track, memory, arrived = follow_profile(self._limits, memory, view.setpoints[GROUP], view.speed, self._dt)
        return Demand(NAME, {GROUP: track}), memory, progress(memory.waited, arrived=arrived), ()


def _turns(joint: JointSpec) -> bool:
    """Return whether a flipper turns endlessly."""
    return math.isinf(joint.lower) and math.isinf(joint.upper)


@REQUESTS.register(MoveFlippers)
def _move(asked: Requests, event: MoveFlippers, number: int) -> Requests:
    return start_source(asked, number, NAME, event.angles)
