"""The messages of one remote master, between Zenoh's thread and the event loop: bounded, whatever it sends."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from farhand.server.gateway.message_limit import FloodError, LimitedReceiver

__all__ = ["MasterQueue"]


def _at_the_next_look(flush: Callable[[], None]) -> None:
    """Do nothing: `MasterQueue.take` flushes instead."""
    del flush


class MasterQueue:
    """The messages of one master since the loop last took them.

    Args:
        clock: Monotonic clock, s, readable on any thread.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._lock = threading.Lock()
        self._ready: deque[bytes | str] = deque()
        self._receiver = LimitedReceiver(clock, self._ready.append, _at_the_next_look)
        self._awaited = False
        self.flooded = False
        """The master stayed above the limit; its messages are no longer taken."""

    def put(self, content: bytes) -> bool:
        """Add a message, on any thread; return whether the loop must be woken for it."""
        with self._lock:
            if self.flooded:
                return False
            try:
                self._receiver.put(content)
            except FloodError:
                self.flooded = True
            wake, self._awaited = not self._awaited, True
            return wake

    def take(self) -> list[bytes | str]:
        """Return the messages that count, in order."""
        with self._lock:
            self._awaited = False
            self._receiver.flush()
            ready = list(self._ready)
            self._ready.clear()
            return ready
