"""Estimate of the stiffness at a contact, from the growth of force with travel, or of torque with turning."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["FORCE", "TORQUE", "Range", "Stiffness"]

FORGET_SHARE = 0.03  # share of the sums that each new sample discards


class Range(Struct, frozen=True):
    """The plausible range of a stiffness.

    Args:
        softest: Least stiffness, N/m or Nm/rad.
        stiffest: Greatest stiffness.
        first: Cautious first guess.
        least: Least travel per tick, m or rad, that is used as a sample.
        worth: Travel, m or rad, that gives the first guess its weight.
    """

    softest: float
    stiffest: float
    first: float
    least: float
    worth: float


FORCE = Range(300.0, 3e5, 1e5, 2e-6, 1e-5)
TORQUE = Range(200.0, 3e3, 1e3, 2e-5, 1e-4)


class Stiffness(Struct, frozen=True):
    """Running least-squares estimate of a stiffness, so that a trembling force adds nothing.

    Args:
        size: The force (N) or torque (Nm) of the last tick.
        gain: Sum of travel times change of force.
        ways: Sum of squared travel.
    """

    size: float
    gain: float
    ways: float

    @classmethod
    def unknown(cls, size: float, within: Range) -> Stiffness:
        """Return the estimate at first contact."""
        return cls(size, within.first * within.worth**2, within.worth**2)

    def after(self, size: float, way: float, within: Range) -> Stiffness:
        """Return the estimate after one more tick of travel."""
        if abs(way) < within.least:
            return Stiffness(size, self.gain, self.ways)
        kept = 1.0 - FORGET_SHARE
        return Stiffness(size, kept * self.gain + way * (size - self.size), kept * self.ways + way * way)

    def value(self, within: Range) -> float:
        """Return the stiffness, N/m or Nm/rad."""
        return min(max(self.gain / self.ways, within.softest), within.stiffest)
