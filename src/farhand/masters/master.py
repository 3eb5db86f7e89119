"""What every master offers, and the registry of their kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from farhand.registry import Registry
from farhand.types import Feedback, Reading

__all__ = ["MASTERS", "Master", "MasterFactory"]


class Master(Protocol):
    """Something that is read once a tick."""

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return what the operator does now, or None if there is nothing new.

        Args:
            feedback: What the robot feels, and the newest tick's number, to be echoed in the reading.
            now: Seconds of the cell's clock.
        """


MasterFactory = Callable[[dict[str, Any], Path], Master]
"""Makes a master from its table in a cell file and the folder of that file."""

MASTERS: Registry[MasterFactory] = Registry("master")
