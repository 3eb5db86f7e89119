"""Jerk-limited motion of one joint in whole ticks: reach a rate exactly, stop exactly, and know how far that goes.

A tick changes the acceleration by at most δ = jerk·dt; then v' = v + a'·dt and q' = q + v'·dt. Ramping an acceleration
b down by δ per tick adds T(b) = b + (b − δ) + (b − 2δ) + … (times dt) to the rate. Inverted: to add x, start at

    n = ⌈(√(1 + 8x/δ) − 1)/2⌉,   b = (x + δ·n·(n − 1)/2)/n

and the ramp ends at acceleration zero with exactly x added. Following b(x) every tick is therefore deadbeat: once b is
within reach, the rest is the ramp, without overshoot.
"""

from __future__ import annotations

import math

from farhand.kernels import kernel

__all__ = ["brake_stays_inside", "ramp_start", "steer"]

REST = 1e-13  # a rate this near to the wanted one, as a share of the top rate, is that rate


@kernel()
def ramp_start(x: float, delta: float) -> float:
    """Return the acceleration b whose ramp down to zero adds x·dt to the rate; odd in x."""
    size = abs(x)
    n = max(math.ceil(0.5 * (math.sqrt(1.0 + 8.0 * size / delta) - 1.0) - 1e-12), 1.0)
    return math.copysign((size + 0.5 * delta * n * (n - 1.0)) / n, x)


@kernel()
def steer(
    v: float, a: float, wanted: float, ahead: float, top: float, a_max: float, delta: float, dt: float
) -> tuple[float, float]:
    """Return (v', a') of the tick that goes for a wanted rate as fast as acceleration and jerk limits let it.

    A wanted rate that changes by `ahead` per second is met in its own moving frame: what is missing beyond that change
    is ramped in, so that a smooth command is followed without lag. With |wanted| ≤ top it keeps |v| ≤ top: v plus what
    ramping a down still adds never passes the larger of what it was and the top rate.
    """
    if ahead == 0.0 and abs(a) <= delta and abs(wanted - v) <= REST * top:
        return wanted, 0.0
    b = ahead + ramp_start((wanted - v) / dt - ahead, delta)
    b = min(max(b, ramp_start((-top - v) / dt, delta)), ramp_start((top - v) / dt, delta))
    b = min(max(b, a - delta), a + delta)
    b = min(max(b, -a_max), a_max)
    return v + b * dt, b


@kernel()
def brake_stays_inside(
    q: float, v: float, a: float, low: float, high: float, top: float, a_max: float, delta: float, dt: float
) -> bool:
    """Tell whether braking to rest from here stays within [low, high].

    Far from the limits a bound answers: the ramp of the present acceleration takes the rate to at most
    w = |v| + a²·dt/2δ + |a|·dt, within (|a|/δ + 1) ticks; from there braking takes at most
    w²/2a_max + w·a_max·dt/2δ + 2·w·dt. Otherwise the brake is simulated tick by tick, as it would happen.
    """
    if not low <= q <= high:
        return False
    size = abs(a)
    w = abs(v) + 0.5 * size * size * dt / delta + size * dt
    far = w * dt * (size / delta + 3.0) + 0.5 * w * w / a_max + 0.5 * w * a_max * dt / delta
    if q - far >= low and q + far <= high:
        return True
    # twice the ticks that braking from the top rate takes, ramps included: nothing may hold the tick up
    ticks = int(2.0 * top / (a_max * dt) + 6.0 * a_max / delta) + 10
    for _ in range(ticks):
        v, a = steer(v, a, 0.0, 0.0, top, a_max, delta, dt)
        q += v * dt
        if not low <= q <= high:
            return False
        if v == 0.0 and a == 0.0:
            return True
    return False
