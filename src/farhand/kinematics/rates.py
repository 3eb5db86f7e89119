"""The servo's kernels: build the quadratic program of a tick, solve it, and say which limits bind."""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.bounds import rate_bounds
from farhand.kinematics.qp import qp_solve
from farhand.kinematics.rigid import TURNS, frames_into, pose_error_into
from farhand.kinematics.scratch import Count, Scratch, carve
from farhand.kinematics.singular import (
    is_near_singular,
    normal_into_square,
    pull_into,
    scaled_jacobian,
    treat_singular,
)

__all__ = ["finite", "follow_joints", "follow_tip", "joint_rates", "stand_still", "tip_rates"]


CHAIN = "f8[:, :, ::1], i8[::1], f8[:, ::1]"
PRESS = 1e4  # what a broken row counts, where a joint that goes on counts 1
LOST = 1e-6  # squared σ below which a joint motion does not move the tip


@kernel(
    f"Tuple((f8, b1))({CHAIN}, f8[:, ::1], f8[::1], f8[::1], f8[:, ::1], f8[::1], f8[:, ::1], f8[::1],"
    f" f8, f8, f8, f8[::1], f8[::1], f8[::1], i8[::1], i8[::1])"
)
def tip_rates(
    fixed: Floats,
    kinds: Ints,
    tool: Floats,
    limits: Floats,
    q: Floats,
    rates: Floats,
    target: Floats,
    twist: Floats,
    walls: Floats,
    tasks: Floats,
    dt: float,
    gain: float,
    length: float,
    scratch: Floats,
    chosen: Floats,
    error: Floats,
    active: Ints,
    hits: Ints,
) -> tuple[float, bool]:
    """Choose rates that follow a tip pose; see `Servo.tip`. Returns damping and whether it was feasible."""
    n = q.shape[0]
    s = carve(scratch, n, walls.shape[0])
    frames_into(fixed, kinds, tool, q, s.frames)
    none = np.empty((0, n + 1))
    return follow_tip(
        kinds, limits, q, rates, target, twist, walls, none, np.int64(0), tasks, dt, gain, length, s, chosen, error,
        active, hits,
    )  # fmt: skip


@kernel(inline=True)
def follow_tip(
    kinds: Ints,
    limits: Floats,
    q: Floats,
    rates: Floats,
    target: Floats,
    twist: Floats,
    walls: Floats,
    rows: Floats,
    count: Count,
    tasks: Floats,
    dt: float,
    gain: float,
    length: float,
    s: Scratch,
    chosen: Floats,
    error: Floats,
    active: Ints,
    hits: Ints,
) -> tuple[float, bool]:
    """Choose rates that follow a tip pose within limits, walls and further rows; s.frames are the frames at q.

    Args:
        kinds: (n,) kinds of joints.
        limits: (5, n) see `JointLimits.table`.
        q: (n,) joints.
        rates: (n,) rates of the last tick.
        target: (3, 4) pose of the tip.
        twist: (6,) its velocity.
        walls: (m, 4) see `Servo.tip`.
        rows: (≥ count, n + 1) rows a·q̇ ≥ b on the joint rates: a, then b.
        count: How many of them count.
        tasks: (7 + n,) weights of the tip's six dimensions, weight of the posture, and the posture.
        dt: Seconds of a tick.
        gain: 1/s.
        length: Arm length, metres.
        s: Scratch for n joints and m + count rows.
        chosen: (n,) result.
        error: (12,) result: shift and turn to the target, and which share of each dimension the arm lacks.
        active: (n,) result: which limit binds each joint.
        hits: (m + count,) result: which rows bind.

    Returns:
        The damping, and whether no limit had to give way.
    """
    n, m = q.shape[0], walls.shape[0]
    pose_error_into(s.frames[n], target, error)
    pace = pace_of(error, gain, length, kinds, limits)
    for r in range(6):
        error[6 + r] = 0.0
    if not command_into(twist, error, pace, length, s.wanted) or not finite(rates):
        stand_still(chosen, active)
        return 0.0, False
    scaled_jacobian(s.frames, kinds, length, s.J)
    wall_rows(s.J, walls, length, s.A, s.b)
    joint_rows(kinds, rows, count, length, m, s)
    weigh(tasks, s)
    normal_into_square(s.J, s.H)
    pull_into(s.J, s.wanted, s.g)
    damping = 0.0
    if is_near_singular(s):
        damping = treat_singular(kinds, limits, q, rates, length, pace, s)
        lost_into(s, tasks, error)
    add_posture(kinds, limits, q, tasks, pace, length, s)
    return damping, solve(kinds, limits, q, rates, m, m + count, dt, length, s, chosen, active, hits)


