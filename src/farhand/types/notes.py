"""What is said to an operator, as data: a code, what it is about, quantities. Sentences are made of it at the edge."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["Level", "Note", "Quantity", "Subject", "Unit"]

Level = Literal["info", "slow", "stop", "fault"]
Unit = Literal["m", "m/s", "rad", "rad/s", "s", "N", "Nm", "Hz", "share", "count", ""]


class Subject(Struct, frozen=True):
    """One thing that a note is about.

    Args:
        kind: The kind of thing: "robot", "joint", "body", …; `farhand.notes` has the list.
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
    """Why a command was altered, refused or stopped. `farhand.notes.render` makes a sentence of it.

    Args:
        code: The meaning; each one is declared in `farhand.notes.codes`.
        level: "info" changes nothing, "slow" slows or bends a motion, "stop" ends it, "fault" is broken.
        about: The things it is about, in the order that its code declares.
        quantities: Its numbers.
        free: Codes of the ways out, if the note is about a limit.
        cause: The reason of a pause, a stop or a refusal.
        answers: Number of the event that is refused by it; -1 for all other notes.
    """

    code: str
    level: Level = "info"
    about: tuple[Subject, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    free: tuple[str, ...] = ()
    cause: Note | None = None
    answers: int = -1
