"""Where an arm can go by itself: whether a motion is proven free, and a picture of the scene for planners."""

from __future__ import annotations

import numpy as np

from farhand.distances import Arena, Clearance
from farhand.formats.model import JointSpec
from farhand.kernels import Floats
from farhand.kinematics import JointLimits, joint_limits
from farhand.planning import PlanJob, prove
from farhand.types import PlanRequest, Setpoint, Trajectory, Vector

__all__ = ["FreeSpace"]

NOWHERE = 0.01  # rad or m: a motion this short needs no proof
COARSE = 0.01  # metres of motion that need not be proven free in one go: where it is nearer, a planner looks closer
TOLERANCE = 0.004  # likewise, for a plan, which keeps farther away
MARGIN = 0.004  # metres that a plan stays farther away than the arm must
AT_GOAL = -0.008  # metres by which hulls may overlap at the end of a plan: it touches, and no more
DITHER = 0.004  # metres by which an arm that gets away from something may come nearer again


class FreeSpace:
    """The free space of an arm among things, as they are now.

    Args:
        arena: What it keeps clear of; brought up to date every tick.
        joints: The arm's, for their limits.
    """

    def __init__(self, arena: Arena, joints: tuple[JointSpec, ...]) -> None:
        self._arena, self._limits = arena, joint_limits(joints)
        self._levers = np.ascontiguousarray(arena.clearance.link_levers)
        self._longest = arena.clearance.levers.max(axis=0, initial=0.0)

    @property
    def keep(self) -> float:
        """Metres that the arm keeps."""
        return self._arena.servo.keep

    @property
    def limits(self) -> JointLimits:
        """Of the joints."""
        return self._limits

    def is_free(self, start: Setpoint, goal: Vector) -> bool:
        """Return whether a motion of the joints straight to a goal is proven free.

        An arm in motion strays from the straight way by no more than it needs to come to rest.
        """
        a, b, rates = np.array(start.positions), np.array(goal), np.array(start.rates)
        if np.abs(b - a).max() < NOWHERE and not rates.any():
            return True
        stray = float(self._longest @ (0.5 * rates**2 / self._limits.acceleration))
        clearance, room = self._arena.clearance, self.keep + stray
        way = np.ascontiguousarray([a, b])
        return clearance.free(way[0], room) and bool(
            prove(clearance.flat, clearance.whole, self._levers, room, COARSE, way)
        )

    def stays_free(self, plan: Trajectory, room: float) -> bool:
        """Return whether a plan that was free when it was made is so among things as they are now.

        Its ends may touch something, the goal hardly; away from them the arm gets farther away.

        Args:
            plan: The motion.
            room: Metres that it was made to keep between its ends.
        """
        way, room = np.ascontiguousarray(plan.points), min(self.keep, room)
        if self._distance(way[-1]) < AT_GOAL:
            return False
        left, last = self._left(way, room), len(way) - 1 - self._left(way[::-1], room)
        return (
            self._proven(way[: left + 1], self._distance(way[0]))
            and self._proven(way[left : last + 1], room)
            and self._proven(way[last:], self._distance(way[-1]))
        )

    def _distance(self, q: Floats) -> float:
        return self._arena.clearance.distance(q).distance

    def _left(self, way: Floats, room: float) -> int:
        """Return at which point of a way the arm has as much room as it shall keep, or gets no farther away."""
        best, reached = 0, self._distance(way[0])
        for k in range(1, len(way)):
            distance = self._distance(way[k])
            if reached >= room or distance < reached - DITHER:
                break
            if distance > reached:
                best, reached = k, distance
        return best

    def _proven(self, way: Floats, room: float) -> bool:
        """Return whether the arm comes hardly nearer to anything than it must, or than some metres, on a way."""
        clearance, least = self._arena.clearance, min(self.keep, room) - 2.0 * TOLERANCE
        return bool(prove(clearance.flat, clearance.whole, self._levers, least, TOLERANCE, np.ascontiguousarray(way)))

    def job(self, request: PlanRequest) -> PlanJob:
        """Return the question that a planner is asked, with a picture of what is around the arm now."""
        scene: Clearance = self._arena.clearance.copied()
        return PlanJob(scene, self._limits, self.keep + MARGIN, request.start, request.goal, request.number)
