"""Errors that say as data why a command is refused, and what becomes of those that only have a sentence."""

from __future__ import annotations

from farhand.errors import CommandError, FarhandError, UnknownNameError, WorldError, nearest
from farhand.notes.render import clause
from farhand.types import Note, Subject

__all__ = ["RefusedError", "refusal_of"]

MAX_NAME = 80  # characters of an unknown name that are repeated


class RefusedError(CommandError, WorldError):
    """A command, or an edit of the world, cannot be carried out.

    Args:
        note: Why; its code is one of `CODES`.
    """

    def __init__(self, note: Note) -> None:
        self.note = note
        super().__init__(note)

    def __str__(self) -> str:
        return clause(self.note).removesuffix(".")


def refusal_of(error: FarhandError) -> Note:
    """Return as a note why a command was refused; a plain error's sentence stands in it as it is."""
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
