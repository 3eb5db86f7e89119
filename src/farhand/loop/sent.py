"""Events sent to a running cell, and their answers."""

from __future__ import annotations

from collections.abc import Iterable

from farhand.types import Event, Note, Tick

__all__ = ["Sent", "refusals"]


class Sent:
    """An event sent to a cell; the tick that it enters answers it.

    Args:
        number: Number by which notes answer it.
        event: The event.

    Attributes:
        done: True once it has entered a tick; before that there is no answer.
        notes: Reasons of its refusal; empty if it was carried out.
    """

    def __init__(self, number: int, event: Event) -> None:
        self.number, self.event = number, event
        self.done = False
        self.notes: tuple[Note, ...] = ()

    @property
    def ok(self) -> bool:
        """True once it has been carried out; False also while there is no answer."""
        return self.done and not self.notes

    def answer(self, notes: Iterable[Note]) -> None:
        """Store the answer."""
        self.notes, self.done = tuple(notes), True


def refusals(tick: Tick) -> dict[int, list[Note]]:
    """Return the notes of a tick that refuse events, by the number of the event."""
    found: dict[int, list[Note]] = {}
    for notes in (tick.notes, *[report.notes for report in tick.lanes.values()]):
        for note in notes:
            if note.answers >= 0:
                found.setdefault(note.answers, []).append(note)
    return found
