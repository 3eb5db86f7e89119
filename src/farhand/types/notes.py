"""Notes to the operator as data: a code, subjects and quantities. `farhand.notes` turns them into sentences."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["Level", "Note", "Quantity", "Subject", "Unit"]

Level = Literal["info", "slow", "stop", "fault"]
Unit = Literal["m", "m/s", "rad", "rad/s", "s", "N", "Nm", "Hz", "share", "count", ""]


class Subject(Struct, frozen=True):
    """A subject of a note.

    Args:
        kind: Kind of subject: "robot", "joint", "body", …; `farhand.notes` has the list.
        name: Its own name, or a word of a closed list that each language translates.
    """

    kind: str
    name: str


class Quantity(Struct, frozen=True):
    """A number of a note, by name and unit (SI, radians; "share" of 1; "count")."""

    name: str
    value: float
    unit: Unit


class Note(Struct, frozen=True, omit_defaults=True):
    """The reason why a command was altered, refused or stopped; `farhand.notes.render` makes the sentence.

    Args:
        code: The meaning; each one is declared in `farhand.notes.codes`.
        level: "info" changes nothing, "slow" slows or bends a motion, "stop" ends it, "fault" means broken.
        about: Subjects, in the order that the code declares.
        quantities: Numbers of the note.
        free: Codes of the motions that remain free, if the note is about a limit.
        cause: Reason of a pause, a stop or a refusal.
        answers: Number of the event that the note refuses; -1 for all other notes.
    """

    code: str
    level: Level = "info"
    about: tuple[Subject, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    free: tuple[str, ...] = ()
    cause: Note | None = None
    answers: int = -1
