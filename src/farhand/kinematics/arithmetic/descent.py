"""One descent of the inverse kinematics: Levenberg–Marquardt from a starting point, within the joint limits.

Minimises f(q) = ‖e_position‖² + w²·‖e_rotation‖². Joints at a limit that would be pushed through it are taken out of
the step; the damping is μ·f (after Sugihara: it fades with the error, so convergence is as fast as Newton's), with μ
falling after each step that helps and rising after each one that does not.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.arithmetic.link_frames import frames_into, jacobian_into, pose_error_into

__all__ = ["DescentArm", "Work", "angle_of", "descend", "distance_of", "evaluate", "merit", "work_of", "work_size"]

AT_LIMIT = 1e-12
LEAST_DAMPING = 1e-12


class DescentArm(NamedTuple):
    """A chain and its joint limits, as kernels take them."""

    fixed: Floats
    kinds: Ints
    tool: Floats
    lower: Floats
    upper: Floats


class Work(NamedTuple):
    """Scratch of a descent; afterwards `error` belongs to the returned joints."""

    frames: Floats
    J: Floats
    error: Floats
    next_error: Floats
    H: Floats
    L: Floats
    g: Floats
    step: Floats
    free: Ints
    q_next: Floats


@kernel("i8(i8)")
def work_size(n: int) -> int:
    """Return the number of values that `work_of` needs for a chain of n joints."""
    # frames, Jacobian, errors, squares, vectors
    return int(12 * (n + 1) + 6 * n + 12 + 2 * n * n + 4 * n)


@kernel(inline=True)
def work_of(flat: Floats, n: int) -> Work:
    """Name the parts of a flat array of `work_size(n)` numbers, which must come from Python; see `view`."""
    # where each part begins
    jacobian = 12 * (n + 1)
    errors = jacobian + 6 * n
    squares = errors + 12
    lines = squares + 2 * n * n
    # name the parts; nothing is copied
    return Work(
        view(flat, 0, (n + 1, 3, 4)),
        view(flat, jacobian, (6, n)),
        view(flat, errors, (6,)),
        view(flat, errors + 6, (6,)),
        view(flat, squares, (n, n)),
        view(flat, squares + n * n, (n, n)),
        view(flat, lines, (n,)),
        view(flat, lines + n, (n,)),
        view(flat.view(np.int64), lines + 2 * n, (n,)),
        view(flat, lines + 3 * n, (n,)),
    )


@kernel(inline=True)
def distance_of(error: Floats) -> float:
    """Return the distance of a pose error, metres."""
    # its shift
    return math.sqrt(error[0] * error[0] + error[1] * error[1] + error[2] * error[2])


@kernel(inline=True)
def angle_of(error: Floats) -> float:
    """Return the angle of a pose error, radians."""
    # its rotation vector
    return math.sqrt(error[3] * error[3] + error[4] * error[4] + error[5] * error[5])


@kernel(inline=True)
def merit(error: Floats, w: float) -> float:
    """Return f = ‖e_position‖² + w²·‖e_rotation‖²."""
    # position part, then weighted rotation part
    shift = error[0] * error[0] + error[1] * error[1] + error[2] * error[2]
    return float(shift + w * w * (error[3] * error[3] + error[4] * error[4] + error[5] * error[5]))


@kernel()
def descend(
    arm: DescentArm,
    target: Floats,
    w: float,
    tolerance: float,
    budget: int | np.int64,
    least: float,
    q: Floats,
    work: Work,
) -> int:
    """Descend from q until it reaches the target, no step helps any more, or the budget is spent.

    Args:
        arm: The chain.
        target: (3, 4) or (4, 4) pose of the tip.
        w: Metres that one radian counts as.
        tolerance: Error (m and rad) at which the target counts as reached.
        budget: Largest number of iterations (np.int64: to numba a constant would be a type of its own).
        least: Stops unless four iterations bring f below this share of its value (or below 1e-6 with restarts
            to follow, i.e. least < 0.5).
        q: Starting joints, within the limits; overwritten by the best joints found.
        work: Scratch; `work.error` is the error of q afterwards.

    Returns:
        Number of iterations used.
    """
    # error at the start
    evaluate(arm, target, q, work.frames, work.error)
    f = merit(work.error, w)
    mu, f_before = 1e-2, f
    for iteration in range(budget):
        # reached
        if distance_of(work.error) <= tolerance and angle_of(work.error) <= tolerance:
            return iteration
        # joints that may move along the gradient
        jacobian_into(work.frames, arm.kinds, work.J)
        free = gradient(arm, q, w, work)
        if free == 0:
            return iteration
        # a damped step; without progress this is a minimum
        normal_matrix(w, free, work)
        mu, f_new = damped_step(arm, target, w, f, mu, free, q, work)
        if f_new >= f:
            evaluate(arm, target, q, work.frames, work.error)
            return iteration
        f = f_new
        # every fourth iteration: stop if progress is too slow
        if iteration % 4 == 3:
            if f > least * f_before and (f > 1e-6 or least > 0.5):
                return iteration
            f_before = f
    return int(budget)


@kernel(inline=True)
def evaluate(arm: DescentArm, target: Floats, q: Floats, frames: Floats, error: Floats) -> None:
    """Write the chain's frames at q and the tip's error relative to the target."""
    # frames, then the error of the last one
    frames_into(arm.fixed, arm.kinds, arm.tool, q, frames)
    pose_error_into(frames[q.shape[0]], target, error)


@kernel(inline=True)
def gradient(arm: DescentArm, q: Floats, w: float, work: Work) -> int:
    """Write g = Jᵀ·W²·e, list the joints that may move along it, and return their number."""
    J, e, w2, count = work.J, work.error, w * w, 0
    for i in range(q.shape[0]):
        # gradient of the joint
        g = J[0, i] * e[0] + J[1, i] * e[1] + J[2, i] * e[2]
        g += w2 * (J[3, i] * e[3] + J[4, i] * e[4] + J[5, i] * e[5])
        # free unless it would pass its limit
        outward = (q[i] <= arm.lower[i] + AT_LIMIT and g < 0.0) or (q[i] >= arm.upper[i] - AT_LIMIT and g > 0.0)
        if not outward:
            work.free[count] = i
            work.g[count] = g
            count += 1
    return count


@kernel(inline=True)
def normal_matrix(w: float, free: int, work: Work) -> None:
    """Write the lower half of H = Jᵀ·W²·J over the free joints."""
    J, w2 = work.J, w * w
    # one entry per pair of free joints
    for a in range(free):
        i = work.free[a]
        for b in range(a + 1):
            j = work.free[b]
            linear = J[0, i] * J[0, j] + J[1, i] * J[1, j] + J[2, i] * J[2, j]
            work.H[a, b] = linear + w2 * (J[3, i] * J[3, j] + J[4, i] * J[4, j] + J[5, i] * J[5, j])


@kernel(inline=True)
def damped_step(
    arm: DescentArm, target: Floats, w: float, f: float, mu: float, free: int, q: Floats, work: Work
) -> tuple[float, float]:
    """Try steps (H + μ·f·1)·Δ = g with rising damping until one lowers f; take it; return (μ, new f)."""
    f_new = f
    for _ in range(4):
        # step of the free joints, clamped to the limits
        solve_damped(work.H, mu * f + LEAST_DAMPING, work.g, free, work.L, work.step)
        for i in range(q.shape[0]):
            work.q_next[i] = q[i]
        for a in range(free):
            i = work.free[a]
            work.q_next[i] = min(max(q[i] + work.step[a], arm.lower[i]), arm.upper[i])
        # error after the step
        evaluate(arm, target, work.q_next, work.frames, work.next_error)
        f_new = merit(work.next_error, w)
        # it helps: take it and lower the damping
        if f_new < f:
            for i in range(q.shape[0]):
                q[i] = work.q_next[i]
            for r in range(6):
                work.error[r] = work.next_error[r]
            return max(mu * 0.3, 1e-5), f_new
        # it does not: raise the damping
        mu = min(mu * 8.0, 1e3)
    return mu, max(f_new, f)


@kernel(inline=True)
def solve_damped(H: Floats, damping: float, g: Floats, n: int, L: Floats, x: Floats) -> None:
    """Solve (H + damping·1)·x = g for the leading n by L·D·Lᵀ, with D on L's diagonal."""
    # factor
    for j in range(n):
        d = H[j, j] + damping
        for k in range(j):
            d -= L[j, k] * L[j, k] * L[k, k]
        L[j, j] = d
        for i in range(j + 1, n):
            s = H[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k] * L[k, k]
            L[i, j] = s / d
    # forward substitution
    for i in range(n):
        s = g[i]
        for k in range(i):
            s -= L[i, k] * x[k]
        x[i] = s
    # backward substitution
    for i in range(n - 1, -1, -1):
        s = x[i] / L[i, i]
        for k in range(i + 1, n):
            s -= L[k, i] * x[k]
        x[i] = s
