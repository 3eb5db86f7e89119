"""The form of a language: its sentences, its words for closed lists, and how it writes names and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from farhand.types import Level

__all__ = ["Language", "Wording"]


class Wording(Struct, frozen=True):
    """How one code is said.

    Placeholders are those that the code declares, `{cause}` and `{Cause}`, which begins a sentence of its own.

    Args:
        text: The sentence: cause, then effect. It begins with a small letter where it may follow a colon.
        way: The way out, as a sentence.
        bare: The sentence for notes that leave out what the code declares as optional.
        exam: The sentence for a trainee, if `text` has placeholders that the code hides from them.
        you: The sentence for the person whom the note is about.
    """

    text: str
    way: str = ""
    bare: str = ""
    exam: str = ""
    you: str = ""


class Language(Struct, frozen=True):
    """One language.

    Args:
        code: As in `lang="…"`.
        title: Its own name.
        sentences: By code of a note.
        directions: How each direction that is free is taken up, to stand in `can`.
        can: The sentence around directions, with the placeholder `{ways}`.
        either: Joins the last two of several alternatives.
        ways: Sentences for other ways out.
        hidden: General sentences by level, for notes that are hidden from a trainee.
        unsaid: Stands for a cause that is hidden from a trainee.
        words: For kinds of subject whose names come from a closed list.
        named: How a name of some kind stands in a sentence; other kinds stand as they are.
        decimal: The sign before decimals.
        finish: Is applied to each finished text; for languages that are made from others.
    """

    code: str
    title: str
    sentences: Mapping[str, Wording]
    directions: Mapping[str, str]
    can: str
    either: str
    ways: Mapping[str, str]
    hidden: Mapping[Level, str]
    unsaid: str
    words: Mapping[str, Mapping[str, str]]
    named: Mapping[str, Callable[[str], str]]
    decimal: str = "."
    finish: Callable[[str], str] = str
