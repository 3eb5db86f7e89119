"""Detects arms that have a closed form: a spherical wrist behind parallel shoulder and elbow axes."""

from __future__ import annotations

import numpy as np

from farhand.kernels import Floats
from farhand.kinematics.rigid import TURNS
from farhand.kinematics.tables import ChainArrays

__all__ = ["wrist_centre"]

EXACT = 2e-5  # how far axes may be off: files round right angles to 1.5708
SLANT = 0.02  # sine of the least angle between axes that must not be parallel


def wrist_centre(arrays: ChainArrays, reach: float) -> Floats | None:
    """Return where the axes of the last three joints meet, or None if the arm has no closed form.

    It has one if six joints turn, the axes of joints 2 and 3 are parallel but not to that of joint 1, and those of
    joints 4, 5 and 6 meet in a point, neighbours never parallel. Offsets, signs and angles are free otherwise: the
    first two axes need not be square to each other, nor those of the wrist.

    Args:
        arrays: The chain.
        reach: Metres; what counts as short is measured by it.

    Returns:
        (2, 3) the centre as seen from link 3 (in joint 3's own frame) and as seen from the tip.
    """
    fixed, kinds, tool = arrays
    if len(kinds) != 6 or (kinds != TURNS).any() or not 0.0 < reach < np.inf:
        return None
    near = EXACT * reach
    square, slanted = np.hypot(*fixed[2, :2, 2]), np.hypot(*fixed[1, :2, 2])
    if square > EXACT or slanted < SLANT:
        return None
    # along axis 4 and along axis 5 to where the two are nearest, each in its joint's own frame
    axis5, origin5 = fixed[4, :, 2], fixed[4, :, 3]
    across = np.array([-axis5[1], axis5[0]])
    flat = float(axis5[:2] @ axis5[:2])
    if flat < SLANT**2 or abs(across @ origin5[:2]) > near * flat**0.5:
        return None
    along5 = -float(axis5[:2] @ origin5[:2]) / flat
    along4 = float(origin5[2] + along5 * axis5[2])
    # the same point must be on axis 6
    axis6, to_centre = fixed[5, :, 2], np.array([0.0, 0.0, along5]) - fixed[5, :, 3]
    along6 = float(axis6 @ to_centre)
    if np.hypot(*axis6[:2]) < SLANT or np.linalg.norm(to_centre - along6 * axis6) > near:
        return None
    from_link3 = fixed[3, :, 3] + along4 * fixed[3, :, 2]
    # upper arm and forearm must have a length across their axes
    if min(np.hypot(*fixed[2, :2, 3]), np.hypot(*from_link3[:2])) < 10.0 * near:
        return None
    from_tip = tool[:, :3].T @ (np.array([0.0, 0.0, along6]) - tool[:, 3])
    return np.ascontiguousarray([from_link3, from_tip])
