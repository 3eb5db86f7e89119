"""Cost of records: time in the cell, room on the disk, time to look into an hour, and ticks lost in crashes."""

from __future__ import annotations

import io
import math
import random
import struct
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, cast

import msgspec
from mcap.exceptions import McapError
from mcap.records import Message
from mcap.stream_reader import StreamReader
from mcap.writer import Writer

import farhand.records
from farhand.cell import Cell
from farhand.loop import Run
from farhand.masters import Manual
from farhand.records import Record, Recording
from farhand.records.batch import Batch
from farhand.records.cell_source import source_of
from farhand.records.collector import Collector
from farhand.records.columns import ints_of, paths_of, with_ints
from farhand.records.durable_file import DurableFile
from farhand.records.entries import Digests, ExactTick, InputsBatch, TickColumns
from farhand.records.errors import RecordError
from farhand.records.exporters import EXPORTERS
from farhand.records.mcap_scan import chunk_messages, scan
from farhand.records.mcap_write import SEAL, McapWriter
from farhand.records.run_info import info_of
from farhand.records.run_writer import RunWriter
from farhand.records.saved_cell import SavedCell
from farhand.records.topics import TOPICS
from farhand_bench.crash_images import Image, LoggedDisk, LoggedStream, Step, crash_images
from farhand_bench.rows import Row, row

__all__ = ["measure"]

CELL = "irb120-grasp"
BLOCKS, BLOCK_TICKS = 30, 500
SHORT_S, LONG_S = 20.0, 60.0  # of the recordings whose sizes are compared
MINUTES = 60
JUMPS = 50
IMAGES, CRASH_TICKS = 400, 1000
CHANGE_EVERY = 8  # ticks between two changes of the hand


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    with tempfile.TemporaryDirectory(prefix="farhand-bench-") as name:
        folder = Path(name)
        return [*_ticks(), *_room(folder), *_resimulation(folder), *_hour(folder), *_crashes(folder)]


# ── In the cell ──────────────────────────────────────────────────────────────────────────────────────────────────


class _Drive:
    """Drives a cell throughout, or leaves it idle."""

    def __init__(self, *, idle: bool = False) -> None:
        self.cell, self.hand, self._idle = Cell.load(CELL), Manual(), idle
        masters = {self.cell.master_of(robot): self.hand for robot in self.cell.lanes}
        self.run = Run(self.cell, {} if idle else dict(masters))

    def ticks(self, count: int) -> None:
        for _ in range(count):
            i = self.cell.number
            if i % CHANGE_EVERY == 0 and not self._idle:
                axes = (0.3 * math.sin(i / 300), 0.5 * math.cos(i / 200), -0.4 * math.sin(i / 500))
                self.hand.set(deadman=i % 9000 > 50, axes=axes)
            self.run.tick()


def _ticks() -> list[Row]:
    """Return the time that a collector adds to a tick, in alternating blocks."""
    recorded, plain = _Drive(), _Drive()
    recorded.run.listeners = (Collector(recorded.cell, _drop, recorded.run.masters),)
    spent: dict[int, list[float]] = {0: [], 1: []}
    for i in range(2 * BLOCKS + 2):
        start = time.process_time()
        (recorded, plain)[i % 2].ticks(BLOCK_TICKS)
        if i > 1:
            spent[i % 2].append((time.process_time() - start) / BLOCK_TICKS * 1e6)
    added = [one - other for one, other in zip(spent[0], spent[1], strict=True)]
    return [
        row("CPU that the collector adds to a tick", added, "µs", "≤ 10 µs"),
        row("  a tick with it", spent[0], "µs"),
        row("  a tick without it", spent[1], "µs"),
    ]


def _drop(batch: Batch) -> None:
    del batch


# ── On the disk ──────────────────────────────────────────────────────────────────────────────────────────────────


def _recorded(path: Path, seconds: float, *, idle: bool = False) -> float:
    """Record a run and return the size of its file."""
    drive = _Drive(idle=idle)
    with Recording(drive.run, path):
        drive.ticks(round(seconds / drive.cell.dt))
    return path.stat().st_size