@kernel(f"b1({CHAIN}, f8[:, ::1], f8[::1], f8[::1], f8[::1], f8[:, ::1], f8, f8, f8[::1], f8[::1], i8[::1], i8[::1])")
def joint_rates(
    fixed: Floats,
    kinds: Ints,
    tool: Floats,
    limits: Floats,
    q: Floats,
    rates: Floats,
    wanted: Floats,
    walls: Floats,
    dt: float,
    length: float,
    scratch: Floats,
    chosen: Floats,
    active: Ints,
    hits: Ints,
) -> bool:
    """Choose the rates nearest to wanted ones: H = 1, g = wanted. Returns whether it was feasible."""
    n = q.shape[0]
    s = carve(scratch, n, walls.shape[0])
    if not (finite(q) and finite(rates) and finite(wanted)):
        stand_still(chosen, active)
        return False
    if walls.shape[0] == 0:
        clip(limits, q, rates, wanted, dt, s, chosen, active)
        return True
    frames_into(fixed, kinds, tool, q, s.frames)
    none = np.empty((0, n + 1))
    return follow_joints(kinds, limits, q, rates, wanted, walls, none, np.int64(0), dt, length, s, chosen, active, hits)


@kernel(inline=True)
def follow_joints(
    kinds: Ints,
    limits: Floats,
    q: Floats,
    rates: Floats,
    wanted: Floats,
    walls: Floats,
    rows: Floats,
    count: Count,
    dt: float,
    length: float,
    s: Scratch,
    chosen: Floats,
    active: Ints,
    hits: Ints,
) -> bool:
    """Choose the rates nearest to wanted ones within limits, walls and further rows; see `follow_tip`."""
    n, m = q.shape[0], walls.shape[0]
    if m > 0:
        scaled_jacobian(s.frames, kinds, length, s.J)
    wall_rows(s.J, walls, length, s.A, s.b)
    joint_rows(kinds, rows, count, length, m, s)
    for i in range(n):
        for j in range(n):
            s.H[i, j] = 1.0 if i == j else 0.0
        s.g[i] = wanted[i] / scale_of(kinds[i], length)
    return solve(kinds, limits, q, rates, m, m + count, dt, length, s, chosen, active, hits)


@kernel(inline=True)
def scale_of(kind: int, length: float) -> float:
    """Return what one unit of a scaled rate is in radians or metres per second."""
    return 1.0 if kind == TURNS else length


@kernel()
def stand_still(chosen: Floats, active: Ints) -> None:
    """Write zero rates that nothing limits."""
    for i in range(chosen.shape[0]):
        chosen[i], active[i] = 0.0, 0


@kernel()
def clip(
    limits: Floats, q: Floats, rates: Floats, wanted: Floats, dt: float, s: Scratch, chosen: Floats, active: Ints
) -> None:
    """Write the wanted rates within their bounds: the whole program where no wall couples the joints."""
    rate_bounds(limits, q, rates, dt, np.int64(1), s.low, s.high, s.why)
    for i in range(q.shape[0]):
        chosen[i], active[i] = wanted[i], 0
        if wanted[i] < s.low[i]:
            chosen[i], active[i] = s.low[i], -s.why[0, i]
        elif wanted[i] > s.high[i]:
            chosen[i], active[i] = s.high[i], s.why[1, i]


@kernel()
def finite(values: Floats) -> bool:
    """Tell whether all values are finite."""
    for i in range(values.shape[0]):  # noqa: SIM110  numba has no all() over a generator
        if not math.isfinite(values[i]):
            return False
    return True


@kernel(inline=True)
def pace_of(error: Floats, gain: float, length: float, kinds: Ints, limits: Floats) -> float:
    """Return how fast to work the error off, 1/s: no faster than joints that approach it can brake, √(2·α/|e|).

    α is half the slowest joint's acceleration, |e| the error in radians and arm lengths.
    """
    alpha = np.inf
    for i in range(kinds.shape[0]):
        alpha = min(alpha, 0.5 * limits[3, i] / scale_of(kinds[i], length))
    size = 0.0
    for r in range(6):
        size += (error[r] / (length if r < 3 else 1.0)) ** 2
    return min(gain, math.sqrt(2.0 * alpha / max(math.sqrt(size), 1e-9)))


@kernel(inline=True)
def command_into(twist: Floats, error: Floats, pace: float, length: float, wanted: Floats) -> bool:
    """Write the scaled command W·(twist + pace·error); return False if it is not finite."""
    for r in range(6):
        wanted[r] = (twist[r] + pace * error[r]) / (length if r < 3 else 1.0)
    return finite(wanted)


@kernel(inline=True)
def wall_rows(J: Floats, walls: Floats, length: float, A: Floats, b: Floats) -> None:
    """Write each wall n·v ≤ speed as a row −(n·J_linear)·y ≥ −speed, in arm lengths."""
    for w in range(walls.shape[0]):
        for i in range(J.shape[1]):
            A[w, i] = -(walls[w, 0] * J[0, i] + walls[w, 1] * J[1, i] + walls[w, 2] * J[2, i])
        b[w] = -walls[w, 3] / length


@kernel(inline=True)
def joint_rows(kinds: Ints, rows: Floats, count: Count, length: float, m: Count, s: Scratch) -> None:
    """Append rows on the joint rates behind the m walls, in scaled rates."""
    n = kinds.shape[0]
    for k in range(count):
        for i in range(n):
            s.A[m + k, i] = rows[k, i] * scale_of(kinds[i], length)
        s.b[m + k] = rows[k, n]


