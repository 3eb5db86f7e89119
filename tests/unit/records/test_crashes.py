"""No acknowledged tick is lost: by a crash of the machine, a killed process, a full disk or one that fails."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import farhand.records
from farhand import Cell, Run
from farhand.masters import Manual
from farhand.records import collector
from farhand.records.batch import Batch
from farhand.records.cell_source import CellSource
from farhand.records.collector import Collector
from farhand.records.durable_file import DISK, DurableFile
from farhand.records.entries import InputsBatch, RunInfo
from farhand.records.errors import RecordError
from farhand.records.run_info import info_of
from farhand.records.run_writer import RunWriter, digest_of
from farhand_bench.crash_images import Image, LoggedDisk, Step, crash_images

TICKS, PER_BATCH, UNSYNCED = 120, 10, 2


class Driven(msgspec.Struct, frozen=True):
    """A run as batches, of which any number of files can be made.

    Args:
        info: The run.
        source: Its cell.
        batches: Its batches.
    """

    info: RunInfo
    source: CellSource
    batches: tuple[Batch, ...]

    def inputs(self) -> list[bytes]:
        """Return the inputs of every tick as msgpack."""
        return [bytes(one) for batch in self.batches for one in batch.inputs]

    def digests(self) -> dict[int, bytes]:
        """Return the digest of every kept tick."""
        return {kept.number: digest_of(kept.tick) for batch in self.batches for kept in batch.kept}


@pytest.fixture(scope="module")
def driven() -> Driven:
    """A short drive of the IRB 120 in batches of ten ticks."""
    cell, batches, hand = Cell.load("irb120"), list[Batch](), Manual()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collector, "BATCH_S", PER_BATCH * cell.dt)
        patch.setattr(collector, "SNAPSHOT_S", 0.1)
        info, gathers = info_of(cell, "crashed"), Collector(cell, batches.append)
    gathers.begin()
    run = Run(cell, {cell.master_of("arm"): hand}, listeners=[gathers])
    for i in range(TICKS):
        hand.set(deadman=i > 5, axes=(0.3, 0.1 * (i % 3), -0.2))
        run.tick()
    gathers.flush()
    source = CellSource(cell.spec, cell.seed, ())  # without meshes: no file is built into a cell here
    return Driven(info, source, tuple(batches))


def write(driven: Driven, writer: RunWriter, log: list[Step], batches: tuple[Batch, ...]) -> None:
    """Write batches as the recorder does, at most two unsynced, and log what is acknowledged."""
    for i, batch in enumerate(batches):
        writer.take(batch)
        if i % UNSYNCED == UNSYNCED - 1 or batch is driven.batches[-1]:
            log.append(Step("acknowledge", writer.sync()))


def logged(driven: Driven, path: Path) -> list[Step]:
    """Return the log of a run whose writer ended in the middle and was started again."""
    log: list[Step] = []
    disk, half = LoggedDisk(log), len(driven.batches) // 2
    writer = RunWriter(path, driven.info, driven.source, disk=disk)
    write(driven, writer, log, driven.batches[:half])
    writer.close()
    writer = RunWriter.reopen(path, disk=disk)
    write(driven, writer, log, driven.batches[half - 1 :])  # the last batch comes twice
    writer.finish()
    return log


def assert_true(driven: Driven, path: Path, acknowledged: int) -> None:
    """Check that a file has every acknowledged tick and nothing false."""
    inputs, digests = driven.inputs(), driven.digests()
    encode = msgspec.msgpack.Encoder().encode
    try:
        record = farhand.records.open(path)
    except RecordError:
        assert not acknowledged
        return
    with record:
        found = [(n, one) for batch in record._all(InputsBatch) for n, one in enumerate(batch.inputs, batch.first)]
        assert record.last >= acknowledged
        assert [number for number, _ in found][:acknowledged] == list(range(1, acknowledged + 1))
        assert len({number for number, _ in found}) == len(found)
        assert all(encode(one) == inputs[number - 1] for number, one in found)
        assert dict(record.digests()).items() <= digests.items()
        assert {number for number in digests if number <= acknowledged} <= set(dict(record.digests()))
        assert {tick.number for tick in record.ticks()} >= {number for number in digests if number <= acknowledged}


def assert_images(driven: Driven, images: Iterator[Image], path: Path) -> int:
    """Check images and return the number of those with acknowledged ticks."""
    count = 0
    for image in images:
        if image.content is None:
            assert not image.acknowledged
            continue
        path.write_bytes(image.content)
        assert_true(driven, path, image.acknowledged)
        count += image.acknowledged > 0
    return count


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_crash_of_the_machine_loses_no_acknowledged_tick(count: int, driven: Driven, tmp_path: Path) -> None:
    log = logged(driven, tmp_path / "run.mcap")
    assert_true(driven, tmp_path / "run.mcap", TICKS)
    assert assert_images(driven, crash_images(log, count, seed=count), tmp_path / "image.mcap") > count / 2


class FailingDisk(LoggedDisk):
    """A disk of which one call fails, and from then on every write."""

    def __init__(self, log: list[Step], at: int, code: int) -> None:
        super().__init__(log)
        self.calls, self._at, self._code = 0, at, code

    def _count(self) -> None:
        self.calls += 1
        if self.calls > self._at:
            raise OSError(self._code, os.strerror(self._code))

    def write(self, descriptor: int, content: bytes, offset: int) -> int:
        try:
            self._count()
        except OSError:
            if self.calls == self._at + 1:
                DISK.write(descriptor, content[: len(content) // 2], offset)  # half of it is written
            raise
        return super().write(descriptor, content, offset)

    def sync(self, descriptor: int) -> None:
        self._count()
        super().sync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        if self._code == errno.EROFS and self.calls > self._at:
            raise OSError(self._code, os.strerror(self._code))
        super().truncate(descriptor, size)


def fail(driven: Driven, path: Path, at: int, code: int) -> bool:
    """Write a run to a disk that fails at a call; return whether it failed, and check what is left."""
    log: list[Step] = []
    disk = FailingDisk(log, at, code)
    path.unlink(missing_ok=True)
    try:
        writer = RunWriter(path, driven.info, driven.source, disk=disk)
        write(driven, writer, log, driven.batches)
        writer.finish()
        found = 0
    except OSError as error:
        found = error.errno or 0
    assert found in (0, code)
    assert_true(driven, path, max((step.place for step in log if step.kind == "acknowledge"), default=0))
    return found == code


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS], ids=lambda code: errno.errorcode[code])
def test_a_disk_that_fails_at_any_call_leaves_what_was_acknowledged(code: int, driven: Driven, tmp_path: Path) -> None:
    calls = 0
    while fail(driven, tmp_path / "run.mcap", calls, code):
        calls += 1
    assert calls > 15


@pytest.mark.parametrize("again", [True, False])
def test_a_batch_that_was_not_written_comes_again_or_is_a_gap(again: bool, driven: Driven, tmp_path: Path) -> None:
    class Full(LoggedDisk):
        full = False

        def write(self, descriptor: int, content: bytes, offset: int) -> int:
            if self.full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return super().write(descriptor, content, offset)

    disk = Full([])
    writer = RunWriter(tmp_path / "run.mcap", driven.info, driven.source, disk=disk)
    for i, batch in enumerate(driven.batches):
        disk.full = i == 4
        if disk.full:
            with pytest.raises(OSError, match="No space left"):
                writer.take(batch)
            disk.full = False
        if i != 4 or again:
            writer.take(batch)
    writer.finish()
    lost = driven.batches[4]
    with farhand.records.open(tmp_path / "run.mcap") as record:
        missing = set(range(1, TICKS + 1)) - {number for number, _ in record.inputs()}
        assert missing == (set() if again else set(range(lost.first, lost.last + 1)))
        assert [(gap.first, gap.last) for gap in record.gaps] == ([] if again else [(lost.first, lost.last)])
        assert record.complete == again


def test_after_a_failed_sync_nothing_is_acknowledged(tmp_path: Path) -> None:
    log: list[Step] = []

    class Once(LoggedDisk):
        broken = True

        def sync(self, descriptor: int) -> None:
            if self.broken:
                self.broken = False
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            super().sync(descriptor)

    file = DurableFile(tmp_path / "a", disk=Once(log))
    file.append(b"lost by the operating system")
    for _ in range(2):
        with pytest.raises(OSError, match="Input/output error"):
            file.sync()
    assert file.synced == 0
    file.close()


def test_half_a_record_is_removed_as_soon_as_the_disk_allows(tmp_path: Path) -> None:
    log: list[Step] = []

    class Full(LoggedDisk):
        full = False

        def write(self, descriptor: int, content: bytes, offset: int) -> int:
            if self.full:
                DISK.write(descriptor, content[:3], offset)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return super().write(descriptor, content, offset)

        def truncate(self, descriptor: int, size: int) -> None:
            if self.full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            super().truncate(descriptor, size)

    disk = Full(log)
    file = DurableFile(tmp_path / "a", disk=disk)
    file.append(b"good")
    disk.full = True
    with pytest.raises(OSError, match="No space left"):
        file.append(b"too much")
    assert (tmp_path / "a").read_bytes() == b"goodtoo"
    disk.full = False
    file.append(b"!")
    assert (tmp_path / "a").read_bytes() == b"good!"
    file.close()


KILLED = """
import os, random, signal, sys, time
from pathlib import Path
import msgspec
sys.path[:0] = sys.argv[4:]
from farhand.records.batch import Batch
from farhand.records.cell_source import CellSource
from farhand.records.entries import RunInfo
from farhand.records.run_writer import RunWriter
class Driven(msgspec.Struct):
    info: RunInfo
    source: CellSource
    batches: tuple[Batch, ...]
