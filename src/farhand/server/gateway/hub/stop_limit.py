"""Repeated Stops of one viewer: the first always counts at once; while it is latched, one a second is passed on.

A Stop is joined to the viewer's last one only if nothing else was ordered since: a reset in between makes it a first
one again, whatever the newest frame says.
"""

from __future__ import annotations

from collections.abc import Callable

from farhand.server.protocol.internal_messages import Done

__all__ = ["EVERY_S", "RepeatedStops"]

EVERY_S = 1.0  # between two Stops of one viewer that are passed on while the cell is stopped
MAX_WAITING = 64  # answers to Stops that were joined to one under way
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
        clock: Monotonic seconds.
        latched: Returns whether every robot of the cell is stopped.
    """

    def __init__(self, clock: Callable[[], float], latched: Callable[[], bool]) -> None:
        self._clock, self._latched = clock, latched
        self._passed: dict[int, _Passed] = {}

    def joins(self, viewer: int, answer: Answering) -> bool:
        """Return whether a Stop says nothing new; it is answered with the viewer's last one."""
        last = self._passed.get(viewer)
        if last is None:
            return False
        if last.done is None:  # under way, and sent again until the cell has heard it
            if len(last.waiting) < MAX_WAITING:
                last.waiting.append(answer)
            return True
        if not last.done.ok or not self._latched() or self._clock() - last.at >= EVERY_S:
            return False
        answer(last.done)
        return True

    def passes(self, viewer: int, answer: Answering) -> Answering:
        """Note a Stop that is passed on; return what takes its answer."""
        self._passed[viewer] = passed = _Passed(self._clock(), answer)
        return passed.finish

    def forget(self) -> None:
        """Let every viewer's next Stop be a first one: something else was ordered, or the cell is another one."""
        self._passed.clear()
