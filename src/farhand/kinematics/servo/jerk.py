"""Jerk-limited motion of one joint in whole ticks: reach a rate exactly, stop exactly, and predict the distance.

A tick changes the acceleration by at most δ = jerk·dt; then v' = v + a'·dt and q' = q + v'·dt. Ramping an acceleration
b down by δ per tick adds T(b) = b + (b − δ) + (b − 2δ) + … (times dt) to the rate. Inverted: to add x, start at

    n = ⌈(√(1 + 8x/δ) − 1)/2⌉,   b = (x + δ·n·(n − 1)/2)/n

and the ramp ends at acceleration zero with exactly x added. Following b(x) every tick is deadbeat: once b is
within reach, the rest is the ramp, without overshoot.
"""

from __future__ import annotations

import math

from farhand.kernels import kernel

__all__ = ["brake_stays_inside", "ramp_start", "steer"]

REST = 1e-13  # share of the top rate below which a difference of rates counts as none


@kernel()
def ramp_start(x: float, delta: float) -> float:
    """Return the acceleration b whose ramp down to zero adds x·dt to the rate; odd in x."""
    # number of ticks of the ramp, then its first acceleration
    size = abs(x)
    n = max(math.ceil(0.5 * (math.sqrt(1.0 + 8.0 * size / delta) - 1.0) - 1e-12), 1.0)
    return math.copysign((size + 0.5 * delta * n * (n - 1.0)) / n, x)


@kernel()
def steer(
    v: float, a: float, wanted: float, ahead: float, top: float, a_max: float, delta: float, dt: float
) -> tuple[float, float]:
    """Return (v', a') of the tick that steers to a wanted rate as fast as acceleration and jerk allow.

    A wanted rate that changes by `ahead` per second is met in its own moving frame: only the difference beyond that
    change is ramped in, so a smooth command is followed without lag. With |wanted| ≤ top it keeps |v| ≤ top: v plus the
    ramp of a never passes the larger of its present value and the top rate.
    """
    # already there: stay exactly
    if ahead == 0.0 and abs(a) <= delta and abs(wanted - v) <= REST * top:
        return wanted, 0.0
    # the ramp that ends at the wanted rate
    b = ahead + ramp_start((wanted - v) / dt - ahead, delta)
    # the ramp down from here must not pass the top rate
    b = min(max(b, ramp_start((-top - v) / dt, delta)), ramp_start((top - v) / dt, delta))
    # jerk limit, then acceleration limit
    b = min(max(b, a - delta), a + delta)
    b = min(max(b, -a_max), a_max)
    return v + b * dt, b


@kernel()
def brake_stays_inside(
    q: float, v: float, a: float, low: float, high: float, top: float, a_max: float, delta: float, dt: float
) -> bool:
    """Return whether braking to rest from here stays within [low, high].

    Far from the limits a bound answers: the ramp of the present acceleration takes the rate to at most
    w = |v| + a²·dt/2δ + |a|·dt, within (|a|/δ + 1) ticks; from there braking takes at most
    w²/2a_max + w·a_max·dt/2δ + 2·w·dt. Otherwise the brake is simulated tick by tick, as it would happen.
    """
    # already outside
    if not low <= q <= high:
        return False
    # far from both limits the bound answers
    size = abs(a)
    w = abs(v) + 0.5 * size * size * dt / delta + size * dt
    far = w * dt * (size / delta + 3.0) + 0.5 * w * w / a_max + 0.5 * w * a_max * dt / delta
    if q - far >= low and q + far <= high:
        return True
    # else simulate the brake, for at most twice the ticks from the top rate, so that the tick is never held up
    ticks = int(2.0 * top / (a_max * dt) + 6.0 * a_max / delta) + 10
    for _ in range(ticks):
        v, a = steer(v, a, 0.0, 0.0, top, a_max, delta, dt)
        q += v * dt
        if not low <= q <= high:
            return False
        if v == 0.0 and a == 0.0:
            return True
    return False
