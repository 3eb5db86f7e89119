"""Servo constants, packed into one flat array: a kernel call that takes few arrays is quick.

Every array that numba takes over from Python costs some 60 ns; the constants of a servo would be nine of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view

__all__ = ["ServoConstants", "pack_setup", "rows_of", "setup_of", "setup_size"]


class ServoConstants(NamedTuple):
    """A servo's constants.

    Args:
        fixed: (n, 3, 4) transforms before the joints; more of them where joints follow others, see `ties`.
        kinds: (n,) kinds of joints.
        tool: (3, 4) transform after the last joint.
        limits: (5, n) see `JointLimits.table`.
        folds: (2, n) see `find_folds`.
        tasks: (7 + n,) weights of the tip's six dimensions, weight of the posture, and the posture.
        dt: Seconds of a tick.
        gain: 1/s.
        length: Arm length, metres.
    """

    fixed: Floats
    kinds: Ints
    tool: Floats
    limits: Floats
    folds: Floats
    tasks: Floats
    dt: float
    gain: float
    length: float


@kernel("i8(i8, i8)")
def setup_size(n: int, rows: int) -> int:
    """Return the size of the packed constants of n joints, with so many rows in `fixed`."""
    # scalars, fixed, tool, limits, folds, tasks, kinds
    return int(4 + 12 * rows + 12 + 5 * n + 2 * n + 7 + n + n)


@kernel(inline=True)
def rows_of(memory: Floats) -> int:
    """Return the number of rows of `fixed` in constants written by `pack_setup`."""
    # the fourth scalar
    return int(memory[3])


def pack_setup(setup: ServoConstants, memory: Floats) -> None:
    """Write the constants to the start of a flat array."""
    numbers = [setup.dt, setup.gain, setup.length, float(len(setup.fixed))]
    parts = [setup.fixed.ravel(), setup.tool.ravel(), setup.limits.ravel(), setup.folds.ravel(), setup.tasks]
    n, packed = len(setup.kinds), np.concatenate((numbers, *parts))
    memory[: len(packed)] = packed
    memory[len(packed) : len(packed) + n].view(np.int64)[:] = setup.kinds


@kernel(inline=True)
def setup_of(memory: Floats, n: int) -> ServoConstants:
    """Return views of the constants that `pack_setup` wrote."""
    # where each part begins
    rows = rows_of(memory)
    tool = 4 + 12 * rows
    limits = tool + 12
    folds = limits + 5 * n
    tasks = folds + 2 * n
    kinds = tasks + 7 + n
    # name the parts; nothing is copied
    return ServoConstants(
        view(memory, 4, (rows, 3, 4)),
        view(memory.view(np.int64), kinds, (n,)),
        view(memory, tool, (3, 4)),
        view(memory, limits, (5, n)),
        view(memory, folds, (2, n)),
        view(memory, tasks, (7 + n,)),
        memory[0],
        memory[1],
        memory[2],
    )
