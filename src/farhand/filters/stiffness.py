"""How stiff what is touched is: learnt from how the force grows with the way, or the torque with the turn."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["FORCE", "TORQUE", "Range", "Stiffness"]

FORGET = 0.03  # share of what is known that each new way outdates


class Range(Struct, frozen=True):
    """What can be believed of a stiffness.

    Args:
        softest: N/m, or Nm/rad, at least.
        stiffest: At most.
        first: Before anything is known: a careful guess.
        least: m, or rad, of a tick's way from which on it says something.
        worth: The first guess counts as much as this way does.
    """

    softest: float
    stiffest: float
    first: float
    least: float
    worth: float


FORCE = Range(300.0, 3e5, 1e5, 2e-6, 1e-5)
TORQUE = Range(200.0, 3e3, 1e3, 2e-5, 1e-4)


class Stiffness(Struct, frozen=True):
    """What is known of it; by least squares, so that a shivering force adds nothing.

    Args:
        size: The force (N) or torque (Nm) of the last tick.
        gain: How forces grew with ways, added up.
        ways: The ways they grew with, squared and added up.
    """

    size: float
    gain: float
    ways: float

    @classmethod
    def unknown(cls, size: float, within: Range) -> Stiffness:
        """Return what is known at the first touch."""
        return cls(size, within.first * within.worth**2, within.worth**2)

    def after(self, size: float, way: float, within: Range) -> Stiffness:
        """Return what is known a tick and a way later."""
        if abs(way) < within.least:
            return Stiffness(size, self.gain, self.ways)
        kept = 1.0 - FORGET
        return Stiffness(size, kept * self.gain + way * (size - self.size), kept * self.ways + way * way)

    def value(self, within: Range) -> float:
        """Return N/m, or Nm/rad."""
        return min(max(self.gain / self.ways, within.softest), within.stiffest)
