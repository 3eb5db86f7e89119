"""Reading a record: what a program sees of one run."""

from __future__ import annotations

import bisect
import mmap
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from farhand.records.cell_source import CellSource
from farhand.records.columns import Columns, floats_of, ints_of, paths_of, qpos_of, ticks_of
from farhand.records.entries import (
    FORMAT,
    ContactEntry,
    Digests,
    ExactTick,
    Gap,
    InputsBatch,
    LogEntry,
    Mark,
    NoteEntry,
    RunInfo,
    Span,
    TickColumns,
    WorldEntry,
)
from farhand.records.errors import RecordError
from farhand.records.mcap_scan import MAGIC, ChunkPlace, Scan, chunk_messages, scan
from farhand.records.saved_cell import SavedCell
from farhand.records.topics import TOPICS
from farhand.types import Inputs, Tick

__all__ = ["Kept", "Record", "open_record"]

T = TypeVar("T")
Floats = NDArray[np.float64]
CACHED_CHUNKS = 64
CACHED_BYTES = 1 << 26
MAX_HELD = 1 << 28  # bytes of an unfinished file that are read at once
BLOCK_ROWS = 1 << 16
MAX_TICK = 1 << 50
MAX_TIME = 1 << 62  # ns since 1970
MIN_TIMESTEP = 1e-6


class Kept(Struct, frozen=True):
    """A kept tick, and the joint positions of the physics in it (float32; None if they were not kept)."""

    tick: Tick
    qpos: NDArray[np.float32] | None


