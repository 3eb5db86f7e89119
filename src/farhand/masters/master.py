"""The interface of masters, and the registry of their kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from farhand.registry import Registry
from farhand.types import Feedback, Reading

__all__ = ["MASTERS", "Master", "MasterFactory", "SavesState"]


class Master(Protocol):
    """An input device, read once a tick."""

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the reading of this tick, or None if there is no new one.

        Args:
            feedback: Contact force, force feedback and the newest tick's number, which the reading echoes.
            now: Seconds of the cell's clock.
        """


@runtime_checkable
class SavesState(Protocol):
    """A master with a state that snapshots of a run keep."""

    def saved_state(self) -> Struct:
        """Return the state as a plain value."""

    def load_state(self, state: Any) -> None:
        """Continue from a state that `saved_state` returned.

        Raises:
            CommandError: If it is the state of another kind of master.
        """


MasterFactory = Callable[[dict[str, Any], Path], Master]
"""Makes a master from its table in a cell file and the folder of that file."""

MASTERS: Registry[MasterFactory] = Registry("master")
