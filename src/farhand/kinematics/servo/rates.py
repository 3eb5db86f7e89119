"""The servo's kernels: build the quadratic program of a tick, solve it, and say which limits bind."""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.arithmetic.link_frames import frames_into, pose_error_into, slides
from farhand.kinematics.servo.constants import ServoConstants, rows_of, setup_of, setup_size
from farhand.kinematics.servo.folds import let_stop, narrow_limits
from farhand.kinematics.servo.qp import qp_solve
from farhand.kinematics.servo.rate_bounds import BRAKE_SHARE, BRAKING, FOLD, rate_bounds
from farhand.kinematics.servo.scratch import Count, Scratch, carve
from farhand.kinematics.servo.singular import (
    far_from_singular,
    is_near_singular,
    normal_into_square,
    place_first,
    pull_into,
    scaled_jacobian,
    treat_singular,
)

__all__ = ["RESULT", "STATE", "finite", "follow_joints", "follow_tip", "joint_rates", "stand_still", "tip_rates"]


STATE = "f8[::1], f8[::1], f8[::1]"  # memory, joints, rates
RESULT = "f8[::1], i8[::1]"
PRESS = 1e4  # what a broken row counts, where a joint that goes on counts 1
ASIDE = 1e3  # m/s: no row with so much less in its bound binds
UNASKED = 1e4  # what a joint counts that nobody asks to move, where others count 1
PLACE = 10.0  # what the tip's place counts in addition, where its turn counts 1 and a joint ends
NEARING = 0.05  # rad from where a joint ends; as much of the arm's length, if it slides
LOST = 1e-6  # squared σ below which a joint motion does not move the tip


@kernel(f"Tuple((f8, b1, i8))({STATE}, f8[:, ::1], f8[::1], f8[:, ::1], {RESULT})")
def tip_rates(
    memory: Floats,
    q: Floats,
    rates: Floats,
    target: Floats,
    twist: Floats,
    walls: Floats,
    out: Floats,
    flags: Ints,
) -> tuple[float, bool, int]:
    """Choose rates that follow a tip pose; see `Servo.tip`.

    Args:
        memory: The servo's constants, and scratch behind them.
        q: (n,) joints.
        rates: (n,) rates of the last tick.
        target: (3, 4) or (4, 4) pose of the tip.
        twist: (6,) its velocity.
        walls: (m, 4) or (m, 7) see `Servo.tip`.
        out: (n + 12,) result: rates, error to the target, and which share of each dimension the arm lacks.
        flags: (n + m,) result: which limit binds each joint, which walls bind.

    Returns:
        The damping, whether no limit had to give way, and how many limits and walls bind.
    """
    n, m = q.shape[0], walls.shape[0]
    c, first = setup_of(memory, n), setup_size(n, rows_of(memory))
    s = carve(view(memory, first, (memory.shape[0] - first,)), n, m)
    frames_into(c.fixed, c.kinds, c.tool, q, s.frames)
    damping, feasible = follow_tip(c, q, rates, target, twist, walls, s.A, np.int64(0), s, out, flags)
    return damping, feasible, s.qp.filled[0]


