"""The declaration of a code: its subjects, quantities and units, and the parts that a trainee may read."""

from __future__ import annotations

from msgspec import Struct

from farhand.types import Level

__all__ = ["READER_NOTES", "About", "CodeSpec", "Measure"]

READER_NOTES = (
    *("axis", "collision", "contact", "degrees", "effort", "fixed", "home", "inertia", "limits"),
    *("mesh", "meshes", "mimic", "scene", "tip", "velocity"),
)
"""Endings of the codes for the assumptions of robot file readers; each assumption is a sentence of its own."""


class About(Struct, frozen=True):
    """One place for a subject.

    Args:
        name: Its placeholder in sentences.
        kinds: The kinds of subject that may stand there.
        many: The place takes any number of subjects, also none; allowed for the last place only.
    """

    name: str
    kinds: tuple[str, ...]
    many: bool = False


class Measure(Struct, frozen=True):
    """One quantity.

    Args:
        name: Its placeholder in sentences.
        units: The units it may have, SI.
        shown: The unit in a sentence; empty for the usual one.
        form: The number format, as in Python; empty for the usual one.
        optional: Whether a note may lack it; the language then uses its `bare` sentence.
    """

    name: str
    units: tuple[str, ...]
    shown: str = ""
    form: str = ""
    optional: bool = False


class CodeSpec(Struct, frozen=True):
    """The declaration of one code.

    Args:
        level: The severity.
        about: Places for subjects, in order.
        measures: The quantities.
        optional: Whether a note may leave out all subjects; the language then uses its `bare` sentence.
        cause: Whether a note has a cause.
        exam: The placeholders that a trainee may read; None if a trainee reads a general sentence instead.
    """

    level: Level = "info"
    about: tuple[About, ...] = ()
    measures: tuple[Measure, ...] = ()
    optional: bool = False
    cause: bool = False
    exam: tuple[str, ...] | None = None
