"""Decoys: words that are not commands; speech that fits a decoy better than every phrase is rejected."""

from __future__ import annotations

from importlib.resources import files

from farhand.voice.vocabulary import PHRASES

__all__ = ["DECOYS"]


def _read() -> tuple[str, ...]:
    """Return the words of the list, and the single words of phrases: half a phrase is not a command."""
    lines = files("farhand.voice").joinpath("decoys.txt").read_text().splitlines()
    words = {word for line in lines if not line.startswith("#") for word in line.split()}
    parts = {word for phrase in PHRASES for word in phrase.split()}
    return tuple(sorted((words | parts) - set(PHRASES)))


DECOYS = _read()
