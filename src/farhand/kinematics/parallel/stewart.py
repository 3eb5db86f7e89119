"""A Stewart platform: six legs that move a platform in all six directions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics.argument_checks import check_pose, check_vector
from farhand.kinematics.contract import Reason, Solution
from farhand.kinematics.parallel.stewart_legs import legs_fit, legs_follow, legs_jacobian, legs_solve

__all__ = ["Stewart"]

LENGTH_SHARE = 0.3  # one radian counts as this share of the mechanism's size, as for serial arms


class Stewart:
    """Six legs of variable length between a base at z = 0 and a platform; the joints are the legs' lengths.

    The legs' ends stand in pairs: on the base at 0°, 120° and 240° about z, on the platform at 60°, 180° and 300°,
    half a pair's spread to either side; each leg leads to the nearest pair. The lengths at a pose are a closed form.
    The pose at given lengths is found by Newton's method from the middle; of the up to forty poses that six lengths
    allow, it is the one that the platform can reach without being taken apart.

    Args:
        base_radius: Metres from the base's centre to the legs' ends.
        platform_radius: Metres from the platform's centre to the legs' other ends.
        height: Metres of the platform over the base with all legs at half their stroke; negative: it hangs below.
        stroke: Metres by which each leg may shorten or lengthen from there.
        base_spread: Radians between the two ends of a pair on the base.
        platform_spread: Likewise on the platform.

    Raises:
        CommandError: If a length is not positive, the height is zero, a spread is not within 0 and 2π/3, or the stroke
            is as long as a leg.
    """

    def __init__(
        self,
        base_radius: float = 0.20,
        platform_radius: float = 0.18,
        height: float = -0.30,
        stroke: float = 0.07,
        base_spread: float = math.radians(20.0),
        platform_spread: float = math.radians(20.0),
    ) -> None:
        size = check_vector([base_radius, platform_radius, stroke], 3, "a Stewart platform's lengths")
        if (size <= 0.0).any():
            raise CommandError(f"a Stewart platform's radii and stroke must be positive, found {size.tolist()}")
        if not math.isfinite(height) or height == 0.0:
            raise CommandError(f"a Stewart platform's height must not be zero, found {height}")
        for spread in (base_spread, platform_spread):
            if not 0.0 <= spread < math.tau / 3:
                raise CommandError(f"a pair of legs' ends must spread by less than a third of a turn, found {spread}")
        self._anchors = np.array([_ends(base_radius, base_spread, 0), _ends(platform_radius, platform_spread, 1)])
        self._home = np.ascontiguousarray(np.eye(4)[:3])
        self._home[2, 3] = height
        middle = float(np.linalg.norm(self._home[:, 3] + self._anchors[1, 0] - self._anchors[0, 0]))
        if stroke >= middle:
            raise CommandError(f"the stroke must be shorter than a leg's {middle:g} m, found {stroke}")
        self.n = 6
        self.names: tuple[str, ...] = tuple(f"leg{i + 1}" for i in range(6))
        self.lower, self.upper = np.full(6, middle - stroke), np.full(6, middle + stroke)
        self.reach = base_radius + middle + stroke + platform_radius
        self.length = LENGTH_SHARE * self.reach
        self._limits = np.array([self.lower, self.upper])

    @property
    def anchors(self) -> Floats:
        """(2, 6, 3) ends of the legs: on the base in its frame, on the platform in its own frame."""
        return self._anchors.copy()

    def forward(self, q: ArrayLike) -> Floats:
        """Return the platform's pose (4, 4) in the base frame.

        Args:
            q: (6,) lengths of the legs, metres.

        Raises:
            CommandError: If q is not six finite numbers, or legs of these lengths hold no platform.
        """
        joints, T = check_vector(q, 6, "joint positions"), np.empty((3, 4))
        if not legs_fit(self._anchors, self._home, joints, T):
            raise _misfit(joints)
        return np.vstack((T, (0.0, 0.0, 0.0, 1.0)))

    def jacobian(self, q: ArrayLike) -> Floats:
        """Return J (6, 6) with (linear, angular) velocity of the platform = J·q̇, in base axes, at its centre.

        Args:
            q: (6,) lengths of the legs, metres.

        Raises:
            CommandError: As for `forward`, or if the pose is singular.
        """
        joints, J = check_vector(q, 6, "joint positions"), np.empty((6, 6))
        if not legs_jacobian(self._anchors, self._home, joints, np.empty((3, 4)), J):
            raise _misfit(joints)
        return J

    def inverse(self, T: ArrayLike, seed: ArrayLike | None = None, tolerance: float = 1e-5) -> Solution:
        """Return the lengths that bring the platform to a pose, or to the nearest pose in reach, position first.

        Args:
            T: (4, 4) or (3, 4) pose of the platform in the base frame.
            seed: (6,) lengths to search from if the pose is out of reach; in reach there is only one solution.
            tolerance: Metres and radians within which the pose counts as reached.

        Raises:
            CommandError: If T is no pose, the seed is not six finite numbers, or the tolerance is not positive.
        """
        target = check_pose(T)
        start = 0.5 * (self.lower + self.upper) if seed is None else check_vector(seed, 6, "the seed")
        if not 0.0 < tolerance < np.inf:
            raise CommandError(f"the tolerance must be positive, found {tolerance}")
        q = np.empty(6)
        distance, angle = legs_solve(self._anchors, self._home, self._limits, target, start, self.length, q)
        near, upright = distance <= tolerance, angle <= tolerance
        reason: Reason = "" if upright else "orientation"
        if not near:
            reason = "too far" if math.hypot(*target[:3, 3]) > self.reach else "joint limit"
        return Solution(q, bool(near and upright), float(distance), float(angle), reason)

    def follow(self, T: ArrayLike, q: ArrayLike) -> Floats:
        """Return the lengths after one step towards a pose that moves: continuous, also where it is out of reach.

        Args:
            T: (4, 4) or (3, 4) pose of the platform.
            q: (6,) present lengths, metres.

        Raises:
            CommandError: If T is no pose or q not six finite numbers.
        """
        target, start, moved = check_pose(T), check_vector(q, 6, "joint positions"), np.empty(6)
        legs_follow(self._anchors, self._home, self._limits, target, start, self.length, moved)
        return moved


def _ends(radius: float, spread: float, side: int) -> Floats:
    """Return the ends of the six legs on a ring; base pairs alternate with platform pairs."""
    ends = np.zeros((6, 3))
    for leg in range(6):
        # legs 2k and 2k + 1 share a pair of the base, legs 2k − 1 and 2k one of the platform
        pair = (leg // 2) * math.tau / 3 if side == 0 else ((leg + 1) // 2) * math.tau / 3 - math.pi / 3
        towards = (1.0 if leg % 2 else -1.0) * (1.0 if side == 0 else -1.0)
        angle = pair + towards * spread / 2
        ends[leg] = radius * math.cos(angle), radius * math.sin(angle), 0.0
    return ends


def _misfit(q: Floats) -> CommandError:
    return CommandError(f"legs of the lengths {q.tolist()} hold no platform")
