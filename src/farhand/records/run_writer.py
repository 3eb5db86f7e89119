"""Writing a run: batches of the cell become entries of the file, and are acknowledged once the disk has them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from farhand.poses import Pose
from farhand.records.batch import Batch, KeptTick
from farhand.records.cell_source import CellSource
from farhand.records.columns import columns_of
from farhand.records.contact_log import ContactLog
from farhand.records.durable_file import DISK, Disk, DurableFile
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
from farhand.records.mcap_write import McapWriter
from farhand.records.read import open_record
from farhand.records.ros_messages import JOINT_STATE, JOINT_STATE_SCHEMA, TF, TF_SCHEMA, joint_state, transforms
from farhand.records.saved_cell import SavedCell
from farhand.records.spans import Spans
from farhand.records.topics import TOPICS
from farhand.types import PairContact, Tick

__all__ = ["RunWriter", "digest_of"]

JOINTS_HZ, FRAMES_HZ = 20.0, 10.0
KINDS: tuple[type, ...] = (
    InputsBatch,
    TickColumns,
    ExactTick,
    Digests,
    NoteEntry,
    ContactEntry,
    LogEntry,
    Mark,
    Span,
    WorldEntry,
    SavedCell,
    Gap,
)
_encode = msgspec.msgpack.Encoder().encode
_pairs = msgspec.msgpack.Decoder(tuple[PairContact, ...]).decode
_tick = msgspec.msgpack.Decoder(Tick).decode


class _RawInputs(Struct, frozen=True):
    """`InputsBatch` with inputs that are encoded already."""

    first: int
    inputs: tuple[Raw, ...]


class _RawExact(Struct, frozen=True):
    """`ExactTick` with a tick that is encoded already."""

    tick: Raw


def digest_of(tick: bytes) -> bytes:
    """Return the digest of a tick's msgpack in deterministic order."""
    return hashlib.blake2b(tick, digest_size=8).digest()


