"""The samples of a six-axis force sensor in the wrist: MuJoCo's wrench between wrist and tool, plus errors.

Noise comes from a counter, not from a generator: number k of tick t of a sensor is a hash of (seed, t, k). So a replay,
a snapshot or a later start gives the same noise in the same tick, without a state.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, kernel

__all__ = ["KEPT", "noise_of", "sample_wrist"]

KEPT = 8
"""Size of a sensor's state: its fault, whether it has a sample, and the last sample."""
_GOLDEN, _FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@kernel()
def mixed(x: np.uint64) -> np.uint64:
    """Return a hash in which every bit depends on every bit of the input (splitmix64)."""
    # add, then mix the bits twice
    x = x + _GOLDEN
    x = (x ^ (x >> np.uint64(30))) * _FIRST
    x = (x ^ (x >> np.uint64(27))) * _SECOND
    return x ^ (x >> np.uint64(31))


@kernel("f8(i8, i8, i8)")
def noise_of(seed: int, tick: int, number: int) -> float:
    """Return a standard normal number for a tick."""
    # two uniform numbers from one hash
    start = mixed(mixed(np.uint64(seed)) ^ mixed(np.uint64(tick) * np.uint64(64) + np.uint64(number)))
    first = (float(start >> np.uint64(11)) + 0.5) * 2.0**-53
    second = float(mixed(start) >> np.uint64(11)) * 2.0**-53
    # Box and Muller's transform
    return math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)


@kernel("void(f8[::1], i8, i8, f8[::1], f8[::1], f8, i8, i8, i8)")
def sample_wrist(
    sensors: Floats, force_at: int, torque_at: int, kept: Floats, errors: Floats, time: float,
    seed: int, tick: int, every: int,
) -> None:  # fmt: skip
    """Take a sample, if one is due, and keep it.

    MuJoCo's sensor gives the wrench of the tool on the wrist; a force sensor reads the wrench on the tool.

    Args:
        sensors: MuJoCo's.
        force_at: Start of the three forces.
        torque_at: Start of the three torques.
        kept: See `KEPT`; from the third number on it is the sample.
        errors: Deviation of the six channels, then their bias, then their drift per second.
        time: Seconds.
        seed: Of this sensor's noise.
        tick: The number of the tick.
        every: Ticks from one sample to the next.
    """
    # not due yet
    if kept[1] > 0.0 and tick % every != 0:
        return
    # the true wrench, with deviation, bias, drift and noise
    kept[1] = 1.0
    for k in range(6):
        true = -sensors[force_at + k] if k < 3 else -sensors[torque_at + k - 3]
        kept[2 + k] = true + errors[6 + k] + errors[12 + k] * time + errors[k] * noise_of(seed, tick, k)
