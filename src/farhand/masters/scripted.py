"""A master that follows a script of axes, grip and deadman."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.masters.master import MASTERS
from farhand.types import Feedback, Reading, Vector

__all__ = ["Scripted", "Step"]


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of a script.

    Args:
        seconds: Duration.
        axes: Deflections from -1 to 1, in the mapping's order.
        grip: Gripper trigger from 0 (open) to 1 (closed).
        deadman: Whether motion is enabled; left out: while any axis is deflected.
    """

    seconds: Annotated[float, Meta(gt=0.0, le=1e6)]
    axes: tuple[Annotated[float, Meta(ge=-1.0, le=1.0)], ...] = ()
    grip: Annotated[float, Meta(ge=0.0, le=1.0)] | None = None
    deadman: bool | None = None


class Scripted:
    """Follows a list of steps, then releases the deadman or begins again.

    The first reading is always released, since motion needs a fresh press.

    Args:
        steps: The steps, in order.
        repeat: Begin again at the end.
    """

    def __init__(self, steps: Iterable[Step], *, repeat: bool = False) -> None:
        self.steps, self.repeat = tuple(steps), repeat
        self.length = sum(step.seconds for step in self.steps)
        self._sequence = 0
        self._start: float | None = None

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the reading of this time."""
        self._sequence = max(self._sequence, feedback.tick) + 1  # never below that of a master it replaces
        if self._start is None:
            self._start = now
            return Reading(sequence=self._sequence, tick=feedback.tick)
        step = self._step_at(now - self._start)
        axes: Vector = step.axes if step else ()
        held = step.deadman if step and step.deadman is not None else any(axes)
        grip = step.grip if step else None
        return Reading(sequence=self._sequence, tick=feedback.tick, deadman=held, axes=axes, grip=grip)

    def _step_at(self, time: float) -> Step | None:
        if self.repeat and self.length > 0:
            time %= self.length
        for step in self.steps:
            if time < step.seconds:
                return step
            time -= step.seconds
        return None


class _ScriptedTable(Struct, frozen=True, forbid_unknown_fields=True):
    steps: tuple[Step, ...]
    repeat: bool = False


@MASTERS.register("scripted")
def _make(table: dict[str, Any], folder: Path) -> Scripted:
    """Follows a script of axes, grip and deadman."""
    del folder
    config = convert(table, _ScriptedTable)
    return Scripted(config.steps, repeat=config.repeat)
