"""An arm's constants, packed into one flat array: a kernel call that takes few arrays is quick.

Every array that numba takes over from Python costs some 100 ns; an arm alone would be five of them.
"""

from __future__ import annotations

import numpy as np

from farhand.kernels import Floats, kernel
from farhand.kernels.views import view
from farhand.kinematics.arithmetic.descent import DescentArm
from farhand.kinematics.arithmetic.dh_tables import ChainArrays

__all__ = ["arm_of", "arm_size", "pack_arm"]


@kernel("i8(i8)")
def arm_size(n: int) -> int:
    """Return the number of values of a packed arm of n joints."""
    # fixed, tool, limits, kinds
    return int(12 * n + 12 + 2 * n + n)


def pack_arm(arrays: ChainArrays, lower: Floats, upper: Floats) -> Floats:
    """Return an arm and its joint limits as one flat array."""
    return np.concatenate((arrays.fixed.ravel(), arrays.tool.ravel(), lower, upper, arrays.kinds.view(np.float64)))


@kernel(inline=True)
def arm_of(flat: Floats, n: int) -> DescentArm:
    """Return views of the arm at the start of a flat array, which must come from Python; see `view`."""
    # where each part begins
    tool = 12 * n
    limits = tool + 12
    # name the parts; nothing is copied
    return DescentArm(
        view(flat, 0, (n, 3, 4)),
        view(flat.view(np.int64), limits + 2 * n, (n,)),
        view(flat, tool, (3, 4)),
        view(flat, limits, (n,)),
        view(flat, limits + n, (n,)),
    )
