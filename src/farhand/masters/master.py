"""The interface of masters, and the registry of their kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from farhand.registry import Registry
from farhand.types import Feedback, Reading

__all__ = ["MASTERS", "Master", "MasterFactory"]


class Master(Protocol):
    """An input device, read once a tick."""

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the reading of this tick, or None if there is no new one.

        Args:
            feedback: Contact force, force feedback and the newest tick's number, which the reading echoes.
            now: Seconds of the cell's clock.
        """


MasterFactory = Callable[[dict[str, Any], Path], Master]
"""Makes a master from its table in a cell file and the folder of that file."""

MASTERS: Registry[MasterFactory] = Registry("master")
