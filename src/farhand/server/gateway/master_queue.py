"""Messages of one master at the door, between Zenoh's thread and the event loop: bounded, whatever is sent."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from farhand.server.gateway.message_limit import FloodError, Inflow

__all__ = ["MasterQueue"]


def _at_the_next_look(flush: Callable[[], None]) -> None:
    """Do nothing: `MasterQueue.take` flushes."""
    del flush


class MasterQueue:
    """What has come under one name since the loop looked last.

    Args:
        clock: Monotonic seconds, on any thread.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._lock = threading.Lock()
        self._ready: deque[bytes | str] = deque()
        self._inflow = Inflow(clock, self._ready.append, _at_the_next_look)
        self._awaited = False
        self.flooded = False
        """The sender stayed above the limit; nothing more of it is taken."""

    def put(self, content: bytes) -> bool:
        """Take a message, on any thread; return whether the loop must be woken up for it."""
        with self._lock:
            if self.flooded:
                return False
            try:
                self._inflow.put(content)
            except FloodError:
                self.flooded = True
            wake, self._awaited = not self._awaited, True
            return wake

    def take(self) -> list[bytes | str]:
        """Return what counts of it, in order."""
        with self._lock:
            self._awaited = False
            self._inflow.flush()
            ready = list(self._ready)
            self._ready.clear()
            return ready
