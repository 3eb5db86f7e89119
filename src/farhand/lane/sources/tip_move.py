"""A move of the tip to a pose: straight in the joints to the nearest solution, or along a planner's path."""

from __future__ import annotations

from farhand.lane.intake.requests import REQUESTS, Requests, start_source
from farhand.lane.paths.joint_profiles import JointProfile, begin_profile, follow_profile, limits_of
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step, Wanted, progress
from farhand.poses import Pose, matrix, normalized
from farhand.types import Demand, MoveTip, Note, Vector

__all__ = ["TipMove"]

NAME = "move tip"
UNREACHED = {
    "": Note("move.reach"),
    "too far": Note("move.reach.far"),
    "joint limit": Note("move.reach.joint"),
    "orientation": Note("move.reach.turn"),
}


@SOURCES.register(NAME)
class TipMove:
    """Moves an arm until its tip has a pose; its memory is a `JointProfile`.

    Args:
        config: The robot.
    """

    kind: Kind = "autonomous"
    ended_by_press = None

    def __init__(self, config: SourceConfig) -> None:
        self._limits, self._chain, self._dt = limits_of(config.joints), config.chain, config.dt

    def begin(self, argument: Pose, view: SourceView) -> JointProfile | Note | Wanted:
        """Return a move to a pose of the tip in the base frame, straight in the joints if that is free."""
        assert self._chain is not None
        found = self._chain.inverse(matrix(argument), view.setpoint.positions)
        if not found.reached:  # other postures may reach it: a planner tries them
            return UNREACHED[found.reason] if view.around is None else Wanted(argument)
        goal: Vector = tuple(found.q.tolist())
        return self._begun(goal, view) if view.is_free(goal) else Wanted(argument)

    def _begun(self, goal: Vector, view: SourceView) -> JointProfile:
        return begin_profile(self._limits, goal, view.setpoint, view.speed)

    def resume(self, memory: JointProfile, view: SourceView) -> JointProfile | Wanted:
        """Return the move, planned again from the present position."""
        return self._begun(memory.goal, view) if view.is_free(memory.goal) else Wanted(memory.goal)

    def goal(self, memory: JointProfile) -> Vector:
        """Return the joints at the end of the move."""
        return memory.goal

    def step(self, view: SourceView, memory: JointProfile) -> Step:
        """Return the demand of the move in this tick."""
        track, memory, arrived = follow_profile(self._limits, memory, view.setpoint, view.speed, self._dt)
        return Demand(NAME, {"arm": track}), memory, progress(memory.waited, arrived=arrived), ()


@REQUESTS.register(MoveTip)
def _move(asked: Requests, event: MoveTip, number: int) -> Requests:
    pose = Pose(event.pose.position, normalized(event.pose.rotation))  # clients may send rounded numbers
    return start_source(asked, number, NAME, pose)
