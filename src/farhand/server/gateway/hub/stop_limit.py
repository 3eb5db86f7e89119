"""Repeated Stops of one viewer: the first is forwarded at once; while the cell is stopped, one per second.

A Stop is merged with the viewer's last one only if nothing else was ordered since: after a reset in between it counts
as a first one, whatever the newest frame shows.
"""

from __future__ import annotations

from collections.abc import Callable

from farhand.server.protocol.internal_messages import Done

__all__ = ["EVERY_S", "RepeatedStops"]

EVERY_S = 1.0  # between two forwarded Stops of one viewer while the cell is stopped
MAX_WAITING = 64  # answers to Stops that were merged with an unanswered one
Answering = Callable[[Done], None]


class _Passed:
    def __init__(self, at: float, answer: Answering) -> None:
        self.at, self.waiting = at, [answer]
        self.done: Done | None = None

    def finish(self, done: Done) -> None:
        self.done, waiting, self.waiting = done, self.waiting, []
        for answer in waiting:
            answer(done)


class RepeatedStops:
    """The last Stop of each viewer.

    Args:
        clock: Monotonic clock, s.
        latched: Returns whether every robot of the cell is stopped.
    """

    def __init__(self, clock: Callable[[], float], latched: Callable[[], bool]) -> None:
        self._clock, self._latched = clock, latched
        self._passed: dict[int, _Passed] = {}

    def joins(self, viewer: int, answer: Answering) -> bool:
        """Return whether a Stop is merged with the viewer's last one, whose answer it gets."""
        last = self._passed.get(viewer)
        if last is None:
            return False
        if last.done is None:  # unanswered, and sent again until the cell answers
            if len(last.waiting) < MAX_WAITING:
                last.waiting.append(answer)
            return True
        if not last.done.ok or not self._latched() or self._clock() - last.at >= EVERY_S:
            return False
        answer(last.done)
        return True

    def passes(self, viewer: int, answer: Answering) -> Answering:
        """Register a forwarded Stop; return the function that takes its answer."""
        self._passed[viewer] = passed = _Passed(self._clock(), answer)
        return passed.finish

    def forget(self) -> None:
        """Make every viewer's next Stop a first one: something else was ordered, or the cell's process is new."""
        self._passed.clear()
