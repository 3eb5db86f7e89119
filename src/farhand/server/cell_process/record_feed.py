"""Hand every tick of a live cell to the recorder, and hold it until the recorder has it on the disk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import Any

import msgspec
import zenoh
from msgspec import Raw, Struct

from farhand.cell import Cell
from farhand.masters import Master
from farhand.records.batch import Batch
from farhand.records.build_info import build_hash
from farhand.records.cell_source import source_of
from farhand.records.collector import Collector, plain
from farhand.records.data_folder import new_run
from farhand.records.entries import Origin
from farhand.records.errors import RecordError
from farhand.records.run_info import info_of, joint_names, text_of
from farhand.server.cell_process.unsafe_batches import Held, UnsafeBatches
from farhand.server.fabric import sessions
from farhand.server.fabric.typed_channel import Life, TypedChannel
from farhand.server.protocol.recording_messages import RecordedBatch, RunSource, Safe
from farhand.types import Inputs, Tick

__all__ = ["PreparedSource", "RecordFeed", "prepare"]

POLL_S = 0.01  # between two looks for acknowledgements
FAREWELL_S = 0.7  # that the last batches get to reach the disk when the cell ends
ANSWERS = 64  # acknowledgements that may wait; the oldest are dropped


class PreparedSource(Struct, frozen=True):
    """Everything of which a cell is built, encoded; or the reason why that cannot be recorded."""

    content: bytes = b""
    cell_file: str = ""
    problem: str = ""


def prepare(cell: Cell) -> PreparedSource:
    """Return everything of which a cell is built, encoded once so that restarts need not do it again."""
    build_hash()  # kept for later
    try:
        return PreparedSource(msgspec.msgpack.encode(source_of(cell), enc_hook=plain), text_of(cell))
    except RecordError as error:
        return PreparedSource(problem=f"This run is not recorded: {error}.")


class RecordFeed:
    """A listener of the loop that hands batches to the recorder.

    It never waits: a thread of its own puts the batches on the fabric, where they are dropped rather than waited for,
    and sent again until they are safe. It never raises into a tick: after an error the run is recorded no further.

    Args:
        session: Session of the fabric.
        cell: The cell, before its first tick.
        name: Name under which the server shows it.
        life: Incarnation of the cell.
        masters: The masters that drive it, by name.
        source: Everything of which the cell is built.
        complain: Takes a sentence if recording has to end.
    """

    def __init__(
        self,
        session: Any,
        cell: Cell,
        name: str,
        life: Life,
        masters: Mapping[str, Master],
        source: PreparedSource,
        complain: Callable[[str], None],
    ) -> None:
        self._cell, self._complain = cell, complain
        self.run = new_run(name)
        self._batches = UnsafeBatches(cell.dt)
        self._poll_every = max(1, round(POLL_S / cell.dt))
        self._encode = msgspec.msgpack.Encoder(enc_hook=plain).encode
        self._channel = TypedChannel(sessions.record_key(name), RecordedBatch, life)
        self._answer_channel = TypedChannel(sessions.record_answer_key(name), Safe, life)
        source_channel = TypedChannel(sessions.run_source_key(name), RunSource, life)
        resumed = Origin("", cell.number) if cell.number else None
        info = info_of(cell, self.run, origin=resumed)
        offered = source_channel.written(RunSource(info, Raw(source.content), source.cell_file, joint_names(cell)))
        self._queryable = session.declare_queryable(source_channel.key, lambda q: q.reply(q.key_expr, offered))
        self._answers = session.declare_subscriber(self._answer_channel.key, zenoh.handlers.RingChannel(ANSWERS))
        self._publisher = session.declare_publisher(
            self._channel.key, congestion_control=zenoh.CongestionControl.DROP, priority=zenoh.Priority.DATA_LOW
        )
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        threading.Thread(target=self._put, name="record", daemon=True).start()
        self._collector = Collector(cell, self._hold, masters)
        self._collector.begin()
        self.failed = False

    def __call__(self, inputs: Inputs, tick: Tick) -> None:
        """Take a tick."""
        if self.failed:
            return
        try:
            self._collector(inputs, tick)
            if tick.number % self._poll_every == 0:
                self._exchange()
        except Exception as error:  # noqa: BLE001 - no fault of the recording may stop a tick
            self.failed = True
            self._complain(f"The recording of this run has ended: {error!r}.")

    def _hold(self, batch: Batch) -> None:
        self._batches.add(Held(batch.number, batch.first, batch.last, self._encode(batch)))

    def _exchange(self) -> None:
        """Take acknowledgements, and send what is due."""
        number = self._cell.number
        sample = self._answers.try_recv()
        while sample is not None:
            safe = self._answer_channel.read(sample.payload.to_bytes())
            if safe is not None and safe.run == self.run:
                self._batches.take(safe, number)
            sample = self._answers.try_recv()
        while (held := self._batches.next(number)) is not None:
            batch = RecordedBatch(self.run, held.number, self._batches.oldest, Raw(held.content))
            self._outbox.put(self._channel.written(batch))

    def _put(self) -> None:
        """Put messages on the fabric, on a thread of its own: a put may wait a moment for a full queue."""
        while (message := self._outbox.get()) is not None:
            try:
                self._publisher.put(message)
            except zenoh.ZError:  # the session is being closed
                return

    def close(self) -> None:
        """Hand over the last ticks, and wait a moment until they are safe."""
        if not self.failed:
            self._collector.flush()
            end = time.monotonic() + FAREWELL_S
            while len(self._batches) and time.monotonic() < end:
                self._exchange()
                time.sleep(POLL_S)
        self._outbox.put(None)
