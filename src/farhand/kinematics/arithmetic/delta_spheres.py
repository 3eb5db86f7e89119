"""Kernels of a Delta: the platform is where three spheres of the lower arms' length about the elbows meet.

With ∂ the direction of an arm, e = R − r and the platform moved inward by r, arm i's elbow is seen at

    c_i = (e + L1·cosθ_i)·(cos∂_i, sin∂_i, 0) + (0, 0, L1·sinθ_i),    |p − c_i| = L2    (i = 1, 2, 3).

`size` is (e, L1, L2) everywhere.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, kernel

__all__ = [
    "COS",
    "SIN",
    "angles_into",
    "delta_columns_into",
    "delta_frames_into",
    "delta_jacobian_into",
    "elbow_into",
    "tip_of_angles",
]

# cosines and sines of 210°, 330° and 90°
COS = (-math.sqrt(0.75), math.sqrt(0.75), 0.0)
SIN = (-0.5, -0.5, 1.0)
FLAT = 1e-24  # m⁴: below this the elbows are on one line, and no single point is determined
LOST = 0.01  # below this det A / L2³ the platform is nearly undetermined, and its motion is damped
DAMPING = 0.05  # largest damping, relative to the unit rows of A


@kernel()
def elbow_into(size: Floats, q: Floats, i: int, c: Floats) -> None:
    """Write the centre of arm i's sphere."""
    # distance from the axis, then the height
    out = size[0] + size[1] * math.cos(q[i])
    c[0], c[1], c[2] = out * COS[i], out * SIN[i], size[1] * math.sin(q[i])


@kernel("b1(f8[::1], f8[::1], f8[::1])")
def tip_of_angles(size: Floats, q: Floats, p: Floats) -> bool:
    """Write the lower of the two points that the three spheres share, or the point between their nearest parts.

    With a = c₂ − c₁, b = c₃ − c₁ and n = a × b (upward): the circle through the centres has its own centre at
    o = c₁ + (|a|²·b − |b|²·a) × n / 2n², and p = o − n·√((L2² − |o − c₁|²)/n²).

    Args:
        size: (e, L1, L2), metres.
        q: (3,) joint angles.
        p: (3,) result.

    Returns:
        False if the spheres share no point: no such angles can be assembled.
    """
    # a and b from the first sphere's centre
    c, a, b = np.empty(3), np.empty(3), np.empty(3)
    elbow_into(size, q, 0, c)
    elbow_into(size, q, 1, a)
    elbow_into(size, q, 2, b)
    aa, bb = 0.0, 0.0
    for r in range(3):
        a[r] -= c[r]
        b[r] -= c[r]
        aa += a[r] * a[r]
        bb += b[r] * b[r]
    # normal of the plane through the centres; on one line there is none
    nx, ny, nz = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    nn = nx * nx + ny * ny + nz * nz
    if nn < FLAT:
        p[0], p[1], p[2] = c[0], c[1], c[2]
        return False
    # centre of the circle through the centres
    tx, ty, tz = aa * b[0] - bb * a[0], aa * b[1] - bb * a[1], aa * b[2] - bb * a[2]
    half = 0.5 / nn
    ox, oy, oz = half * (ty * nz - tz * ny), half * (tz * nx - tx * nz), half * (tx * ny - ty * nx)
    # height of the point above that plane; none if the spheres are too far apart
    rest = (size[2] * size[2] - ox * ox - oy * oy - oz * oz) / nn
    h = math.sqrt(max(rest, 0.0))
    p[0], p[1], p[2] = c[0] + ox - h * nx, c[1] + oy - h * ny, c[2] + oz - h * nz
    return bool(rest >= 0.0)


@kernel("b1(f8[::1], f8[::1], f8[::1])")
def angles_into(size: Floats, p: Floats, q: Floats) -> bool:
    """Write the angles that put the platform at p, elbows outward; out of reach, those that point to it best.

    In the plane of arm i let u = p·(cos∂, sin∂, 0) − e, t the part of p across the plane, z its height. Then
    u·cosθ + z·sinθ = k with k = (u² + t² + z² + L1² − L2²)/2L1, so θ = atan2(z, u) + acos(k/√(u² + z²)).

    Args:
        size: (e, L1, L2), metres.
        p: (3,) position of the platform.
        q: (3,) result, within ±π.

    Returns:
        True if every arm has such an angle.
    """
    exists = True
    for i in range(3):
        # p in the plane of the arm, and across it
        u = p[0] * COS[i] + p[1] * SIN[i] - size[0]
        t = p[1] * COS[i] - p[0] * SIN[i]
        k = (u * u + t * t + p[2] * p[2] + size[1] * size[1] - size[2] * size[2]) / (2.0 * size[1])
        # out of reach: the cosine would exceed one
        far = math.sqrt(u * u + p[2] * p[2])
        if abs(k) > far:
            exists = False
        # elbow outward
        angle = math.atan2(p[2], u) + math.atan2(math.sqrt(max(far * far - k * k, 0.0)), k)
        q[i] = angle - 2.0 * math.pi if angle > math.pi else angle
    return exists