def open_record(path: Path | str) -> Record:
    """Open the record of a run.

    Raises:
        RecordError: If the file cannot be read, is no record, or is of a newer version.
    """
    path = Path(path)
    try:
        content = _content(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is empty"
        raise RecordError(f"{path} cannot be read: {reason}") from error
    try:
        return Record(path, content)
    except BaseException:
        if isinstance(content, mmap.mmap):
            content.close()
        raise


def _content(path: Path) -> mmap.mmap | bytes:
    """Return a file's bytes; a map of a file that its writer cuts meanwhile would end the process."""
    with path.open("rb") as opened:
        content = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        if len(content) > MAX_HELD or content[-len(MAGIC) :] == MAGIC:
            return content
        content.close()
        return opened.read(MAX_HELD)


class Record:
    """The record of a run. Only what is asked for is read.

    Args:
        path: Where the file is.
        content: Its bytes.

    Attributes:
        path: As given.
        info: The run, as known when it began.

    Raises:
        RecordError: If it is no record of a run, or of a newer version.
    """

    def __init__(self, path: Path, content: mmap.mmap | bytes) -> None:
        self.path, self._file = path, content
        self._scan: Scan = scan(content, path)
        number = self._scan.metadata.get("farhand", {}).get("format", "")
        if not number.isdigit():
            raise RecordError(f"{path.name} is an MCAP file, but no record of Farhand")
        if int(number) > FORMAT:
            raise RecordError(f"{path.name} was written by a newer version of Farhand (format {number}, not {FORMAT})")
        self.info = self._decoded("run.json", RunInfo, msgspec.json.decode)
        if not _sensible(self.info):
            raise RecordError(f"{path.name}: its part 'run.json' has numbers that no run can have")
        self._topics = {channel.topic: number for number, channel in self._scan.channels.items()}
        self._starts = [place.start for place in self._scan.chunks]
        self._cache: dict[int, tuple[int, dict[int, list[bytes]]]] = {}
        self._cached = 0  # bytes
        self._met: dict[int, str] = {}

    def _decoded(self, name: str, kind: type[T], decode: Any) -> T:
        content = self._scan.attachments.get(name)
        if content is None:
            raise RecordError(f"{self.path.name} lacks its part {name!r}: it is cut off or damaged")
        try:
            found: T = decode(content, type=kind)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise RecordError(f"{self.path.name}: its part {name!r} cannot be read: {error}") from error
        return found

    def close(self) -> None:
        """Close the file."""
        if isinstance(self._file, mmap.mmap):
            self._file.close()

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ── The whole ────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def finished(self) -> bool:
        """Whether the file was finished; a run that is still recorded, or broke off, is not."""
        return self._scan.finished

    @property
    def complete(self) -> bool:
        """Whether nothing is missing: no gap, no damage."""
        return not self.problems and not self.gaps

    @property
    def problems(self) -> tuple[str, ...]:
        """Damage found in the file so far, as sentences; `check` looks at every byte."""
        return (*self._scan.problems, *self._met.values())

    @cached_property
    def source(self) -> CellSource:
        """Everything of which the cell was built."""
        return self._decoded("cell.msgpack", CellSource, msgspec.msgpack.decode)

    @property
    def cell_file(self) -> str:
        """Text of the cell file; empty if there was none."""
        return self._scan.attachments.get("cell.toml", b"").decode("utf-8", "replace")

    @cached_property
    def last(self) -> int:
        """Number of the last tick that was recorded."""
        for place in reversed(self._scan.chunks):
            batches = [batch for batch in self._of(place, InputsBatch) if batch.inputs]
            if batches:
                return max(self.info.tick, batches[-1].first + len(batches[-1].inputs) - 1)
        return self.info.tick

    @property
    def first(self) -> int:
        """Number of the first tick that was recorded."""
        return self.info.tick + 1

    @property
    def duration(self) -> float:
        """Recorded seconds of the cell's time."""
        return (self.last - self.info.tick) * self.info.timestep

    # ── Messages ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _chunk(self, place: ChunkPlace) -> dict[int, list[bytes]]:
        cached = self._cache.get(place.offset)
        if cached is not None:
            return cached[1]
        found: dict[int, list[bytes]] = {}
        size = 0
        for message in chunk_messages(self._file, place):
            found.setdefault(message.channel, []).append(message.data)
            size += len(message.data)
        while self._cache and (len(self._cache) >= CACHED_CHUNKS or self._cached + size > CACHED_BYTES):
            self._cached -= self._cache.pop(next(iter(self._cache)))[0]
        self._cache[place.offset] = size, found
        self._cached += size
        return found

    def _of(self, place: ChunkPlace, kind: type[T]) -> list[T]:
        """Return the messages of a kind in a chunk; a damaged chunk has none, and is one of the problems."""
        number = self._topics.get(TOPICS[kind])
        if number not in place.channels:
            return []
        try:
            contents = self._chunk(place).get(number, [])
            return [msgspec.msgpack.decode(content, type=kind) for content in contents]
        except (RecordError, msgspec.MsgspecError, RecursionError) as error:
            self._met.setdefault(place.offset, str(error))
            return []

    def _all(self, kind: type[T], start: int | None = None, end: int | None = None) -> Iterator[T]:
        """Yield messages of a kind, from chunks that may hold ticks from start to end."""
        first = 0 if start is None else max(0, bisect.bisect_right(self._starts, self._time(start)) - 1)
        last = None if end is None else self._time(end)
        for place in self._scan.chunks[first:]:
            if last is not None and place.start > last:
                return
            yield from self._of(place, kind)

    def _time(self, tick: int) -> int:
        tick = min(max(tick, 0), MAX_TICK)
        return self.info.started + round((tick - self.info.tick) * self.info.timestep * 1e9)

    # ── Ticks, signals, inputs ───────────────────────────────────────────────────────────────────────────────────

    def columns(self, start: int | None = None, end: int | None = None) -> Iterator[Columns]:
        """Yield kept ticks as columns; the first and last may reach beyond the ticks asked for."""
        for entry in self._all(TickColumns, start, end):
            yield from entry.columns

    def ticks(self, start: int | None = None, end: int | None = None) -> Iterator[Tick]:
        """Yield kept ticks, in order.

        Args:
            start: Number of the first tick wanted; None: from the beginning.
            end: Number of the last one; None: to the end.
        """
        for kept in self.kept(start, end):
            yield kept.tick

    def kept(self, start: int | None = None, end: int | None = None) -> Iterator[Kept]:
        """Yield kept ticks with the joint positions of the physics."""
        for columns in self.columns(start, end):
            qpos = qpos_of(columns)
            for row, tick in enumerate(ticks_of(columns)):
                if (start is None or tick.number >= start) and (end is None or tick.number <= end):
                    yield Kept(tick, None if qpos is None else qpos[row])

    def kept_at(self, tick: int) -> Kept:
        """Return the last kept tick up to a number, or the first one.

        Raises:
            RecordError: If no tick was kept.
        """
        at = bisect.bisect_right(self._starts, self._time(tick))
        for place in reversed(self._scan.chunks[:at]):
            for columns in reversed(self._columns_in(place)):
                rows = np.flatnonzero(_numbers(columns) <= tick)
                if len(rows):
                    return _kept(columns, int(rows[-1]))
        for columns in self.columns():
            return _kept(columns, 0)
        raise RecordError(f"{self.path.name} holds no kept tick")

    def _columns_in(self, place: ChunkPlace) -> list[Columns]:
        return [columns for entry in self._of(place, TickColumns) for columns in entry.columns]

    def signals(self) -> tuple[str, ...]:
        """Return the paths of all numbers that `signal` offers."""
        return tuple(self.signal_types)

    @cached_property
    def signal_types(self) -> dict[str, type[int] | type[float]]:
        """The paths of all numbers that `signal` offers, each with its type: float if it is one in any tick."""
        found: dict[str, type[int] | type[float]] = {}
        for skeleton in {columns.skeleton: None for columns in self.columns()}:
            places = paths_of(skeleton)
            found.update(dict.fromkeys(places.floats, float))
            for path in places.ints:
                found.setdefault(path, int)
        return found

    def signal(self, path: str) -> tuple[Floats, Floats]:
        """Return a number of the kept ticks over time.

        Args:
            path: Where it is in the tick, as in ``state.robots.arm.groups.arm.positions[0]``.

        Returns:
            Times in seconds and values, NaN where the tick has no such number.

        Raises:
            RecordError: If no tick has it.
        """
        table = self.table((path,))
        if np.isnan(table[path]).all() and path not in self.signals():
            raise RecordError(f"{self.path.name} has no signal {path!r}; `signals()` lists them")
        return table["time"], table[path]

    def table(self, paths: tuple[str, ...], start: int | None = None, end: int | None = None) -> dict[str, Floats]:
        """Return several numbers of the kept ticks over time, with "number" and "time", as arrays of equal length."""
        tables = list(self.tables(paths, start, end))
        if not tables:
            return {name: np.zeros(0) for name in ("time", *_named(paths))}
        return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}

    def tables(
        self, paths: tuple[str, ...], start: int | None = None, end: int | None = None, rows: int = BLOCK_ROWS
    ) -> Iterator[dict[str, Floats]]:
        """Yield what `table` returns in parts of at least so many rows but the last, for runs of any length."""
        names = _named(paths)
        blocks: list[Floats] = []
        held = 0
        for columns in self.columns(start, end):
            block = _block(columns, names)
            inside = np.ones(columns.rows, bool)
            if start is not None:
                inside &= block[:, 0] >= start
            if end is not None:
                inside &= block[:, 0] <= end
            blocks.append(block if inside.all() else block[inside])
            held += len(blocks[-1])
            if held >= rows:
                yield self._table(names, blocks)
                blocks, held = [], 0
        if held:
            yield self._table(names, blocks)

    def _table(self, names: tuple[str, ...], blocks: list[Floats]) -> dict[str, Floats]:
        whole = np.asfortranarray(np.concatenate(blocks))
        return {"time": whole[:, 0] * self.info.timestep, **{name: whole[:, i] for i, name in enumerate(names)}}

    def inputs(self, start: int | None = None) -> Iterator[tuple[int, Inputs]]:
        """Yield the inputs of every tick, with its number.

        Args:
            start: Number of the first tick wanted; None: from the beginning.
        """
        nothing = Inputs()
        for batch in self._all(InputsBatch, start):
            for i, inputs in enumerate(batch.inputs):
                if start is None or batch.first + i >= start:
                    yield batch.first + i, nothing if inputs is None else inputs

    def exact(self, start: int | None = None, end: int | None = None) -> Iterator[Tick]:
        """Yield the ticks that were kept with all their digits."""
        for entry in self._all(ExactTick, start, end):
            if (start is None or entry.tick.number >= start) and (end is None or entry.tick.number <= end):
                yield entry.tick

    def digests(self, start: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield the digests of kept ticks, with their numbers."""
        for entry in self._all(Digests, start):
            for i, number in enumerate(entry.ticks):
                if start is None or number >= start:
                    yield number, entry.digests[8 * i : 8 * i + 8]

    # ── Along the run ────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def notes(self) -> tuple[NoteEntry, ...]:
        """Notes, each when it began."""
        return tuple(self._all(NoteEntry))

    @cached_property
    def contacts(self) -> tuple[ContactEntry, ...]:
        """Contacts: begin, end, and once a second while they last."""
        return tuple(self._all(ContactEntry))

    @cached_property
    def log(self) -> tuple[LogEntry, ...]:
        """Lines of the log."""
        return tuple(self._all(LogEntry))

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Episodes, bookmarks, title and the like as they hold now: of each name the last one."""
        found: dict[tuple[str, str], Mark] = {}
        for mark in self._all(Mark):
            found.pop((mark.kind, mark.name), None)
            found[mark.kind, mark.name] = mark
            if mark.kind == "deleted":
                found.pop(("bookmark", mark.name), None)
        return tuple(found.values())

    @property
    def episodes(self) -> tuple[Mark, ...]:
        """Episodes, in order."""
        return tuple(sorted((m for m in self.marks if m.kind == "episode"), key=lambda mark: mark.first))

    @property
    def bookmarks(self) -> tuple[Mark, ...]:
        """Bookmarks, in order."""
        return tuple(sorted((m for m in self.marks if m.kind == "bookmark"), key=lambda mark: mark.first))

    @property
    def title(self) -> str:
        """Title of the run."""
        return next((mark.text for mark in reversed(self.marks) if mark.kind == "title"), self.info.title)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Stretches in which a robot was idle, protected, paused, stopped or jerky."""
        return tuple(self._all(Span))

    @cached_property
    def worlds(self) -> tuple[WorldEntry, ...]:
        """The world and the robots' configuration at the start and after every change."""
        return tuple(self._all(WorldEntry))

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """Ticks that were dropped."""
        return tuple(self._all(Gap))

    def damaged(self) -> list[tuple[int, int]]:
        """Return first and last tick of each stretch that cannot be read; every chunk is read for it."""
        found: list[tuple[int, int]] = []
        ends = [*self._starts[1:], self._time(self.last + 1)]
        for place, end in zip(self._scan.chunks, ends, strict=True):
            try:
                self._chunk(place)
            except RecordError:
                first, after = self._tick(place.start), self._tick(end)
                if found and found[-1][1] >= first - 1:
                    first = found.pop()[0]
                found.append((first, max(first, after - 1)))
        return found

    def _tick(self, time: int) -> int:
        return self.info.tick + round((time - self.info.started) / 1e9 / self.info.timestep)

    def snapshots(self) -> Iterator[SavedCell]:
        """Yield the snapshots, in order."""
        yield from self._all(SavedCell)

    def snapshot_before(self, tick: int) -> SavedCell | None:
        """Return the last snapshot up to a tick; None if there is none."""
        for place in reversed(self._scan.chunks):
            if place.start <= self._time(tick):
                for saved in reversed(self._of(place, SavedCell)):
                    if saved.number <= tick:
                        return saved
        return None


def _sensible(info: RunInfo) -> bool:
    """Return whether a run's numbers can be computed with; a stranger's may not."""
    return (
        0 <= info.started < MAX_TIME
        and 0 <= info.tick < MAX_TICK
        and abs(info.seed) < MAX_TIME
        and MIN_TIMESTEP <= info.timestep <= 1.0
        and info.keep_every > 0
    )


def _named(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of a table but the time: the number first, each once."""
    return ("number", *[path for path in dict.fromkeys(paths) if path not in ("number", "time")])


def _numbers(columns: Columns) -> NDArray[np.int64]:
    """Return the numbers of ticks.

    Raises:
        RecordError: If they have none.
    """
    place = paths_of(columns.skeleton).ints.get("number")
    if place is None:
        raise RecordError("kept ticks have no numbers")
    return ints_of(columns)[:, place]


def _kept(columns: Columns, row: int) -> Kept:
    qpos = qpos_of(columns)
    return Kept(next(ticks_of(columns, (row,))), None if qpos is None else qpos[row])


def _block(columns: Columns, names: tuple[str, ...]) -> Floats:
    """Return numbers of ticks, a row for each tick and a column for each name; NaN where there is no such number."""
    (to_ints, ints), (to_floats, floats) = _selection(columns.skeleton, names)
    all_ints, all_floats = ints_of(columns), floats_of(columns)  # they raise before anything is allocated
    found = np.full((columns.rows, len(names)), np.nan)
    found[:, to_ints] = all_ints[:, ints]
    found[:, to_floats] = all_floats[:, floats]
    return found


@lru_cache(maxsize=64)
def _selection(skeleton: bytes, names: tuple[str, ...]) -> tuple[tuple[list[int], list[int]], ...]:
    """Return, for whole and for other numbers, the columns of a table and the columns of the matrix they come from."""
    places = paths_of(skeleton)
    found = []
    for known in (places.ints, places.floats):
        pairs = [(i, known[name]) for i, name in enumerate(names) if name in known]
        found.append(([i for i, _ in pairs], [place for _, place in pairs]))
    return tuple(found)