@kernel(inline=True)
def weigh(tasks: Floats, s: Scratch) -> None:
    """Weigh the tip's dimensions: rows of J and of the command."""
    for r in range(6):
        if tasks[r] != 1.0:
            s.wanted[r] *= tasks[r]
            for i in range(s.J.shape[1]):
                s.J[r, i] *= tasks[r]


@kernel()
def lost_into(s: Scratch, tasks: Floats, error: Floats) -> None:
    """Write which share of each dimension no joint motion serves: 1 − Σ_k (J·v_k)²/σ_k² over the v_k that move the tip.

    A dimension without weight is not asked for and so not lost.
    """
    n = s.J.shape[1]
    for r in range(6):
        served = 0.0
        for k in range(n):
            if s.D[k, k] > LOST:
                along = 0.0
                for i in range(n):
                    along += s.J[r, i] * s.V[i, k]
                served += along * along / s.D[k, k]
        error[6 + r] = min(max(1.0 - served, 0.0), 1.0) if tasks[r] > 0.0 else 0.0


@kernel(inline=True)
def add_posture(kinds: Ints, limits: Floats, q: Floats, tasks: Floats, pace: float, length: float, s: Scratch) -> None:
    """Add the pull towards a posture: weight·‖y − pace·(posture − q)‖², no faster than the joints go."""
    weight = tasks[6]
    if weight <= 0.0:
        return
    for i in range(q.shape[0]):
        rate = min(max(pace * (tasks[7 + i] - q[i]), -limits[2, i]), limits[2, i])
        s.H[i, i] += weight
        s.g[i] += weight * rate / scale_of(kinds[i], length)


@kernel(inline=True)
def solve(
    kinds: Ints,
    limits: Floats,
    q: Floats,
    rates: Floats,
    hard: Count,
    m: Count,
    dt: float,
    length: float,
    s: Scratch,
    chosen: Floats,
    active: Ints,
    hits: Ints,
) -> bool:
    """Solve the program of m rows; where there is no solution, let limits give way, one after the other.

    First the task and the rows after the `hard` ones (walls): every joint brakes, and rows that are broken are pressed
    towards their bounds, as hard as the accelerations allow. Then the acceleration limits: with all wall speeds ≥ 0
    there is a solution then (standing still). A wall that comes nearer may need the last attempt: walls that stand.
    """
    n = q.shape[0]
    steps = bounded(kinds, limits, q, rates, np.int64(1), m, dt, length, s)
    feasible = steps > 0
    if not feasible and m > hard:
        press(kinds, rates, hard, m, length, s)
        steps = bounded(kinds, limits, q, rates, np.int64(1), hard, dt, length, s)
    if steps <= 0:
        steps = bounded(kinds, limits, q, rates, np.int64(0), m, dt, length, s)
    if steps <= 0:
        for w in range(m):
            s.b[w] = min(s.b[w], 0.0)
        steps = bounded(kinds, limits, q, rates, np.int64(0), m, dt, length, s)
    for i in range(n):
        y = min(max(s.y[i], s.low[i]), s.high[i]) if steps > 0 else 0.0
        chosen[i] = y * scale_of(kinds[i], length)
        active[i] = 0
    if steps > 0:
        name_limits(s, n, active, hits)
    return feasible


@kernel(inline=True)
def bounded(
    kinds: Ints,
    limits: Floats,
    q: Floats,
    rates: Floats,
    accelerate: Count,
    m: Count,
    dt: float,
    length: float,
    s: Scratch,
) -> int:
    """Solve the program with the first m rows, with acceleration limits (1) or without (0); return its steps."""
    rate_bounds(limits, q, rates, dt, accelerate, s.low, s.high, s.why)
    for i in range(q.shape[0]):
        s.low[i] /= scale_of(kinds[i], length)
        s.high[i] /= scale_of(kinds[i], length)
    return qp_solve(s.H, s.g, s.low, s.high, s.A, s.b, m, s.y, s.qp)


@kernel()
def press(kinds: Ints, rates: Floats, first: Count, last: Count, length: float, s: Scratch) -> None:
    """Replace the task by ‖y‖² + PRESS·Σ (a·y − b)², over those of some rows that the present rates break."""
    n = rates.shape[0]
    for i in range(n):
        s.g[i] = 0.0
        for j in range(n):
            s.H[i, j] = 1.0 if i == j else 0.0
    for w in range(first, last):
        slack = -s.b[w]
        for i in range(n):
            slack += s.A[w, i] * rates[i] / scale_of(kinds[i], length)
        if slack < 0.0:
            for i in range(n):
                s.g[i] += PRESS * s.A[w, i] * s.b[w]
                for j in range(n):
                    s.H[i, j] += PRESS * s.A[w, i] * s.A[w, j]


@kernel(inline=True)
def name_limits(s: Scratch, n: int, active: Ints, hits: Ints) -> None:
    """Write which limit binds each joint, and mark the walls that bind."""
    for k in range(s.qp.filled[0]):
        p = s.qp.active[k]
        if p < n:
            active[p] = -s.why[0, p]
        elif p < 2 * n:
            active[p - n] = s.why[1, p - n]
        else:
            hits[p - 2 * n] = 1