@kernel("b1(f8[::1], f8[::1], f8[::1], f8[:, ::1])")
def delta_jacobian_into(size: Floats, q: Floats, p: Floats, J: Floats) -> bool:
    """Write the platform's position and Jacobian (3, 3): J = A⁻¹·B.

    Differentiating |p − c_i|² = L2² gives s_i·ṗ = (s_i·∂c_i/∂θ_i)·θ̇_i with s_i = p − c_i: rows of A, diagonal of B.
    Where the lower arms are in one plane, A loses rank; there (AᵀA + λ)⁻¹·Aᵀ replaces A⁻¹.

    Args:
        size: (e, L1, L2), metres.
        q: (3,) joint angles.
        p: (3,) result.
        J: (≥ 3, 3) result in its first three rows.

    Returns:
        False if the angles cannot be assembled; the Jacobian is then that of the nearest position.
    """
    # position
    assembled = tip_of_angles(size, q, p)
    A, B, c = np.empty((3, 3)), np.empty(3), np.empty(3)
    # per arm: rod direction, and how the motor moves the elbow along it
    for i in range(3):
        elbow_into(size, q, i, c)
        cosine, sine = math.cos(q[i]), math.sin(q[i])
        for r in range(3):
            A[i, r] = (p[r] - c[r]) / size[2]
        B[i] = size[1] * (cosine * A[i, 2] - sine * (A[i, 0] * COS[i] + A[i, 1] * SIN[i]))
    # J = A⁻¹·B
    divide_into(A, B, J)
    return assembled


@kernel()
def divide_into(A: Floats, B: Floats, J: Floats) -> None:
    """Write J = A⁻¹·diag(B), damped where A, whose rows are unit vectors, loses rank."""
    # well away from singular: Cramer's rule
    near = 1.0 - abs(determinant(A)) / LOST
    if near <= 0.0:
        adjugate_into(A, J)
        scale = 1.0 / determinant(A)
        for r in range(3):
            for i in range(3):
                J[r, i] *= scale * B[i]
        return
    # near a singular position: damped normal equations
    N, I = np.empty((3, 3)), np.empty((3, 3))  # noqa: E741  the inverse of N
    for r in range(3):
        for k in range(3):
            N[r, k] = A[0, r] * A[0, k] + A[1, r] * A[1, k] + A[2, r] * A[2, k]
        N[r, r] += (DAMPING * near) ** 2
    adjugate_into(N, I)
    scale = 1.0 / determinant(N)
    for r in range(3):
        for i in range(3):
            J[r, i] = scale * B[i] * (I[r, 0] * A[i, 0] + I[r, 1] * A[i, 1] + I[r, 2] * A[i, 2])


@kernel()
def delta_frames_into(size: Floats, tool: Floats, q: Floats, frames: Floats) -> None:
    """Write the tip's frame, and for each arm the motion of its rod's end; see `frames_into`.

    frames[3] is the tip's pose. frames[i] has ∂c_i/∂θ_i in its first column, the motor's axis in its third and, in its
    last, c_i shifted by the tool: the rod is the vector from there to the tip.

    Args:
        size: (≥ 3,) (e, L1, L2), metres.
        tool: (3, 4) transform from the platform to the tip.
        q: (3,) joint angles.
        frames: (4, 3, 4) result.
    """
    # tip: the platform's position, the tool's rotation
    p, c = np.empty(3), np.empty(3)
    tip_of_angles(size, q, p)
    for r in range(3):
        for k in range(3):
            frames[3, r, k] = tool[r, k]
        frames[3, r, 3] = p[r] + tool[r, 3]
    # per arm: elbow, its motion, and the motor's axis
    for i in range(3):
        elbow_into(size, q, i, c)
        cosine, sine = size[1] * math.cos(q[i]), size[1] * math.sin(q[i])
        frames[i, 0, 0], frames[i, 1, 0], frames[i, 2, 0] = -sine * COS[i], -sine * SIN[i], cosine
        frames[i, 0, 1], frames[i, 1, 1], frames[i, 2, 1] = 0.0, 0.0, 0.0
        frames[i, 0, 2], frames[i, 1, 2], frames[i, 2, 2] = SIN[i], -COS[i], 0.0
        for r in range(3):
            frames[i, r, 3] = c[r] + tool[r, 3]


@kernel()
def delta_columns_into(frames: Floats, J: Floats) -> None:
    """Write the Jacobian (6, 3) from the frames of `delta_frames_into`; its angular half is zero."""
    # per arm: rod direction, and how the motor moves the elbow along it
    A, B = np.empty((3, 3)), np.empty(3)
    for i in range(3):
        x = frames[3, 0, 3] - frames[i, 0, 3]
        y = frames[3, 1, 3] - frames[i, 1, 3]
        z = frames[3, 2, 3] - frames[i, 2, 3]
        scale = 1.0 / math.sqrt(x * x + y * y + z * z)
        A[i, 0], A[i, 1], A[i, 2] = x * scale, y * scale, z * scale
        B[i] = A[i, 0] * frames[i, 0, 0] + A[i, 1] * frames[i, 1, 0] + A[i, 2] * frames[i, 2, 0]
    # linear half by division, angular half zero
    divide_into(A, B, J)
    for i in range(3):
        J[3, i], J[4, i], J[5, i] = 0.0, 0.0, 0.0


@kernel()
def determinant(M: Floats) -> float:
    """Return det M of a 3×3 matrix."""
    # expand along the first row
    first = M[0, 0] * (M[1, 1] * M[2, 2] - M[1, 2] * M[2, 1])
    second = M[0, 1] * (M[1, 2] * M[2, 0] - M[1, 0] * M[2, 2])
    return float(first + second + M[0, 2] * (M[1, 0] * M[2, 1] - M[1, 1] * M[2, 0]))


@kernel()
def adjugate_into(M: Floats, out: Floats) -> None:
    """Write adj M, for which M·adj M = det M·1."""
    # cofactors, transposed
    for r in range(3):
        for c in range(3):
            a, b, d, e = (c + 1) % 3, (c + 2) % 3, (r + 1) % 3, (r + 2) % 3
            out[r, c] = M[a, d] * M[b, e] - M[a, e] * M[b, d]
