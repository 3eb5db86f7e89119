"""A bound on connections that are not admitted yet: when it is reached, the oldest one of the busiest address ends.

All pages of one machine, and all behind one proxy, have one address. So a new connection is never rejected: it replaces
an old one, because an honest client waits for a moment only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

__all__ = ["PendingConnections"]


class PendingConnections:
    """Connections that are not admitted yet.

    Args:
        places: Most connections.
        per_address: Most connections of one address.
        full: Called when a connection is ended for a newer one.
    """

    def __init__(self, places: int, per_address: int, full: Callable[[], None]) -> None:
        self._places, self._per_address, self._full = places, per_address, full
        self._waiting: dict[object, tuple[str, Callable[[], object]]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def enter(self, who: object, address: str, leave: Callable[[], object]) -> None:
        """Add a connection.

        Args:
            who: The connection.
            address: Its address.
            leave: Ends it, if its place is needed.
        """
        self._waiting[who] = (address, leave)
        count = Counter(each for each, _ in self._waiting.values())
        if count[address] > self._per_address:
            self._oldest_leaves(address)
        elif len(self._waiting) > self._places:
            self._oldest_leaves(count.most_common(1)[0][0])

    def left(self, who: object) -> None:
        """Remove a connection that has ended or was admitted."""
        self._waiting.pop(who, None)

    def _oldest_leaves(self, address: str) -> None:
        who = next(who for who, (each, _) in self._waiting.items() if each == address)
        _, leave = self._waiting.pop(who)
        self._full()
        leave()
