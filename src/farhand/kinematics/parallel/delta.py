"""A Delta: three arms that move a platform without turning it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics.argument_checks import check_pose, check_vector
from farhand.kinematics.arithmetic.delta_spheres import delta_jacobian_into, tip_of_angles
from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.arithmetic.link_frames import SWINGS
from farhand.kinematics.contract import Reason, Solution
from farhand.kinematics.parallel.delta_platform import LIMIT, REACHED, delta_follow, delta_solve, exact_angles
from farhand.kinematics.parallel.delta_rods import COUNT, undriven_into

__all__ = ["Delta"]

LENGTH_SHARE = 0.3  # one radian counts as this share of the reach, as for a serial chain


class Delta:
    """Three driven upper arms, each with a parallelogram of lower arms; the base is at z = 0, the platform hangs below.

    The arms stand at 210°, 330° and 90° about z. At angle zero an upper arm is level and points outward, at −90° it
    points straight down, at +90° straight up; these two are the default limits. Where a position allows an elbow
    outward or inward, it is outward.

    Args:
        base_radius: Metres from the base's centre to each motor.
        platform_radius: Metres from the platform's centre to each lower arm.
        upper: Metres of an upper arm.
        lower: Metres of a lower arm.
        limits: Lowest and highest angle of each motor, radians, within ±π.
        tool: Pose (4, 4) of the tip on the platform; None for its centre.

    Raises:
        CommandError: If a length is not positive, the base is not wider than the platform, the lower arms too short to
            hang from the base, or the limits are crossed.
    """

    def __init__(
        self,
        base_radius: float = 0.20,
        platform_radius: float = 0.04,
        upper: float = 0.20,
        lower: float = 0.50,
        limits: tuple[float, float] = (-math.pi / 2, math.pi / 2),
        tool: ArrayLike | None = None,
    ) -> None:
        given = (base_radius, platform_radius, upper, lower)
        lengths = zip(("base_radius", "platform_radius", "upper", "lower"), given, strict=True)
        for name, length in lengths:
            if not 0.0 < length < math.inf:
                raise CommandError(f"a Delta's {name} must be a positive length in metres, found {length!r}")
        if base_radius <= platform_radius:
            raise CommandError(
                f"a Delta's base must be wider than its platform, found radii {base_radius} and {platform_radius}"
            )
        if lower <= base_radius - platform_radius:
            raise CommandError(
                f"a Delta's lower arms must be longer than base_radius − platform_radius = "
                f"{base_radius - platform_radius:g}, found {lower}"
            )
        low, high = check_vector(limits, 2, "a Delta's limits").tolist()
        if not -math.pi <= low < high <= math.pi:
            raise CommandError(f"a Delta's limits must rise and be within ±π, found {low} and {high}")
        self.n = 3
        self.names: tuple[str, ...] = ("arm1", "arm2", "arm3")
        self.lower, self.upper = np.full(3, low), np.full(3, high)
        self.reach = base_radius + upper + lower + platform_radius
        self.size = np.array([base_radius - platform_radius, upper, lower])
        self.length = LENGTH_SHARE * self.reach
        self._limits = np.array([self.lower, self.upper])
        self._tool = np.ascontiguousarray((np.eye(4) if tool is None else check_pose(tool, "the tool"))[:3])
        lengths_first = np.zeros((3, 3, 4))
        lengths_first[0, 0, :3] = self.size
        self.arrays = ChainArrays(lengths_first, np.full(3, SWINGS, dtype=np.int64), self._tool)

    def forward(self, q: ArrayLike) -> Floats:
        """Return the tip's pose (4, 4) in the base frame; its rotation is always that of the tool.

        Args:
            q: (3,) angles of the upper arms, radians.

        Raises:
            CommandError: If q is not three finite numbers, or the lower arms cannot meet at a platform at these angles.
        """
        T, p = np.eye(4), np.empty(3)
        joints = check_vector(q, 3, "joint positions")
        if not tip_of_angles(self.size, joints, p):
            raise CommandError(f"the lower arms cannot meet at a platform at the angles {joints.tolist()}")
        T[:3] = self._tool
        T[:3, 3] += p
        return T

    def jacobian(self, q: ArrayLike) -> Floats:
        """Return J (6, 3) with (linear, angular) velocity of the platform = J·q̇; its angular half is zero.

        Args:
            q: (3,) angles of the upper arms, radians.

        Raises:
            CommandError: As for `forward`.
        """
        J, joints = np.zeros((6, 3)), check_vector(q, 3, "joint positions")
        if not delta_jacobian_into(self.size, joints, np.empty(3), J):
            raise CommandError(f"the lower arms cannot meet at a platform at the angles {joints.tolist()}")
        return J

    def reachable(self, position: ArrayLike) -> bool:
        """Return whether the tip can reach a position within the joint limits.

        Args:
            position: (3,) metres in the base frame.

        Raises:
            CommandError: If it is not three finite numbers.
        """
        p = check_vector(position, 3, "a position") - self._tool[:, 3]
        return bool(exact_angles(self.size, self._limits, p, np.empty(3)) == REACHED)

    def inverse(self, T: ArrayLike, seed: ArrayLike | None = None, tolerance: float = 1e-5) -> Solution:
        """Return the angles that bring the tip to a pose, or to the nearest position in reach.

        The platform cannot turn: for a turned pose the position counts, and the reason is "orientation".

        Args:
            T: (4, 4) or (3, 4) pose of the tip in the base frame.
            seed: (3,) angles to search from if the pose is out of reach; in reach there is only one solution.
            tolerance: Metres and radians within which the pose counts as reached.

        Raises:
            CommandError: If T is no pose, the seed is not three finite numbers, or the tolerance is not positive.
        """
        target = check_pose(T)
        start = 0.5 * (self.lower + self.upper) if seed is None else check_vector(seed, 3, "the seed")
        if not 0.0 < tolerance < np.inf:
            raise CommandError(f"the tolerance must be positive, found {tolerance}")
        q = np.empty(3)
        outcome, distance = delta_solve(self.size, self._limits, target[:3, 3] - self._tool[:, 3], start, q)
        angle = _turn(target[:3, :3] @ self._tool[:, :3].T)
        near, upright = distance <= tolerance, angle <= tolerance
        reason: Reason = "" if upright else "orientation"
        if not near:
            reason = "joint limit" if outcome == LIMIT else "too far"
        return Solution(q, bool(near and upright), float(distance), angle, reason)

    def follow(self, T: ArrayLike, q: ArrayLike) -> Floats:
        """Return the angles after one step towards a pose that moves: continuous, also where it is out of reach.

        Args:
            T: (4, 4) or (3, 4) pose of the tip; its orientation is ignored.
            q: (3,) present angles, radians.

        Raises:
            CommandError: If T is no pose or q not three finite numbers.
        """
        target, start, moved = check_pose(T), check_vector(q, 3, "joint positions"), np.empty(3)
        delta_follow(self.size, self._limits, target[:3, 3] - self._tool[:, 3], start, moved)
        return moved

    def undriven(self, q: ArrayLike) -> Floats:
        """Return the positions (12,) of platform, elbow bars and rods at motor angles, in the order of `delta_rods`.

        Args:
            q: (3,) angles of the upper arms, radians.

        Raises:
            CommandError: If q is not three finite numbers.
        """
        out = np.empty(COUNT)
        undriven_into(self.size, check_vector(q, 3, "joint positions"), out)
        return out

    def folds(self, weights: Floats | None = None) -> Floats:
        """Return (2, 3) infinities, for no folds: whether an arm is stretched depends on the others too.

        Args:
            weights: Not used.
        """
        del weights
        return np.full((2, 3), np.inf)

    def is_stretched(self, joint: int, angle: float) -> bool:
        """Return false: no angle alone stretches an arm.

        Args:
            joint: Not used.
            angle: Not used.
        """
        del joint, angle
        return False


def _turn(T: Floats) -> float:
    """Return the angle of a rotation: 2·sin is the length of R's antisymmetric part, 1 + 2·cos its trace."""
    sine = math.hypot(T[2, 1] - T[1, 2], T[0, 2] - T[2, 0], T[1, 0] - T[0, 1])
    return math.atan2(sine, T[0, 0] + T[1, 1] + T[2, 2] - 1.0)
