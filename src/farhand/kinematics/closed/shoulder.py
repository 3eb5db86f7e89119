"""The first half of the closed form: three joints bring the centre W of a spherical wrist to a given point.

Two kinds of arms allow it, each with up to four solutions (q1, q2, q3). With w the point in joint 1's frame, before it
turns, and v the same point in the frame of joint 3:

*Parallel*: axes 2 and 3 are parallel. Along the axis h of joint 2 (in joint 1's frame) W does not move with q2 and q3,
so h·Rz(−q1)·w = height + h·p₂ gives q1. Across it joints 2 and 3 are a planar arm with links l and v:
|m|² = |l|² + |v|² + 2·l·Rot(±q3)·v, and q2 is the remaining angle.

*Meeting*: axes 1 and 2 meet in a point S. Neither changes |W − S|, so |d + Rz(q3)·v| = |W − S| gives q3, with
d from S to joint 3. In joint 2's frame W − S is then a known u, and Rz(q1)·R₂·Rz(q2)·u = w: its third row gives q2,
and q1 is the remaining angle.
"""

from __future__ import annotations

import math

from farhand.kernels import Floats, kernel
from farhand.kinematics.arithmetic.angles import nearest_turn, two_angles

__all__ = ["ALIGNED", "MEETING", "PARALLEL", "SLACK", "meeting_places", "parallel_places"]

PARALLEL, MEETING = 1, 2
ALIGNED = 1e-9  # sine of the angle between axes 4 and 6 below which they coincide; also metres from axis 1
SLACK = 1e-6  # tolerance of rounding, as a share of a length and in radians beyond a limit


@kernel()
def parallel_places(
    fixed: Floats, lower: Floats, upper: Floats, v: Floats, w: Floats, seed: Floats, length: float, places: Floats
) -> int:
    """Write every (q1, q2, q3) within the limits that brings W to w, axes 2 and 3 parallel; return how many.

    Args:
        fixed: (n, 3, 4) transforms before the joints.
        lower: (n,) lower limits.
        upper: (n,) upper limits.
        v: (3,) the wrist's centre in joint 3's own frame.
        w: (3,) its target, in joint 1's frame before that turns.
        seed: (n,) joints to stay near, radians.
        length: Metres that one radian counts as.
        places: (4, 3) result.
    """
    count, slack = 0, SLACK * length
    # σ = ±1: whether axis 3 points along axis 2 or against it; link v as seen from joint 2
    sigma = 1.0 if fixed[2, 2, 2] > 0.0 else -1.0
    lx, ly = fixed[2, 0, 3], fixed[2, 1, 3]
    vx = fixed[2, 0, 0] * v[0] + fixed[2, 0, 1] * v[1]
    vy = fixed[2, 1, 0] * v[0] + fixed[2, 1, 1] * v[1]
    height = fixed[2, 2, 3] + sigma * v[2]
    # up to two q1
    found1, first1, second1 = turn_base(fixed[1], w, height, min(max(seed[0], lower[0]), upper[0]), slack)
    for base in range(2 if found1 else 0):
        q1 = nearest_turn(first1 if base == 0 else second1, seed[0], lower[0], upper[0], SLACK)
        if math.isnan(q1) or (base == 1 and first1 == second1):
            continue
        # planar arm: up to two elbow angles for each
        mx, my = planar_target(fixed[1], w, q1)
        square = 0.5 * (mx * mx + my * my - lx * lx - ly * ly - vx * vx - vy * vy)
        # l·Rot(α)·v = (l·v)·cos α + (l × v turned)·sin α
        found3, first3, second3 = two_angles(lx * vx + ly * vy, ly * vx - lx * vy, square, slack * length)
        for elbow in range(2 if found3 else 0):
            alpha = first3 if elbow == 0 else second3
            cosine, sine = math.cos(alpha), math.sin(alpha)
            # the remaining angle, and all three within their limits
            across = math.atan2(my, mx) - math.atan2(ly + sine * vx + cosine * vy, lx + cosine * vx - sine * vy)
            q2 = nearest_turn(across, seed[1], lower[1], upper[1], SLACK)
            q3 = nearest_turn(sigma * alpha, seed[2], lower[2], upper[2], SLACK)
            if math.isnan(q2 + q3) or (elbow == 1 and first3 == second3):
                continue
            places[count, 0], places[count, 1], places[count, 2] = q1, q2, q3
            count += 1
    return count


