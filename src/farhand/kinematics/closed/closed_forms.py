"""Detect the closed form of an arm from its axes, if it has one, and prepare its constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from farhand.kernels import Floats
from farhand.kinematics.arithmetic.descent import work_size
from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.arithmetic.packed_arm import pack_arm
from farhand.kinematics.closed.held_joint import find_held
from farhand.kinematics.closed.ortho import wrist_centre
from farhand.kinematics.closed.redundant import held_size, held_solve, pack_held
from farhand.kinematics.closed.spherical_wrist import WRIST_SIZE, wrist_solve

__all__ = ["ClosedForm", "closed_form_of"]

Solve = Callable[[Floats, Floats, Floats, float, float, Floats, Floats], tuple[bool, float, float]]
Kind = Literal["wrist", "held"]
KERNELS: dict[Kind, Solve] = {"wrist": wrist_solve, "held": held_solve}


class ClosedForm(NamedTuple):
    """The closed form of one arm.

    It names its kernel instead of holding it: sent to another process, a kernel would be an uncompiled copy.

    Args:
        kind: Which kernel solves it.
        constants: The arm's constants, packed for that kernel.
        scratch: Size of its scratch; enough for the search too.
        complete: True if a pose without a solution here is out of reach.
    """

    kind: Kind
    constants: Floats
    scratch: int
    complete: bool

    @property
    def solve(self) -> Solve:
        """The kernel: constants, target, seed, tolerance, length, result, scratch."""
        return KERNELS[self.kind]


def closed_form_of(arrays: ChainArrays, lower: Floats, upper: Floats, reach: float, length: float) -> ClosedForm | None:
    """Return the closed form of a chain, or None if it has none.

    Args:
        arrays: The chain.
        lower: (n,) lower limits.
        upper: (n,) upper limits.
        reach: Reach of the arm, metres; lengths are compared with it.
        length: Metres that one radian counts as.
    """
    centre = wrist_centre(arrays, reach)
    if centre is not None:
        constants = np.concatenate((pack_arm(arrays, lower, upper), centre.ravel()))
        return ClosedForm("wrist", constants, work_size(len(lower)) + WRIST_SIZE, complete=True)
    held = find_held(arrays, reach, length)
    if held is not None:
        return ClosedForm("held", pack_held(arrays, lower, upper, held), held_size(), complete=False)
    return None
