"""Writes the runs of one cell: takes batches in order, waits for the disk, and acknowledges what is safe."""

from __future__ import annotations

import errno
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from farhand.records.batch import Batch
from farhand.records.cell_source import CellSource
from farhand.records.data_folder import Room
from farhand.records.durable_file import DISK, Disk, DurableFile
from farhand.records.entries import Origin
from farhand.records.errors import RecordError
from farhand.records.run_writer import RunWriter
from farhand.server.protocol.messages import Interruption, Recording, RecordingState
from farhand.server.protocol.recording_messages import RecordedBatch, RunSource, Safe

__all__ = ["CellRecorder"]

SYNC_S = 0.1  # between two waits for the disk, at most
RETRY_S = 3.0  # after a failure of the disk
REPEAT_S = 0.2  # before asking again for the same batches
_batch = msgspec.msgpack.Decoder(Batch).decode
_source = msgspec.msgpack.Decoder(CellSource).decode
REASONS: dict[int, tuple[Interruption, str]] = {
    errno.ENOSPC: ("full", "the disk is full"),
    errno.EDQUOT: ("full", "your share of the disk is full"),
    errno.EFBIG: ("full", "the file has become too large for this system"),
    errno.EROFS: ("read-only", "the disk is read-only"),
    errno.EACCES: ("read-only", "the folder of runs may not be written"),
    errno.EIO: ("failed", "the disk reports an error"),
}


class NoRoomError(Exception):
    """The room for runs is used up, and nothing may be deleted."""

    def __init__(self, room: Room) -> None:
        if room.used >= room.quota:
            super().__init__(f"no room is left within the quota of {room.quota / 1e9:g} GB")
        else:
            super().__init__(f"only {room.free / 1e6:.0f} MB are free on the disk")


