"""The servo step of an arm that avoids collisions: distance rows (see `distance_rows`) beside the other limits."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from farhand.distances.clearance import ROWS, Clearance, Nearest
from farhand.distances.distance_rows import (
    CLOSE,
    LEAST_MARGIN,
    around_size,
    clear_joint_rates,
    clear_tip_rates,
    row_scratch_size,
)
from farhand.errors import CommandError
from farhand.kernels import Floats, Ints
from farhand.kinematics import JointLimits, Servo, ServoStep
from farhand.kinematics.servo.constants import setup_size
from farhand.kinematics.servo.scratch import scratch_size
from farhand.kinematics.servo.servo import NO_WALLS, NOTHING_TOLD, ONES

__all__ = ["AvoidingServo", "Blocking", "ClearStep"]

HELD_OFF = 0.9  # share of its contact speed below which a pair counts as slowed because it slides
FARTHEST_LAG = 0.05  # metres by which any point of the arm may lag behind its set-point


class Blocking(Nearest, frozen=True):
    """A pair that bounds the motion.

    Args:
        speed: Contact speed of the pair, m/s; 0 if it must not touch.
        slides: Largest sliding speed at contact, m/s; 0 where sliding does not slow it now.
    """

    speed: float = 0.0
    slides: float = 0.0


class ClearStep(Struct, frozen=True):
    """The joint rates that the avoiding servo chose for one tick.

    Args:
        step: Joint rates and the limits that bind.
        distance: Distance of the nearest pair, metres, or the range of the search if none is nearer.
        blocking: Pairs that bound the motion.
    """

    step: ServoStep
    distance: float = np.inf
    blocking: tuple[Blocking, ...] = ()


class AvoidingServo(Servo):
    """A servo that keeps the whole arm clear of solids and of itself; without state between calls, only scratch.

    Args:
        clearance: The arm among solids.
        limits: Limits of its joints.
        dt: Seconds of a tick.
        keep: Clearance that every pair keeps, metres; more than the arm lags behind its set-point.
        gain: See `Servo`.
        weights: See `Servo`.
        posture: See `Servo`.
        posture_weight: See `Servo`.
        slides: Sliding speed up to which a touching pair may close at full contact speed, as a multiple of that speed;
            at twice that sliding speed it hardly closes.

    Raises:
        CommandError: If an argument does not fit the arm or is out of range.
    """

    def __init__(
        self,
        clearance: Clearance,
        limits: JointLimits,
        dt: float,
        keep: float = 0.005,
        gain: float = 20.0,
        weights: ArrayLike = ONES,
        posture: ArrayLike | None = None,
        posture_weight: float = 1e-3,
        slides: float = np.inf,
    ) -> None:
        super().__init__(clearance.chain, limits, dt, gain, weights, posture, posture_weight)
        if not 0.0 <= keep < 1.0:
            raise CommandError(f"the distance to keep must be between 0 and 1 m, found {keep}")
        self.keep, self.slides = keep, slides
        self.among(clearance)

    def among(self, clearance: Clearance) -> None:
        """Use other solids or another load from the next step on.

        Args:
            clearance: The same arm among other solids, or with another load.
        """
        self.clearance = clearance
        self.around = np.zeros(around_size(self._n, len(clearance.capsules), len(clearance.solids)))
        self._reserve_rows()

    def clear_tip(
        self, q: Floats, rates: Floats, T_target: Floats, twist: Floats, walls: Floats = NO_WALLS
    ) -> ClearStep:
        """Return the joint rates that bring the tip's velocity nearest to twist + gain·error and keep clear.

        Args:
            q: See `Servo.tip`, as for the others.
            rates: Rates of the last tick.
            T_target: Pose of the tip.
            twist: Velocity of the target.
            walls: Velocity constraints.
        """
        n, m = self._n, len(walls)
        if m > self._most_walls:
            self._reserve_rows(m)
        out, flags = np.empty(n + 12), np.empty(n + m + len(self._who), np.int64)
        damping, feasible, count, nearest = clear_tip_rates(
            self.clearance.flat, self.clearance.whole, self.around,
            self._row_memory, q, rates, T_target, twist, walls, out, flags, self._who,
        )  # fmt: skip
        if count < 0:
            self._add_rows()
            return self.clear_tip(q, rates, T_target, twist, walls)
        step = ServoStep(out[:n], out, flags[:n], flags[n : n + m], damping, feasible)
        return ClearStep(step, nearest, self._blocking(flags, n + m, count) if count else ())

    def clear_joints(self, q: Floats, rates: Floats, wanted: Floats, walls: Floats = NO_WALLS) -> ClearStep:
        """Return the joint rates nearest to the wanted ones that keep clear.

        Args:
            q: See `Servo.joints`, as for the others.
            rates: Rates of the last tick.
            wanted: Wanted joint rates.
            walls: Velocity constraints.
        """
        n, m = self._n, len(walls)
        if m > self._most_walls:
            self._reserve_rows(m)
        chosen, flags = np.empty(n), np.empty(n + m + len(self._who), np.int64)
        feasible, count, nearest = clear_joint_rates(
            self.clearance.flat, self.clearance.whole, self.around,
            self._row_memory, q, rates, wanted, walls, chosen, flags, self._who,
        )  # fmt: skip
        if count < 0:
            self._add_rows()
            return self.clear_joints(q, rates, wanted, walls)
        step = ServoStep(chosen, NOTHING_TOLD, flags[:n], flags[n : n + m], 0.0, feasible)
        return ClearStep(step, nearest, self._blocking(flags, n + m, count) if count else ())

    def touch_speed(self, capsule: int, partner: int) -> float:
        """Return the contact speed of a pair, m/s; 0 if it must not touch.

        Args:
            capsule: Index of the arm's capsule.
            partner: Row of the solid; negative for another capsule of the arm.
        """
        if partner < 0:
            return 0.0
        capsules = 1 + self._n
        solids = capsules + len(self.clearance.capsules)
        return float(min(self.around[capsules + capsule], self.around[solids + partner]))

    def _blocking(self, flags: Ints, first: int, count: int) -> tuple[Blocking, ...]:
        rows, pairs = flags[first : first + count].tolist(), self._who[:count].tolist()
        return tuple([self._block(row, *pair) for row, pair in zip(rows, pairs, strict=True)])

    def _block(self, row: int, capsule: int, partner: int) -> Blocking:
        point, normal = self.clearance.surface(capsule, self._where[row])
        names = self.clearance.names(capsule, partner)
        speed = self.touch_speed(capsule, partner)
        held_off = speed > 0.0 and -self._bounds[row] < HELD_OFF * speed
        slides = 2.0 * self.slides * speed if held_off else 0.0
        return Blocking(float(self._distances[row]), *names, point, normal, speed, slides)

    def closest(self, nearest: float) -> Nearest | None:
        """Return the pair that must not touch and had the least clearance in the last step; None if that was ample.

        Args:
            nearest: The distance that the step reported.
        """
        if nearest > self.keep + LEAST_MARGIN + FARTHEST_LAG or self._close[0] > LEAST_MARGIN:
            return None
        capsule, partner = int(self._close[7]), int(self._close[8])
        point, normal = self.clearance.surface(capsule, self._close[1:7])
        return Nearest(float(self._close[0]) + self.keep, *self.clearance.names(capsule, partner), point, normal)

    def _add_rows(self) -> None:
        """Allocate twice as many rows: none that could bind may be left out."""
        self._reserve_rows(self._most_walls, 2 * len(self._who))

    def _reserve_rows(self, walls: int = 16, rows: int = ROWS) -> None:
        n, c = self._n, len(self.clearance.capsules)
        first, m = setup_size(n, len(self.chain.arrays.fixed)), self.clearance.chain.links.n
        self._most_walls = walls
        self._row_memory = self._constants(row_scratch_size(n, c, rows, m) + scratch_size(n, walls + rows))
        self._row_memory[first], self._row_memory[first + 1] = self.keep, self.slides
        self._row_memory[first + 2 : first + 2 + n] = self.clearance.levers.max(axis=0, initial=0.0)
        placed = first + 2 + n + 9 * c
        self._distances = self._row_memory[placed:][:rows]
        self._where = self._row_memory[placed + rows * (1 + n) :][: 6 * rows].reshape(rows, 6)
        self._bounds = self._row_memory[placed + rows * (7 + n) :][: rows * (n + 1)].reshape(rows, n + 1)[:, n]
        self._close = self._row_memory[placed + rows * (8 + 2 * n) :][:CLOSE]
        self._who = np.zeros((rows, 2), np.int64)