def _room(folder: Path) -> list[Row]:
    """Return the growth of a file in an hour, from two lengths: what is written once does not count."""
    found = []
    for name, idle, bar in (("driven throughout", False, "≤ 150 MB"), ("idle", True, "≤ 10 MB")):
        short, long = (_recorded(folder / f"{name}-{s:.0f}.mcap", s, idle=idle) for s in (SHORT_S, LONG_S))
        hour = (long - short) / (LONG_S - SHORT_S) * 3600.0 / 1e6
        found.append(row(f"an hour of a six-axis cell, {name}", [hour], "MB", bar))
    return found


def _resimulation(folder: Path) -> list[Row]:
    """Return the rate of a re-simulation as a share of that of the cell itself."""
    path = folder / "driven throughout-20.mcap"
    again, itself = [], []
    for _ in range(3):
        drive = _Drive()
        itself.append(_seconds(lambda drive=drive: drive.ticks(round(SHORT_S / drive.cell.dt)))[0])  # type: ignore[misc]
        with farhand.records.open(path) as record:
            spent, found = _seconds(lambda record=record: farhand.records.resimulate(record))  # type: ignore[misc]
        if not found.equal:
            raise RecordError(f"the re-simulation differs: {found.difference}")
        again.append(spent)
    shares = [one / other for one, other in zip(itself, again, strict=True)]
    return [
        row("rate of a re-simulation, as a share of the cell's own", shares, "times", "≥ 0.8"),
        row("  the cell's own rate, times real time", [SHORT_S / spent for spent in itself], "times"),
    ]


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


# ── An hour ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _hour(folder: Path) -> list[Row]:
    """Return the time that it takes to look into an hour, made of a real minute with shifted numbers."""
    path = folder / "hour.mcap"
    _repeat(folder / "driven throughout-60.mcap", path, MINUTES)
    opened = [_seconds(lambda: farhand.records.open(path).close())[0] for _ in range(5)]
    dice, jumps = random.Random(5), []
    with farhand.records.open(path) as record:
        for _ in range(JUMPS):
            tick = dice.randrange(record.first, record.last)
            start = time.perf_counter()
            record.kept_at(tick)
            record.snapshot_before(tick)
            jumps.append((time.perf_counter() - start) * 1e3)
        exported = _seconds(lambda: EXPORTERS["parquet"](record, folder / "hour.parquet", None))[0]
        whole = _seconds(lambda: [len(path.read_bytes())])[0]
    return [
        row("opening a run of 60 minutes", opened, "s", "≤ 1 s"),
        row("jumping anywhere in it", jumps, "ms", "p99 ≤ 1000"),
        row("all of it as Parquet", [exported], "s", "≤ 10 s"),
        row("  reading its bytes", [whole], "s"),
    ]


def _repeat(minute: Path, path: Path, count: int) -> None:
    with farhand.records.open(minute) as record:
        content = minute.read_bytes()
        found, length = scan(content, minute), record.last
        writer = McapWriter(DurableFile(path), "bench")
        for name, values in found.metadata.items():
            writer.describe(name, values)
        for name, data in found.attachments.items():
            writer.attach(name, "application/octet-stream", data, record.info.started)
        numbers = {}
        for number, channel in found.channels.items():
            schema = found.schemas.get(channel.schema_id)
            if channel.topic != SEAL and schema is not None:
                description = (channel.topic, schema.name, schema.encoding, schema.data, channel.message_encoding)
                numbers[number] = (writer.channel(*description), channel.topic)
        for ticks in range(0, count * length, length):
            later = round(ticks * record.info.timestep * 1e9)
            for place in found.chunks:
                for message in chunk_messages(content, place):
                    if message.channel in numbers:
                        channel, topic = numbers[message.channel]
                        writer.add(channel, message.time + later, _shifted(topic, message.data, ticks))
                writer.close_chunk()
        writer.finish()


