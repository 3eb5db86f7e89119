"""Contacts of a run as entries: when each begins and ends, how hard it was, and how much it pushed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from farhand.records.entries import ContactEntry
from farhand.types import PairContact

__all__ = ["ContactLog"]

BROKEN_S = 0.02  # seconds without contact that end it: bodies that chatter stay in contact
REST_S = 1.0


class _Open:
    """A contact that lasts."""

    def __init__(self, first: int) -> None:
        self.first = self.seen = self.told = first
        self.peak = self.impulse = 0.0


class ContactLog:
    """Turns the pairs of each tick into entries.

    Args:
        dt: Seconds per tick.
    """

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._broken, self._rest = max(1, round(BROKEN_S / dt)), round(REST_S / dt)
        self._open: dict[tuple[str, str], _Open] = {}

    def take(self, tick: int, pairs: Iterable[PairContact]) -> Iterator[ContactEntry]:
        """Take the pairs of a tick; yield the contacts that begin, and those that last, once a second."""
        for pair in pairs:
            key = (pair.first, pair.second)
            contact = self._open.get(key)
            if contact is None:
                contact = self._open[key] = _Open(tick)
                yield ContactEntry(tick, "begin", *key, pair.force, 0.0)
            contact.seen = tick
            contact.peak = max(contact.peak, pair.force)
            contact.impulse += pair.force * self._dt
            if tick - contact.told >= self._rest:
                contact.told = tick
                yield ContactEntry(tick, "rest", *key, contact.peak, contact.impulse)

    def ended(self, tick: int, asleep: frozenset[str] = frozenset()) -> Iterator[ContactEntry]:
        """Yield the contacts that have ended up to a tick; bodies that sleep stay in contact."""
        for key, contact in list(self._open.items()):
            if tick - contact.seen >= self._broken and not asleep.intersection(key):
                del self._open[key]
                yield ContactEntry(contact.seen, "end", *key, contact.peak, contact.impulse)
