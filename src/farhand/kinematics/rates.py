"""The servo's kernels: build the quadratic program of a tick, solve it, and say which limits bind."""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.bounds import rate_bounds
from farhand.kinematics.qp import qp_solve
from farhand.kinematics.rigid import TURNS, frames_into, pose_error_into
from farhand.kinematics.scratch import Scratch, carve
from farhand.kinematics.singular import (
    is_near_singular,
    normal_into_square,
    pull_into,
    scaled_jacobian,
    treat_singular,
)

__all__ = ["joint_rates", "tip_rates"]


CHAIN = "f8[:, :, ::1], i8[::1], f8[:, ::1]"


@kernel(
    f"Tuple((f8, b1))({CHAIN}, f8[:, ::1], f8[::1], f8[::1], f8[:, ::1], f8[::1], f8[:, ::1],"
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
    s = carve(scratch, q.shape[0], walls.shape[0])
    frames_into(fixed, kinds, tool, q, s.frames)
    pose_error_into(s.frames[q.shape[0]], target, error)
    pace = pace_of(error, gain, length, kinds, limits)
    if not command_into(twist, error, pace, length, s.wanted) or not finite(rates):
        stand_still(chosen, active)
        return 0.0, False
    scaled_jacobian(s.frames, kinds, length, s.J)
    normal_into_square(s.J, s.H)
    pull_into(s.J, s.wanted, s.g)
    damping = 0.0
    if is_near_singular(s):
        damping = treat_singular(kinds, limits, q, rates, length, pace, s)
    wall_rows(s.J, walls, length, s.A, s.b)
    return damping, solve(kinds, limits, q, rates, walls, dt, length, s, chosen, active, hits)


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
    scaled_jacobian(s.frames, kinds, length, s.J)
    wall_rows(s.J, walls, length, s.A, s.b)
    for i in range(n):
        for j in range(n):
            s.H[i, j] = 1.0 if i == j else 0.0
        s.g[i] = wanted[i] / scale_of(kinds[i], length)
    return solve(kinds, limits, q, rates, walls, dt, length, s, chosen, active, hits)


@kernel()
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


@kernel()
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


@kernel()
def command_into(twist: Floats, error: Floats, pace: float, length: float, wanted: Floats) -> bool:
    """Write the scaled command W·(twist + pace·error); return False if it is not finite."""
    for r in range(6):
        wanted[r] = (twist[r] + pace * error[r]) / (length if r < 3 else 1.0)
    return finite(wanted)


@kernel()
def wall_rows(J: Floats, walls: Floats, length: float, A: Floats, b: Floats) -> None:
    """Write each wall n·v ≤ speed as a row −(n·J_linear)·y ≥ −speed, in arm lengths."""
    for w in range(walls.shape[0]):
        for i in range(J.shape[1]):
            A[w, i] = -(walls[w, 0] * J[0, i] + walls[w, 1] * J[1, i] + walls[w, 2] * J[2, i])
        b[w] = -walls[w, 3] / length


@kernel()
def solve(
    kinds: Ints,
    limits: Floats,
    q: Floats,
    rates: Floats,
    walls: Floats,
    dt: float,
    length: float,
    s: Scratch,
    chosen: Floats,
    active: Ints,
    hits: Ints,
) -> bool:
    """Solve the program; where walls leave no solution, without the acceleration limits, then with walls that stand.

    With all wall speeds ≥ 0 the second attempt has one (standing still); a wall that comes nearer may need the third.
    """
    n, m = q.shape[0], walls.shape[0]
    steps = -1
    for attempt in range(3):
        rate_bounds(limits, q, rates, dt, np.int64(attempt == 0), s.low, s.high, s.why)
        for i in range(n):
            s.low[i] /= scale_of(kinds[i], length)
            s.high[i] /= scale_of(kinds[i], length)
        if attempt == 2:
            for w in range(m):
                s.b[w] = min(s.b[w], 0.0)
        steps = qp_solve(s.H, s.g, s.low, s.high, s.A, s.b, m, s.y, s.qp)
        if steps > 0:
            break
    for i in range(n):
        y = min(max(s.y[i], s.low[i]), s.high[i]) if steps > 0 else 0.0
        chosen[i] = y * scale_of(kinds[i], length)
    for i in range(n):
        active[i] = 0
    if steps > 0:
        name_limits(s, n, active, hits)
    return steps > 0 and attempt == 0


@kernel()
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
