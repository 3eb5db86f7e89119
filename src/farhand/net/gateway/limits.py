"""How many messages a page may send: plenty for any hand, too few to keep the server busy."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Allowance"]

RATE = 1000.0  # messages a second, in the long run
BURST = 2000.0  # and at once


class Allowance:
    """A bucket of messages that fills up again with time.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._left, self._at = clock, BURST, clock()

    def spend(self) -> float:
        """Take one message; return how many seconds to wait before it may be read on."""
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._at) * RATE) - 1.0
        self._at = now
        return max(0.0, -self._left / RATE)
