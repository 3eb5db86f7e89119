"""Bounds on the rate of each joint in the next tick, and the limits that they come from."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats, Ints, kernel

__all__ = [
    "ACCELERATION",
    "BRAKING",
    "FOLD",
    "VELOCITY",
    "JointLimits",
    "brake_rate",
    "rate_bounds",
    "stopping_distance",
]

VELOCITY, BRAKING, ACCELERATION, FOLD = 1, 2, 3, 4

# The servo plans its braking with this share of the acceleration, so that the guard behind it has a margin.
BRAKE_SHARE = 0.75


class JointLimits(Struct, frozen=True):
    """Limits of a group of joints, (n,) contiguous arrays each, radians or metres and seconds.

    Args:
        lower: Lower positions; minus infinity for a continuous joint.
        upper: Upper positions.
        velocity: Top rates.
        acceleration: Top accelerations.
        jerk: Top rates of change of the acceleration.
    """

    lower: Floats
    upper: Floats
    velocity: Floats
    acceleration: Floats
    jerk: Floats

    @classmethod
    def of(
        cls, lower: ArrayLike, upper: ArrayLike, velocity: ArrayLike, acceleration: ArrayLike, jerk: ArrayLike
    ) -> JointLimits:
        """Return checked limits from any sequences of numbers.

        Args:
            lower: Lower positions, radians or metres; minus infinity for a continuous joint.
            upper: Upper positions.
            velocity: Top rates, per second.
            acceleration: Top accelerations, per second².
            jerk: Top rates of change of the acceleration, per second³.

        Raises:
            CommandError: If lengths differ, positions are crossed, or another limit is not positive and finite.
        """
        arrays = [
            np.array(values, dtype=np.float64).reshape(-1) for values in (lower, upper, velocity, acceleration, jerk)
        ]
        if len({array.shape for array in arrays}) != 1 or not arrays[0].size:
            raise CommandError(f"limits must be equally many for each joint, found {[len(a) for a in arrays]}")
        if not (arrays[0] <= arrays[1]).all():
            raise CommandError("each lower position limit must be at most the upper one")
        for name, array in zip(("velocity", "acceleration", "jerk"), arrays[2:], strict=True):
            if not (np.isfinite(array).all() and (array > 0.0).all()):
                raise CommandError(f"each {name} limit must be positive and finite, found {array.tolist()}")
        return cls(*arrays)

    def table(self) -> Floats:
        """Return the limits as one contiguous (5, n) array, rows in the order of the fields."""
        return np.ascontiguousarray([self.lower, self.upper, self.velocity, self.acceleration, self.jerk])


@kernel(inline=True)
def brake_rate(distance: float, acceleration: float, jerk: float, dt: float) -> float:
    """Return the highest rate from which a joint still stops within a distance.

    Braking takes v²/2a, the ramps of the acceleration at its start and end v·a/j, and the tick itself v·dt/2; so
    v = √(h² + 2·a·d) − h with h = a·dt/2 + a²/j. Zero where no distance is left.
    """
    # no distance left
    if distance <= 0.0:
        return 0.0
    # braking distance solved for the rate
    a = BRAKE_SHARE * acceleration
    h = 0.5 * a * dt + a * a / jerk
    return math.sqrt(h * h + 2.0 * a * distance) - h


@kernel(inline=True)
def stopping_distance(rate: float, acceleration: float, jerk: float, dt: float) -> float:
    """Return the distance that a joint needs to stop if it brakes from now on: the inverse of `brake_rate`."""
    # rate after one tick of braking
    v = max(rate - acceleration * dt, 0.0)
    # its braking distance
    a = BRAKE_SHARE * acceleration
    h = 0.5 * a * dt + a * a / jerk
    return v * (v + 2.0 * h) / (2.0 * a)


@kernel()
def rate_bounds(
    limits: Floats,
    q: Floats,
    rates: Floats,
    dt: float,
    accelerate: int | np.int64,
    low: Floats,
    high: Floats,
    why: Ints,
) -> None:
    """Write the lowest and highest rate of each joint, and the limits that they come from.

    Velocity and braking bounds always contain zero. Where the acceleration bound contradicts one of them, braking wins.
    Beyond a position limit only inward rates remain.

    Args:
        limits: (5, n) lower, upper, velocity, acceleration, jerk.
        q: (n,) positions.
        rates: (n,) present rates.
        dt: Seconds of a tick.
        accelerate: 0 omits the acceleration bounds.
        low: (n,) result.
        high: (n,) result.
        why: (2, n) result: the limits behind the lower and the upper bound.
    """
    for i in range(q.shape[0]):
        # velocity limit
        velocity, acceleration, jerk = limits[2, i], limits[3, i], limits[4, i]
        low[i], high[i], why[0, i], why[1, i] = -velocity, velocity, VELOCITY, VELOCITY
        # braking for a position limit, where the top rate could not stop in time
        a = BRAKE_SHARE * acceleration
        far = 0.5 * velocity * velocity / a + velocity * (0.5 * dt + a / jerk)
        if q[i] - limits[0, i] < far:
            low[i], why[0, i] = -brake_rate(q[i] - limits[0, i], acceleration, jerk, dt), BRAKING
        if limits[1, i] - q[i] < far:
            high[i], why[1, i] = brake_rate(limits[1, i] - q[i], acceleration, jerk, dt), BRAKING
        # acceleration limit, never against braking
        if accelerate == 1:
            slowest = min(rates[i] - acceleration * dt, high[i])
            fastest = max(rates[i] + acceleration * dt, low[i])
            # it binds if it is the tighter one, and takes the other bound's reason where the two coincide
            if slowest > low[i]:
                low[i] = slowest
                why[0, i] = ACCELERATION if slowest < high[i] else why[1, i]
            if fastest < high[i]:
                high[i] = fastest
                why[1, i] = ACCELERATION if fastest > low[i] else why[0, i]
