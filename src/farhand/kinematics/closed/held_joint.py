"""Detect arms of seven joints that have a closed form when one joint is held.

The arm can be read from either end. Backward, the inverse of T = Π fixed_i·Z(q_i)·tool is a chain too,
T⁻¹ = tool⁻¹·Z(−q_n)·fixed_n⁻¹·…·Z(−q_1)·fixed_1⁻¹, so three axes that meet at the shoulder serve as a wrist.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from farhand.kernels import Floats
from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.arithmetic.link_frames import SLIDES, TURNS
from farhand.kinematics.closed.ortho import has_form, wrist_of
from farhand.kinematics.closed.redundant import JOINTS, HeldChain
from farhand.kinematics.closed.shoulder import MEETING, PARALLEL

__all__ = ["find_held"]

WRIST = 3
SAMPLES = (-1.9, -0.7, 0.4, 1.3)  # positions of the held joint that must all leave a closed form: radians or lengths


def find_held(arrays: ChainArrays, reach: float, length: float) -> HeldChain | None:
    """Return the chain with one joint held that has a closed form, or None if there is none.

    Args:
        arrays: The chain.
        reach: Reach of the arm, metres; lengths are compared with it.
        length: Metres that one radian counts as.
    """
    if len(arrays.kinds) != JOINTS or not 0.0 < reach < np.inf:
        return None
    for backward, chain in enumerate((arrays, _backward(arrays))):
        wrist = wrist_of(chain.fixed, chain.tool, reach)
        if wrist is None or (chain.kinds[-WRIST:] != TURNS).any():
            continue
        for joint, form in product(range(JOINTS - WRIST), (PARALLEL, MEETING)):
            if _solves(chain, joint, form, wrist[0], reach, length):
                which = np.array([joint, form, backward])
                return HeldChain(chain.fixed, chain.tool, which, np.array([wrist[0], *wrist[1]]))
    return None


def _solves(chain: ChainArrays, joint: int, form: int, along: float, reach: float, length: float) -> bool:
    if (np.delete(chain.kinds, joint) != TURNS).any():
        return False
    for value in SAMPLES:
        fixed = _holding(chain, joint, value * (length if chain.kinds[joint] == SLIDES else 1.0))
        if not has_form(form, fixed, fixed[3, :, 3] + along * fixed[3, :, 2], reach):
            return False
    return True


def _holding(chain: ChainArrays, joint: int, value: float) -> Floats:
    """Return the transforms of the six remaining joints: fixed_h·Z(value)·fixed_(h+1) becomes one."""
    Z = np.eye(4)
    if chain.kinds[joint] == SLIDES:
        Z[2, 3] = value
    else:
        c, s = np.cos(value), np.sin(value)
        Z[:2, :2] = (c, -s), (s, c)
    one = _square(chain.fixed[joint]) @ Z @ _square(chain.fixed[joint + 1])
    return np.concatenate((chain.fixed[:joint], one[None, :3], chain.fixed[joint + 2 :]))


def _backward(arrays: ChainArrays) -> ChainArrays:
    """Return the chain from the tip to the base; its joint positions are negated."""
    steps: list[Floats] = [_inverse(M) for M in (arrays.tool, *arrays.fixed[::-1])]
    return ChainArrays.of(steps[:-1], arrays.kinds[::-1].tolist(), steps[-1])


def _inverse(M: Floats) -> Floats:
    """Return the inverse (4, 4) of a rigid transform: (Rᵀ, −Rᵀ·p)."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = M[:, :3].T, -M[:, :3].T @ M[:, 3]
    return T


def _square(M: Floats) -> Floats:
    return np.vstack((M[:3], (0.0, 0.0, 0.0, 1.0)))
