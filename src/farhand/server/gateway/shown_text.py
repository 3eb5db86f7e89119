"""Text from one person that others see: printable, in one direction, of bounded length."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

import msgspec

__all__ = ["NAME_LENGTH", "clean", "unprintable"]

NAME_LENGTH = 64
# Blank letters and marks; control, direction and zero-width characters have the category "C".
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(c) for c in range(0xFE00, 0xFE10)}
MAX_MARKS = 2  # accents on one letter


def _shows(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] != "C" and category not in ("Zl", "Zp") and character not in BLANK


def clean(text: str, length: int) -> str:
    """Return a text without invisible characters, with single spaces, cut to a length."""
    kept, marks = [], 0
    for character in unicodedata.normalize("NFC", text[: 8 * length]):
        if character.isspace():
            character = " "
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if _shows(character) and marks <= MAX_MARKS:
            kept.append(character)
    return " ".join("".join(kept).split())[:length].strip()


def unprintable(message: Any) -> bool:
    """Return whether a text in a message has invisible characters."""
    return any(not all(map(_shows, text)) for text in _texts(message) if not (text.isascii() and text.isprintable()))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(key)
            yield from _texts(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)
