"""The servo step: joint rates for the next tick that follow a tip pose or joint rates within every limit.

    minimise ‖W·(J·q̇ − (twist + gain·error))‖² + w·‖q̇ − gain·(posture − q)‖² + damping
    subject to rate bounds and walls

One radian of the tip counts as one arm length (`Mechanism.length`), and so does a slide of that length: shifts, turns
and slides have equal weight. For singular postures see `singular` and `folds`, for the bounds `rate_bounds`.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy import empty, int64  # imported by name: attribute lookups show in a step of 3 µs
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats, Ints
from farhand.kinematics.argument_checks import check_vector
from farhand.kinematics.contract import Mechanism
from farhand.kinematics.servo.constants import ServoConstants, pack_setup, setup_size
from farhand.kinematics.servo.rate_bounds import JointLimits
from farhand.kinematics.servo.rates import joint_rates, tip_rates
from farhand.kinematics.servo.scratch import scratch_size

__all__ = ["NO_WALLS", "Servo", "ServoStep"]

NO_WALLS: Floats = np.zeros((0, 4))
NO_HITS: Ints = np.zeros(0, np.int64)
NOTHING_TOLD: Floats = np.zeros(12)
ONES = (1.0,) * 6
DIMENSIONS = ("x", "y", "z", "turn about x", "turn about y", "turn about z")
DROPPED = 0.3  # share of a dimension that must be lost before it counts as dropped


class ServoStep(Struct, frozen=True, gc=False):
    """The joint rates that the servo chose for one tick, and the limits that bind.

    Args:
        rates: (n,) joint rates, a fresh array.
        told: (n + 12,) raw output of the kernel; `error` and `lost` are cut out of it only when read, which is quicker.
        active: (n,) the limit that binds each joint: 0 none, ±1 velocity, ±2 braking for a position limit,
            ±3 acceleration, ±4 braking before a fold; the sign says in which direction.
        walls: (m,) 1 for each wall that bounds the motion, else 0.
        damping: Damping λ near a singular posture; 0 where the command is met.
        feasible: False if walls contradicted the acceleration limits, which were then relaxed, or if an input was not
            finite, which gives zero rates.
    """

    rates: Floats
    told: Floats
    active: Ints
    walls: Ints
    damping: float
    feasible: bool

    @property
    def error(self) -> Floats:
        """(6,) shift (m) and turn (rad) from the tip to its target, base axes; zero for joint commands."""
        return self.told[-12:-6]

    @property
    def lost(self) -> Floats:
        """(6,) share, 0 to 1, of each of the tip's dimensions that the arm cannot serve in this posture."""
        return self.told[-6:]

    @property
    def dropped(self) -> tuple[str, ...]:
        """The dimensions of the tip, in base axes, that the arm cannot follow because it has too few joints."""
        return tuple(name for name, share in zip(DIMENSIONS, self.lost.tolist(), strict=True) if share > DROPPED)


