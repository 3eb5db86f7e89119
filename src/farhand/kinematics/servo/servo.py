"""The servo step: joint rates for the next tick that follow a tip pose or joint rates within every limit.

    minimise ‖W·(J·q̇ − (twist + gain·error))‖² + w·‖q̇ − gain·(posture − q)‖² + damping
    subject to rate bounds and walls

One radian of the tip counts as one arm length (`Mechanism.length`), and so does a slide of that length: shifts, turns
and slides weigh alike. Singular postures are described in `singular` and `folds`, bounds in `bounds`.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy import empty, int64  # by their names: looking them up shows in a step of 3 µs
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
DROPPED = 0.3  # share of a dimension that must be out of reach before it counts as dropped


class ServoStep(Struct, frozen=True, gc=False):
    """What the servo chose for one tick.

    Args:
        rates: (n,) joint rates, a fresh array.
        told: All that the kernel told, `error` and `lost` last; a step costs less if they are cut out when asked for.
        active: (n,) what limits each joint: 0 nothing, ±1 velocity, ±2 braking for a position limit,
            ±3 acceleration, ±4 braking before a fold; the sign says in which direction.
        walls: (m,) 1 for each wall that bounds the motion, else 0.
        damping: How strongly a singular posture slows the motion; 0 where it does not.
        feasible: False if walls contradicted the acceleration limits, which then gave way, or if an input was not
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
        """(6,) which share of each of the tip's dimensions, 0 to 1, the arm cannot serve in this posture."""
        return self.told[-6:]

    @property
    def dropped(self) -> tuple[str, ...]:
        """The dimensions of the tip, in base axes, that the arm does not follow: it has too few joints for them."""
        return tuple(name for name, share in zip(DIMENSIONS, self.lost.tolist(), strict=True) if share > DROPPED)


class Servo:
    """Chooses joint rates within all limits; keeps no state between calls, only scratch.

    Every array handed in must be contiguous, writable float64, as numba takes other kinds for other types.

    Args:
        chain: The arm.
        limits: Limits of its joints.
        dt: Seconds of a tick.
        gain: How fast a small error is worked off, 1/s, at most 1/dt; large ones only as fast as joints can brake.
        weights: Of the tip's six dimensions, linear over angular; one of 0 is not followed at all.
        posture: (n,) joints that the arm is drawn to beside its task; None for none.
        posture_weight: What a radian per second off that draw counts, where one of the tip counts 1.

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
        self._free.flags.writeable = False  # every step that nothing limits hands it out
        self._tasks = _tasks(chain, weights, posture, posture_weight)
        tip = self._tasks[:6]
        self.folds = chain.folds(None if (tip == 1.0).all() else tip)
        self._reserve(16)

    def tip(self, q: Floats, rates: Floats, T_target: Floats, twist: Floats, walls: Floats = NO_WALLS) -> ServoStep:
        """Return the rates that bring the tip nearest to twist + gain·error.

        Args:
            q: (n,) joint positions.
            rates: (n,) rates of the last tick.
            T_target: (3, 4) or (4, 4) pose of the tip in the base frame.
            twist: (6,) the target's own velocity, linear over angular, base axes, at the tip.
            walls: (m, 4) rows (nx, ny, nz, speed): the tip's velocity along n is at most speed; or (m, 7), with a
                vector t behind: n·v + t·ω is, which is the velocity of a point at r if t = r × n. With all speeds ≥ 0
                there is always a solution, since standing still is one.
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
        """Return the rates nearest to wanted joint rates.

        Args:
            q: (n,) joint positions.
            rates: (n,) rates of the last tick.
            wanted: (n,) joint rates asked for.
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
        """Make room for so many walls."""
        self._capacity = rows
        self._memory = self._constants(scratch_size(self._n, rows))

    def _constants(self, more: int) -> Floats:
        """Return memory that begins with the servo's constants and has room for more."""
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