class CellRecorder:
    """Records one cell, run after run.

    A run whose file exists already is continued: this recorder was restarted, or the disk failed for a while.

    Args:
        folder: Folder of the runs.
        fetch: Returns the description of the cell's present run; None if the cell does not answer.
        answer: Takes the acknowledgements.
        make_room: Deletes old runs, and returns the room that is left.
        clock: Monotonic clock, s.
        disk: The operating system.

    Attributes:
        state: State of the recording.
        alarm: A sentence about an interruption; empty if there is none.
        path: File of the present run, interrupted or not; None before the first one.
    """

    def __init__(
        self,
        folder: Path,
        fetch: Callable[[], RunSource | None],
        answer: Callable[[Safe], None],
        make_room: Callable[[], Room],
        clock: Callable[[], float],
        disk: Disk = DISK,
    ) -> None:
        self._folder, self._fetch, self._answer, self._make_room = folder, fetch, answer, make_room
        self._clock, self._disk = clock, disk
        self._writer: RunWriter | None = None
        self.path: Path | None = None
        self._synced: int | None = None  # bytes of an interrupted file that have reached the disk
        self._doubtful = False  # it is not known how many have
        self._run = ""  # that the cell sends
        self._safe = 0  # number of the last tick that is safe
        self._before = ""  # the run before
        self._number = 0  # of the batch that is wanted; 0: any that goes on where the file ends
        self._wanted = 0  # number of the tick that is wanted
        self._unsynced = False
        self._synced_at = self._asked_at = self._retry_at = -1e9
        self.state: RecordingState = "recording"
        self._reason: Interruption = ""
        self.alarm = ""

    def news(self, left: int) -> Recording:
        """Return the state of the recording.

        Args:
            left: Bytes that are left for runs.
        """
        size = self._writer.size if self._writer else 0
        run = self.path.stem if self.path else ""
        return Recording(
            state=self.state, run=run, tick=self._safe, size=size, left=left, reason=self._reason, alarm=self.alarm
        )

    # ── Batches ──────────────────────────────────────────────────────────────────────────────────────────────────

    def take(self, message: RecordedBatch) -> None:
        """Take a batch; begin a file if it is of another run than the last one."""
        if message.run != self._run:
            self._end_run(message.run)
        if self._writer is None and self._clock() >= self._retry_at:
            self._guarded(lambda: self._begin(message.run))
        if self._writer is not None:
            self._guarded(lambda: self._write(message))

    def sweep(self) -> None:
        """Wait for the disk when that is due, and acknowledge."""
        if self._unsynced and self._clock() - self._synced_at >= SYNC_S:
            self._guarded(self._sync)

    def finish(self) -> None:
        """End the run: the file gets its summary."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(OSError):
                writer.finish()
            self._answer(Safe(self._run, writer.acknowledged, self._wanted))

    def check_room(self, room: Room) -> None:
        """Interrupt the recording if no room is left."""
        if self._writer is not None and room.left <= 0:
            self._fail("quota", str(NoRoomError(room)))

    def _fail(self, reason: Interruption, detail: str) -> None:
        """Interrupt the recording; it is tried again after a while."""
        writer, self._writer = self._writer, None
        if writer is not None:
            self._synced = writer.synced
            with suppress(OSError):
                writer.close()
        self.state, self._reason, self._unsynced = "alarm", reason, False
        self.alarm = f"Recording is interrupted: {detail}. Driving goes on."
        self._retry_at = self._clock() + RETRY_S

    # ── One run ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _end_run(self, following: str) -> None:
        if self.path is not None:
            self._before = self.path.stem
        self.finish()
        self._run, self.path, self._synced, self._doubtful = following, None, None, False

    def _begin(self, run: str) -> None:
        """Begin or continue the file of a run, as far as its cell answers."""
        source = self._fetch()
        if source is None or source.info.run != run:
            return
        room = self._make_room()
        if room.left <= 0:
            raise NoRoomError(room)
        self._writer = self._opened(source)
        self.path = self._writer.path
        self._number = 0 if self._writer.acknowledged > self._writer.info.tick else 1
        self._wanted, self._unsynced = self._writer.acknowledged + 1, False
        self.state, self._reason, self.alarm = "recording", "", ""
        self._ask()

    def _opened(self, source: RunSource) -> RunWriter:
        path = self._folder / f"{source.info.run}.mcap"
        if path.exists():
            with suppress(RecordError):
                if not self._doubtful:
                    return self._reopened(path, source)
            path = _unused(path)  # the other one is left as it is, for `farhand records repair`
            self._doubtful = False
        info, origin = source.info, source.info.origin
        if origin is not None and not origin.run:
            info = replace(info, origin=Origin(self._before, origin.tick))
        info = replace(info, run=path.stem)
        try:
            return RunWriter(path, info, _source(source.source), source.cell_file, source.joints, self._disk)
        except OSError:
            with suppress(OSError):
                path.unlink()  # it holds nothing yet
            raise

    def _reopened(self, path: Path, source: RunSource) -> RunWriter:
        """Continue a file, from the last byte that is known to be safe: after a failed sync the rest may be lost."""
        if self._synced is not None:
            DurableFile(path, self._synced, self._disk).close()
        try:
            writer = RunWriter.reopen(path, source.joints, self._disk)
        except OSError:
            self._doubtful = self._synced is None
            raise
        self._synced = None
        return writer

    def _write(self, message: RecordedBatch) -> None:
        assert self._writer is not None
        if self._number and message.number < self._number:
            return
        batch = _batch(message.batch)
        follows = message.number == self._number if self._number else batch.first <= self._wanted <= batch.last
        if not self._number and batch.last < self._wanted:
            return
        if not follows and message.number != message.oldest:
            self._ask()
            return
        self._writer.take(batch)  # it notes a gap where there is one
        self._number, self._wanted = message.number + 1, batch.last + 1
        self._unsynced = True
        self.sweep()

    def _sync(self) -> None:
        assert self._writer is not None
        self._writer.sync()
        self._unsynced, self._synced_at, self._safe = False, self._clock(), self._writer.acknowledged
        self._answer(Safe(self._run, self._safe, self._wanted))

    def _ask(self) -> None:
        """Ask for the batches from the wanted tick on, now and then."""
        now = self._clock()
        if self._writer is not None and now - self._asked_at >= REPEAT_S:
            self._asked_at = now
            self._answer(Safe(self._run, self._writer.acknowledged, self._wanted, resend=True))

    def _guarded(self, work: Callable[[], None]) -> bool:
        """Do work that may fail with the disk; return whether it did not."""
        try:
            work()
        except OSError as error:
            self._fail(*REASONS.get(error.errno or 0, ("failed", f"the disk reports {error.strerror or error}")))
        except NoRoomError as error:
            self._fail("quota", str(error))
        except (RecordError, msgspec.MsgspecError) as error:
            self._fail("failed", str(error))
        else:
            return True
        return False


def _unused(path: Path) -> Path:
    """Return a path like this one that is free."""
    number = 2
    while (found := path.with_name(f"{path.stem}-{number}.mcap")).exists():
        number += 1
    return found
