"""Kernels that bring a Delta's platform to a position: exactly in reach, as near as possible out of reach."""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.delta_spheres import angles_into, delta_jacobian_into, tip_of_angles
from farhand.kinematics.arithmetic.descent import solve_damped

__all__ = ["LIMIT", "REACHED", "TOO_FAR", "delta_follow", "delta_solve"]

REACHED, LIMIT, TOO_FAR = 0, 1, 2
SLACK = 1e-9  # radians by which rounding may leave a limit
SAME = 1e-9  # metres within which two positions are one
LONGEST = 0.1  # radians of one follow step
ITERATIONS = 200
LEAST_DAMPING = 1e-12


@kernel("i8(f8[::1], f8[:, ::1], f8[::1], f8[::1])")
def exact_angles(size: Floats, limits: Floats, p: Floats, q: Floats) -> int:
    """Write the angles of a position, clamped to the limits, and return whether they hold the platform there.

    Args:
        size: (e, L1, L2), metres.
        limits: (2, 3) lower and upper angles.
        p: (3,) target position.
        q: (3,) result.

    Returns:
        `REACHED`; `LIMIT` if the arms would have to leave their limits; `TOO_FAR` if they have no such angles.
    """
    # exact angles, clamped
    outcome = REACHED
    if not angles_into(size, p, q):
        outcome = TOO_FAR
    for i in range(3):
        clamped = min(max(q[i], limits[0, i]), limits[1, i])
        if abs(clamped - q[i]) > SLACK and outcome == REACHED:
            outcome = LIMIT
        q[i] = clamped
    # the other solution of the same angles lies above the plane of the elbows
    here = np.empty(3)
    if outcome == REACHED and not (tip_of_angles(size, q, here) and apart(here, p) <= SAME):
        return TOO_FAR
    return outcome


@kernel()
def apart(a: Floats, b: Floats) -> float:
    """Return |a − b|, metres."""
    # Euclidean distance
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return math.sqrt(x * x + y * y + z * z)


@kernel("Tuple((i8, f8))(f8[::1], f8[:, ::1], f8[::1], f8[::1], f8[::1])")
def delta_solve(size: Floats, limits: Floats, p: Floats, seed: Floats, q: Floats) -> tuple[int, float]:
    """Write the angles that bring the platform to p, or to the nearest position in reach.

    Out of reach, f = |p(θ) − p|² is minimised within the limits from the seed, from the angles that point best and from
    a coarse grid; the lowest result counts.

    Args:
        size: (e, L1, L2), metres.
        limits: (2, 3) lower and upper angles.
        p: (3,) target position.
        seed: (3,) angles to try first.
        q: (3,) result.

    Returns:
        The outcome (see `exact_angles`) and the remaining metres.
    """
    # in reach: the exact angles
    outcome, here, start, best = exact_angles(size, limits, p, q), np.empty(3), np.empty(3), np.inf
    if outcome == REACHED:
        tip_of_angles(size, q, here)
        return outcome, apart(here, p)
    # else descend from eight corners, the seed and the pointing angles; keep the nearest
    pointing = q.copy()
    for attempt in range(10):
        for i in range(3):
            share = 0.75 if (attempt >> i) & 1 else 0.25
            start[i] = limits[0, i] + share * (limits[1, i] - limits[0, i])
            if attempt >= 8:
                start[i] = min(max(seed[i], limits[0, i]), limits[1, i]) if attempt == 8 else pointing[i]
        distance = approach(size, limits, p, start, np.int64(ITERATIONS))
        if distance < best:
            best = distance
            for i in range(3):
                q[i] = start[i]
    # prefer the same position with the elbows outward
    tip_of_angles(size, q, here)
    if exact_angles(size, limits, here, start) == REACHED:
        for i in range(3):
            q[i] = start[i]
        tip_of_angles(size, q, here)
    return outcome, apart(here, p)


