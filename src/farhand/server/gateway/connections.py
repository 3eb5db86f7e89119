"""All connections of the web server, bounded: a descriptor is left to answer the next one."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Connections"]


class Connections:
    """Counts open connections.

    Args:
        most: How many there may be.
        full: Called when there are more.
    """

    def __init__(self, most: int, full: Callable[[], None]) -> None:
        self._most, self._full = most, full
        self._open: set[object] = set()
        self._stuck: dict[object, Callable[[], object]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def made(self, who: object) -> bool:
        """Count a new connection and return whether there is a place for it.

        The one that has not taken its answer for the longest time makes place for it.
        """
        self._open.add(who)
        if len(self._open) <= self._most:
            return True
        self._full()
        if not self._stuck:
            return False
        oldest = next(iter(self._stuck))
        self._stuck.pop(oldest)()
        return True

    def lost(self, who: object) -> None:
        """Forget a connection: it has ended."""
        self._open.discard(who)
        self._stuck.pop(who, None)

    def stuck(self, who: object, end: Callable[[], object]) -> None:
        """Remember that a connection does not take its answer, and how to end it."""
        self._stuck[who] = end

    def flows(self, who: object) -> None:
        """Forget that a connection did not take its answer: it does again."""
        self._stuck.pop(who, None)
