"""Detect arms that have a closed form: a spherical wrist behind axes that are parallel or meet."""

from __future__ import annotations

import numpy as np

from farhand.kernels import Floats
from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.arithmetic.link_frames import TURNS
from farhand.kinematics.closed.shoulder import PARALLEL

__all__ = ["has_form", "wrist_centre", "wrist_of"]

EXACT = 2e-5  # tolerance of axes: files round right angles to 1.5708
SLANT = 0.02  # sine of the smallest angle between axes that must not be parallel


def wrist_centre(arrays: ChainArrays, reach: float) -> Floats | None:
    """Return the wrist centre of an arm with parallel axes 2 and 3, or None if it has no such closed form.

    The arm has one if six joints turn, the axes of joints 2 and 3 are parallel but not to that of joint 1, and those of
    joints 4, 5 and 6 meet in a point, neighbours never parallel. Offsets, signs and angles are free otherwise: the
    first two axes need not be square to each other, nor those of the wrist.

    Args:
        arrays: The chain.
        reach: Reach of the arm, metres; lengths are compared with it.

    Returns:
        (2, 3) the centre in the frame of joint 3 and in the frame of the tip.
    """
    fixed, kinds, tool = arrays
    if len(kinds) != 6 or (kinds != TURNS).any() or not 0.0 < reach < np.inf:
        return None
    wrist = wrist_of(fixed, tool, reach)
    if wrist is None:
        return None
    along4, from_tip = wrist
    from_link3 = fixed[3, :, 3] + along4 * fixed[3, :, 2]
    return np.ascontiguousarray([from_link3, from_tip]) if has_form(PARALLEL, fixed, from_link3, reach) else None


def wrist_of(fixed: Floats, tool: Floats, reach: float) -> tuple[float, Floats] | None:
    """Return the point where the last three axes meet, or None if they do not, or two neighbours are parallel.

    Args:
        fixed: (n, 3, 4) transforms before the joints.
        tool: (3, 4) transform after the last joint.
        reach: Reach of the arm, metres; lengths are compared with it.

    Returns:
        Its distance along the first of the three axes from that joint's origin, and (3,) the point in the tip's frame.
    """
    near = EXACT * reach
    # distances along axes 4 and 5 to where the two are nearest, each in its joint's own frame
    axis5, origin5 = fixed[-2, :, 2], fixed[-2, :, 3]
    if _gap(fixed[-2]) > near:
        return None
    along5 = -float(axis5[:2] @ origin5[:2]) / float(axis5[:2] @ axis5[:2])
    along4 = float(origin5[2] + along5 * axis5[2])
    # the same point must be on axis 6
    axis6, to_centre = fixed[-1, :, 2], np.array([0.0, 0.0, along5]) - fixed[-1, :, 3]
    along6 = float(axis6 @ to_centre)
    if np.hypot(*axis6[:2]) < SLANT or np.linalg.norm(to_centre - along6 * axis6) > near:
        return None
    return along4, tool[:, :3].T @ (np.array([0.0, 0.0, along6]) - tool[:, 3])


def has_form(form: int, fixed: Floats, v: Floats, reach: float) -> bool:
    """Return whether the first three joints bring the wrist's centre to a point in closed form; see `shoulder`.

    Args:
        form: `PARALLEL` or `MEETING`.
        fixed: (n, 3, 4) transforms before the joints.
        v: (3,) the wrist's centre in joint 3's own frame.
        reach: Reach of the arm, metres; lengths are compared with it.
    """
    near = EXACT * reach
    if np.hypot(*fixed[1, :2, 2]) < SLANT or np.hypot(*v[:2]) < 10.0 * near:
        return False
    if form == PARALLEL:
        return bool(np.hypot(*fixed[2, :2, 2]) <= EXACT and np.hypot(*fixed[2, :2, 3]) >= 10.0 * near)
    # axis 3 must be away from where axes 1 and 2 meet, and the wrist must be able to leave axis 2
    axis2, origin2 = fixed[1, :, 2], fixed[1, :, 3]
    meeting = np.array([0.0, 0.0, -float(axis2[:2] @ origin2[:2]) / float(axis2[:2] @ axis2[:2])])
    to_joint3 = fixed[2, :, :3].T @ (fixed[2, :, 3] - meeting)
    away = np.hypot(*fixed[2, :2, 3]) + np.hypot(*fixed[2, :2, 2])
    return bool(_gap(fixed[1]) <= near and np.hypot(*to_joint3[:2]) >= 10.0 * near and away >= 10.0 * EXACT)


def _gap(F: Floats) -> float:
    """Return the distance between the z axes on both sides of a transform; infinite if they are parallel."""
    axis, origin = F[:, 2], F[:, 3]
    flat = float(np.hypot(axis[0], axis[1]))
    return abs(float(axis[0] * origin[1] - axis[1] * origin[0])) / flat if flat >= SLANT else np.inf