@kernel()
def approach(size: Floats, limits: Floats, p: Floats, q: Floats, budget: int | np.int64) -> float:
    """Minimise |p(θ) − p| within the limits by Levenberg–Marquardt steps; return it (infinite if q is impossible)."""
    J, H, L = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    g, step, here, moved, there = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    free = np.empty(3, np.int64)
    if not delta_jacobian_into(size, q, here, J):
        return np.inf
    # start where the arms are
    distance, mu = apart(here, p), 1e-3
    for _ in range(budget):
        # joints that may move, and their gradient
        count = free_gradient(limits, p, q, here, J, free, g)
        if count == 0 or distance <= SAME:
            return distance
        # normal matrix over them, then a damped step inside the limits
        for a in range(count):
            for b in range(a + 1):
                i, j = free[a], free[b]
                H[a, b] = J[0, i] * J[0, j] + J[1, i] * J[1, j] + J[2, i] * J[2, j]
        solve_damped(H, mu * distance * distance + LEAST_DAMPING, g, count, L, step)
        for i in range(3):
            moved[i] = q[i]
        for a in range(count):
            i = free[a]
            moved[i] = min(max(q[i] + step[a], limits[0, i]), limits[1, i])
        # a step that helps lowers the damping, one that does not raises it
        if tip_of_angles(size, moved, there) and apart(there, p) < distance:
            gained = distance - apart(there, p)
            for i in range(3):
                q[i] = moved[i]
            delta_jacobian_into(size, q, here, J)
            distance, mu = distance - gained, max(0.2 * mu, 1e-9)
            if gained < 1e-15:
                return distance
        elif mu > 1e9:
            return distance
        else:
            mu *= 10.0
    return distance


@kernel()
def free_gradient(limits: Floats, p: Floats, q: Floats, here: Floats, J: Floats, free: Ints, g: Floats) -> int:
    """Write g = Jᵀ·(p − here) over the joints that it does not push through a limit; return their number."""
    count = 0
    for i in range(3):
        # pull on the joint
        pull = J[0, i] * (p[0] - here[0]) + J[1, i] * (p[1] - here[1]) + J[2, i] * (p[2] - here[2])
        # keep it unless it pushes through a limit
        if not ((q[i] <= limits[0, i] and pull < 0.0) or (q[i] >= limits[1, i] and pull > 0.0)):
            free[count], g[count] = i, pull
            count += 1
    return count


@kernel("void(f8[::1], f8[:, ::1], f8[::1], f8[::1], f8[::1])")
def delta_follow(size: Floats, limits: Floats, p: Floats, q: Floats, moved: Floats) -> None:
    """Write the angles after one step towards a position, no angle by more than `LONGEST`.

    In reach the step leads to the exact angles, so the platform leaves the edge of the work area freely; out of reach
    it descends from the present position, so it neither jumps nor stops before the nearest position.

    Args:
        size: (e, L1, L2), metres.
        limits: (2, 3) lower and upper angles.
        p: (3,) target position.
        q: (3,) present angles.
        moved: (3,) result.
    """
    # start inside the limits
    start, goal, here = np.empty(3), np.empty(3), np.empty(3)
    for i in range(3):
        start[i] = min(max(q[i], limits[0, i]), limits[1, i])
        goal[i] = start[i]
    # the goal: exact angles, or a short descent
    outcome = exact_angles(size, limits, p, moved)
    if outcome == REACHED:
        for i in range(3):
            goal[i] = moved[i]
    else:
        approach(size, limits, p, goal, np.int64(3))
    # shorten the step to the longest one
    longest = 0.0
    for i in range(3):
        longest = max(longest, abs(goal[i] - start[i]))
    share = min(1.0, LONGEST / longest) if longest > 0.0 else 0.0
    # halve it until the arms can meet
    for _ in range(8):
        for i in range(3):
            moved[i] = start[i] + share * (goal[i] - start[i])
        if tip_of_angles(size, moved, here):
            return
        share *= 0.5
    # none fits: stay
    for i in range(3):
        moved[i] = start[i]
