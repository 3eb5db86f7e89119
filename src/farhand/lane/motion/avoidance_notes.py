"""Notes and force feedback of obstacle avoidance."""

from __future__ import annotations

from farhand.distances import Blocking, Nearest
from farhand.distances.distance_rows import LEAST_MARGIN
from farhand.types import Note, Quantity, Subject, Wrench

__all__ = ["avoidance_force", "blocking_notes"]


def blocking_notes(blocking: tuple[Blocking, ...]) -> tuple[Note, ...]:
    """Return the notes on the pairs that bound a motion, one per pair of bodies."""
    nearest: dict[tuple[str, str], Blocking] = {}
    for pair in blocking:
        other = nearest.get((pair.first, pair.second))
        if other is None or pair.distance < other.distance:
            nearest[pair.first, pair.second] = pair
    return tuple([_note(pair) for pair in nearest.values()])


def _note(pair: Blocking) -> Note:
    about = (Subject("link", pair.first), Subject("body", pair.second))
    if pair.slides > 0.0:
        return Note("avoid.slides", "slow", about, (Quantity("speed", pair.slides, "m/s"),), ("along", "away"))
    if pair.speed > 0.0:
        return Note("avoid.touch", "slow", about, (Quantity("speed", pair.speed, "m/s"),), ("away",))
    clearance = (Quantity("clearance", pair.distance, "m"),) if pair.distance >= 0.0 else ()
    return Note("avoid.near", "slow", about, clearance, ("along", "back"))


def avoidance_force(close: Nearest, keep: float, most: float) -> Wrench:
    """Return the force feedback of the closest pair: zero at the edge of the margin, full at the clearance `keep`.

    Args:
        close: The pair.
        keep: Clearance to keep, m.
        most: Full force, N.
    """
    share = min(max(1.0 - (close.distance - keep) / LEAST_MARGIN, 0.0), 1.0)
    x, y, z = close.normal
    return Wrench((most * share * x, most * share * y, most * share * z))
