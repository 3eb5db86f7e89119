"""The form of a declaration: what a note of some code says, in which units, and what a trainee may read of it."""

from __future__ import annotations

from msgspec import Struct

from farhand.types import Level

__all__ = ["READER_NOTES", "About", "CodeSpec", "Measure"]

READER_NOTES = (
    *("axis", "collision", "contact", "degrees", "effort", "fixed", "home", "inertia", "limits"),
    *("mesh", "meshes", "mimic", "scene", "tip", "velocity"),
)
"""Endings of the codes under which readers of robot files say what they assumed, each in a sentence of its own."""


class About(Struct, frozen=True):
    """One place for a subject.

    Args:
        name: Its placeholder in sentences.
        kinds: The kinds of subject that may stand there.
        many: Any number of subjects, none at all included; only the last place may.
    """

    name: str
    kinds: tuple[str, ...]
    many: bool = False


class Measure(Struct, frozen=True):
    """One quantity.

    Args:
        name: Its placeholder in sentences.
        units: The units it may have, SI.
        shown: The unit in a sentence; empty: the usual one of its unit.
        form: How many digits, as Python formats numbers; empty: the usual ones.
        optional: A note may lack it; then the language's `bare` sentence is used.
    """

    name: str
    units: tuple[str, ...]
    shown: str = ""
    form: str = ""
    optional: bool = False


class CodeSpec(Struct, frozen=True):
    """What notes of one code say.

    Args:
        level: How grave they are.
        about: Places for subjects, in order.
        measures: Their quantities.
        optional: Notes may leave out all subjects; then the language's `bare` sentence is used.
        cause: They have a cause.
        exam: The placeholders that a trainee may read; None: a trainee reads a general sentence instead.
    """

    level: Level = "info"
    about: tuple[About, ...] = ()
    measures: tuple[Measure, ...] = ()
    optional: bool = False
    cause: bool = False
    exam: tuple[str, ...] | None = None
