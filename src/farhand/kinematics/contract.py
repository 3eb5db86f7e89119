"""What every mechanism offers, whatever it is made of: the contract that lets any master drive any robot."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct
from numpy.typing import ArrayLike

from farhand.kernels import Floats
from farhand.kinematics.arithmetic.dh_tables import ChainArrays

__all__ = ["Kinematics", "Mechanism", "Reason", "Solution"]

Reason = Literal["", "too far", "joint limit", "orientation"]


class Solution(Struct, frozen=True):
    """Joints found for a pose.

    Args:
        q: (n,) joint positions within their limits.
        reached: True if the tip is at the pose within the tolerance, measured by forward kinematics.
        position_error: Metres between the tip and the pose.
        rotation_error: Radians between the tip and the pose.
        reason: Why it is not reached: "too far", "joint limit" or "orientation"; empty if it is.
    """

    q: Floats
    reached: bool
    position_error: float
    rotation_error: float
    reason: Reason = ""


class Kinematics(Protocol):
    """A mechanism of n joints that moves a tip: serial or parallel, with six degrees of freedom or fewer.

    Attributes:
        n: How many joints are driven.
        names: (n,) what they are called.
        lower: (n,) lower joint limits, radians or metres; minus infinity for a continuous joint.
        upper: (n,) upper joint limits.
    """

    n: int
    names: tuple[str, ...]
    lower: Floats
    upper: Floats

    def forward(self, q: ArrayLike) -> Floats:
        """Return the tip's pose (4, 4) in the base frame."""
        ...

    def jacobian(self, q: ArrayLike) -> Floats:
        """Return J (6, n) with (linear, angular) velocity of the tip = J·q̇, in base axes, at the tip."""
        ...

    def inverse(self, T: ArrayLike, seed: ArrayLike, tolerance: float = 1e-5) -> Solution:
        """Return joints that bring the tip to a pose, near the seed; or the nearest there are, position first."""
        ...

    def follow(self, T: ArrayLike, q: ArrayLike) -> Floats:
        """Return the joints after one step towards a pose that moves: continuous, also where it is out of reach."""
        ...


class Mechanism(Kinematics, Protocol):
    """A mechanism that a lane drives tick by tick: the servo's kernels know its arrays, whatever it is made of.

    Attributes:
        arrays: What the kernels need of it.
        length: Metres that one radian of the tip counts as.
        reach: Metres that the tip can be away at most.
    """

    arrays: ChainArrays
    length: float
    reach: float

    def folds(self, weights: Floats | None = None) -> Floats:
        """Return (2, n) angles through which no tip motion carries a joint, infinite for none; see `folds`.

        Args:
            weights: (6,) of the tip's dimensions; None for all alike.
        """
        ...

    def is_stretched(self, joint: int, angle: float) -> bool:
        """Tell whether a fold stretches the arm, rather than folds it back."""
        ...