@kernel(inline=True)
def follow_tip(
    c: ServoConstants,
    q: Floats,
    rates: Floats,
    target: Floats,
    twist: Floats,
    walls: Floats,
    rows: Floats,
    count: Count,
    s: Scratch,
    out: Floats,
    flags: Ints,
) -> tuple[float, bool]:
    """Choose rates that follow a tip pose within limits, walls and further rows; s.frames are the frames at q.

    Args:
        c: The servo's constants.
        q: (n,) joints.
        rates: (n,) rates of the last tick.
        target: (3, 4) pose of the tip.
        twist: (6,) its velocity.
        walls: (m, 4) or (m, 7) see `Servo.tip`.
        rows: (≥ count, n + 1) rows a·q̇ ≥ b on the joint rates: a, then b.
        count: How many of them count.
        s: Scratch for n joints and m + count rows.
        out: (n + 12,) result; see `tip_rates`.
        flags: (n + m + count,) result: which limit binds each joint, which rows bind.

    Returns:
        The damping, and whether no limit had to give way.
    """
    n, m = q.shape[0], walls.shape[0]
    chosen, error = view(out, 0, (n,)), view(out, n, (12,))
    pose_error_into(s.frames[n], target, error)
    pace = pace_of(error, c.gain, c.length, c.kinds, c.limits)
    for r in range(6):
        error[6 + r] = 0.0
    for k in range(flags.shape[0]):
        flags[k] = 0
    if not command_into(twist, error, pace, c.length, s.wanted) or not finite(rates):
        stand_still(chosen)
        return 0.0, False
    scaled_jacobian(s.frames, c.kinds, c.length, s.J)
    wall_rows(s.J, walls, c.length, s.A, s.b)
    joint_rows(c.kinds, rows, count, c.length, m, s)
    weigh(c.tasks, s)
    normal_into_square(s.J, s.H)
    pull_into(s.J, s.wanted, s.g)
    narrow_limits(c.limits, c.folds, q, s.limits)
    let_stop(c.limits, q, rates, c.dt, s.limits)
    damping, near = 0.0, is_near_singular(s)
    if near:
        damping = treat_singular(
            c.fixed, c.kinds, c.tool, c.tasks, c.limits, s.limits, q, rates, c.length, pace, s
        )  # fmt: skip
        lost_into(s, c.tasks, error)
    place = 0.0 if near else far_from_singular(s) ** 2 * nearness_of_ends(s.limits, c.kinds, q, rates, c.length)
    if place > 0.0:
        place_first(s, PLACE * place)
    add_posture(c, q, pace, s)
    # the look for singular postures has already factored H, unless it was changed since
    factored = n == 6 and not near and place == 0.0 and c.tasks[6] == 0.0
    return damping, solve(c, s.limits, q, rates, m, m + count, factored, s, chosen, flags)


@kernel(inline=True)
def nearness_of_ends(limits: Floats, kinds: Ints, q: Floats, rates: Floats, length: float) -> float:
    """Return how near a joint is to where it ends, at a limit or a fold: 0 from NEARING on, 1 where it must brake.

    It depends on where the joints are and how fast, not on what is asked: or it would come and go from tick to tick.
    """
    nearest = 0.0
    for i in range(q.shape[0]):
        brakes = rates[i] * rates[i] / (2.0 * BRAKE_SHARE * limits[3, i])
        above = limits[1, i] - q[i] - (brakes if rates[i] > 0.0 else 0.0)
        below = q[i] - limits[0, i] - (brakes if rates[i] < 0.0 else 0.0)
        nearest = max(nearest, 1.0 - min(above, below) / (NEARING * scale_of(kinds[i], length)))
    return min(nearest, 1.0)


@kernel(f"b1({STATE}, f8[::1], f8[:, ::1], {RESULT})")
def joint_rates(
    memory: Floats, q: Floats, rates: Floats, wanted: Floats, walls: Floats, chosen: Floats, flags: Ints
) -> bool:
    """Choose the rates nearest to wanted ones, see `follow_joints`; return whether it was feasible."""
    n, m = q.shape[0], walls.shape[0]
    c, first = setup_of(memory, n), setup_size(n, rows_of(memory))
    s = carve(view(memory, first, (memory.shape[0] - first,)), n, m)
    for k in range(flags.shape[0]):
        flags[k] = 0
    if not (finite(q) and finite(rates) and finite(wanted)):
        stand_still(chosen)
        return False
    if m == 0:
        clip(c, q, rates, wanted, s, chosen, flags)
        return True
    frames_into(c.fixed, c.kinds, c.tool, q, s.frames)
    return follow_joints(c, q, rates, wanted, walls, s.A, np.int64(0), s, chosen, flags)


@kernel(inline=True)
def follow_joints(
    c: ServoConstants,
    q: Floats,
    rates: Floats,
    wanted: Floats,
    walls: Floats,
    rows: Floats,
    count: Count,
    s: Scratch,
    chosen: Floats,
    flags: Ints,
) -> bool:
    """Choose the rates nearest to wanted ones within limits, walls and further rows; see `follow_tip`.

    A joint that nobody asks to move stays, unless no other can keep the rows.
    """
    n, m = q.shape[0], walls.shape[0]
    if m > 0:
        scaled_jacobian(s.frames, c.kinds, c.length, s.J)
    wall_rows(s.J, walls, c.length, s.A, s.b)
    joint_rows(c.kinds, rows, count, c.length, m, s)
    for i in range(n):
        for j in range(n):
            s.H[i, j] = 0.0
        s.H[i, i] = UNASKED if wanted[i] == 0.0 else 1.0
        s.g[i] = wanted[i] / scale_of(c.kinds[i], c.length)
    return solve(c, c.limits, q, rates, m, m + count, bool(0), s, chosen, flags)


