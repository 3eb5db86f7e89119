"""The parts of a language: its sentences, its words for closed lists, and its form of names and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from farhand.types import Level

__all__ = ["Language", "Wording"]


class Wording(Struct, frozen=True):
    """The sentences of one code.

    Placeholders are those that the code declares, `{cause}` within a sentence, and `{Cause}` as a sentence of its own.

    Args:
        text: The sentence: cause, then effect. It begins with a small letter if it may follow a colon.
        way: The way out, as a sentence.
        bare: The sentence for notes without the parts that the code declares as optional.
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
        code: The tag of the language, as in `lang="…"`.
        title: The name of the language in that language.
        sentences: The wording of each code.
        directions: The words for each free direction; they fill `can`.
        can: The sentence around directions, with the placeholder `{ways}`.
        either: The word between the last two of several alternatives.
        ways: The sentences for other ways out.
        hidden: General sentences by level, for notes that are hidden from a trainee.
        unsaid: The words in place of a cause that is hidden from a trainee.
        words: The words for subjects whose names come from a closed list, by kind and name.
        named: Functions that put a name into a sentence, by kind; names of other kinds stay as they are.
        decimal: The decimal sign.
        finish: A function applied to each finished text; pseudo-languages use it.
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
