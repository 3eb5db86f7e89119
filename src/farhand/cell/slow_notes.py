"""The note of a cell whose computer cannot keep up."""

from __future__ import annotations

from farhand.types import Note, Quantity

__all__ = ["slow_note"]

PAUSED = Note("cell.slow.paused")


def slow_note(factor: float) -> tuple[Note, ...]:
    """Return the note of a cell that runs at a share of real time; 0 if even the smallest share is too fast."""
    if factor >= 1.0:
        return ()
    if factor == 0.0:
        return (PAUSED,)
    return (Note("cell.slow", quantities=(Quantity("share", factor, "share"),)),)
