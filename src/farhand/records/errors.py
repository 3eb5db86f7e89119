"""The error of this package."""

from __future__ import annotations

from farhand.errors import FarhandError

__all__ = ["RecordError", "printable"]


class RecordError(FarhandError):
    """A record that cannot be written, read or taken up.

    Its message is one line of printable characters: parts of it may come from a stranger's file.
    """

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


def printable(text: str, length: int = 1000) -> str:
    """Return a text as one line without control characters.

    Args:
        text: From a record.
        length: Characters to keep at most.
    """
    return "".join([letter if letter.isprintable() else "�" for letter in text[:length]])
