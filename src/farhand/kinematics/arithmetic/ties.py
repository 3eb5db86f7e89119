"""Kernels of chains in which some joints follow others: the driven joints q move all joints, q_k = m_k·q_d(k).

The first m of `fixed` (2·m, 3, 4) are the transforms before all m joints, from base to tip. They include the offsets of
followers: Z(m·q + c) = Z(c)·Z(m·q). Each of the last m begins with the index of the driven joint, the kind of the joint
and its multiplier. A driven joint drives itself with multiplier 1.

A driven joint moves the tip by the sum of the motions of all joints that go with it. As velocities of a rigid body
these add up: ω = Σ m_k·z_k, and u = Σ m_k·(p_k × z_k) for turns, m_k·z_k for slides; a point p moves with u + ω × p.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel

__all__ = [
    "LEADS",
    "SLIDES",
    "SWINGS",
    "TURNS",
    "all_frames_into",
    "row_times",
    "slides",
    "tied_bend_into",
    "tied_columns_into",
    "tied_frames_into",
]

TURNS = 0
SLIDES = 1
SWINGS = 2
LEADS = 4  # added to the kind of a driven joint where joints follow others


@kernel(inline=True)
def slides(kind: int) -> bool:
    """Return whether a joint of this kind slides."""
    # driven alone, or with followers
    return kind == SLIDES or kind == LEADS + SLIDES


@kernel(inline=True)
def row_times(frames: Floats, i: int, r: int, A: Floats) -> tuple[float, float, float, float]:
    """Return row r of frames[i] · A."""
    # entries of the row
    x, y, z, p = frames[i, r, 0], frames[i, r, 1], frames[i, r, 2], frames[i, r, 3]
    return (
        x * A[0, 0] + y * A[1, 0] + z * A[2, 0],
        x * A[0, 1] + y * A[1, 1] + z * A[2, 1],
        x * A[0, 2] + y * A[1, 2] + z * A[2, 2],
        x * A[0, 3] + y * A[1, 3] + z * A[2, 3] + p,
    )


@kernel(inline=True)
def step_into(fixed: Floats, k: int, q: Floats, before: Floats, after: Floats) -> None:
    """Write the moved frame of joint k of a coupled chain from that of the joint before (unused for the first)."""
    # its position, by its driver and multiplier
    m = fixed.shape[0] // 2
    angle = fixed[m + k, 0, 2] * q[int(fixed[m + k, 0, 0])]
    cosine, sine, shift = 1.0, 0.0, angle
    if fixed[m + k, 0, 1] == TURNS:
        cosine, sine, shift = math.cos(angle), math.sin(angle), 0.0
    # the parent's frame, its own transform, then its motion
    for r in range(3):
        x, y, z, p = fixed[k, r, 0], fixed[k, r, 1], fixed[k, r, 2], fixed[k, r, 3]
        if k > 0:
            a, b, c, d = before[r, 0], before[r, 1], before[r, 2], before[r, 3]
            x = a * fixed[k, 0, 0] + b * fixed[k, 1, 0] + c * fixed[k, 2, 0]
            y = a * fixed[k, 0, 1] + b * fixed[k, 1, 1] + c * fixed[k, 2, 1]
            z = a * fixed[k, 0, 2] + b * fixed[k, 1, 2] + c * fixed[k, 2, 2]
            p = a * fixed[k, 0, 3] + b * fixed[k, 1, 3] + c * fixed[k, 2, 3] + d
        after[r, 0] = cosine * x + sine * y
        after[r, 1] = cosine * y - sine * x
        after[r, 2] = z
        after[r, 3] = p + shift * z


@kernel()
def tied_frames_into(fixed: Floats, tool: Floats, q: Floats, frames: Floats) -> None:
    """Write the tip's frame, and how each driven joint moves the tip; see `frames_into`.

    frames[i] has ω of driven joint i in its third column and u in its fourth; frames[n] is the tip's pose.

    Args:
        fixed: (2·m, 3, 4) joints and couplings.
        tool: (3, 4) transform after the last joint.
        q: (n,) positions of the driven joints.
        frames: (n + 1, 3, 4) result.
    """
    # sums start at zero
    n, m = q.shape[0], fixed.shape[0] // 2
    for i in range(n):
        for r in range(3):
            for c in range(4):
                frames[i, r, c] = 0.0
    here = frames[n]
    # joint by joint: its frame, then its share of the driven joint's velocities
    for k in range(m):
        step_into(fixed, k, q, here, here)
        i, weight = int(fixed[m + k, 0, 0]), fixed[m + k, 0, 2]
        x, y, z = weight * here[0, 2], weight * here[1, 2], weight * here[2, 2]
        # a slide adds to u alone
        if fixed[m + k, 0, 1] != TURNS:
            frames[i, 0, 3] += x
            frames[i, 1, 3] += y
            frames[i, 2, 3] += z
            continue
        # a turn adds to ω and u
        px, py, pz = here[0, 3], here[1, 3], here[2, 3]
        frames[i, 0, 2] += x
        frames[i, 1, 2] += y
        frames[i, 2, 2] += z
        frames[i, 0, 3] += py * z - pz * y
        frames[i, 1, 3] += pz * x - px * z
        frames[i, 2, 3] += px * y - py * x
    # tip
    for r in range(3):
        here[r, 0], here[r, 1], here[r, 2], here[r, 3] = row_times(frames, n, r, tool)


@kernel()
def tied_columns_into(frames: Floats, J: Floats) -> None:
    """Write the Jacobian from the frames of `tied_frames_into`."""
    # velocity of the tip: u + ω × p, and ω
    n = J.shape[1]
    px, py, pz = frames[n, 0, 3], frames[n, 1, 3], frames[n, 2, 3]
    for i in range(n):
        x, y, z = frames[i, 0, 2], frames[i, 1, 2], frames[i, 2, 2]
        J[0, i] = frames[i, 0, 3] + y * pz - z * py
        J[1, i] = frames[i, 1, 3] + z * px - x * pz
        J[2, i] = frames[i, 2, 3] + x * py - y * px
        J[3, i], J[4, i], J[5, i] = x, y, z


@kernel("void(f8[:, :, ::1], f8[:, ::1], f8[::1], f8[:, :, ::1])")
def all_frames_into(fixed: Floats, tool: Floats, q: Floats, frames: Floats) -> None:
    """Write the frames (m + 1, 3, 4) of all joints of a coupled chain, moved by them, and of the tip."""
    # joint by joint, then the tip
    m = fixed.shape[0] // 2
    for k in range(m):
        step_into(fixed, k, q, frames[max(k - 1, 0)], frames[k])
    for r in range(3):
        frames[m, r, 0], frames[m, r, 1], frames[m, r, 2], frames[m, r, 3] = row_times(frames, m - 1, r, tool)


@kernel("void(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8, f8[::1], f8[::1], f8[:, ::1])")
def tied_bend_into(
    fixed: Floats, kinds: Ints, tool: Floats, q: Floats, length: float, weights: Floats, r: Floats, K: Floats
) -> None:
    """Write K_ij = r·∂J_j/∂q_i of the scaled Jacobian: Σ m_a·m_b over the joints a, b that go with i and j.

    Args:
        fixed: (2·m, 3, 4) joints and couplings.
        kinds: (n,) kinds of the driven joints.
        tool: (3, 4) transform after the last joint.
        q: (n,) positions of the driven joints.
        length: Arm length, metres, by which the Jacobian is scaled.
        weights: (≥ 6,) of the tip's dimensions, first.
        r: (6,) the unmet part of the command.
        K: (n, n) result.
    """
    # frames of all joints
    n, m = q.shape[0], fixed.shape[0] // 2
    frames = np.empty((m + 1, 3, 4))
    all_frames_into(fixed, tool, q, frames)
    # sums start at zero
    for i in range(n):
        for j in range(n):
            K[i, j] = 0.0
    # pairs of joints, the outer one first
    for b in range(m):
        j, slide = int(fixed[m + b, 0, 0]), fixed[m + b, 0, 1] != TURNS
        zx, zy, zz = frames[b, 0, 2], frames[b, 1, 2], frames[b, 2, 2]
        # how joint b shifts the tip
        x, y, z = zx, zy, zz
        if not slide:
            dx, dy = frames[m, 0, 3] - frames[b, 0, 3], frames[m, 1, 3] - frames[b, 1, 3]
            dz = frames[m, 2, 3] - frames[b, 2, 3]
            x, y, z = zy * dz - zz * dy, zz * dx - zx * dz, zx * dy - zy * dx
        # the inner joint turns the outer one's motion
        for a in range(b + 1):
            if fixed[m + a, 0, 1] != TURNS:
                continue
            i, both = int(fixed[m + a, 0, 0]), fixed[m + a, 0, 2] * fixed[m + b, 0, 2]
            both *= (length if slides(kinds[i]) else 1.0) * (length if slides(kinds[j]) else 1.0)
            ax, ay, az = frames[a, 0, 2], frames[a, 1, 2], frames[a, 2, 2]
            # its product with the unmet command, for the shift and for the turn
            bent = weights[0] * r[0] * (ay * z - az * y) + weights[1] * r[1] * (az * x - ax * z)
            bent = (bent + weights[2] * r[2] * (ax * y - ay * x)) / length
            turned = 0.0
            if not slide:
                turned = weights[3] * r[3] * (ay * zz - az * zy) + weights[4] * r[4] * (az * zx - ax * zz)
                turned += weights[5] * r[5] * (ax * zy - ay * zx)
            # the later joint turns with the earlier one; the earlier one only shifts with the later
            K[i, j] += both * (bent + (turned if a < b else 0.0))
            if a < b:
                K[j, i] += both * bent