@kernel()
def meeting_places(
    fixed: Floats, lower: Floats, upper: Floats, v: Floats, w: Floats, seed: Floats, length: float, places: Floats
) -> int:
    """Write every (q1, q2, q3) within the limits that brings W to w, axes 1 and 2 meeting; see `parallel_places`."""
    count, slack = 0, SLACK * length
    A, B = fixed[1], fixed[2]
    # S is `along` axis 2; everything below is relative to S
    along = -(A[0, 2] * A[0, 3] + A[1, 2] * A[1, 3]) / (A[0, 2] * A[0, 2] + A[1, 2] * A[1, 2])
    wz = w[2] - A[2, 3] - along * A[2, 2]
    # d in the frame of joint 3, and |W − S|
    px, py, pz = B[0, 3], B[1, 3], B[2, 3] - along
    dx, dy = B[0, 0] * px + B[1, 0] * py + B[2, 0] * pz, B[0, 1] * px + B[1, 1] * py + B[2, 1] * pz
    dz = B[0, 2] * px + B[1, 2] * py + B[2, 2] * pz
    far2 = w[0] * w[0] + w[1] * w[1] + wz * wz
    square = 0.5 * (far2 - px * px - py * py - pz * pz - v[0] * v[0] - v[1] * v[1] - v[2] * v[2]) - dz * v[2]
    # up to two q3
    found3, first3, second3 = two_angles(dx * v[0] + dy * v[1], dy * v[0] - dx * v[1], square, slack * length)
    for elbow in range(2 if found3 else 0):
        q3 = nearest_turn(first3 if elbow == 0 else second3, seed[2], lower[2], upper[2], SLACK)
        if math.isnan(q3) or (elbow == 1 and first3 == second3):
            continue
        # u = W − S in joint 2's frame
        cosine, sine = math.cos(q3), math.sin(q3)
        x, y, z = cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1], v[2]
        ux = px + B[0, 0] * x + B[0, 1] * y + B[0, 2] * z
        uy = py + B[1, 0] * x + B[1, 1] * y + B[1, 2] * z
        uz = pz + B[2, 0] * x + B[2, 1] * y + B[2, 2] * z
        # up to two q2 for each, from the third row
        found2, first2, second2 = two_angles(
            A[2, 0] * ux + A[2, 1] * uy, A[2, 1] * ux - A[2, 0] * uy, wz - A[2, 2] * uz, slack
        )
        for side in range(2 if found2 else 0):
            q2 = nearest_turn(first2 if side == 0 else second2, seed[1], lower[1], upper[1], SLACK)
            if math.isnan(q2) or (side == 1 and first2 == second2):
                continue
            # q1 is the remaining angle
            cosine, sine = math.cos(q2), math.sin(q2)
            x, y = cosine * ux - sine * uy, sine * ux + cosine * uy
            turned = math.atan2(A[1, 0] * x + A[1, 1] * y + A[1, 2] * uz, A[0, 0] * x + A[0, 1] * y + A[0, 2] * uz)
            # on axis 1 every angle is a solution: keep the seed's
            on_axis = w[0] * w[0] + w[1] * w[1] < ALIGNED * ALIGNED
            around = seed[0] if on_axis else math.atan2(w[1], w[0]) - turned
            q1 = nearest_turn(around, seed[0], lower[0], upper[0], SLACK)
            if not math.isnan(q1):
                places[count, 0], places[count, 1], places[count, 2] = q1, q2, q3
                count += 1
    return count


@kernel()
def turn_base(F: Floats, w: Floats, height: float, seed: float, slack: float) -> tuple[bool, float, float]:
    """Return whether q1 exists, and both values: h·Rz(−q1)·w = height + h·p with h and p the last two columns of F."""
    # coefficients of cosine and sine
    hx, hy, hz = F[0, 2], F[1, 2], F[2, 2]
    c = height + hx * F[0, 3] + hy * F[1, 3] + hz * (F[2, 3] - w[2])
    a, b = hx * w[0] + hy * w[1], hx * w[1] - hy * w[0]
    if a * a + b * b < ALIGNED * ALIGNED and abs(c) <= slack:
        # on axis 1 every angle is a solution: keep the seed's
        return True, seed, seed + math.pi
    return two_angles(a, b, c, slack)


@kernel()
def planar_target(F: Floats, w: Floats, q1: float) -> tuple[float, float]:
    """Return the wrist's centre in joint 2's own frame, across its axis: m = Fᵀ·(Rz(−q1)·w − p)."""
    # turn back by q1, shift, and project onto the plane across axis 2
    c, s = math.cos(q1), math.sin(q1)
    x, y, z = c * w[0] + s * w[1] - F[0, 3], c * w[1] - s * w[0] - F[1, 3], w[2] - F[2, 3]
    return F[0, 0] * x + F[1, 0] * y + F[2, 0] * z, F[0, 1] * x + F[1, 1] * y + F[2, 1] * z
