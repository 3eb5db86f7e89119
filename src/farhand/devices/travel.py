"""Travel of a device without a data sheet: a box that its tip can reach."""

from __future__ import annotations

from itertools import product

import numpy as np

from farhand.kernels import Floats
from farhand.kinematics import Kinematics
from farhand.poses import Vec3

__all__ = ["box_around"]

HALVINGS = 5  # steps of the bisection
REACHED_M = 1e-4  # a point this close counts as reached


def box_around(kinematics: Kinematics, rest: Floats, half: Vec3) -> tuple[Vec3, Vec3]:
    """Return lower and upper corner of a box about the rest tip with reachable corners, edge and face middles.

    The tip keeps its rest orientation, if the mechanism has six joints or more. The result is the wanted box, or a
    reachable share of it, found by bisection.

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
        if not (found.reached or (kinematics.n < 6 and found.position_error <= REACHED_M)):
            return False
    return True
