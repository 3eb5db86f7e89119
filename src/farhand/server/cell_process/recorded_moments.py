"""The kept ticks of a record by their time: read in blocks, of which the last ones stay in memory."""

from __future__ import annotations

import bisect
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress

from farhand.records.errors import RecordError
from farhand.records.read import Kept, Record
from farhand.types import Inputs

__all__ = ["RecordedMoments"]

BLOCK_S = 0.5  # of the record that is read at once
MAX_BLOCKS = 60  # that stay in memory
SEARCHED_BLOCKS = 40  # on either side of a moment without a kept tick
NO_INPUTS = Inputs()


class RecordedMoments:
    """The kept ticks of a record.

    Args:
        record: The record.
    """

    def __init__(self, record: Record) -> None:
        self._record, self._dt = record, record.info.timestep
        self._block = max(1, round(BLOCK_S / self._dt))
        self._last_block = (record.last - record.first) // self._block
        self._blocks: OrderedDict[int, list[Kept]] = OrderedDict()

    def at(self, tick: int) -> Kept | None:
        """Return the last kept tick up to a number, else the first one after it; None if none is near."""
        number = self._block_of(tick)
        for block in range(number, max(-1, number - SEARCHED_BLOCKS), -1):
            for kept in reversed(self._kept(block)):
                if kept.tick.number <= tick:
                    return kept
        return self._after(tick)

    def stepped(self, tick: int, steps: int) -> Kept | None:
        """Return the kept tick that lies a number of kept ticks after a tick, or before it if negative."""
        found = self.at(tick)
        for _ in range(abs(steps)):
            if found is None:
                return None
            number = found.tick.number
            found = (self._after(number + 1) if steps > 0 else self.at(number - 1)) or found
        return found

    def between(self, first: int, last: int) -> Iterator[Kept]:
        """Yield the kept ticks from a first to a last number."""
        for block in range(self._block_of(first), self._block_of(last) + 1):
            for kept in self._kept(block):
                if first <= kept.tick.number <= last:
                    yield kept

    def inputs_of(self, tick: int) -> Inputs:
        """Return the newest readings up to a tick, for the pictures of the masters."""
        found = NO_INPUTS
        for number, inputs in self._record.inputs(max(self._record.first, tick - 4)):
            if number > tick:
                break
            found = inputs if inputs.readings else found
        return found

    def _after(self, tick: int) -> Kept | None:
        number = self._block_of(tick)
        for block in range(number, min(self._last_block, number + SEARCHED_BLOCKS) + 1):
            for kept in self._kept(block):
                if kept.tick.number >= tick:
                    return kept
        return None

    def _block_of(self, tick: int) -> int:
        return min(max(0, (tick - self._record.first) // self._block), self._last_block)

    def _kept(self, block: int) -> list[Kept]:
        """Return the kept ticks of a block, in order; none where the record is damaged."""
        found = self._blocks.get(block)
        if found is None:
            first = self._record.first + block * self._block
            found = self._blocks[block] = self._read(first, first + self._block - 1)
            if len(self._blocks) > MAX_BLOCKS:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end(block)
        return found

    def _read(self, first: int, last: int) -> list[Kept]:
        found: list[Kept] = []
        with suppress(RecordError):  # what comes before damage is shown; `PlaybackUpdate.missing` says the rest
            found.extend(self._record.kept(first, last))
        found.sort(key=lambda kept: kept.tick.number)
        return found


def index_at(starts: list[int], tick: int) -> int:
    """Return the index of the last of sorted ticks up to a tick; 0 before the first."""
    return max(0, bisect.bisect_right(starts, tick) - 1)
