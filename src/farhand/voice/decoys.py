"""Words that are no commands: speech that fits one of them better than every phrase is not understood."""

from __future__ import annotations

from importlib.resources import files

from farhand.voice.vocabulary import PHRASES

__all__ = ["DECOYS"]


def _read() -> tuple[str, ...]:
    """Return the words of our file, and those of which phrases are made: half of a phrase is none."""
    lines = files("farhand.voice").joinpath("decoys.txt").read_text().splitlines()
    words = {word for line in lines if not line.startswith("#") for word in line.split()}
    parts = {word for phrase in PHRASES for word in phrase.split()}
    return tuple(sorted((words | parts) - set(PHRASES)))


DECOYS = _read()