def _shifted(topic: str, content: bytes, ticks: int) -> bytes:
    """Return an entry with later tick numbers."""
    kind = KINDS.get(topic)
    if kind is TickColumns:
        found = []
        for columns in msgspec.msgpack.decode(content, type=TickColumns).columns:
            ints = ints_of(columns).copy()
            ints[:, paths_of(columns.skeleton).ints["number"]] += ticks
            found.append(with_ints(columns, ints))
        return msgspec.msgpack.encode(TickColumns(tuple(found)))
    if kind is None:
        return content
    entry = msgspec.msgpack.decode(content)
    if kind is InputsBatch:
        entry["first"] += ticks
    elif kind is Digests:
        entry["ticks"] = [number + ticks for number in entry["ticks"]]
    elif kind is ExactTick:
        entry["tick"]["number"] += ticks
    elif kind is SavedCell:
        entry["number"] += ticks
    return msgspec.msgpack.encode(entry)


KINDS = {TOPICS[kind]: kind for kind in (TickColumns, InputsBatch, Digests, ExactTick, SavedCell)}


# ── Crashes ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _crashes(folder: Path) -> list[Row]:
    """Return the acknowledged ticks that crashes lose, of our writer and of the public one with the same batches."""
    drive, batches = _Drive(), list[Batch]()
    gathers = Collector(drive.cell, batches.append)
    info, source = info_of(drive.cell, "crashed"), source_of(drive.cell)
    gathers.begin()
    drive.run.listeners = (gathers,)
    drive.ticks(CRASH_TICKS)
    log: list[Step] = []
    writer = RunWriter(folder / "crashed.mcap", info, source, disk=LoggedDisk(log))
    for batch in batches:
        writer.take(batch)
        log.append(Step("acknowledge", writer.sync()))
    writer.finish()
    image = folder / "image.mcap"
    found = [_lost(log, lambda content: _kept(content, image), "Farhand", "0")]
    for name, settings in (("default settings", {}), ("tiny chunks", {"chunk_size": 1})):
        found.append(_lost(_plain_log(batches, settings), _plain_kept, f"  the `mcap` writer, {name}", ""))
    return found


def _lost(log: list[Step], kept: Callable[[bytes], int], name: str, bar: str) -> Row:
    lost = [_lost_in(image, kept) for image in crash_images(log, IMAGES, seed=9)]
    return Row(f"{name}: acknowledged ticks lost in {IMAGES} crashes", float(sum(lost)), float(max(lost)), "ticks", bar)


def _lost_in(image: Image, kept: Callable[[bytes], int]) -> int:
    return max(0, image.acknowledged - (kept(image.content) if image.content is not None else 0))


def _kept(content: bytes, path: Path) -> int:
    path.write_bytes(content)
    try:
        with Record(path, content) as record:
            return _in_a_row(number for number, _ in record.inputs())
    except RecordError:
        return 0


def _in_a_row(numbers: Iterable[int]) -> int:
    """Return the last of the numbers that follow each other from 1 on."""
    last = 0
    for number in numbers:
        if number == last + 1:
            last = number
    return last


def _plain_log(batches: list[Batch], settings: dict[str, Any]) -> list[Step]:
    """Return the log of the public writer: a tick counts as acknowledged once its message has been taken."""
    log: list[Step] = []
    writer = Writer(cast("IO[Any]", LoggedStream(log)), **settings)
    writer.start()
    schema = writer.register_schema("inputs", "jsonschema", b"{}")
    channel = writer.register_channel("/inputs", "msgpack", schema)
    for batch in batches:
        for number, content in enumerate(batch.inputs, batch.first):
            writer.add_message(channel, log_time=number, publish_time=number, data=bytes(content))
        log.append(Step("acknowledge", batch.last))
    writer.finish()  # type: ignore[no-untyped-call]  # mcap leaves it untyped
    return log


def _plain_kept(content: bytes) -> int:
    last = 0
    with suppress(McapError, ValueError, RuntimeError, AssertionError, struct.error):
        for record in StreamReader(io.BytesIO(content), validate_crcs=True).records:
            if isinstance(record, Message) and record.log_time == last + 1:
                last = record.log_time
    return last
