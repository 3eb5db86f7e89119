"""The servo's kernels: build the quadratic program of a tick, solve it, and name the limits that bind."""

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
    damp_self_motion,
    far_from_singular,
    is_near_singular,
    normal_into_square,
    pull_into,
    scaled_jacobian,
    treat_singular,
    weigh_position,
)

__all__ = ["RESULT", "STATE", "finite", "follow_joints", "follow_tip", "joint_rates", "stand_still", "tip_rates"]


STATE = "f8[::1], f8[::1], f8[::1]"  # memory, joints, rates
RESULT = "f8[::1], i8[::1]"
ROW_WEIGHT = 1e4  # weight of a violated row, where a joint rate has weight 1
INACTIVE = 1e3  # m/s subtracted from a row's bound so that it never binds
STAY_WEIGHT = 1e4  # weight of a joint without a command, where others have weight 1
POSITION_WEIGHT = 10.0  # extra weight of the tip's position near a joint's end, where rotation has weight 1
END_RANGE = 0.05  # rad before a joint's end; as a share of the arm's length for a slide
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
    """Choose joint rates that follow a tip pose; see `Servo.tip`.

    Args:
        memory: The servo's constants, then scratch.
        q: (n,) joints.
        rates: (n,) rates of the last tick.
        target: (3, 4) or (4, 4) pose of the tip.
        twist: (6,) its velocity.
        walls: (m, 4) or (m, 7) see `Servo.tip`.
        out: (n + 12,) result: rates, error to the target, and the share of each dimension that the arm cannot serve.
        flags: (n + m,) result: the limit that binds each joint, then 1 for each wall that binds.

    Returns:
        The damping, whether no limit was relaxed, and the number of limits and walls that bind.
    """
    # constants, and scratch behind them
    n, m = q.shape[0], walls.shape[0]
    c, first = setup_of(memory, n), setup_size(n, rows_of(memory))
    s = carve(view(memory, first, (memory.shape[0] - first,)), n, m)
    # the step at the frames of q
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
    """Choose joint rates that follow a tip pose within limits, walls and further rows; s.frames are the frames at q.

    Args:
        c: The servo's constants.
        q: (n,) joints.
        rates: (n,) rates of the last tick.
        target: (3, 4) pose of the tip.
        twist: (6,) its velocity.
        walls: (m, 4) or (m, 7) see `Servo.tip`.
        rows: (≥ count, n + 1) rows a·q̇ ≥ b on the joint rates: a, then b.
        count: Number of them.
        s: Scratch for n joints and m + count rows.
        out: (n + 12,) result; see `tip_rates`.
        flags: (n + m + count,) result: the limit that binds each joint, then 1 for each row that binds.

    Returns:
        The damping, and whether no limit was relaxed.
    """
    # error to the target, and the pace to remove it
    n, m = q.shape[0], walls.shape[0]
    chosen, error = view(out, 0, (n,)), view(out, n, (12,))
    pose_error_into(s.frames[n], target, error)
    pace = pace_of(error, c.gain, c.length, c.kinds, c.limits)
    # clear the results
    for r in range(6):
        error[6 + r] = 0.0
    for k in range(flags.shape[0]):
        flags[k] = 0
    # command; anything that is not finite means standing still
    if not command_into(twist, error, pace, c.length, s.wanted) or not finite(rates):
        stand_still(chosen)
        return 0.0, False
    # constraints: walls, then further rows
    scaled_jacobian(s.frames, c.kinds, c.length, s.J)
    wall_rows(s.J, walls, c.length, s.A, s.b)
    joint_rows(c.kinds, rows, count, c.length, m, s)
    # task: normal equations of the weighted command
    weigh(c.tasks, s)
    normal_into_square(s.J, s.H)
    pull_into(s.J, s.wanted, s.g)
    # limits of tip motion: folds count too, with room to stop
    narrow_limits(c.limits, c.folds, q, s.limits)
    let_stop(c.limits, q, rates, c.dt, s.limits)
    # singular posture: damping and a way out; elsewhere only self-motion is damped
    damping, near = 0.0, is_near_singular(s)
    if near:
        damping = treat_singular(
            c.fixed, c.kinds, c.tool, c.tasks, c.limits, s.limits, q, rates, c.length, pace, s
        )  # fmt: skip
        lost_into(s, c.tasks, error)
    elif n > 6:
        damp_self_motion(s)
    # away from one, near a joint's end: position before rotation
    place = 0.0 if near else far_from_singular(s) ** 2 * end_proximity(s.limits, c.kinds, q, rates, c.length)
    if place > 0.0:
        weigh_position(s, POSITION_WEIGHT * place)
    # posture task, then solve
    add_posture(c, q, pace, s)
    # the singularity test has already factored H, unless it was changed since
    factored = n == 6 and not near and place == 0.0 and c.tasks[6] == 0.0
    return damping, solve(c, s.limits, q, rates, m, m + count, factored, s, chosen, flags)


