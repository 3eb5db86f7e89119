"""A master that a program moves: each field of its reading keeps its value until the program sets it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.masters.master import MASTERS
from farhand.types import Feedback, Reading

__all__ = ["Manual"]


class Manual:
    """Gives the same reading every tick until `set` changes it; starts with nothing pressed.

    Example:
        ``hand.set(deadman=True, axes=(1, 0, 0, 0, 0, 0))``
    """

    def __init__(self) -> None:
        self._reading = Reading()
        self._sequence = 0

    def set(self, **changes: Any) -> None:
        """Change fields of the reading; the others stay."""
        self._reading = replace(self._reading, **changes)

    def release(self) -> None:
        """Release the deadman and all axes."""
        self._reading = Reading(epoch=self._reading.epoch, presses=self._reading.presses)

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the reading as set, with a new number."""
        del now
        self._sequence = max(self._sequence, feedback.tick) + 1  # never below that of a master it replaces
        return replace(self._reading, sequence=self._sequence, tick=feedback.tick)


class _ManualTable(Struct, frozen=True, forbid_unknown_fields=True):
    pass


@MASTERS.register("manual")
def _make(table: dict[str, Any], folder: Path) -> Manual:
    """Moved by a program: gives the same reading until the program changes it."""
    del folder
    convert(table, _ManualTable)
    return Manual()
