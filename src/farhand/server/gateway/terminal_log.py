"""Sentences for the terminal about messages from outside: each kind at most once a minute, with a count."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable

from msgspec import Struct

__all__ = ["Terminal", "silent"]

EVERY_S = 60.0  # between two sentences of one kind
MAX_KINDS = 64
# Log messages of uvicorn, and the sentences that replace them.
PLAIN = {
    "Invalid HTTP request received.": "A connection sent an invalid HTTP request; it was closed.",
    "Unsupported upgrade request.": "A connection asked for a protocol that this server does not support.",
}


def silent(kind: str, text: str) -> None:
    """Write nothing."""
    del kind, text


class _Said(Struct):
    at: float
    more: int = 0


class Terminal:
    """Writes sentences of each kind at most once a minute.

    Args:
        clock: Monotonic clock, s.
        write: Takes a line.
    """

    def __init__(self, clock: Callable[[], float], write: Callable[[str], object]) -> None:
        self._clock, self._write = clock, write
        self._said: dict[str, _Said] = {}

    def say(self, kind: str, text: str) -> None:
        """Write a sentence, or count it if one of its kind was written within the last minute."""
        now, said = self._clock(), self._said.get(kind)
        if said is not None and now - said.at < EVERY_S:
            said.more += 1
            return
        if said is None and len(self._said) >= MAX_KINDS:
            kind, text = "other", "More kinds of messages than can be listed."
            if kind in self._said:
                return
        more = f" ({said.more + 1} times since the last report)" if said is not None and said.more else ""
        self._said[kind] = _Said(now)
        self._write(f"{text}{more}\n")

    def take_logs(self) -> None:
        """Take over the log records of all libraries in this process."""
        root = logging.getLogger()
        root.handlers, root.level = [_Logged(self)], logging.WARNING


class _Logged(logging.Handler):
    """Writes log records; an error with a traceback is a defect of Farhand, and is written in full."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self._terminal = terminal

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage().strip()
        except (TypeError, ValueError):
            text = str(record.msg)
        kind, error = f"{record.name} {record.msg}", record.exc_info[1] if record.exc_info else None
        if error is not None:
            last = traceback.extract_tb(error.__traceback__)[-1:]
            kind += f" {type(error).__name__} {[(frame.filename, frame.lineno) for frame in last]}"
            text += "\n" + "".join(traceback.format_exception(error)).rstrip()
        self._terminal.say(kind, PLAIN.get(text, text))