@kernel(inline=True)
def end_proximity(limits: Floats, kinds: Ints, q: Floats, rates: Floats, length: float) -> float:
    """Return how near the nearest joint is to a limit or fold: 0 from NEARING on, 1 where it must brake.

    It depends on positions and rates, not on the command, or it would switch on and off from tick to tick.
    """
    nearest = 0.0
    for i in range(q.shape[0]):
        # distance to both ends, after braking
        brakes = rates[i] * rates[i] / (2.0 * BRAKE_SHARE * limits[3, i])
        above = limits[1, i] - q[i] - (brakes if rates[i] > 0.0 else 0.0)
        below = q[i] - limits[0, i] - (brakes if rates[i] < 0.0 else 0.0)
        # the nearest joint counts
        nearest = max(nearest, 1.0 - min(above, below) / (END_RANGE * scale_of(kinds[i], length)))
    return min(nearest, 1.0)


@kernel(f"b1({STATE}, f8[::1], f8[:, ::1], {RESULT})")
def joint_rates(
    memory: Floats, q: Floats, rates: Floats, wanted: Floats, walls: Floats, chosen: Floats, flags: Ints
) -> bool:
    """Choose the joint rates nearest to the wanted ones, see `follow_joints`; return whether that was feasible."""
    # constants, and scratch behind them
    n, m = q.shape[0], walls.shape[0]
    c, first = setup_of(memory, n), setup_size(n, rows_of(memory))
    s = carve(view(memory, first, (memory.shape[0] - first,)), n, m)
    # clear the flags; anything that is not finite means standing still
    for k in range(flags.shape[0]):
        flags[k] = 0
    if not (finite(q) and finite(rates) and finite(wanted)):
        stand_still(chosen)
        return False
    # without walls the joints are independent
    if m == 0:
        clip(c, q, rates, wanted, s, chosen, flags)
        return True
    # with walls: the quadratic program
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
    """Choose the joint rates nearest to the wanted ones within limits, walls and further rows; see `follow_tip`.

    A joint without a command stays, unless no other joint can satisfy the rows.
    """
    n, m = q.shape[0], walls.shape[0]
    # constraints: walls, then further rows
    if m > 0:
        scaled_jacobian(s.frames, c.kinds, c.length, s.J)
    wall_rows(s.J, walls, c.length, s.A, s.b)
    joint_rows(c.kinds, rows, count, c.length, m, s)
    # task: the wanted rates, joints without a command weighted to stay
    for i in range(n):
        for j in range(n):
            s.H[i, j] = 0.0
        s.H[i, i] = STAY_WEIGHT if wanted[i] == 0.0 else 1.0
        s.g[i] = wanted[i] / scale_of(c.kinds[i], c.length)
    return solve(c, c.limits, q, rates, m, m + count, bool(0), s, chosen, flags)


@kernel(inline=True)
def scale_of(kind: int, length: float) -> float:
    """Return one unit of a scaled rate in radians or metres per second."""
    # a turn is in radians already, a slide in arm lengths
    return 1.0 if not slides(kind) else length


@kernel(inline=True)
def stand_still(chosen: Floats) -> None:
    """Write zero rates."""
    # every joint stops
    for i in range(chosen.shape[0]):
        chosen[i] = 0.0


@kernel(inline=True)
def clip(c: ServoConstants, q: Floats, rates: Floats, wanted: Floats, s: Scratch, chosen: Floats, flags: Ints) -> None:
    """Write the wanted rates within their bounds: the exact solution where no wall couples the joints."""
    # bounds of each joint
    rate_bounds(c.limits, q, rates, c.dt, np.int64(1), s.low, s.high, s.why)
    # clamp, and name the limit
    for i in range(q.shape[0]):
        chosen[i] = wanted[i]
        if wanted[i] < s.low[i]:
            chosen[i], flags[i] = s.low[i], -s.why[0, i]
        elif wanted[i] > s.high[i]:
            chosen[i], flags[i] = s.high[i], s.why[1, i]


@kernel()
def finite(values: Floats) -> bool:
    """Return whether all values are finite."""
    # one bad value decides
    for i in range(values.shape[0]):  # noqa: SIM110  numba has no all() over a generator
        if not math.isfinite(values[i]):
            return False
    return True


