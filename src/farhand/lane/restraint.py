"""A vehicle is held back where it would carry its arm into something, or turn a flipper against it."""

from __future__ import annotations

from farhand.distances import Restraint, VehicleArena
from farhand.types import Note, Vector

__all__ = ["Held", "hold_back"]

Held = tuple[float, Vector, tuple[Note, ...]]
"""Which share of the belts' speeds is let on, which of each flipper's, and what there is to say."""


def hold_back(arena: VehicleArena, told: Vector, belts: tuple[float, float], flippers: Vector) -> Held:
    """Return how much is let on of what is asked of belts and flippers.

    Args:
        arena: The arm among things, as it has just looked at them.
        told: The arm's set-point.
        belts: Speeds asked of the left and the right one, m/s.
        flippers: Rates asked of each, rad/s.
    """
    if not any(belts) and not any(flippers):
        return 1.0, (1.0,) * len(flippers), ()
    base, *turned = arena.restrain(told, belts, flippers)
    notes = (_carried(base),) if base.share < 1.0 else ()
    return base.share, tuple([r.share for r in turned]), (*notes, *[_turned(r) for r in turned if r.share < 1.0])


def _carried(found: Restraint) -> Note:
    text = f"The belts are slowed: they carry {found.first} towards {found.second}, {_apart(found)}."
    free = "Ways that do not bring the two together are free; or take the arm back."
    return Note("base.carries", text, "slow", free=free)


def _turned(found: Restraint) -> Note:
    name = f"{found.second[:1].upper()}{found.second[1:]}"
    text = f"{name} is slowed: it turns towards {found.first}, {_apart(found)}."
    return Note("base.flipper", text, "slow", free="The other way is free; or take the arm away.")


def _apart(found: Restraint) -> str:
    return f"{max(found.distance, 0.0) * 1e3:.0f} mm away"