folder, kills = Path(sys.argv[1]), int(sys.argv[2])
driven = msgspec.msgpack.decode(Path(sys.argv[3]).read_bytes(), type=Driven)
dice = random.Random(kills)
for i in range(kills):
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        writer = RunWriter(folder / f"{i}.mcap", driven.info, driven.source)
        for batch in driven.batches:
            writer.take(batch)
            os.write(tell, b"%d\\n" % writer.sync())
        writer.finish()
        os._exit(0)
    os.close(tell)
    text = b""
    wanted = dice.randrange(len(driven.batches))
    while text.count(b"\\n") < wanted:
        text += os.read(told, 1)
    for _ in range(dice.randrange(20000)):
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(told, 1000):
        text += more
    os.close(told)
    print(i, max(map(int, text.split()), default=0), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_a_killed_process_loses_no_acknowledged_tick(kills: int, driven: Driven, tmp_path: Path) -> None:
    (tmp_path / "driven").write_bytes(msgspec.msgpack.encode(driven))
    paths = [path for path in sys.path if path]
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(kills), str(tmp_path / "driven"), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert [number for number, _ in lines] == list(range(kills))
    for number, acknowledged in lines:
        if (tmp_path / f"{number}.mcap").exists():
            assert_true(driven, tmp_path / f"{number}.mcap", acknowledged)
        else:
            assert not acknowledged
    assert len({acknowledged for _, acknowledged in lines}) > 3


def test_a_writer_that_syncs_too_late_is_caught(driven: Driven, tmp_path: Path) -> None:
    """The harness itself: acknowledging what is only written is found out."""
    log: list[Step] = []
    writer = RunWriter(tmp_path / "run.mcap", driven.info, driven.source, disk=LoggedDisk(log))
    for batch in driven.batches:
        writer.take(batch)
        log.append(Step("acknowledge", batch.last))
    writer.close()
    with pytest.raises(AssertionError):
        assert_images(driven, crash_images(log, 100, seed=1), tmp_path / "image.mcap")
