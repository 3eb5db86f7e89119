"""Forward kinematics for the tick: the tip's pose as a value, without checks and with reused scratch."""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.link_frames import frames_into
from farhand.kinematics.contract import Mechanism
from farhand.poses import Pose
from farhand.types import Vector

__all__ = ["TipReader", "quaternion_into"]


@kernel("void(f8[:, ::1], f8[::1])")
def quaternion_into(T: Floats, out: Floats) -> None:
    """Write position and quaternion (wxyz, w ≥ 0) of a 3×4 pose.

    Shepperd's method: the largest of the four components divides the others, so no digits are lost.
    """
    # names of the entries
    a, b, c = T[0, 0], T[0, 1], T[0, 2]
    d, e, f = T[1, 0], T[1, 1], T[1, 2]
    g, h, i = T[2, 0], T[2, 1], T[2, 2]
    # the largest component decides the formula
    trace = a + e + i
    if trace >= a and trace >= e and trace >= i:
        w, x, y, z = 1.0 + trace, h - f, c - g, d - b
    elif a >= e and a >= i:
        w, x, y, z = h - f, 1.0 + a - e - i, b + d, c + g
    elif e >= i:
        w, x, y, z = c - g, b + d, 1.0 - a + e - i, f + h
    else:
        w, x, y, z = d - b, c + g, f + h, 1.0 - a - e + i
    # normalise, with w ≥ 0
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    if w < 0.0:
        scale = -scale
    out[0], out[1], out[2] = T[0, 3], T[1, 3], T[2, 3]
    out[3], out[4], out[5], out[6] = w * scale, x * scale, y * scale, z * scale


@kernel("void(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8[:, :, ::1], f8[::1])")
def tip_into(fixed: Floats, kinds: Ints, tool: Floats, q: Floats, frames: Floats, out: Floats) -> None:
    """Write position and quaternion of the tip at joint positions q."""
    # frames, then the last one as position and quaternion
    frames_into(fixed, kinds, tool, q, frames)
    quaternion_into(frames[q.shape[0]], out)


class TipReader:
    """Returns the tip's pose at given joint positions.

    Args:
        chain: The kinematics; joint vectors are not checked.
    """

    def __init__(self, chain: Mechanism) -> None:
        self._arrays = chain.arrays
        self._q, self._frames, self._out = np.zeros(chain.n), np.zeros((chain.n + 1, 3, 4)), np.zeros(7)

    def __call__(self, q: Vector) -> Pose:
        """Return T_base_tip."""
        self._q[:] = q
        fixed, kinds, tool = self._arrays
        tip_into(fixed, kinds, tool, self._q, self._frames, self._out)
        x, y, z, w, i, j, k = self._out.tolist()
        return Pose((x, y, z), (w, i, j, k))