class Servo:
    """Chooses joint rates within all limits; keeps no state between calls, only scratch.

    Every array argument must be contiguous, writable float64: to numba other arrays are other types.

    Args:
        chain: Kinematics of the arm.
        limits: Limits of its joints.
        dt: Seconds of a tick.
        gain: Rate at which small errors decay, 1/s, at most 1/dt; large ones decay only as fast as joints can brake.
        weights: (6,) of the tip's dimensions, linear over angular; a dimension of weight 0 is not followed.
        posture: (n,) preferred joint positions, radians or metres; None for none.
        posture_weight: Weight of the posture, where the tip has weight 1.

    Raises:
        CommandError: If the limits, weights or posture do not fit the chain, or dt or gain is out of range.
    """

    def __init__(
        self,
        chain: Mechanism,
        limits: JointLimits,
        dt: float,
        gain: float = 20.0,
        weights: ArrayLike = ONES,
        posture: ArrayLike | None = None,
        posture_weight: float = 1e-3,
    ) -> None:
        n = chain.n
        if limits.lower.shape != (n,):
            raise CommandError(f"the chain has {n} joints, the limits are for {limits.lower.size}")
        if not 0.0 < dt < 1.0:
            raise CommandError(f"a tick must last between 0 and 1 s, found {dt}")
        if not 0.0 < gain <= 1.0 / dt:
            raise CommandError(f"the gain must be between 0 and 1/dt = {1.0 / dt:g}, found {gain}")
        self.chain, self.limits, self.dt, self.gain = chain, limits, dt, gain
        self._n = n
        self._flags, self._free = np.zeros(n, int64), np.zeros(n, int64)
        self._free.flags.writeable = False  # shared by all steps in which no limit binds
        self._tasks = _tasks(chain, weights, posture, posture_weight)
        tip = self._tasks[:6]
        self.folds = chain.folds(None if (tip == 1.0).all() else tip)
        self._reserve(16)

    def tip(self, q: Floats, rates: Floats, T_target: Floats, twist: Floats, walls: Floats = NO_WALLS) -> ServoStep:
        """Return the joint rates that bring the tip's velocity nearest to twist + gain·error.

        Args:
            q: (n,) joint positions, radians or metres.
            rates: (n,) joint rates of the last tick, per second.
            T_target: (3, 4) or (4, 4) pose of the tip in the base frame.
            twist: (6,) velocity of the target, linear (m/s) over angular (rad/s), base axes, at the tip.
            walls: (m, 4) rows (nx, ny, nz, speed): the tip's velocity along n is at most speed, m/s. Or (m, 7) with a
                vector t appended: n·v + t·ω is at most speed, which with t = r × n is the velocity of a point at r.
                With all speeds ≥ 0 there is always a solution, since standing still is one.
        """
        n, m = self._n, len(walls)
        if m > self._capacity:
            self._reserve(m)
        out, flags = empty(n + 12), self._flags if not m else empty(n + m, int64)
        damping, feasible, binding = tip_rates(self._memory, q, rates, T_target, twist, walls, out, flags)
        if m:
            active, hits = flags[:n], flags[n:]
        else:
            active, hits = flags.copy() if binding else self._free, NO_HITS
        return ServoStep(out[:n], out, active, hits, damping, feasible)

    def joints(self, q: Floats, rates: Floats, wanted: Floats, walls: Floats = NO_WALLS) -> ServoStep:
        """Return the joint rates nearest to the wanted ones.

        Args:
            q: (n,) joint positions, radians or metres.
            rates: (n,) joint rates of the last tick, per second.
            wanted: (n,) wanted joint rates, per second.
            walls: (m, 4) or (m, 7) as for `tip`.
        """
        n, m = self._n, len(walls)
        if m > self._capacity:
            self._reserve(m)
        chosen, flags = empty(n), empty(n + m, int64)
        feasible = joint_rates(self._memory, q, rates, wanted, walls, chosen, flags)
        active, hits = (flags[:n], flags[n:]) if m else (flags, NO_HITS)
        return ServoStep(chosen, NOTHING_TOLD, active, hits, 0.0, feasible)

    def _reserve(self, rows: int) -> None:
        """Allocate memory for so many walls."""
        self._capacity = rows
        self._memory = self._constants(scratch_size(self._n, rows))

    def _constants(self, more: int) -> Floats:
        """Return memory with the servo's constants at its start and so many numbers more."""
        memory = np.zeros(setup_size(self._n, len(self.chain.arrays.fixed)) + more)
        arrays, chain = self.chain.arrays, self.chain
        setup = ServoConstants(*arrays, self.limits.table(), self.folds, self._tasks, self.dt, self.gain, chain.length)
        pack_setup(setup, memory)
        return memory


def _tasks(chain: Mechanism, weights: ArrayLike, posture: ArrayLike | None, posture_weight: float) -> Floats:
    """Return the weights of the tip's dimensions, the weight of the posture, and the posture."""
    tip = check_vector(weights, 6, "the tip's weights")
    if (tip < 0.0).any():
        raise CommandError(f"the tip's weights must not be negative, found {tip.tolist()}")
    if not 0.0 <= posture_weight < np.inf:
        raise CommandError(f"the weight of the posture must not be negative, found {posture_weight}")
    if posture is None:
        return np.concatenate((tip, np.zeros(1 + chain.n)))
    return np.concatenate((tip, [posture_weight], check_vector(posture, chain.n, "the posture")))
