"""Kernels of an arm's frames, its tip's Jacobian, and the error between two poses.

A chain is three arrays: `fixed` (n, 3, 4), the constant transform before each joint; `kinds` (n,), `TURNS` or
`SLIDES`, each joint about or along its own z axis; and `tool` (3, 4), the transform from the last joint to the tip.

A Delta uses the same three arrays: its joints are of the kind `SWINGS`, its lengths are in the first row of `fixed`,
and `tool` is the transform from the platform to the tip. Its frames and its Jacobian are in `delta_spheres`.

So does a chain in which some joints follow others: its kinds are those of the driven joints plus `LEADS`, and `fixed`
has all joints, driven or not, and then their couplings; see `ties`.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.delta_spheres import delta_columns_into, delta_frames_into
from farhand.kinematics.arithmetic.ties import (
    LEADS,
    SLIDES,
    SWINGS,
    TURNS,
    row_times,
    slides,
    tied_columns_into,
    tied_frames_into,
)

__all__ = [
    "LEADS",
    "SLIDES",
    "SWINGS",
    "TURNS",
    "frames_into",
    "jacobian_into",
    "pose_error_into",
    "slides",
    "tip_and_jacobian",
    "tip_pose_into",
]


@kernel("void(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8[:, :, ::1])")
def frames_into(fixed: Floats, kinds: Ints, tool: Floats, q: Floats, frames: Floats) -> None:
    """Write every joint's frame, moved by its joint, and the tip's frame, all in the base frame.

    T_0i = T_0(i-1) · fixed_i · Z(q_i), with Z a turn about or a shift along z; T_0tip = T_0n · tool.

    Args:
        fixed: (n, 3, 4) transforms before the joints.
        kinds: (n,) kinds of joints.
        tool: (3, 4) transform after the last joint.
        q: (n,) joint positions.
        frames: (n + 1, 3, 4) result.
    """
    # arms that are no plain chain
    n = q.shape[0]
    if kinds[0] >= SWINGS:
        if kinds[0] >= LEADS:
            tied_frames_into(fixed, tool, q, frames)
        else:
            delta_frames_into(fixed[0, 0], tool, q, frames)
        return
    # joint by joint
    for i in range(n):
        cosine, sine, shift = 1.0, 0.0, q[i]
        if kinds[i] == TURNS:
            cosine, sine, shift = math.cos(q[i]), math.sin(q[i]), 0.0
        # rows of a product are independent: row r of the parent makes row r of the child
        for r in range(3):
            if i == 0:
                x, y, z, p = fixed[0, r, 0], fixed[0, r, 1], fixed[0, r, 2], fixed[0, r, 3]
            else:
                x, y, z, p = row_times(frames, i - 1, r, fixed[i])
            frames[i, r, 0] = cosine * x + sine * y
            frames[i, r, 1] = cosine * y - sine * x
            frames[i, r, 2] = z
            frames[i, r, 3] = p + shift * z
    # tip
    for r in range(3):
        frames[n, r, 0], frames[n, r, 1], frames[n, r, 2], frames[n, r, 3] = row_times(frames, n - 1, r, tool)


@kernel("void(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8[:, ::1])")
def tip_pose_into(fixed: Floats, kinds: Ints, tool: Floats, q: Floats, T: Floats) -> None:
    """Write the tip's pose as a (4, 4) matrix; see `frames_into` for the arguments."""
    # all frames
    n = q.shape[0]
    frames = np.empty((n + 1, 3, 4))
    frames_into(fixed, kinds, tool, q, frames)
    # the last one, with its fourth row
    for c in range(4):
        for r in range(3):
            T[r, c] = frames[n, r, c]
        T[3, c] = 1.0 if c == 3 else 0.0


