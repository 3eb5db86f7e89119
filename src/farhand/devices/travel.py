"""How far a mechanism's tip can be moved about a place: the travel of a device that no data sheet describes."""

from __future__ import annotations

from itertools import product

import numpy as np

from farhand.kernels import Floats
from farhand.kinematics import Kinematics
from farhand.poses import Vec3

__all__ = ["box_around"]

HALVINGS = 5
NEAR = 1e-4  # m within which a place is reached


def box_around(kinematics: Kinematics, rest: Floats, half: Vec3) -> tuple[Vec3, Vec3]:
    """Return lower and upper corner of a box about the rest tip, all of whose corners and middles are reached.

    The tip is held as at rest, as far as six joints or more can do so. The wanted box is taken if it is reached; else
    its share of it, found by bisection.

    Args:
        kinematics: The mechanism.
        rest: (n,) joints at rest.
        half: Metres from the middle to the sides of the wanted box.
    """
    T_base_rest, fits, share = kinematics.forward(rest), 0.0, 1.0
    gap = 1.0
    for _ in range(HALVINGS + 1):
        gap *= 0.5
        if _reached(kinematics, T_base_rest, rest, share * np.array(half)):
            fits = share
            if share == 1.0:
                break
            share += gap
        else:
            share -= gap
    x, y, z = T_base_rest[:3, 3].tolist()
    a, b, c = (fits * side for side in half)
    return (x - a, y - b, z - c), (x + a, y + b, z + c)


def _reached(kinematics: Kinematics, T_base_rest: Floats, rest: Floats, half: Floats) -> bool:
    T = T_base_rest.copy()
    for corner in product((-1.0, 0.0, 1.0), repeat=3):
        T[:3, 3] = T_base_rest[:3, 3] + half * corner
        found = kinematics.inverse(T, rest)
        if not (found.reached or (kinematics.n < 6 and found.position_error <= NEAR)):
            return False
    return True
