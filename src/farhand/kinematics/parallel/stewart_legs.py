"""Kernels of a platform on six legs: their lengths at a pose, the pose at given lengths, and the nearest pose in reach.

`anchors` (2, 6, 3) are the legs' ends on the base and on the platform, each in its own frame. At a pose (p, R) leg i
is the vector l_i = p + R·b_i − a_i, with n_i its direction, and its rate is n_i·v + (R·b_i × n_i)·ω: the rows of A.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.descent import angle_of, distance_of, merit, solve_damped
from farhand.kinematics.arithmetic.link_frames import pose_error_into

__all__ = ["legs_fit", "legs_follow", "legs_jacobian", "legs_solve"]

SETTLED = 1e-12  # metres of leg length left at convergence
SAME = 1e-9  # metres and radians within which two poses are one
SLACK = 1e-12  # metres by which rounding may leave a limit
NEWTON = 40  # largest number of steps from home to a pose
TURN_STEP = 0.5  # largest radians, and share of the height, of a Newton step
ITERATIONS = 80
LONGEST = 0.01  # metres of one follow step
POSITION_FIRST = 0.03  # weight of rotation, as a share, where position comes first
LEAST_DAMPING = 1e-12


@kernel("b1(f8[:, :, ::1], f8[:, ::1], f8[::1], f8[:, ::1])")
def legs_fit(anchors: Floats, home: Floats, q: Floats, T: Floats) -> bool:
    """Write the pose (3, 4) of legs of these lengths, by Newton's method from home; return false if none is found.

    Args:
        anchors: (2, 6, 3) ends of the legs.
        home: (3, 4) pose to start from; it selects one of several poses with these lengths.
        q: (6,) lengths, metres.
        T: (3, 4) result.
    """
    # start at home
    A, step = np.empty((6, 6)), np.empty((6, 1))
    for r in range(3):
        for c in range(4):
            T[r, c] = home[r, c]
    longest = TURN_STEP * math.sqrt(home[0, 3] ** 2 + home[1, 3] ** 2 + home[2, 3] ** 2)
    # each step: the error of the legs' lengths
    for _ in range(NEWTON):
        rows_into(anchors, T, A, step[:, 0])
        worst = 0.0
        for i in range(6):
            step[i, 0] = q[i] - step[i, 0]
            worst = max(worst, abs(step[i, 0]))
        if worst <= SETTLED:
            return True
        # the pose change that removes it
        if not solve_square(A, step):
            return False
        # cap the step, and apply it
        shift = math.sqrt(step[0, 0] ** 2 + step[1, 0] ** 2 + step[2, 0] ** 2)
        turn = math.sqrt(step[3, 0] ** 2 + step[4, 0] ** 2 + step[5, 0] ** 2)
        share = min(1.0, longest / max(shift, 1e-300), TURN_STEP / max(turn, 1e-300))
        move(T, share, step[:, 0])
    return False


@kernel()
def rows_into(anchors: Floats, T: Floats, A: Floats, lengths: Floats) -> None:
    """Write the legs' lengths at a pose and A, with the legs' rates = A·(v, ω) in base axes at the platform."""
    # end on the platform, turned into base axes
    for i in range(6):
        bx, by, bz = anchors[1, i, 0], anchors[1, i, 1], anchors[1, i, 2]
        rx = T[0, 0] * bx + T[0, 1] * by + T[0, 2] * bz
        ry = T[1, 0] * bx + T[1, 1] * by + T[1, 2] * bz
        rz = T[2, 0] * bx + T[2, 1] * by + T[2, 2] * bz
        # leg vector, length and direction
        x = T[0, 3] + rx - anchors[0, i, 0]
        y = T[1, 3] + ry - anchors[0, i, 1]
        z = T[2, 3] + rz - anchors[0, i, 2]
        length = max(math.sqrt(x * x + y * y + z * z), 1e-300)
        lengths[i] = length
        x, y, z = x / length, y / length, z / length
        # row of A
        A[i, 0], A[i, 1], A[i, 2] = x, y, z
        A[i, 3], A[i, 4], A[i, 5] = ry * z - rz * y, rz * x - rx * z, rx * y - ry * x


@kernel()
def move(T: Floats, share: float, step: Floats) -> None:
    """Shift and rotate a pose by a share of a step in base axes: p += v, R ← exp(ω)·R by Rodrigues' formula."""
    # factors of Rodrigues' formula, by their limits for small angles
    x, y, z = share * step[3], share * step[4], share * step[5]
    angle = math.sqrt(x * x + y * y + z * z)
    s = math.sin(angle) / angle if angle > 1e-8 else 1.0
    c = (1.0 - math.cos(angle)) / (angle * angle) if angle > 1e-4 else 0.5
    # shift
    for r in range(3):
        T[r, 3] += share * step[r]
    # rotate each column
    for k in range(3):
        a, b, d = T[0, k], T[1, k], T[2, k]
        # ω × column, and ω × that
        u, v, w = y * d - z * b, z * a - x * d, x * b - y * a
        T[0, k] = a + s * u + c * (y * w - z * v)
        T[1, k] = b + s * v + c * (z * u - x * w)
        T[2, k] = d + s * w + c * (x * v - y * u)