@kernel(inline=True)
def jacobian_into(frames: Floats, kinds: Ints, J: Floats) -> None:
    """Write the tip's Jacobian, linear over angular, in base axes at the tip.

    Column i is (z_i × (p_tip − p_i), z_i) for a joint that turns, (z_i, 0) for one that slides.
    """
    # arms that are no plain chain
    n = kinds.shape[0]
    if kinds[0] >= SWINGS:
        if kinds[0] >= LEADS:
            tied_columns_into(frames, J)
        else:
            delta_columns_into(frames, J)
        return
    # joint by joint: its axis, and for a turn its lever to the tip
    for i in range(n):
        zx, zy, zz = frames[i, 0, 2], frames[i, 1, 2], frames[i, 2, 2]
        if kinds[i] == TURNS:
            dx = frames[n, 0, 3] - frames[i, 0, 3]
            dy = frames[n, 1, 3] - frames[i, 1, 3]
            dz = frames[n, 2, 3] - frames[i, 2, 3]
            J[0, i], J[1, i], J[2, i] = zy * dz - zz * dy, zz * dx - zx * dz, zx * dy - zy * dx
            J[3, i], J[4, i], J[5, i] = zx, zy, zz
        else:
            J[0, i], J[1, i], J[2, i] = zx, zy, zz
            J[3, i], J[4, i], J[5, i] = 0.0, 0.0, 0.0


@kernel("void(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8[:, :, ::1], f8[:, ::1])")
def tip_and_jacobian(fixed: Floats, kinds: Ints, tool: Floats, q: Floats, frames: Floats, J: Floats) -> None:
    """Write all frames and the tip's Jacobian; see `frames_into` and `jacobian_into` for the arguments."""
    # the Jacobian follows from the frames
    frames_into(fixed, kinds, tool, q, frames)
    jacobian_into(frames, kinds, J)


@kernel(inline=True)
def pose_error_into(T: Floats, target: Floats, error: Floats) -> None:
    """Write the shift (metres) and the rotation vector (radians) from T to the target, in base axes.

    e = (p_target − p, log(R_target · Rᵀ)).
    """
    # shift
    for r in range(3):
        error[r] = target[r, 3] - T[r, 3]
    # M = R_target · Rᵀ = Σ_k target_k · T_kᵀ; its antisymmetric part is 2·sin(angle)·axis, its trace 1 + 2·cos(angle)
    x, y, z, two_cos = 0.0, 0.0, 0.0, -1.0
    for k in range(3):
        x += target[2, k] * T[1, k] - target[1, k] * T[2, k]
        y += target[0, k] * T[2, k] - target[2, k] * T[0, k]
        z += target[1, k] * T[0, k] - target[0, k] * T[1, k]
        two_cos += target[0, k] * T[0, k] + target[1, k] * T[1, k] + target[2, k] * T[2, k]
    # angle from both parts; a small angle or half a turn has no quotient
    two_sin = math.sqrt(x * x + y * y + z * z)
    if two_sin > 1e-7:
        scale = math.atan2(two_sin, two_cos) / two_sin
        error[3], error[4], error[5] = scale * x, scale * y, scale * z
    elif two_cos > 0.0:
        error[3], error[4], error[5] = 0.5 * x, 0.5 * y, 0.5 * z
    else:
        half_turn_into(T, target, error)


@kernel()
def row_dot(A: Floats, i: int, B: Floats, j: int) -> float:
    """Return the product of row i of A's rotation with row j of B's."""
    # scalar product of three entries
    return float(A[i, 0] * B[j, 0] + A[i, 1] * B[j, 1] + A[i, 2] * B[j, 2])


@kernel()
def half_turn_into(T: Floats, target: Floats, error: Floats) -> None:
    """Write the rotation vector of half a turn: M = 2·a·aᵀ − 1, so any column of M + 1 points along the axis a."""
    # the column with the largest diagonal entry is the most exact
    largest, column = -1.0, 0
    for k in range(3):
        diagonal = row_dot(target, k, T, k)
        if diagonal > largest:
            largest, column = diagonal, k
    # that column, scaled to the length π
    length = 0.0
    for r in range(3):
        error[3 + r] = row_dot(target, r, T, column) + (1.0 if r == column else 0.0)
        length += error[3 + r] * error[3 + r]
    scale = math.pi / math.sqrt(max(length, 1e-300))
    for r in range(3):
        error[3 + r] *= scale