@kernel(inline=True)
def pace_of(error: Floats, gain: float, length: float, kinds: Ints, limits: Floats) -> float:
    """Return the pace at which to remove the error, 1/s: no faster than the joints can brake, √(α/|e|).

    They brake with half the acceleration of the slowest joint, α; |e| is the error in radians and arm lengths.
    """
    # acceleration of the slowest joint
    alpha = np.inf
    for i in range(kinds.shape[0]):
        alpha = min(alpha, limits[3, i] if not slides(kinds[i]) else limits[3, i] / length)
    # size of the error
    size = 0.0
    for r in range(6):
        size += (error[r] / (length if r < 3 else 1.0)) ** 2
    # the gain, or the pace from which the joints can still brake
    return min(gain, math.sqrt(alpha / max(math.sqrt(size), 1e-9)))


@kernel(inline=True)
def command_into(twist: Floats, error: Floats, pace: float, length: float, wanted: Floats) -> bool:
    """Write the scaled command W·(twist + pace·error); return False if it is not finite."""
    # scaled: shifts in arm lengths
    for r in range(6):
        wanted[r] = (twist[r] + pace * error[r]) / (length if r < 3 else 1.0)
    return finite(wanted)


@kernel(inline=True)
def wall_rows(J: Floats, walls: Floats, length: float, A: Floats, b: Floats) -> None:
    """Write each wall n·v + t·ω ≤ speed as a row −(n·J_linear + t·J_angular)·y ≥ −speed, in arm lengths."""
    turns = walls.shape[1] > 4
    # velocity along the wall's normal, as a row on the joint rates
    for w in range(walls.shape[0]):
        for i in range(J.shape[1]):
            A[w, i] = -(walls[w, 0] * J[0, i] + walls[w, 1] * J[1, i] + walls[w, 2] * J[2, i])
            # and the point's turn
            if turns:
                A[w, i] -= (walls[w, 4] * J[3, i] + walls[w, 5] * J[4, i] + walls[w, 6] * J[5, i]) / length
        # its speed limit
        b[w] = -walls[w, 3] / length


@kernel(inline=True)
def joint_rows(kinds: Ints, rows: Floats, count: Count, length: float, m: Count, s: Scratch) -> None:
    """Append rows on the joint rates behind the m walls, in scaled rates."""
    n = kinds.shape[0]
    # normal and right side, scaled
    for k in range(count):
        for i in range(n):
            s.A[m + k, i] = rows[k, i] * scale_of(kinds[i], length)
        s.b[m + k] = rows[k, n]


@kernel(inline=True)
def weigh(tasks: Floats, s: Scratch) -> None:
    """Weight the tip's dimensions: rows of J and of the command."""
    # a weight of 1 changes nothing
    for r in range(6):
        if tasks[r] != 1.0:
            s.wanted[r] *= tasks[r]
            for i in range(s.J.shape[1]):
                s.J[r, i] *= tasks[r]


@kernel()
def lost_into(s: Scratch, tasks: Floats, error: Floats) -> None:
    """Write the share of each dimension that no joint motion serves: 1 − Σ_k (J·v_k)²/σ_k², v_k that move the tip.

    A dimension without weight has no command and so is not lost.
    """
    n = s.J.shape[1]
    for r in range(6):
        # sum over the eigenvectors that move the tip
        served = 0.0
        for k in range(n):
            if s.D[k, k] > LOST:
                along = 0.0
                for i in range(n):
                    along += s.J[r, i] * s.V[i, k]
                served += along * along / s.D[k, k]
        # the remaining share
        error[6 + r] = min(max(1.0 - served, 0.0), 1.0) if tasks[r] > 0.0 else 0.0


@kernel(inline=True)
def add_posture(c: ServoConstants, q: Floats, pace: float, s: Scratch) -> None:
    """Add the pull towards a posture: weight·‖y − pace·(posture − q)‖², no faster than the joints' top rates."""
    weight = c.tasks[6]
    if weight <= 0.0:
        return
    # quadratic and linear part of each joint
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
    """Solve the program of m rows; where there is no solution, relax limits in turn.

    1. Drop the task, and of the rows after the `hard` ones (walls) those that the present rates violate: every joint
       brakes, and these rows are pressed towards their bounds as hard as the accelerations and all other rows allow.
    2. Press violated walls likewise: a tip that slides fast along a wall cannot turn away at once, and must not run
       into another wall meanwhile.
    3. Drop all rows after the hard ones, and brake every joint: pressed towards bounds that walls do not allow, they
       would turn the arm about instead.
    4. Drop the acceleration limits: with all wall speeds ≥ 0 there is then a solution (standing still).
    5. A wall that comes nearer may need the last attempt: treat walls as standing.
    """
    # solve; relax limits where there is no solution
    n = q.shape[0]
    steps = solve_bounded(c, limits, q, rates, np.int64(1), m, factored, s)
    feasible = steps > 0
    if not feasible:
        steps = relax_limits(c, limits, q, rates, hard, m, s)
    # scale the solution back to joint rates
    for i in range(n):
        y = min(max(s.y[i], s.low[i]), s.high[i]) if steps > 0 else 0.0
        chosen[i] = y * scale_of(c.kinds[i], c.length)
    # report the limits that bind
    if steps > 0:
        name_limits(c.limits, limits, s, n, flags)
    return feasible