class RunWriter:
    """Writes one run.

    Args:
        path: The new file.
        info: The run.
        source: Everything of which the cell is built.
        cell_file: Text of the cell file; empty if there is none.
        joints: Names of the joints of each robot's arm.
        disk: The operating system.

    Attributes:
        acknowledged: Number of the last tick that is safe on the disk.

    Raises:
        OSError: If the disk is full or fails.
    """

    def __init__(
        self,
        path: Path,
        info: RunInfo,
        source: CellSource,
        cell_file: str = "",
        joints: dict[str, tuple[str, ...]] | None = None,
        disk: Disk = DISK,
    ) -> None:
        self.path, self.info = path, info
        self._joint_names = joints or {}
        file = DurableFile(path, disk=disk)
        self._start(McapWriter(file, f"farhand {info.versions.get('farhand', '')}"))
        self._mcap.describe("farhand", {"format": str(FORMAT), "run": info.run})
        self._mcap.attach("run.json", "application/json", msgspec.json.encode(info), info.started)
        if cell_file:
            self._mcap.attach("cell.toml", "application/toml", cell_file.encode(), info.started)
        self._mcap.attach("cell.msgpack", "application/msgpack", _encode(source), info.started)
        self._mcap.file.sync()

    @classmethod
    def reopen(cls, path: Path, joints: dict[str, tuple[str, ...]] | None = None, disk: Disk = DISK) -> RunWriter:
        """Go on with a run whose writer ended in the middle.

        Raises:
            RecordError: If the file is no record, or damaged.
            OSError: If the disk fails.
        """
        with open_record(path) as record:
            info, last = record.info, record.last
        writer = cls.__new__(cls)
        writer.path, writer.info, writer._joint_names = path, info, joints or {}
        writer._start(McapWriter.reopen(path, f"farhand {info.versions.get('farhand', '')}", disk))
        writer._expected = writer._floor = last + 1
        writer._written = writer.acknowledged = last
        return writer

    def _start(self, mcap: McapWriter) -> None:
        self._mcap = mcap
        self._channels = {kind: mcap.channel(TOPICS[kind], *_schema(kind), "msgpack") for kind in KINDS}
        self._joints = mcap.channel("/joint_states", JOINT_STATE, "ros2msg", JOINT_STATE_SCHEMA.encode(), "cdr")
        self._frames = mcap.channel("/tf", TF, "ros2msg", TF_SCHEMA.encode(), "cdr")
        self._contacts = ContactLog(self.info.timestep)
        self._spans = Spans(self.info.timestep)
        self._codes: dict[str, frozenset[str]] = {}
        self._expected = self._floor = self.info.tick + 1
        self._joints_at = self._frames_at = -(10**9)
        self.acknowledged = self.info.tick
        self._written = self.info.tick

    # ── Adding ───────────────────────────────────────────────────────────────────────────────────────────────────

    def take(self, batch: Batch) -> None:
        """Write a batch as one chunk.

        Raises:
            OSError: If the disk is full or fails; the batch is dropped.
        """
        if batch.inputs and batch.last < self._expected:
            return  # it has been written already
        if batch.first > self._expected:
            self.put(batch.first, Gap(self._expected, batch.first - 1, "lost"))
        expected, self._expected = self._expected, batch.last + 1
        self._floor = min(batch.first, batch.last)  # times never go back from chunk to chunk
        if batch.inputs:
            self._raw(batch.first, InputsBatch, _encode(_RawInputs(batch.first, batch.inputs)))
        self._take_contacts(batch)  # before the contacts that have ended are looked for
        if batch.kept:
            self._take_kept(batch.kept)
        for entry in batch.log:
            self.put(entry.tick, entry)
        if batch.world:
            self.put(batch.world.tick, batch.world)
        if batch.snapshot:
            self.put(batch.snapshot.number, batch.snapshot)
        try:
            self._mcap.close_chunk()
        except OSError:
            self._expected = expected  # it may come again; else the next batch says that it is missing
            raise
        self._written = batch.last

    def put(self, tick: int, entry: object) -> None:
        """Add one entry to the chunk that is being made."""
        self._raw(tick, type(entry), _encode(entry))

    def mark(self, mark: Mark, tick: int) -> None:
        """Add a mark, in a chunk of its own."""
        self.put(tick, mark)
        self._mcap.close_chunk()

    def gap(self, gap: Gap) -> None:
        """Say that ticks are missing."""
        self.put(gap.first, gap)
        self._expected = max(self._expected, gap.last + 1)

    def sync(self) -> int:
        """Wait for the disk; return the number of the last tick that is safe.

        Raises:
            OSError: If the disk fails.
        """
        written = self._written
        self._mcap.file.sync()
        self.acknowledged = written
        return written

    def finish(self) -> None:
        """End the run: write what is still open and the summary.

        Raises:
            OSError: If the disk is full or fails; the file can be read all the same.
        """
        for span in self._spans.end(self._written):
            self.put(span.first, span)
        self._mcap.finish()
        self.acknowledged = self._written

    def close(self) -> None:
        """Close the file as it is."""
        self._mcap.file.close()

    @property
    def synced(self) -> int:
        """Bytes of the file that have reached the disk."""
        return self._mcap.file.synced

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._mcap.file.size

    # ── Entries of a batch ───────────────────────────────────────────────────────────────────────────────────────

    def _raw(self, tick: int, kind: type, content: bytes) -> None:
        self._mcap.add(self._channels[kind], self._time(max(tick, self._floor)), content)

    def _time(self, tick: int) -> int:
        return self.info.started + round((tick - self.info.tick) * self.info.timestep * 1e9)

    def _take_kept(self, kept: tuple[KeptTick, ...]) -> None:
        first = kept[0].number
        columns = columns_of([one.tick for one in kept], [one.qpos for one in kept])
        self.put(first, TickColumns(tuple(columns)))
        digests = b"".join([digest_of(one.tick) for one in kept])
        self.put(first, Digests(tuple([one.number for one in kept]), digests))
        for one in kept:
            if one.exact:
                self._raw(one.number, ExactTick, _encode(_RawExact(Raw(one.tick))))
                self._take_exact(_tick(one.tick))
        self._take_last(_tick(kept[-1].tick))

    def _take_exact(self, tick: Tick) -> None:
        """Write the notes that begin in a tick; whatever says something is kept exactly."""
        for robot, notes in (("", tick.notes), *[(name, report.notes) for name, report in tick.lanes.items()]):
            before = self._codes.get(robot, frozenset())
            self._codes[robot] = frozenset([note.code for note in notes])
            for note in notes:
                if note.code not in before or note.answers >= 0:
                    self.put(tick.number, NoteEntry(tick.number, robot, note))
        for span in self._spans.take(tick):
            self.put(span.first, span)

    def _take_last(self, tick: Tick) -> None:
        """Write joints and frames for other tools, and the contacts that have ended."""
        for entry in self._contacts.ended(tick.number, tick.state.asleep):
            self.put(entry.tick, entry)
        for span in self._spans.take(tick):
            self.put(span.first, span)
        time, dt = self._time(tick.number), self.info.timestep
        if (tick.number - self._joints_at) * dt >= 1.0 / JOINTS_HZ:
            self._joints_at = tick.number
            self._mcap.add(self._joints, time, self._joint_state(time, tick))
        if (tick.number - self._frames_at) * dt >= 1.0 / FRAMES_HZ:
            self._frames_at = tick.number
            self._mcap.add(self._frames, time, transforms(time, _frames(tick)))

    def _joint_state(self, time: int, tick: Tick) -> bytes:
        names: list[str] = []
        values: tuple[list[float], list[float], list[float]] = ([], [], [])
        for robot, state in tick.state.robots.items():
            for group, joints in state.groups.items():
                known = self._joint_names.get(robot, ()) if group == "arm" else ()
                named = len(known) == len(joints.positions)
                names += [f"{robot}/{known[i] if named else f'{group}_{i + 1}'}" for i in range(len(joints.positions))]
                for column, found in zip(values, (joints.positions, joints.rates, joints.efforts), strict=True):
                    column += found
        return joint_state(time, names, *values)

    def _take_contacts(self, batch: Batch) -> None:
        for number, pairs in batch.pairs:
            for entry in self._contacts.take(number, _pairs(pairs)):
                self.put(entry.tick, entry)


def _frames(tick: Tick) -> Iterable[tuple[str, str, Pose]]:
    for robot, state in tick.state.robots.items():
        if state.T_world_base is not None:
            yield "world", f"{robot}/base", state.T_world_base
        yield f"{robot}/base", f"{robot}/tip", state.T_base_tip
    for name, pose in tick.state.objects.items():
        if name not in tick.state.asleep:
            yield "world", name, pose


def _schema(kind: type) -> tuple[str, str, bytes]:
    """Return name, encoding and text of the schema of a kind of entry."""
    return f"farhand.{kind.__name__}", "jsonschema", msgspec.json.encode(_json_schema(kind))


def _json_schema(kind: type) -> dict[str, Any]:
    return msgspec.json.schema(kind, schema_hook=lambda hint: {"title": getattr(hint, "__name__", str(hint))})
