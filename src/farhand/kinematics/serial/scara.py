"""A SCARA: a turning and lifting column with shoulder, elbow and wrist, all about vertical axes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.argument_checks import check_pose, check_vector
from farhand.kinematics.arithmetic.angles import TURN, nearest_turn
from farhand.kinematics.arithmetic.descent import angle_of, distance_of
from farhand.kinematics.arithmetic.dh_tables import Row, arrays_from_dh
from farhand.kinematics.arithmetic.link_frames import frames_into, pose_error_into
from farhand.kinematics.contract import Reason, Solution
from farhand.kinematics.serial.chain import SerialChain

__all__ = ["Scara"]

SLACK = 1e-9  # radians and metres by which rounding may leave a limit
LIFT = 0.30
LOWER = (-math.pi, 0.0, -math.radians(100.0), -math.radians(160.0), -TURN)
UPPER = (math.pi, LIFT, math.radians(100.0), math.radians(160.0), TURN)


class Scara(SerialChain):
    """A SCARA with base θ1, lift d, shoulder θ2, elbow θ3 and wrist θ4; θ1 and θ2 turn about the same axis.

    With s = θ1 + θ2 the tip is at x = L4·cos s + L5·cos(s + θ3), y likewise with sines, z = d + d1 + d2 + d3, turned
    by s + θ3 + θ4 about z. The default limits are base ±180°, lift 0 to 0.30 m, shoulder ±100°, elbow ±160° (the links
    do not cross the column) and wrist ±360°; within them every direction and every yaw can be reached.

    Args:
        links: L4 and L5, metres.
        offsets: d1, d2 and d3, metres.
        lower: (5,) lower joint limits, radians and metres.
        upper: (5,) upper joint limits.

    Raises:
        CommandError: If a link is not positive, an offset is not finite, or the limits are crossed.
    """

    def __init__(
        self,
        links: tuple[float, float] = (0.30, 0.30),
        offsets: tuple[float, float, float] = (0.05, 0.05, 0.05),
        lower: ArrayLike = LOWER,
        upper: ArrayLike = UPPER,
    ) -> None:
        L4, L5 = check_vector(links, 2, "a SCARA's links").tolist()
        d1, d2, d3 = check_vector(offsets, 3, "a SCARA's offsets").tolist()
        if min(L4, L5) <= 0.0:
            raise CommandError(f"a SCARA's links must be positive lengths in metres, found {L4:g} and {L5:g}")
        # rows of (a, α, d, θ), modified convention
        rows: list[Row] = [(0, 0, 0, 0), (0, 0, 0, 0, "prismatic"), (0, 0, d1, 0), (L4, 0, d2, 0), (L5, 0, d3, 0)]
        arrays = arrays_from_dh(rows, "modified", np.eye(4), np.eye(4))
        super().__init__(arrays, lower, upper, ("base", "lift", "shoulder", "elbow", "wrist"))
        self._size = np.array([L4, L5, d1 + d2 + d3])

    def inverse(self, T: ArrayLike, seed: ArrayLike | None = None, tolerance: float = 1e-5) -> Solution:
        """Return joints that bring the tip to a pose, or to the nearest position and then the nearest yaw.

        Both elbows are tried. With a seed, base and shoulder share the turn about the column so that the joints are
        nearest to the seed; without one they share it as in `radial`. The wrist takes the yaw.

        Args:
            T: (4, 4) or (3, 4) pose of the tip in the base frame; only its rotation about z counts.
            seed: (5,) joint positions to stay near, radians and metres.
            tolerance: Metres and radians within which the pose counts as reached.

        Raises:
            CommandError: If T is no pose, the seed is not five finite numbers, or the tolerance is not positive.
        """
        target = check_pose(T)
        start = np.zeros(5) if seed is None else check_vector(seed, 5, "the seed")
        return self._solve(target, start, tolerance, 0.0 if seed is None else 1.0, near=seed is not None)

    def radial(self, position: ArrayLike, seed: ArrayLike | None = None, tolerance: float = 1e-5) -> Solution:
        """Return joints that bring the tip to a position with the tool pointing away from the column.

        With φ = atan2(y, x), γ the angle at the elbow and β the one at the shoulder (equal links: β = 90° − γ/2):
        θ1 = φ − 90°, θ2 = 90° − β, θ3 = 180° − γ, θ4 = β − θ3; or θ1 = φ + 90° and the others with the opposite sign;
        d = z − d1 − d2 − d3. The branch nearest to the seed is taken, the first one without a seed.

        Args:
            position: (3,) metres in the base frame.
            seed: (5,) joint positions by which to choose.
            tolerance: Metres within which the position counts as reached.

        Raises:
            CommandError: If the position or the seed is malformed, or the tolerance is not positive.
        """
        p = check_vector(position, 3, "a position")
        start = np.zeros(5) if seed is None else check_vector(seed, 5, "the seed")
        T, away = np.eye(4), math.hypot(p[0], p[1])
        T[:3, 3] = p
        if away > 0.0:
            T[0, 0], T[1, 0], T[0, 1], T[1, 1] = p[0] / away, p[1] / away, -p[1] / away, p[0] / away
        return self._solve(T, start, tolerance, 0.0 if seed is None else 1.0, near=False)

    def _solve(self, target: Floats, start: Floats, tolerance: float, weight: float, near: bool) -> Solution:
        if not 0.0 < tolerance < np.inf:
            raise CommandError(f"the tolerance must be positive, found {tolerance}")
        q = np.empty(5)
        found, distance, angle = scara_solve(*self.arrays, self._size, self._limits, target, start, weight, near, q)
        if not found:
            return super().inverse(target, start, tolerance)
        reached = bool(distance <= tolerance and angle <= tolerance)
        reason: Reason = "" if reached else "orientation"
        if distance > tolerance:
            away, sum_of_links = math.hypot(target[0, 3], target[1, 3]), float(self._size[0] + self._size[1])
            reason = "too far" if away > sum_of_links else "joint limit"
        return Solution(q, reached, float(distance), float(angle), reason)


@kernel(
    "Tuple((b1, f8, f8))(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8[:, ::1], f8[:, ::1], f8[::1], f8, b1, f8[::1])"
)
def scara_solve(
    fixed: Floats,
    kinds: Ints,
    tool: Floats,
    size: Floats,
    limits: Floats,
    target: Floats,
    seed: Floats,
    weight: float,
    near: bool,
    q: Floats,
) -> tuple[bool, float, float]:
    """Write the joints of a pose, or of the nearest pose in reach.

    Args:
        fixed: (5, 3, 4) transforms before the joints.
        kinds: (5,) kinds of joints.
        tool: (3, 4) transform after the last joint.
        size: L4, L5 and d1 + d2 + d3, metres.
        limits: (2, 5) lower and upper positions.
        target: (3, 4) or (4, 4) pose.
        seed: (5,) joints to stay near.
        weight: Weight of the distance to the seed; 0 takes the first branch.
        near: True if base and shoulder share their turn by the seed, else by branch.
        q: (5,) result.

    Returns:
        Whether joints were found within the limits, and the remaining metres and radians by forward kinematics.
    """
    # distance from the column
    x, y = target[0, 3], target[1, 3]
    away = math.sqrt(x * x + y * y)
    # the yaw about z that is nearest to a rotation maximises trace(Rzᵀ·R)
    yaw = math.atan2(target[1, 0] - target[0, 1], target[0, 0] + target[1, 1])
    # lift, independent of the rest
    q[1] = min(max(target[2, 3] - size[2], limits[0, 1]), limits[1, 1])
    best, trial = np.inf, np.empty(5)
    trial[1] = q[1]
    # both elbows: bend, reach and shoulder triangle
    for side in (1.0, -1.0):
        bend = elbow_bend(size, away, side, limits)
        reach = math.sqrt(size[0] ** 2 + size[1] ** 2 + 2.0 * size[0] * size[1] * math.cos(bend))
        shoulder = math.atan2(size[1] * math.sin(bend), size[0] + size[1] * math.cos(bend))
        # on the column every direction is possible: keep the present one
        phi = math.atan2(y, x) if away > SLACK else seed[0] + seed[2] + shoulder
        trial[3] = nearest_turn(bend, seed[3], limits[0, 3], limits[1, 3], SLACK)
        # whole turns of base and shoulder; the wrist takes the yaw
        for turn in (0.0, -TURN, TURN):
            moved = share_turn(phi, shoulder, side, turn, seed, near, limits, trial)
            wrist = yaw - trial[0] - trial[2] - trial[3]
            trial[4] = nearest_turn(wrist, seed[4], limits[0, 4], limits[1, 4], SLACK)
            # reach first, then the seed; keep the cheapest
            cost = 1e6 * ((away - reach) ** 2 + moved * moved)
            for i in range(5):
                cost += weight * (trial[i] - seed[i]) ** 2
            if cost < best:  # false for nan: out of the limits
                best = cost
                for i in range(5):
                    q[i] = trial[i]
    # measure by forward kinematics
    frames, error = np.empty((6, 3, 4)), np.empty(6)
    frames_into(fixed, kinds, tool, q, frames)
    pose_error_into(frames[5], target, error)
    return best < np.inf, distance_of(error), angle_of(error)


@kernel()
def elbow_bend(size: Floats, away: float, side: float, limits: Floats) -> float:
    """Return θ3 for a distance from the column: |θ3| = 180° − γ by the law of cosines, clamped to its limits."""
    # law of cosines
    cosine = (away * away - size[0] ** 2 - size[1] ** 2) / (2.0 * size[0] * size[1])
    bend = side * math.acos(min(max(cosine, -1.0), 1.0))
    # within the limits, or clamped to them
    turned = nearest_turn(bend, 0.0, limits[0, 3], limits[1, 3], SLACK)
    return min(max(bend, limits[0, 3]), limits[1, 3]) if math.isnan(turned) else turned


@kernel()
def share_turn(
    phi: float, shoulder: float, side: float, turn: float, seed: Floats, near: bool, limits: Floats, q: Floats
) -> float:
    """Write θ1 and θ2 whose sum is φ − shoulder + turn, within their limits; nan if there is none.

    Returns:
        Radians by which the limits move θ1 away from its branch value.
    """
    # share by the seed, or by branch
    total = phi - shoulder + turn
    wanted = seed[0] + 0.5 * (total - seed[0] - seed[2]) if near else phi + turn - side * 0.5 * math.pi
    # clamp θ1 so that θ2 stays within its limits too
    low, high = max(limits[0, 0], total - limits[1, 2]), min(limits[1, 0], total - limits[0, 2])
    q[0] = min(max(wanted, low), high) if low <= high + SLACK else math.nan
    q[2] = min(max(total - q[0], limits[0, 2]), limits[1, 2])
    return 0.0 if near else q[0] - wanted
