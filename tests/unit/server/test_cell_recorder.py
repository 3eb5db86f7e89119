"""The recorder of a cell takes batches in order, acknowledges what is synced, and survives its disk."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

import farhand.records
from farhand.cell import Cell
from farhand.loop import Run
from farhand.records import Record
from farhand.records.batch import Batch
from farhand.records.cell_source import source_of
from farhand.records.collector import Collector, plain
from farhand.records.data_folder import Room
from farhand.records.durable_file import DISK
from farhand.records.entries import Gap, Origin
from farhand.records.run_info import info_of, joint_names
from farhand.server.protocol.recording_messages import RecordedBatch, RunSource, Safe
from farhand.server.recorder.cell_recorder import CellRecorder
from farhand.server.recorder.room_keeper import RoomKeeper

TICKS = 50  # of a batch
ROOM = Room(used=0, quota=10**9, free=10**12)
_encode = msgspec.msgpack.Encoder(enc_hook=plain).encode


class FailingDisk:
    """The machine's disk, until it is told to fail.

    Attributes:
        error: Number of the error with which every write and opening fails; 0: none.
        losing: The next sync fails, and what it should have written is lost, though it can still be read.
        lost: Offsets of the bytes that are lost.
    """

    def __init__(self) -> None:
        self.error, self.losing = 0, False
        self.lost: set[int] = set()
        self._unsynced: set[int] = set()

    def _check(self) -> None:
        if self.error:
            raise OSError(self.error, os.strerror(self.error))

    def open(self, path: Path, *, new: bool) -> int:
        self._check()
        return DISK.open(path, new=new)

    def write(self, descriptor: int, content: bytes, offset: int) -> int:
        self._check()
        written = range(offset, offset + len(content))
        self.lost.difference_update(written)
        self._unsynced.update(written)
        return DISK.write(descriptor, content, offset)

    def sync(self, descriptor: int) -> None:
        self._check()
        if self.losing:
            self.losing, self.lost = False, set(self._unsynced)
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._unsynced.clear()
        DISK.sync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        self._check()
        DISK.sync_folder(folder)

    def truncate(self, descriptor: int, size: int) -> None:
        self.lost = {offset for offset in self.lost if offset < size}
        DISK.truncate(descriptor, size)

    def close(self, descriptor: int) -> None:
        DISK.close(descriptor)


class Stage:
    """A cell whose batches a recorder gets by hand.

    Attributes:
        now: Time of the recorder's clock, s.
        answers: Acknowledgements, in order.
        batches: Messages that the cell has made, in order.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.disk, self.now, self.room = folder, FailingDisk(), 0.0, ROOM
        self.answers: list[Safe] = []
        self.recorder = self.new_recorder()
        self.begin_run("first")

    def new_recorder(self) -> CellRecorder:
        return CellRecorder(
            self.folder, lambda: self.source, self.answers.append, lambda: self.room, lambda: self.now, self.disk
        )

    def begin_run(self, name: str, tick: int = 0) -> None:
        self.cell = Cell.load("irb120")
        self.cell._number = tick
        self.run = Run(self.cell)
        origin = Origin("", tick) if tick else None
        info = info_of(self.cell, name, origin=origin)
        source = Raw(_encode(source_of(self.cell)))
        self.name, self.source = name, RunSource(info, source, "", joint_names(self.cell))
        self.batches: list[RecordedBatch] = []
        self.collector = Collector(self.cell, self._keep, {})
        self.run.listeners = (self.collector,)
        self.collector.begin()

    def _keep(self, batch: Batch) -> None:
        self.batches.append(RecordedBatch(self.name, batch.number, 1, Raw(_encode(batch))))

    def make(self, count: int) -> list[RecordedBatch]:
        """Return the next batches of the cell."""
        before = len(self.batches)
        while len(self.batches) < before + count:
            for _ in range(TICKS):
                self.run.tick()
            self.collector.flush()
        return self.batches[before:]

    def hand_over(self, messages: list[RecordedBatch]) -> None:
        """Give messages to the recorder, a second apart."""
        for message in messages:
            self.now += 1.0
            self.recorder.take(message)
            self.recorder.sweep()

    def record(self, name: str = "first") -> Record:
        return farhand.records.open(self.folder / f"{name}.mcap")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    yield stage
    stage.recorder.finish()


