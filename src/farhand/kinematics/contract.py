"""The interface of every mechanism, serial or parallel, which lets any master drive any robot."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct
from numpy.typing import ArrayLike

from farhand.kernels import Floats
from farhand.kinematics.arithmetic.dh_tables import ChainArrays

__all__ = ["Kinematics", "Mechanism", "Reason", "Solution"]

Reason = Literal["", "too far", "joint limit", "orientation"]


class Solution(Struct, frozen=True):
    """Solution of the inverse kinematics of a pose.

    Args:
        q: (n,) joint positions within their limits, radians or metres.
        reached: True if the tip is at the pose within the tolerance, measured by forward kinematics.
        position_error: Distance between the tip and the pose, metres.
        rotation_error: Angle between the tip and the pose, radians.
        reason: Why the pose is not reached: "too far", "joint limit" or "orientation"; empty if it is reached.
    """

    q: Floats
    reached: bool
    position_error: float
    rotation_error: float
    reason: Reason = ""


class Kinematics(Protocol):
    """A mechanism of n joints that moves a tip: serial or parallel, with six degrees of freedom or fewer.

    Attributes:
        n: Number of driven joints.
        names: (n,) names of the driven joints.
        lower: (n,) lower joint limits, radians or metres; minus infinity for a continuous joint.
        upper: (n,) upper joint limits, radians or metres.
    """

    n: int
    names: tuple[str, ...]
    lower: Floats
    upper: Floats

    def forward(self, q: ArrayLike) -> Floats:
        """Return the tip's pose (4, 4) in the base frame.

        Args:
            q: (n,) joint positions, radians or metres.
        """
        ...

    def jacobian(self, q: ArrayLike) -> Floats:
        """Return J (6, n) with (linear, angular) velocity of the tip = J·q̇, in base axes, at the tip.

        Args:
            q: (n,) joint positions, radians or metres.
        """
        ...

    def inverse(self, T: ArrayLike, seed: ArrayLike, tolerance: float = 1e-5) -> Solution:
        """Return joints that bring the tip to a pose, near the seed; or those of the nearest pose, position first.

        Args:
            T: (4, 4) or (3, 4) pose of the tip in the base frame.
            seed: (n,) joint positions to start from, radians or metres.
            tolerance: Metres and radians within which the pose counts as reached.
        """
        ...

    def follow(self, T: ArrayLike, q: ArrayLike) -> Floats:
        """Return the joints after one step towards a pose that moves: continuous, also where it is out of reach.

        Args:
            T: (4, 4) or (3, 4) pose of the tip in the base frame.
            q: (n,) present joint positions, radians or metres.
        """
        ...


class Mechanism(Kinematics, Protocol):
    """A mechanism that a lane drives tick by tick: the servo's kernels read its arrays.

    Attributes:
        arrays: Its constants, as kernels read them.
        length: Metres that one radian of the tip counts as.
        reach: Largest distance of the tip from the first joint, metres.
    """

    arrays: ChainArrays
    length: float
    reach: float

    def folds(self, weights: Floats | None = None) -> Floats:
        """Return (2, n) angles that no tip motion carries a joint through, radians, infinite for none; see `folds`.

        Args:
            weights: (6,) of the tip's dimensions; None for equal weights.
        """
        ...

    def is_stretched(self, joint: int, angle: float) -> bool:
        """Return whether a fold stretches the arm, rather than folds it back.

        Args:
            joint: Index of the driven joint.
            angle: Its fold, radians.
        """
        ...
