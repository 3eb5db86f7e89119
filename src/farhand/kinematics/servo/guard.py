"""The guard: the last check on every joint, so that no command can make it pass a limit.

Each tick it steers to the wanted rate as fast as acceleration and jerk allow (see `jerk`), then checks whether the
joint could still brake to rest inside its position limits from there. If not, it takes the nearest acceleration from
which it could, between that one and full braking. Full braking is always possible: it is the brake that was found
possible a tick ago. By induction no limit is passed from any state that the guard itself led to.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.errors import CommandError
from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.servo.jerk import brake_stays_inside, steer
from farhand.kinematics.servo.rate_bounds import JointLimits

__all__ = ["NUMBER", "POSITION", "VELOCITY", "Guard"]

VELOCITY, POSITION, NUMBER = 1, 2, 4  # flags, added up
BISECTIONS = 12


class Guard:
    """Integrates wanted joint rates into set-points within position, velocity, acceleration and jerk limits.

    Keeps no state; a joint that starts beyond a position limit may only move inward.

    Args:
        limits: Limits of the joints; infinite positions for continuous ones.
        dt: Seconds of a tick.

    Raises:
        CommandError: If a limit or dt is not positive and finite.
    """

    def __init__(self, limits: JointLimits, dt: float) -> None:
        if not 0.0 < dt < 1.0:
            raise CommandError(f"a tick must last between 0 and 1 s, found {dt}")
        self.limits, self.dt = limits, dt
        self._table = JointLimits.of(*limits.table()).table()
        self._n = self._table.shape[1]

    def step(
        self, q: Floats, v: Floats, a: Floats, wanted: Floats, before: Floats | None = None
    ) -> tuple[Floats, Floats, Floats, Ints]:
        """Return (q', v', a', flags) of the next tick, fresh arrays.

        |a' − a| ≤ jerk·dt, |a'| ≤ acceleration, v' = v + a'·dt, |v'| ≤ velocity, q' = q + v'·dt within the limits.

        Args:
            q: (n,) positions, contiguous writable float64 as all others.
            v: (n,) rates.
            a: (n,) accelerations.
            wanted: (n,) wanted rates; a joint with one that is not finite brakes.
            before: (n,) wanted rates of the tick before: their change is met without lag. A change beyond the
                acceleration limit counts as a jump. None: the wanted rates do not change.

        Returns:
            The next state, and for each joint a sum of 1 (wanted more than its top rate), 2 (held back by a position
            limit), 4 (not a finite number).
        """
        n = self._n
        after, flags = self.advance(np.concatenate((q, v, a)), wanted, before)
        return after[:n], after[n : 2 * n], after[2 * n :], flags

    def advance(self, state: Floats, wanted: Floats, before: Floats | None = None) -> tuple[Floats, Ints]:
        """Do the same as `step` for positions, rates and accelerations in one array (3n,).

        Args:
            state: (3n,) positions, rates and accelerations.
            wanted: (n,) wanted rates, see `step`.
            before: (n,) wanted rates of the tick before, see `step`.
        """
        after, flags = np.empty(3 * self._n), np.empty(self._n, np.int64)
        guard_step(self._table, state, wanted, wanted if before is None else before, self.dt, after, flags)
        return after, flags


@kernel("void(f8[:, ::1], f8[::1], f8[::1], f8[::1], f8, f8[::1], i8[::1])")
def guard_step(
    limits: Floats, state: Floats, wanted: Floats, before: Floats, dt: float, after: Floats, flags: Ints
) -> None:
    """Write the next state of all joints; see `Guard.advance`."""
    # name the parts of both states
    n = wanted.shape[0]
    q, v, a = state[:n], state[n : 2 * n], state[2 * n :]
    q_next, v_next, a_next = after[:n], after[n : 2 * n], after[2 * n :]
    for i in range(n):
        # clamp the wanted rate; a state that is not finite stands still
        top, a_max, delta = limits[2, i], limits[3, i], limits[4, i] * dt
        goal, flags[i] = sane_goal(wanted[i], q[i], v[i], a[i], top)
        if flags[i] == NUMBER and not math.isfinite(q[i] + v[i] + a[i]):
            q_next[i], v_next[i], a_next[i] = q[i], 0.0, 0.0
            continue
        # change of the wanted rate, unless it jumps or is not finite
        ahead = (wanted[i] - before[i]) / dt
        steady = ahead if abs(ahead) <= a_max and flags[i] == 0 else 0.0
        # the rate and acceleration that still allow braking in time
        v_next[i], a_next[i], held = guarded(
            q[i], v[i], a[i], goal, steady, limits[0, i], limits[1, i], top, a_max, delta, dt
        )  # fmt: skip
        # integrate
        q_next[i] = q[i] + v_next[i] * dt
        if held:
            flags[i] += POSITION


@kernel()
def sane_goal(wanted: float, q: float, v: float, a: float, top: float) -> tuple[float, int]:
    """Return the wanted rate, clamped to the top rate, and the flag of its fault."""
    # a number that is not finite means braking
    if not (math.isfinite(wanted) and math.isfinite(q + v + a)):
        return 0.0, NUMBER
    # clamp to the top rate
    if abs(wanted) > top:
        return math.copysign(top, wanted), VELOCITY
    return wanted, 0


@kernel()
def guarded(
    q: float, v: float, a: float, goal: float, ahead: float, low: float, high: float,
    top: float, a_max: float, delta: float, dt: float,
) -> tuple[float, float, bool]:  # fmt: skip
    """Return (v', a', held back) of one joint.

    Beyond a limit the present position replaces the limit, so that the joint never moves further out.
    """
    # take the wanted tick if the joint can still brake afterwards
    low, high = min(low, q), max(high, q)
    v_goal, a_goal = steer(v, a, goal, ahead, top, a_max, delta, dt)
    if brake_stays_inside(q + v_goal * dt, v_goal, a_goal, low, high, top, a_max, delta, dt):
        return v_goal, a_goal, False
    # else start from full braking, which is always possible
    v_brake, a_brake = steer(v, a, 0.0, 0.0, top, a_max, delta, dt)
    # bisect: the largest share between full braking and the wanted tick
    share, bad = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (share + bad)
        v_try, a_try = v_brake + middle * (v_goal - v_brake), a_brake + middle * (a_goal - a_brake)
        if brake_stays_inside(q + v_try * dt, v_try, a_try, low, high, top, a_max, delta, dt):
            share = middle
        else:
            bad = middle
    return v_brake + share * (v_goal - v_brake), a_brake + share * (a_goal - a_brake), True