def test_safe_ticks_are_acknowledged_after_the_sync(stage: Stage) -> None:
    stage.make(3)
    stage.hand_over(stage.batches)
    assert stage.answers[-1] == Safe("first", 3 * TICKS, 3 * TICKS + 1)
    assert stage.recorder.news(7).tick == stage.record().last == 3 * TICKS


def test_nothing_is_acknowledged_before_its_sync(stage: Stage) -> None:
    stage.make(2)
    stage.hand_over(stage.batches[:2])
    stage.disk.error = errno.EIO
    stage.hand_over(stage.batches[2:])
    assert stage.answers[-1].tick == TICKS
    assert stage.recorder.alarm == "Recording is interrupted: the disk reports an error. Driving goes on."


def test_a_lost_batch_is_asked_for_and_taken_later(stage: Stage) -> None:
    stage.make(3)
    stage.hand_over([*stage.batches[:2], *stage.batches[3:]])
    assert stage.answers[-1] == Safe("first", TICKS, TICKS + 1, resend=True)
    stage.hand_over(stage.batches[2:])
    assert (stage.record().last, stage.record().gaps) == (3 * TICKS, ())


def test_a_batch_that_cannot_come_any_more_leaves_a_gap(stage: Stage) -> None:
    stage.make(3)
    late = msgspec.structs.replace(stage.batches[3], oldest=4)
    stage.hand_over([*stage.batches[:2], late])
    assert stage.record().gaps == (Gap(TICKS + 1, 2 * TICKS, "lost"),)
    assert not stage.record().complete


def test_batches_that_come_twice_are_written_once(stage: Stage) -> None:
    stage.make(2)
    stage.hand_over([*stage.batches, *stage.batches])
    assert [number for number, _ in stage.record().inputs()] == list(range(1, 2 * TICKS + 1))


def test_another_recorder_goes_on_with_the_file(stage: Stage) -> None:
    stage.make(2)
    stage.hand_over(stage.batches)
    stage.make(2)
    stage.recorder = stage.new_recorder()
    stage.hand_over([stage.batches[4]])  # the one before has not come
    assert stage.answers[-1] == Safe("first", 2 * TICKS, 2 * TICKS + 1, resend=True)
    stage.hand_over(stage.batches)
    assert [number for number, _ in stage.record().inputs()] == list(range(1, 4 * TICKS + 1))
    assert stage.record().complete


@pytest.mark.parametrize(
    ("error", "reason"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "the disk is read-only"), (errno.EIO, "the disk reports an")],
)
def test_recording_goes_on_when_the_disk_does(stage: Stage, error: int, reason: str) -> None:
    stage.make(2)
    stage.hand_over(stage.batches)
    stage.disk.error = error
    stage.make(2)
    stage.hand_over(stage.batches[3:])
    assert stage.recorder.news(0).state == "alarm"
    assert reason in stage.recorder.alarm
    stage.disk.error, stage.now = 0, stage.now + 10.0
    stage.hand_over(stage.batches)
    assert (stage.recorder.news(0).state, stage.recorder.alarm) == ("recording", "")
    assert (stage.record().last, stage.record().complete) == (4 * TICKS, True)