@kernel()
def relax_limits(c: ServoConstants, limits: Floats, q: Floats, rates: Floats, hard: Count, m: Count, s: Scratch) -> int:
    """Relax limits of a program without solution until it has one, see `solve`; return its steps."""
    steps = -1
    # press violated rows, then violated walls too
    if m > hard:
        steps = solve_pressed(c, limits, q, rates, hard, m, s)
        if steps <= 0 and hard > 0:
            steps = solve_pressed(c, limits, q, rates, np.int64(0), m, s)
        # drop the rows that are no walls, and brake
        if steps <= 0:
            brake(s)
            steps = solve_bounded(c, limits, q, rates, np.int64(1), hard, bool(0), s)
    # drop the acceleration limits
    if steps <= 0:
        steps = solve_bounded(c, limits, q, rates, np.int64(0), m, bool(0), s)
    # treat approaching walls as standing
    if steps <= 0:
        for w in range(m):
            s.b[w] = min(s.b[w], 0.0)
        steps = solve_bounded(c, limits, q, rates, np.int64(0), m, bool(0), s)
    return steps


@kernel()
def solve_pressed(
    c: ServoConstants, limits: Floats, q: Floats, rates: Floats, first: Count, m: Count, s: Scratch
) -> int:
    """Solve the program of m rows, pressing those from `first` on that the present rates violate; see `press`."""
    # replace the task and lay the violated rows aside
    press(c.kinds, rates, first, m, c.length, s)
    steps: int = solve_bounded(c, limits, q, rates, np.int64(1), m, bool(0), s)
    # restore their bounds
    for w in range(first, m):
        if s.b[w] < -0.5 * INACTIVE:
            s.b[w] += INACTIVE
    return steps


@kernel(inline=True)
def solve_bounded(
    c: ServoConstants, limits: Floats, q: Floats, rates: Floats, accelerate: Count, m: Count, factored: bool, s: Scratch
) -> int:
    """Solve the program with the first m rows, with acceleration limits (1) or without (0); return its steps."""
    # rate bounds of each joint, scaled
    rate_bounds(limits, q, rates, c.dt, accelerate, s.low, s.high, s.why)
    for i in range(q.shape[0]):
        if slides(c.kinds[i]):
            s.low[i] /= c.length
            s.high[i] /= c.length
    # solve
    return qp_solve(s.H, s.g, s.low, s.high, s.A, s.b, m, factored, s.y, s.qp)


@kernel()
def brake(s: Scratch) -> None:
    """Replace the task by ‖y‖²: every joint brakes."""
    # identity matrix, no linear part
    for i in range(s.g.shape[0]):
        s.g[i] = 0.0
        for j in range(s.g.shape[0]):
            s.H[i, j] = 1.0 if i == j else 0.0


@kernel()
def press(kinds: Ints, rates: Floats, first: Count, last: Count, length: float, s: Scratch) -> None:
    """Replace the task by ‖y‖² + PRESS·Σ (a·y − b)², over the rows that the present rates violate.

    These rows are laid aside: their bounds become too low to bind.
    """
    # start from braking
    n = rates.shape[0]
    brake(s)
    for w in range(first, last):
        # margin of the row at the present rates
        slack = -s.b[w]
        for i in range(n):
            slack += s.A[w, i] * rates[i] / scale_of(kinds[i], length)
        # violated: add its square to the task, and lay the row aside
        if slack < 0.0:
            for i in range(n):
                s.g[i] += ROW_WEIGHT * s.A[w, i] * s.b[w]
                for j in range(n):
                    s.H[i, j] += ROW_WEIGHT * s.A[w, i] * s.A[w, j]
            s.b[w] -= INACTIVE


@kernel(inline=True)
def name_limits(limits: Floats, narrow: Floats, s: Scratch, n: int, flags: Ints) -> None:
    """Write the limit that binds each joint, and mark the rows that bind; a limit that was narrowed is a fold."""
    for k in range(s.qp.filled[0]):
        # lower bounds are negative flags
        p = s.qp.active[k]
        if p < n:
            folded = s.why[0, p] == BRAKING and narrow[0, p] > limits[0, p]
            flags[p] = -FOLD if folded else -s.why[0, p]
        # upper bounds are positive flags
        elif p < 2 * n:
            folded = s.why[1, p - n] == BRAKING and narrow[1, p - n] < limits[1, p - n]
            flags[p - n] = FOLD if folded else s.why[1, p - n]
        # rows
        else:
            flags[p - n] = 1
