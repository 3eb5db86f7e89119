"""Another robot as obstacles: its limbs, each a chain as capsules, updated to the measured joints.

A serial arm has one limb. A Delta has several, with unmeasured joints that follow from the closed form.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.distances.capsules import Capsule
from farhand.distances.clearance import Clearance
from farhand.distances.moving import put_arm
from farhand.kernels import Floats, Ints
from farhand.kinematics import Delta
from farhand.kinematics.parallel.delta_rods import undriven_into
from farhand.types import Vector

__all__ = ["Limb", "LimbRows", "Linkage", "LinkagePosture"]


class Limb(Struct, frozen=True):
    """A chain from a robot's base to one of its ends.

    Args:
        clearance: Its capsules, without surroundings.
        count: Number of these that count as obstacles, from the first on.
        joints: Indices of its joints among the robot's: driven ones first, then undriven ones.
    """

    clearance: Clearance
    count: int
    joints: tuple[int, ...]

    @property
    def capsules(self) -> tuple[Capsule, ...]:
        """The capsules that count as obstacles."""
        return self.clearance.capsules[: self.count]


class Linkage(Struct, frozen=True):
    """All limbs of a robot.

    Args:
        limbs: The limbs; they may share joints, but no capsules.
        delta: Kinematics that yield the undriven joints; None for an arm, which has none.
    """

    limbs: tuple[Limb, ...]
    delta: Delta | None = None


class LinkagePosture:
    """The joint positions of every limb, from the measured ones.

    Args:
        linkage: The limbs.
    """

    def __init__(self, linkage: Linkage) -> None:
        self._delta = linkage.delta
        order = [joint for limb in linkage.limbs for joint in limb.joints]
        self._order, self._spread = np.array(order, dtype=np.int64), np.zeros(len(order))
        self._all = np.zeros(1 + max(order))
        ends = np.cumsum([len(limb.joints) for limb in linkage.limbs])
        self.of_limbs: list[Floats] = np.split(self._spread, ends[:-1])
        """Views of one array, in the order of the limbs."""
        self._taken: Vector = ()
        driven = linkage.delta.n if linkage.delta else len(self._all)
        self._driven, self._undriven = self._all[:driven], self._all[driven:]

    def take(self, measured: Vector) -> None:
        """Update from the measured joints, which are the driven ones."""
        if measured is self._taken:
            return
        self._driven[:], self._taken = measured, measured
        if self._delta is not None:
            undriven_into(self._delta.size, self._driven, self._undriven)
        self._all.take(self._order, out=self._spread)


class LimbRows:
    """A limb in one arena.

    Args:
        scene: Numbers and integers of the arena's scene.
        limb: The limb.
        rows: Rows of its capsules in the scene.
    """

    def __init__(self, scene: tuple[Floats, Ints], limb: Limb, rows: Ints) -> None:
        there = limb.clearance
        self._scene, self._rows, self._other = scene, rows, (there.flat, there.whole)
        self._scratch = np.zeros(12 * (there.chain.links.n + 1) + 12 * len(there.capsules) + 18)

    @classmethod
    def of(cls, scene: tuple[Floats, Ints], linkage: Linkage, rows: Ints) -> tuple[LimbRows, ...]:
        """Return all limbs of a robot; arguments as for one limb."""
        ends = np.cumsum([limb.count for limb in linkage.limbs])
        parts = np.split(rows, ends[:-1])
        return tuple([cls(scene, limb, part) for limb, part in zip(linkage.limbs, parts, strict=True)])

    def put(self, around: Floats, q: Floats, before: Floats, T_base_other: Floats, dt: float) -> None:
        """Update its capsules.

        Args:
            around: State of the arm's surroundings, see `around_size`.
            q: Its joint positions.
            before: Its joint positions in the last tick.
            T_base_other: (3, 4) pose of its robot's base in this arm's base frame.
            dt: Seconds of a tick.
        """
        put_arm(*self._scene, around, self._rows, *self._other, q, before, T_base_other, dt, self._scratch)
