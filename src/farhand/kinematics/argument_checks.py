"""Checks of arguments; each error says what was expected and what was found."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats, kernel

__all__ = ["check_pose", "check_vector"]


def check_vector(values: ArrayLike, n: int, what: str) -> Floats:
    """Return the values as a contiguous (n,) array.

    Args:
        values: The numbers.
        n: Their expected number.
        what: Name of the argument, for the error.

    Raises:
        CommandError: If there are not n of them or one is not finite.
    """
    vector = _numbers(values, what)
    if vector.shape != (n,):
        raise CommandError(f"{what} must be {n} numbers, found shape {vector.shape}")
    if not all_finite(vector):
        raise CommandError(f"{what} must be finite, found {vector.tolist()}")
    return vector


def check_pose(T: ArrayLike, what: str = "a pose") -> Floats:
    """Return a pose as a contiguous 4×4 or 3×4 array.

    Args:
        T: The pose.
        what: Name of the argument, for the error.

    Raises:
        CommandError: If it is not a finite 4×4 or 3×4 matrix whose left block is a rotation.
    """
    M = _numbers(T, what)
    if M.shape not in ((4, 4), (3, 4)):
        raise CommandError(f"{what} must be a 4×4 or 3×4 matrix, found shape {M.shape}")
    fault = pose_fault(M)
    if fault == NOT_FINITE:
        raise CommandError(f"{what} must be finite")
    if fault == NO_ROTATION:
        raise CommandError(f"the upper left 3×3 block of {what} must be a rotation matrix")
    if fault == LAST_ROW:
        raise CommandError(f"the last row of {what} must be 0 0 0 1, found {M[3].tolist()}")
    return M


def _numbers(values: ArrayLike, what: str) -> Floats:
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
        # to numba a read-only array is another type, which it would compile again
        return array if array.flags.writeable else array.copy()
    except (TypeError, ValueError):
        raise CommandError(f"{what} must be numbers, found {values!r}") from None


SOUND, NOT_FINITE, NO_ROTATION, LAST_ROW = 0, 1, 2, 3
ROTATION_TOLERANCE = 1e-6


@kernel("b1(f8[::1])")
def all_finite(vector: Floats) -> bool:
    """Return whether every number is finite."""
    # one bad number decides
    for i in range(vector.shape[0]):  # noqa: SIM110  numba has no all() over a generator
        if not math.isfinite(vector[i]):
            return False
    return True


@kernel("i8(f8[:, ::1])")
def pose_fault(M: Floats) -> int:
    """Return the fault of a pose, or `SOUND`: R·Rᵀ must be 1, det R positive, the last row 0 0 0 1."""
    # every entry is finite
    for r in range(M.shape[0]):
        for c in range(4):
            if not math.isfinite(M[r, c]):
                return NOT_FINITE
    # rows are unit vectors at right angles
    for r in range(3):
        for c in range(r + 1):
            product = M[r, 0] * M[c, 0] + M[r, 1] * M[c, 1] + M[r, 2] * M[c, 2]
            if abs(product - (1.0 if r == c else 0.0)) > ROTATION_TOLERANCE:
                return NO_ROTATION
    # the third row of a rotation is the cross product of the first two, not its opposite
    if (M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0]) * M[2, 2] + (M[0, 1] * M[1, 2] - M[0, 2] * M[1, 1]) * M[2, 0] + (
        M[0, 2] * M[1, 0] - M[0, 0] * M[1, 2]
    ) * M[2, 1] < 0.0:
        return NO_ROTATION
    # the last row, if there is one
    if M.shape[0] == 4 and abs(M[3, 0]) + abs(M[3, 1]) + abs(M[3, 2]) + abs(M[3, 3] - 1.0) > 1e-9:
        return LAST_ROW
    return SOUND
