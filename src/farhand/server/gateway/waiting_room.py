"""Strangers wait in a bounded room: when it is full, the oldest of the address that has most in it must go.

All pages of one machine, and all behind one proxy, have one address. So a full room turns nobody away: it makes place
for the newest, because an honest client waits for a moment only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

__all__ = ["WaitingRoom"]


class WaitingRoom:
    """Connections that have not shown yet that they may be here.

    Args:
        places: How many may wait.
        per_address: How many of one address.
        full: Called when somebody must go for somebody else.
    """

    def __init__(self, places: int, per_address: int, full: Callable[[], None]) -> None:
        self._places, self._per_address, self._full = places, per_address, full
        self._waiting: dict[object, tuple[str, Callable[[], object]]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def enter(self, who: object, address: str, leave: Callable[[], object]) -> None:
        """Let a connection wait.

        Args:
            who: The connection.
            address: Where it comes from.
            leave: Ends it, if its place is needed.
        """
        self._waiting[who] = (address, leave)
        count = Counter(each for each, _ in self._waiting.values())
        if count[address] > self._per_address:
            self._oldest_leaves(address)
        elif len(self._waiting) > self._places:
            self._oldest_leaves(count.most_common(1)[0][0])

    def left(self, who: object) -> None:
        """Forget a connection: it has ended, or has shown that it may be here."""
        self._waiting.pop(who, None)

    def _oldest_leaves(self, address: str) -> None:
        who = next(who for who, (each, _) in self._waiting.items() if each == address)
        _, leave = self._waiting.pop(who)
        self._full()
        leave()
