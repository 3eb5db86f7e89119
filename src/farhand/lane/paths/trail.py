"""The way in: where the arm has been lately, by distance, so that it can be backed out of a corner.

Whatever moved the arm, and however it is stuck (at a limit, in a fold, near a singular posture), it has come that way:
the same joint positions in reverse need no kinematics and no direction from the operator. They are measured ones: where
something pushed the arm, it has been where it was pushed to, and not where it was told to go.
"""

from __future__ import annotations

from itertools import pairwise

from farhand.formats.model import JointSpec
from farhand.lane.paths.path_timing import smooth_rates
from farhand.types import Trajectory, Vector

__all__ = ["NAME", "Trail"]

NAME = "the way in"
STEP = 0.02  # rad of the joint that moved most between two points that are kept
SLIDE = 0.3  # m of a sliding joint that count as a radian
KEPT = 400  # points
LOOK = 30  # points that are looked at for one that is here again
BACK = 25  # points that are backed out of at a time


class Trail:
    """Keeps and reverses the way of one arm; the points themselves are the lane's memory, oldest first.

    Args:
        joints: The arm's.
    """

    def __init__(self, joints: tuple[JointSpec, ...]) -> None:
        self._steps = tuple(STEP if joint.kind == "hinge" else STEP * SLIDE for joint in joints)
        self._velocity = tuple(joint.velocity for joint in joints)
        self._range = tuple((joint.lower, joint.upper) for joint in joints)

    def longer(self, points: tuple[Vector, ...], now: Vector) -> tuple[Vector, ...]:
        """Return the way with the present position added, if it is a step away from the last.

        Where it comes back to a place that it has left, what lies between is forgotten: who dithers in a corner has not
        gone further in.
        """
        if points and self._is_near(points[-1], now):
            return points
        for i in range(max(0, len(points) - LOOK), len(points)):
            if self._is_near(points[i], now):
                return points[: i + 1]
        return (*points[1 - KEPT :], now)

    def back(self, points: tuple[Vector, ...], now: Vector) -> tuple[Trajectory, int] | None:
        """Return the last piece of the way in reverse, and how many points there are until it; None without any.

        Args:
            points: The way.
            now: Where the arm is: there the way back begins.
        """
        if points and self._is_near(points[-1], now, 0.25):
            points = points[:-1]
        if not points:
            return None
        way = [now, *map(self._within, points[: -BACK - 1 : -1])]
        times = [0.0]
        for a, b in pairwise(way):
            seconds = max([abs(y - x) / top for x, y, top in zip(a, b, self._velocity, strict=True)])
            times.append(times[-1] + max(seconds, 1e-3))
        return Trajectory(NAME, tuple(way), tuple(times), smooth_rates(way, times)), len(points)

    def _within(self, point: Vector) -> Vector:
        """Return a measured position within the limits, beyond which an arm may be bent a little."""
        rows = zip(point, self._range, strict=True)
        return tuple([min(max(at, lower), upper) for at, (lower, upper) in rows])

    def _is_near(self, a: Vector, b: Vector, share: float = 1.0) -> bool:
        """Tell whether no joint is a step away, or a share of one."""
        return all([abs(y - x) < share * step for x, y, step in zip(a, b, self._steps, strict=True)])
