"""A vehicle is held back where it would carry its arm into something, or turn a flipper against it."""

from __future__ import annotations

from farhand.distances import VehicleLimit, VehicleArena
from farhand.types import Note, Quantity, Subject, Vector

__all__ = ["Held", "limit_vehicle"]

Held = tuple[float, Vector, tuple[Note, ...]]
"""Which share of the belts' speeds is let on, which of each flipper's, and what there is to say."""


def limit_vehicle(arena: VehicleArena, told: Vector, belts: tuple[float, float], flippers: Vector) -> Held:
    """Return how much is let on of what is asked of belts and flippers.

    Args:
        arena: The arm among things, as it has just looked at them.
        told: The arm's set-point.
        belts: Speeds asked of the left and the right one, m/s.
        flippers: Rates asked of each, rad/s.
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
