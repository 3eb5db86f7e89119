"""A bound on all connections of the web server, so that a descriptor is left to answer the next one."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Connections"]


class Connections:
    """Counts open connections.

    Args:
        most: Most connections.
        full: Called when there are more.
    """

    def __init__(self, most: int, full: Callable[[], None]) -> None:
        self._most, self._full = most, full
        self._open: set[object] = set()
        self._stuck: dict[object, Callable[[], object]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def made(self, who: object) -> bool:
        """Count a new connection and return whether it may stay.

        If all places are taken, end the connection that has not read its answer for the longest time.
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
        """Forget a connection that has ended."""
        self._open.discard(who)
        self._stuck.pop(who, None)

    def stuck(self, who: object, end: Callable[[], object]) -> None:
        """Mark a connection that does not read its answer; `end` ends it."""
        self._stuck[who] = end

    def flows(self, who: object) -> None:
        """Unmark a connection that reads its answer again."""
        self._stuck.pop(who, None)
