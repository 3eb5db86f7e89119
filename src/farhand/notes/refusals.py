"""Refusals of commands as notes, and the note that carries the sentence of a plain error."""

from __future__ import annotations

from farhand.errors import CommandError, FarhandError, UnknownNameError, WorldError, nearest
from farhand.notes.render import clause
from farhand.types import Note, Subject

__all__ = ["RefusedError", "refusal_of"]

MAX_NAME = 80  # characters of an unknown name that a note repeats


class RefusedError(CommandError, WorldError):
    """A command, or an edit of the world, cannot be carried out.

    Args:
        note: The reason; its code is one of `CODES`.
    """

    def __init__(self, note: Note) -> None:
        self.note = note
        super().__init__(note)

    def __str__(self) -> str:
        return clause(self.note).removesuffix(".")


def refusal_of(error: FarhandError) -> Note:
    """Return the reason of a refusal as a note; it repeats the sentence of a plain error unchanged."""
    if isinstance(error, RefusedError):
        return error.note
    if isinstance(error, UnknownNameError):
        return _unknown(error)
    return Note("refused.detail", about=(Subject("detail", str(error)),))


def _unknown(error: UnknownNameError) -> Note:
    name = error.name if len(error.name) <= MAX_NAME else f"{error.name[:MAX_NAME]}…"
    about = (Subject("kind", error.kind), Subject("name", name))
    known = tuple([Subject("known", name) for name in error.known])
    guess = nearest(error.name, error.known) if error.name else None
    if guess:
        return Note("refused.unknown.guess", about=(*about, Subject("name", guess), *known))
    return Note("refused.unknown", about=(*about, *known))