@kernel(inline=True)
def scale_of(kind: int, length: float) -> float:
    """Return what one unit of a scaled rate is in radians or metres per second."""
    return 1.0 if not slides(kind) else length


@kernel(inline=True)
def stand_still(chosen: Floats) -> None:
    """Write zero rates."""
    for i in range(chosen.shape[0]):
        chosen[i] = 0.0


@kernel(inline=True)
def clip(c: ServoConstants, q: Floats, rates: Floats, wanted: Floats, s: Scratch, chosen: Floats, flags: Ints) -> None:
    """Write the wanted rates within their bounds: the whole program where no wall couples the joints."""
    rate_bounds(c.limits, q, rates, c.dt, np.int64(1), s.low, s.high, s.why)
    for i in range(q.shape[0]):
        chosen[i] = wanted[i]
        if wanted[i] < s.low[i]:
            chosen[i], flags[i] = s.low[i], -s.why[0, i]
        elif wanted[i] > s.high[i]:
            chosen[i], flags[i] = s.high[i], s.why[1, i]


@kernel()
def finite(values: Floats) -> bool:
    """Tell whether all values are finite."""
    for i in range(values.shape[0]):  # noqa: SIM110  numba has no all() over a generator
        if not math.isfinite(values[i]):
            return False
    return True


@kernel(inline=True)
def pace_of(error: Floats, gain: float, length: float, kinds: Ints, limits: Floats) -> float:
    """Return how fast to work the error off, 1/s: no faster than joints that approach it can brake, √(α/|e|).

    They brake with half the acceleration of the slowest one, α; |e| is the error in radians and arm lengths.
    """
    alpha = np.inf
    for i in range(kinds.shape[0]):
        alpha = min(alpha, limits[3, i] if not slides(kinds[i]) else limits[3, i] / length)
    size = 0.0
    for r in range(6):
        size += (error[r] / (length if r < 3 else 1.0)) ** 2
    return min(gain, math.sqrt(alpha / max(math.sqrt(size), 1e-9)))


@kernel(inline=True)
def command_into(twist: Floats, error: Floats, pace: float, length: float, wanted: Floats) -> bool:
    """Write the scaled command W·(twist + pace·error); return False if it is not finite."""
    for r in range(6):
        wanted[r] = (twist[r] + pace * error[r]) / (length if r < 3 else 1.0)
    return finite(wanted)


@kernel(inline=True)
def wall_rows(J: Floats, walls: Floats, length: float, A: Floats, b: Floats) -> None:
    """Write each wall n·v + t·ω ≤ speed as a row −(n·J_linear + t·J_angular)·y ≥ −speed, in arm lengths."""
    turns = walls.shape[1] > 4
    for w in range(walls.shape[0]):
        for i in range(J.shape[1]):
            A[w, i] = -(walls[w, 0] * J[0, i] + walls[w, 1] * J[1, i] + walls[w, 2] * J[2, i])
            if turns:
                A[w, i] -= (walls[w, 4] * J[3, i] + walls[w, 5] * J[4, i] + walls[w, 6] * J[5, i]) / length
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
def add_posture(c: ServoConstants, q: Floats, pace: float, s: Scratch) -> None:
    """Add the pull towards a posture: weight·‖y − pace·(posture − q)‖², no faster than the joints go."""
    weight = c.tasks[6]
    if weight <= 0.0:
        return
    for i in range(q.shape[0]):
        rate = min(max(pace * (c.tasks[7 + i] - q[i]), -c.limits[2, i]), c.limits[2, i])
        s.H[i, i] += weight
        s.g[i] += weight * rate / scale_of(c.kinds[i], c.length)


@kernel(inline=True)
def solve(
    c: ServoConstants,
    limits: Floats,
    q: Floats,
    rates: Floats,
    hard: Count,
    m: Count,
    factored: bool,
    s: Scratch,
    chosen: Floats,
    flags: Ints,
) -> bool:
    """Solve the program of m rows; where there is no solution, let limits give way, one after the other.

    First the task, and of the rows after the `hard` ones (walls) those that the present rates break: every joint
    brakes, and these rows are pressed towards their bounds as hard as the accelerations and all other rows allow. Then
    walls that they break, likewise: what slides fast cannot turn away at once, and must not run into what it slides
    along meanwhile. Then all rows after the hard ones, and every joint brakes: pressed towards bounds that walls do not
    allow, they would turn the arm about instead. Then the acceleration limits: with all wall speeds ≥ 0 there is a
    solution then (standing still). A wall that comes nearer may need the last attempt: walls that stand.
    """
    n = q.shape[0]
    steps = bounded(c, limits, q, rates, np.int64(1), m, factored, s)
    feasible = steps > 0
    if not feasible:
        steps = give_way(c, limits, q, rates, hard, m, s)
    for i in range(n):
        y = min(max(s.y[i], s.low[i]), s.high[i]) if steps > 0 else 0.0
        chosen[i] = y * scale_of(c.kinds[i], c.length)
    if steps > 0:
        name_limits(c.limits, limits, s, n, flags)
    return feasible