@kernel()
def solve_square(A: Floats, B: Floats) -> bool:
    """Replace B by A⁻¹·B, by elimination with pivots; A is overwritten. Return false if A is singular."""
    n, m = A.shape[0], B.shape[1]
    # largest entry of the column becomes the pivot
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[pivot, k]):
                pivot = i
        if not abs(A[pivot, k]) > 1e-9:
            return False
        # swap rows
        for j in range(n):
            A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
        for j in range(m):
            B[k, j], B[pivot, j] = B[pivot, j], B[k, j]
        # eliminate the column from all other rows
        for i in range(n):
            if i != k:
                factor = A[i, k] / A[k, k]
                for j in range(k, n):
                    A[i, j] -= factor * A[k, j]
                for j in range(m):
                    B[i, j] -= factor * B[k, j]
    # divide by the diagonal
    for i in range(n):
        for j in range(m):
            B[i, j] /= A[i, i]
    return True


@kernel("b1(f8[:, :, ::1], f8[:, ::1], f8[::1], f8[:, ::1], f8[:, ::1])")
def legs_jacobian(anchors: Floats, home: Floats, q: Floats, T: Floats, J: Floats) -> bool:
    """Write the pose (3, 4) of these lengths and J = A⁻¹ (6, 6) there; return false if there is none."""
    # pose
    if not legs_fit(anchors, home, q, T):
        return False
    # invert its A
    A, lengths = np.empty((6, 6)), np.empty(6)
    rows_into(anchors, T, A, lengths)
    for i in range(6):
        for j in range(6):
            J[i, j] = 1.0 if i == j else 0.0
    return solve_square(A, J)


@kernel()
def exact_legs(anchors: Floats, home: Floats, limits: Floats, target: Floats, q: Floats) -> bool:
    """Write the legs' lengths at a pose, clamped to their limits, and return whether they hold the platform at it."""
    # lengths at the pose, clamped
    A, T, error = np.empty((6, 6)), np.empty((3, 4)), np.empty(6)
    rows_into(anchors, target, A, q)
    within = True
    for i in range(6):
        clamped = min(max(q[i], limits[0, i]), limits[1, i])
        within = within and abs(clamped - q[i]) <= SLACK
        q[i] = clamped
    # turned too far, the same lengths belong to another pose, which the legs would reach instead
    if not (within and legs_fit(anchors, home, q, T)):
        return False
    # compare that pose with the target
    pose_error_into(T, target, error)
    return distance_of(error) <= SAME and angle_of(error) <= SAME


@kernel("Tuple((f8, f8))(f8[:, :, ::1], f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[::1], f8, f8[::1])")
def legs_solve(
    anchors: Floats, home: Floats, limits: Floats, target: Floats, seed: Floats, length: float, q: Floats
) -> tuple[float, float]:
    """Write the lengths that bring the platform to a pose, or to the nearest pose in reach, position first.

    Out of reach, f = |e_position|² + w²·|e_rotation|² is minimised within the limits from the seed, from home and from
    the clamped lengths; the lowest result counts.

    Args:
        anchors: (2, 6, 3) ends of the legs.
        home: (3, 4) pose in the middle.
        limits: (2, 6) shortest and longest lengths.
        target: (3, 4) or (4, 4) pose.
        seed: (6,) lengths to try first.
        length: Metres that one radian counts as.
        q: (6,) result.

    Returns:
        The remaining metres and radians, by forward kinematics.
    """
    # out of reach: descend from three starts and keep the best
    T, error, start, best = np.empty((3, 4)), np.empty(6), np.empty(6), np.inf
    if not exact_legs(anchors, home, limits, target, q):
        clamped = q.copy()
        for attempt in range(3):
            for i in range(6):
                start[i] = 0.5 * (limits[0, i] + limits[1, i])
                if attempt == 0:
                    start[i] = min(max(seed[i], limits[0, i]), limits[1, i])
                elif attempt == 1:
                    start[i] = clamped[i]
            left = approach(anchors, home, limits, target, length, start, np.int64(ITERATIONS))
            if left < best:
                best = left
                for i in range(6):
                    q[i] = start[i]
        # position first: lower the weight of rotation in two steps
        approach(anchors, home, limits, target, POSITION_FIRST * length, q, np.int64(ITERATIONS))
        approach(anchors, home, limits, target, POSITION_FIRST**2 * length, q, np.int64(ITERATIONS))
    # measure by forward kinematics
    legs_fit(anchors, home, q, T)
    pose_error_into(T, target, error)
    return distance_of(error), angle_of(error)


