"""Detection of diverged physics, and the last good state."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from farhand.formats.model import JointSpec
from farhand.kernels import kernel

__all__ = ["bounds_of", "keep_if_good"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
BEYOND = {"hinge": 0.1, "slide": 0.02}  # rad, m: permitted excess over a joint's limits in a good state
GOOD, RUNAWAY = 3.0, 30.0  # times a joint's top rate, plus MORE: limits of a good and of a sound state
MORE = 1.0  # rad/s, m/s


@kernel("b1(f8[::1],f8[::1],i8[::1],i8[::1],f8[:,::1],f8[::1],f8[::1])")
def keep_if_good(
    qpos: Floats, qvel: Floats, at: Ints, dofs: Ints, bounds: Floats, good_qpos: Floats, good_qvel: Floats
) -> bool:
    """Return whether the physics is still sound; copy a plausible state to the last good one.

    Args:
        qpos: All positions.
        qvel: All rates.
        at: (n,) places of the joints of all arms in the positions.
        dofs: (n,) their places in the rates.
        bounds: (n, 4) for each: lowest and highest good position, greatest good rate, and rate of a runaway.
        good_qpos: The last good positions.
        good_qvel: The last good rates.
    """
    # everything finite, and not absurdly large
    total = 0.0
    for i in range(qpos.shape[0]):
        total += abs(qpos[i])
    for i in range(qvel.shape[0]):
        total += abs(qvel[i])
    if not total < 1e8:  # also false for NaN
        return False
    # arms: a runaway ends it, a doubtful state is not kept
    good = True
    for i in range(at.shape[0]):
        q, rate = qpos[at[i]], abs(qvel[dofs[i]])
        if rate > bounds[i, 3]:
            return False
        good = good and bounds[i, 0] <= q <= bounds[i, 1] and rate <= bounds[i, 2]
    # keep the last good state
    if good:
        good_qpos[:] = qpos
        good_qvel[:] = qvel
    return True


def bounds_of(joints: Iterable[JointSpec]) -> Floats:
    """Return the bounds of joints, for `keep_if_good`."""
    rows = [
        (
            joint.lower - BEYOND[joint.kind],
            joint.upper + BEYOND[joint.kind],
            GOOD * joint.velocity + MORE,
            RUNAWAY * joint.velocity + MORE,
        )
        for joint in joints
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)