@kernel()
def give_way(c: ServoConstants, limits: Floats, q: Floats, rates: Floats, hard: Count, m: Count, s: Scratch) -> int:
    """Solve a program without solution after all, see `solve`; return its steps."""
    steps = -1
    if m > hard:
        steps = pressed(c, limits, q, rates, hard, m, s)
        if steps <= 0 and hard > 0:
            steps = pressed(c, limits, q, rates, np.int64(0), m, s)
        if steps <= 0:
            brake(s)
            steps = bounded(c, limits, q, rates, np.int64(1), hard, bool(0), s)
    if steps <= 0:
        steps = bounded(c, limits, q, rates, np.int64(0), m, bool(0), s)
    if steps <= 0:
        for w in range(m):
            s.b[w] = min(s.b[w], 0.0)
        steps = bounded(c, limits, q, rates, np.int64(0), m, bool(0), s)
    return steps


@kernel()
def pressed(c: ServoConstants, limits: Floats, q: Floats, rates: Floats, first: Count, m: Count, s: Scratch) -> int:
    """Solve the program of m rows with those from the first on pressed that the present rates break; see `press`."""
    press(c.kinds, rates, first, m, c.length, s)
    steps: int = bounded(c, limits, q, rates, np.int64(1), m, bool(0), s)
    for w in range(first, m):
        if s.b[w] < -0.5 * ASIDE:
            s.b[w] += ASIDE
    return steps


@kernel(inline=True)
def bounded(
    c: ServoConstants, limits: Floats, q: Floats, rates: Floats, accelerate: Count, m: Count, factored: bool, s: Scratch
) -> int:
    """Solve the program with the first m rows, with acceleration limits (1) or without (0); return its steps."""
    rate_bounds(limits, q, rates, c.dt, accelerate, s.low, s.high, s.why)
    for i in range(q.shape[0]):
        if slides(c.kinds[i]):
            s.low[i] /= c.length
            s.high[i] /= c.length
    return qp_solve(s.H, s.g, s.low, s.high, s.A, s.b, m, factored, s.y, s.qp)


@kernel()
def brake(s: Scratch) -> None:
    """Replace the task by ‖y‖²: every joint brakes."""
    for i in range(s.g.shape[0]):
        s.g[i] = 0.0
        for j in range(s.g.shape[0]):
            s.H[i, j] = 1.0 if i == j else 0.0


@kernel()
def press(kinds: Ints, rates: Floats, first: Count, last: Count, length: float, s: Scratch) -> None:
    """Replace the task by ‖y‖² + PRESS·Σ (a·y − b)², over those of some rows that the present rates break.

    These rows are laid aside, their bounds too low to bind.
    """
    n = rates.shape[0]
    brake(s)
    for w in range(first, last):
        slack = -s.b[w]
        for i in range(n):
            slack += s.A[w, i] * rates[i] / scale_of(kinds[i], length)
        if slack < 0.0:
            for i in range(n):
                s.g[i] += PRESS * s.A[w, i] * s.b[w]
                for j in range(n):
                    s.H[i, j] += PRESS * s.A[w, i] * s.A[w, j]
            s.b[w] -= ASIDE


@kernel(inline=True)
def name_limits(limits: Floats, narrow: Floats, s: Scratch, n: int, flags: Ints) -> None:
    """Write which limit binds each joint, and mark the rows that bind; a limit that was narrowed is a fold."""
    for k in range(s.qp.filled[0]):
        p = s.qp.active[k]
        if p < n:
            folded = s.why[0, p] == BRAKING and narrow[0, p] > limits[0, p]
            flags[p] = -FOLD if folded else -s.why[0, p]
        elif p < 2 * n:
            folded = s.why[1, p - n] == BRAKING and narrow[1, p - n] < limits[1, p - n]
            flags[p - n] = FOLD if folded else s.why[1, p - n]
        else:
            flags[p - n] = 1
