"""The trail: the last positions of the arm, spaced by distance, so that it can back out of a corner.

However the arm is stuck (at a limit, in a fold, near a singularity), it came along its trail: the same joint positions
in reverse need no kinematics and no direction from the operator. They are measured positions: an arm that was pushed
was at the place where it was pushed to, not at its set-point.
"""

from __future__ import annotations

from itertools import pairwise

from farhand.formats.model import JointSpec
from farhand.lane.paths.path_timing import smooth_rates
from farhand.types import Trajectory, Vector

__all__ = ["NAME", "Trail"]

NAME = "the path in"
STEP = 0.02  # rad between two points, of the joint that moved most
SLIDE = 0.3  # m of a sliding joint that count as a radian
MAX_POINTS = 400
LOOKBACK = 30  # points that are compared with the present position, to find a return
BACK_OUT_POINTS = 25  # points of one motion back


class Trail:
    """Extends and reverses the trail of one arm; the points are in the lane's memory, oldest first.

    Args:
        joints: The joints of the arm.
    """

    def __init__(self, joints: tuple[JointSpec, ...]) -> None:
        self._steps = tuple(STEP if joint.kind == "hinge" else STEP * SLIDE for joint in joints)
        self._velocity = tuple(joint.velocity for joint in joints)
        self._range = tuple((joint.lower, joint.upper) for joint in joints)

    def longer(self, points: tuple[Vector, ...], now: Vector) -> tuple[Vector, ...]:
        """Return the trail with the present position added, if it is a step away from the last point.

        When the arm returns to a point of the trail, the points after it are dropped: moving to and fro in a corner
        does not lengthen the path back.
        """
        if points and self._is_near(points[-1], now):
            return points
        for i in range(max(0, len(points) - LOOKBACK), len(points)):
            if self._is_near(points[i], now):
                return points[: i + 1]
        return (*points[1 - MAX_POINTS :], now)

    def back(self, points: tuple[Vector, ...], now: Vector) -> tuple[Trajectory, int] | None:
        """Return the last piece of the trail in reverse and the number of points of the trail, or None without a trail.

        Args:
            points: The trail.
            now: The present position of the arm, where the path back begins.
        """
        if points and self._is_near(points[-1], now, 0.25):
            points = points[:-1]
        if not points:
            return None
        path = [now, *map(self._within, points[: -BACK_OUT_POINTS - 1 : -1])]
        times = [0.0]
        for a, b in pairwise(path):
            seconds = max([abs(y - x) / top for x, y, top in zip(a, b, self._velocity, strict=True)])
            times.append(times[-1] + max(seconds, 1e-3))
        return Trajectory(NAME, tuple(path), tuple(times), smooth_rates(path, times)), len(points)

    def _within(self, point: Vector) -> Vector:
        """Return a measured position clipped to the limits, beyond which an arm can be pushed a little."""
        rows = zip(point, self._range, strict=True)
        return tuple([min(max(at, lower), upper) for at, (lower, upper) in rows])

    def _is_near(self, a: Vector, b: Vector, share: float = 1.0) -> bool:
        """Return whether every joint is closer than a step, or than a share of a step."""
        return all([abs(y - x) < share * step for x, y, step in zip(a, b, self._steps, strict=True)])