def test_ticks_that_a_failed_sync_has_lost_are_written_again(stage: Stage) -> None:
    stage.make(2)
    stage.hand_over(stage.batches)
    stage.disk.losing = True
    stage.hand_over(stage.make(1))
    assert (stage.answers[-1].tick, stage.recorder.news(0).reason) == (2 * TICKS, "failed")
    stage.now += 10.0
    stage.hand_over(stage.batches[3:])
    assert (stage.answers[-1].tick, stage.record().last) == (3 * TICKS, 3 * TICKS)
    stage.recorder.finish()
    assert stage.disk.lost == set()
    assert farhand.records.check(stage.record().path).good


def test_a_continued_file_is_synced_before_it_is_acknowledged(stage: Stage) -> None:
    stage.make(2)
    stage.hand_over(stage.batches)
    stage.recorder, stage.answers[:] = stage.new_recorder(), []
    stage.disk.losing = True
    stage.hand_over(stage.batches)
    assert stage.answers == []
    stage.now += 10.0
    stage.hand_over(stage.batches)
    assert (stage.recorder.news(0).run, stage.record("first-2").last) == ("first-2", 2 * TICKS)


def test_a_disk_that_fails_from_the_start_leaves_no_file(stage: Stage) -> None:
    stage.disk.error = errno.ENOSPC
    stage.hand_over(stage.batches)
    assert stage.recorder.news(0).state == "alarm"
    assert list(stage.folder.iterdir()) == []
    stage.disk.error, stage.now = 0, stage.now + 10.0
    stage.hand_over([*stage.batches, *stage.make(1)])
    assert stage.record().last == TICKS


def test_without_room_nothing_is_written(stage: Stage) -> None:
    stage.room = Room(used=100, quota=100, free=10**12)
    stage.hand_over(stage.batches)
    assert "no room is left within the quota of 1e-07 GB" in stage.recorder.alarm
    assert list(stage.folder.iterdir()) == []


def test_a_damaged_file_is_left_alone(stage: Stage) -> None:
    (stage.folder / "first.mcap").write_bytes(b"not a record")
    stage.hand_over([*stage.batches, *stage.make(1)])
    assert stage.recorder.news(0).run == "first-2"
    assert stage.record("first-2").last == TICKS
    assert (stage.folder / "first.mcap").read_bytes() == b"not a record"


def test_the_next_run_names_the_one_before(stage: Stage) -> None:
    stage.hand_over([*stage.batches, *stage.make(1)])
    stage.begin_run("second", tick=40)
    stage.hand_over([*stage.batches, *stage.make(1)])
    assert stage.record("first").finished
    assert stage.record("second").info.origin == Origin("first", 40)
    assert stage.record("second").last == 40 + TICKS


# ── Room ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def keeper_of(folder: Path, quota: int, running: Callable[[], list[Path]] = list) -> RoomKeeper:
    return RoomKeeper(folder, quota, running)


def write_runs(stage: Stage, *names: str) -> list[Path]:
    for name in names:
        stage.begin_run(name)
        stage.hand_over([*stage.batches, *stage.make(1)])
    stage.recorder.finish()
    return [stage.folder / f"{name}.mcap" for name in names]


def test_the_oldest_runs_go_first(stage: Stage) -> None:
    paths = write_runs(stage, "a", "b", "c")
    size = sum(path.stat().st_size for path in paths)
    keeper_of(stage.folder, size).make_room()
    assert all(path.exists() for path in paths)
    keeper_of(stage.folder, size - 1).make_room()
    assert [path.exists() for path in paths] == [False, True, True]


def test_kept_running_and_foreign_files_stay(stage: Stage) -> None:
    from farhand.records.entries import Mark
    from farhand.records.run_writer import RunWriter

    paths = write_runs(stage, "a", "b", "c", "d")
    writer = RunWriter.reopen(paths[0])
    writer.mark(Mark(kind="kept", text="yes"), TICKS)
    writer.finish()
    foreign = stage.folder / "0.mcap"
    foreign.write_bytes(b"of another program")
    keeper_of(stage.folder, 1, lambda: [paths[1]]).make_room()
    assert [path.exists() for path in (foreign, *paths)] == [True, True, True, False, False]