@kernel()
def approach(
    anchors: Floats, home: Floats, limits: Floats, target: Floats, w: float, q: Floats, budget: int | np.int64
) -> float:
    """Minimise |e_position|² + w²·|e_rotation|² within the limits; return it (infinite if q has no pose)."""
    J, H, L, T = np.empty((6, 6)), np.empty((6, 6)), np.empty((6, 6)), np.empty((3, 4))
    error, g, step, moved, free = np.empty(6), np.empty(6), np.empty(6), np.empty(6), np.empty(6, np.int64)
    # start where the legs are
    if not legs_jacobian(anchors, home, q, T, J):
        return np.inf
    pose_error_into(T, target, error)
    f, mu = merit(error, w), 1e-3
    for _ in range(budget):
        # legs that may move, and their gradient
        count = free_legs(limits, q, error, J, w, free, g)
        if count == 0 or f <= SAME * SAME:
            return f
        # normal matrix over them, then a damped step inside the limits
        normal_legs(J, w, free, count, H)
        solve_damped(H, mu * f + LEAST_DAMPING, g, count, L, step)
        for i in range(6):
            moved[i] = q[i]
        for a in range(count):
            i = free[a]
            moved[i] = min(max(q[i] + step[a], limits[0, i]), limits[1, i])
        # error after the step
        lower = np.inf
        if legs_fit(anchors, home, moved, T):
            pose_error_into(T, target, error)
            lower = merit(error, w)
        # a step that helps lowers the damping, one that does not raises it
        if lower < f:
            gained = f - lower
            for i in range(6):
                q[i] = moved[i]
            f, mu = lower, max(0.2 * mu, 1e-9)
            if gained < 1e-18:
                return f
        elif mu > 1e9:
            return f
        else:
            mu *= 10.0
        # Jacobian and error at the accepted lengths
        legs_jacobian(anchors, home, q, T, J)
        pose_error_into(T, target, error)
    return f


@kernel()
def free_legs(limits: Floats, q: Floats, error: Floats, J: Floats, w: float, free: Ints, g: Floats) -> int:
    """Write g = Jᵀ·W²·e over the legs that it does not push through a limit; return their number."""
    count, w2 = 0, w * w
    # pull on each leg
    for i in range(6):
        pull = J[0, i] * error[0] + J[1, i] * error[1] + J[2, i] * error[2]
        pull += w2 * (J[3, i] * error[3] + J[4, i] * error[4] + J[5, i] * error[5])
        # keep it unless it pushes through a limit
        if not ((q[i] <= limits[0, i] and pull < 0.0) or (q[i] >= limits[1, i] and pull > 0.0)):
            free[count], g[count] = i, pull
            count += 1
    return count


@kernel()
def normal_legs(J: Floats, w: float, free: Ints, count: int, H: Floats) -> None:
    """Write the lower half of H = Jᵀ·W²·J over the free legs."""
    # one entry per pair of free legs
    w2 = w * w
    for a in range(count):
        for b in range(a + 1):
            i, j = free[a], free[b]
            linear = J[0, i] * J[0, j] + J[1, i] * J[1, j] + J[2, i] * J[2, j]
            H[a, b] = linear + w2 * (J[3, i] * J[3, j] + J[4, i] * J[4, j] + J[5, i] * J[5, j])


@kernel("void(f8[:, :, ::1], f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[::1], f8, f8[::1])")
def legs_follow(
    anchors: Floats, home: Floats, limits: Floats, target: Floats, q: Floats, length: float, moved: Floats
) -> None:
    """Write the lengths after one step towards a pose, no leg by more than `LONGEST`.

    In reach the step leads to the exact lengths; out of reach it descends from the present pose, so it neither jumps
    nor stops before the nearest pose.

    Args:
        anchors: (2, 6, 3) ends of the legs.
        home: (3, 4) pose in the middle.
        limits: (2, 6) shortest and longest lengths.
        target: (3, 4) or (4, 4) pose.
        q: (6,) present lengths, metres.
        length: Metres that one radian counts as.
        moved: (6,) result.
    """
    # start inside the limits
    start, goal, T = np.empty(6), np.empty(6), np.empty((3, 4))
    for i in range(6):
        start[i] = min(max(q[i], limits[0, i]), limits[1, i])
    # the goal: exact lengths, or a short descent
    if not exact_legs(anchors, home, limits, target, goal):
        for i in range(6):
            goal[i] = start[i]
        approach(anchors, home, limits, target, length, goal, np.int64(3))
    # shorten the step to the longest one
    longest = 0.0
    for i in range(6):
        longest = max(longest, abs(goal[i] - start[i]))
    share = min(1.0, LONGEST / longest) if longest > 0.0 else 0.0
    # halve it until the legs hold a platform
    for _ in range(8):
        for i in range(6):
            moved[i] = start[i] + share * (goal[i] - start[i])
        if legs_fit(anchors, home, moved, T):
            return
        share *= 0.5
    # none fits: stay
    for i in range(6):
        moved[i] = start[i]
