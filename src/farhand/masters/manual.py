"""A master moved by program: set what the operator does, and it stays so until set anew."""

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
    """Says the same reading every tick until told otherwise; starts with nothing held.

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
        """Let everything go."""
        self._reading = Reading(epoch=self._reading.epoch, presses=self._reading.presses)

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the reading as set, freshly numbered."""
        del now
        self._sequence = max(self._sequence, feedback.tick) + 1  # a new hand is not older than the last one
        return replace(self._reading, sequence=self._sequence, tick=feedback.tick)


class _ManualTable(Struct, frozen=True, forbid_unknown_fields=True):
    pass


@MASTERS.register("manual")
def _make(table: dict[str, Any], folder: Path) -> Manual:
    """Moved by program: says the same until set anew."""
    del folder
    convert(table, _ManualTable)
    return Manual()
