"""Computing a run again from its inputs, and comparing the result with what was kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.records.build_info import build_differences
from farhand.records.cell_source import build
from farhand.records.changes import changed_spec
from farhand.records.collector import plain
from farhand.records.errors import RecordError
from farhand.records.read import Record
from farhand.records.run_writer import digest_of
from farhand.records.saved_cell import restore
from farhand.types import Tick

__all__ = ["Comparison", "Difference", "resimulate", "ticks_again"]

_encode = msgspec.msgpack.Encoder(order="deterministic", enc_hook=plain).encode


class Difference(Struct, frozen=True):
    """The first difference between a run and its re-simulation.

    Args:
        tick: Number of the first kept tick that differs.
        path: The first value that differs, in this tick or in the first later one that was kept with all its digits;
            empty if none was.
        path_tick: Number of the tick in which that value was compared.
        kept: The value that was kept.
        again: The value that was computed again.
    """

    tick: int
    path: str = ""
    path_tick: int = -1
    kept: Any = None
    again: Any = None


class Comparison(Struct, frozen=True):
    """The result of a re-simulation.

    Args:
        first: Number of the first tick computed.
        last: Number of the last one.
        compared: Number of kept ticks that were compared.
        difference: The first difference; None: equal to the bit.
        build: Versions that differ from those of the run, as sentences.
    """

    first: int
    last: int
    compared: int
    difference: Difference | None
    build: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether all compared ticks were equal to the bit."""
        return self.difference is None and self.compared > 0


def started(record: Record, start: int | None = None, changes: Sequence[str] = ()) -> Cell:
    """Return the cell of a record, before the first tick or at the last snapshot up to a tick.

    Args:
        record: The record.
        start: Begin at the last snapshot up to this tick; None: at the beginning.
        changes: Changes of the cell file, each as ``robots.arm.filters.compliance.threshold=30``.

    Raises:
        RecordError: If it cannot be built, or no snapshot can be taken up.
    """
    source = record.source if not changes else replace(record.source, spec=changed_spec(record.source.spec, changes))
    cell = build(source)
    saved = None if start is None and record.info.tick == 0 else record.snapshot_before(start or record.info.tick)
    if saved is not None:
        restore(cell, saved)
    elif record.info.tick:
        raise RecordError("the run began in a running cell, and its first snapshot is missing")
    return cell


def ticks_again(record: Record, cell: Cell, end: int | None = None) -> Iterator[Tick]:
    """Yield the ticks of a cell that gets a record's inputs, from the cell's own next tick on.

    Raises:
        RecordError: If inputs are missing.
    """
    for number, inputs in record.inputs(cell.number + 1):
        if end is not None and number > end:
            return
        if number != cell.number + 1:
            raise RecordError(f"the inputs of ticks {cell.number + 1} to {number - 1} are missing")
        try:
            tick = cell.step(inputs)
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            raise RecordError(f"tick {number} cannot be computed from the record: {error}") from error
        yield tick


def resimulate(
    record: Record,
    start: int | None = None,
    end: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    changes: Sequence[str] = (),
) -> Comparison:
    """Compute a run again and compare it with what was kept.

    Args:
        record: The record.
        start: Begin at the last snapshot up to this tick; None: at the beginning.
        end: Stop after this tick; None: at the end.
        progress: Called now and then with the number of the tick and of the last one.
        changes: Changes of the cell file: what if?

    Raises:
        RecordError: If the record lacks what it takes.
    """
    cell = started(record, start, changes)
    first = cell.number + 1
    digests = record.digests(first)
    due = next(digests, None)
    compared, wrong = 0, None
    last = record.last if end is None else min(end, record.last)
    for tick in ticks_again(record, cell, last):
        if progress and tick.number % 500 == 0:
            progress(tick.number, last)
        if due is None or due[0] != tick.number:
            continue
        compared += 1
        if digest_of(_encode(tick)) != due[1]:
            wrong = _first_value(record, cell, tick)
            break
        due = next(digests, None)
    return Comparison(first, cell.number, compared, wrong, build_differences(record.info))


def _first_value(record: Record, cell: Cell, tick: Tick) -> Difference:
    """Return the first value that differs, from a tick on that differs in some."""
    again = {tick.number: tick}
    for kept in record.exact(tick.number):
        for later in ticks_again(record, cell, kept.number):
            again = {later.number: later}
        if kept.number in again:
            found = _different(msgspec.to_builtins(kept), msgspec.to_builtins(again[kept.number], enc_hook=plain), "")
            if found:
                return Difference(tick.number, found[0], kept.number, found[1], found[2])
    return Difference(tick.number)


def _different(kept: Any, again: Any, path: str) -> tuple[str, Any, Any] | None:
    if isinstance(kept, dict) and isinstance(again, dict):
        for key in [*kept, *[key for key in again if key not in kept]]:
            found = _different(kept.get(key), again.get(key), f"{path}.{key}" if path else str(key))
            if found:
                return found
        return None
    if isinstance(kept, (list, tuple)) and isinstance(again, (list, tuple)) and len(kept) == len(again):
        for i, (one, other) in enumerate(zip(kept, again, strict=True)):
            found = _different(one, other, f"{path}[{i}]")
            if found:
                return found
        return None
    if isinstance(kept, float) and isinstance(again, float) and math.isnan(kept) and math.isnan(again):
        return None
    if isinstance(kept, (set, frozenset)) or isinstance(again, (set, frozenset)):
        kept, again = sorted(kept or ()), sorted(again or ())
    return None if kept == again else (path, kept, again)
