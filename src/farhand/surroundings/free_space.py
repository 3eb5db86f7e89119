"""The free space of an arm: proofs that motions are free, and the scene for planners."""

from __future__ import annotations

import numpy as np

from farhand.distances import Arena, Clearance
from farhand.formats.model import JointSpec
from farhand.kernels import Floats
from farhand.kinematics import JointLimits, joint_limits
from farhand.planning import PlanJob, prove
from farhand.types import PlanRequest, Setpoint, Trajectory, Vector

__all__ = ["FreeSpace"]

MIN_MOTION = 0.01  # rad or m: a shorter motion needs no proof
COARSE_TOLERANCE = 0.01  # m of the proof of a straight motion; where it fails, a planner looks closer
TOLERANCE = 0.004  # m of the proof of a plan, which keeps a larger clearance
MARGIN = 0.004  # m that a plan adds to the clearance of the arm
MAX_OVERLAP = -0.008  # m between hulls at the end of a plan: it may touch, but no more
MAX_DIP = 0.004  # m by which the distance may shrink again while an arm moves away from a body


class FreeSpace:
    """The free space of an arm in its present surroundings.

    Args:
        arena: The bodies that it avoids, updated every tick.
        joints: The joints of the arm, for their limits.
    """

    def __init__(self, arena: Arena, joints: tuple[JointSpec, ...]) -> None:
        self._arena, self._limits = arena, joint_limits(joints)
        self._levers = np.ascontiguousarray(arena.clearance.link_levers)
        self._longest = arena.clearance.levers.max(axis=0, initial=0.0)

    @property
    def keep(self) -> float:
        """The clearance that the arm keeps, m."""
        return self._arena.servo.keep

    @property
    def limits(self) -> JointLimits:
        """The limits of the joints."""
        return self._limits

    def is_free(self, start: Setpoint, goal: Vector) -> bool:
        """Return whether a straight motion of the joints to a goal is proven free.

        A moving arm leaves the straight line by at most its stopping distance.
        """
        a, b, rates = np.array(start.positions), np.array(goal), np.array(start.rates)
        if np.abs(b - a).max() < MIN_MOTION and not rates.any():
            return True
        stray = float(self._longest @ (0.5 * rates**2 / self._limits.acceleration))
        clearance, room = self._arena.clearance, self.keep + stray
        path = np.ascontiguousarray([a, b])
        return clearance.free(path[0], room) and bool(
            prove(clearance.flat, clearance.whole, self._levers, room, COARSE_TOLERANCE, path)
        )

    def stays_free(self, plan: Trajectory, room: float) -> bool:
        """Return whether a plan that was free when it was made is still free in the present surroundings.

        Its ends may touch a body, the goal only lightly; from there the clearance must grow.

        Args:
            plan: The motion.
            room: The clearance that it was planned with between its ends, m.
        """
        path, room = np.ascontiguousarray(plan.points), min(self.keep, room)
        if self._distance(path[-1]) < MAX_OVERLAP:
            return False
        left, last = self._departed(path, room), len(path) - 1 - self._departed(path[::-1], room)
        return (
            self._proven(path[: left + 1], self._distance(path[0]))
            and self._proven(path[left : last + 1], room)
            and self._proven(path[last:], self._distance(path[-1]))
        )

    def _distance(self, q: Floats) -> float:
        return self._arena.clearance.distance(q).distance

    def _departed(self, path: Floats, room: float) -> int:
        """Return the first point of a path where the clearance is reached, or stops growing."""
        best, reached = 0, self._distance(path[0])
        for k in range(1, len(path)):
            distance = self._distance(path[k])
            if reached >= room or distance < reached - MAX_DIP:
                break
            if distance > reached:
                best, reached = k, distance
        return best

    def _proven(self, path: Floats, room: float) -> bool:
        """Return whether a path is proven to keep a clearance, up to the tolerance."""
        clearance, least = self._arena.clearance, min(self.keep, room) - 2.0 * TOLERANCE
        return bool(prove(clearance.flat, clearance.whole, self._levers, least, TOLERANCE, np.ascontiguousarray(path)))

    def job(self, request: PlanRequest) -> PlanJob:
        """Return the job for a planner, with a copy of the present surroundings."""
        scene: Clearance = self._arena.clearance.copied()
        return PlanJob(scene, self._limits, self.keep + MARGIN, request.start, request.goal, request.number)
