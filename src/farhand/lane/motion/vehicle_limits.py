"""Limits on a vehicle that would carry its arm into an obstacle, or turn a flipper against one."""

from __future__ import annotations

from farhand.distances import VehicleArena, VehicleLimit
from farhand.types import Note, Quantity, Subject, Vector

__all__ = ["Held", "limit_vehicle"]

Held = tuple[float, Vector, tuple[Note, ...]]
"""Allowed share of the belts' speeds, allowed share of each flipper's rate, and notes."""


def limit_vehicle(arena: VehicleArena, told: Vector, belts: tuple[float, float], flippers: Vector) -> Held:
    """Return the allowed shares of the motion of belts and flippers, and the notes on them.

    Args:
        arena: The arm among its obstacles, up to date.
        told: Set-point of the arm.
        belts: Demanded speeds of the left and right belt, m/s.
        flippers: Demanded rates of the flippers, rad/s.
    """
    if not any(belts) and not any(flippers):
        return 1.0, (1.0,) * len(flippers), ()
    base, *turned = arena.limit(told, belts, flippers)
    notes = (_carried(base),) if base.share < 1.0 else ()
    return base.share, tuple([r.share for r in turned]), (*notes, *[_turned(r) for r in turned if r.share < 1.0])


def _carried(found: VehicleLimit) -> Note:
    return Note("base.carries", "slow", _pair(found), _apart(found), ("apart",))


def _turned(found: VehicleLimit) -> Note:
    return Note("base.flipper", "slow", _pair(found), _apart(found), ("turn-back",))


def _pair(found: VehicleLimit) -> tuple[Subject, ...]:
    return (Subject("link", found.first), Subject("body", found.second))


def _apart(found: VehicleLimit) -> tuple[Quantity, ...]:
    return (Quantity("clearance", max(found.distance, 0.0), "m"),)
