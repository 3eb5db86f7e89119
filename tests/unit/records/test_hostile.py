"""A stranger's file costs no memory beyond its size, raises one kind of error, and prints no control characters."""

import shutil
import struct
import zlib
from pathlib import Path

import msgspec
import numpy as np
import pytest
import zstandard

import farhand.records
from farhand import Cell, Tick
from farhand.cli import main
from farhand.records.columns import Columns, columns_of, paths_of, ticks_of
from farhand.records.durable_file import DurableFile
from farhand.records.entries import ContactEntry, RunInfo, TickColumns
from farhand.records.errors import RecordError
from farhand.records.index import RunIndex
from farhand.records.mcap_scan import MAGIC, ChunkPlace, chunk_content, scan
from farhand.records.mcap_write import McapWriter
from farhand.records.summary import Summary
from farhand.records.topics import TOPICS

INFO = RunInfo(run="20261119T120000-strange-0001", cell="strange", started=1_700_000_000_000_000_000)


def a_file(path: Path, entries: tuple[object, ...] = (), info: RunInfo = INFO, *, finish: bool = True) -> Path:
    """Write a file with a chunk for each entry."""
    writer = McapWriter(DurableFile(path), "strange")
    writer.describe("farhand", {"format": "1"})
    writer.attach("run.json", "application/json", msgspec.json.encode(info), 0)
    for i, entry in enumerate(entries):
        channel = writer.channel(TOPICS[type(entry)], "a", "jsonschema", b"{", "msgpack")
        writer.add(channel, info.started + i, msgspec.msgpack.encode(entry))
        writer.close_chunk()
    if finish:
        writer.finish()
    else:
        writer.file.close()
    return path


def ticks(count: int) -> list[Tick]:
    cell = Cell.load("irb120")
    return [cell.step() for _ in range(count)]


def a_chunk(packed: bytes, size: int, crc: int) -> bytes:
    """Return the record of a chunk that says anything."""
    content = struct.pack("<QQQI", 0, 0, size, crc) + struct.pack("<I", 4) + b"zstd"
    content += struct.pack("<Q", len(packed)) + packed
    return struct.pack("<BQ", 6, len(content)) + content


@pytest.mark.parametrize("declared", [10**12, 1000])
def test_a_chunk_that_unpacks_to_more_than_it_says_is_refused(declared: int, tmp_path: Path) -> None:
    if declared > 10**6:
        packed = (
            b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", declared) + b"\x03\0\0"
        )  # a frame's head, and an empty block
    else:
        packed = zstandard.ZstdCompressor().compress(bytes(10**6))
    content = MAGIC + a_chunk(packed, 100, zlib.crc32(bytes(100)))
    place = ChunkPlace(len(MAGIC), len(content) - len(MAGIC), 0, 0)
    with pytest.raises(RecordError, match=r"its content declares \d+ bytes, its head 100"):
        chunk_content(content, place)
    assert scan(content, tmp_path / "a.mcap").chunks == ()


@pytest.mark.parametrize(
    "columns",
    [
        Columns(10**12, b"\x80", b"", b""),
        Columns(1, b"\x80", b"", bytes(4)),
        Columns(1, b"\x91" * 5000 + b"\x80", b"", b""),
        Columns(1, b"\xc1", b"", b""),
        Columns(3, b"\x80", bytes(8), b""),
        Columns(-1, b"\x80", b"", b""),
    ],
)
def test_columns_that_make_no_sense_are_refused(columns: Columns, tmp_path: Path) -> None:
    path = a_file(tmp_path / "a.mcap", (TickColumns((columns,)),))
    with farhand.records.open(path) as record:
        for use in (lambda: list(record.ticks()), lambda: record.table(("x",)), lambda: record.kept_at(3)):
            with pytest.raises(RecordError):
                use()


@pytest.mark.parametrize(
    "change",
    [{"timestep": 0.0}, {"timestep": -1.0}, {"timestep": 1e9}, {"started": 2**63}, {"tick": -1}, {"keep_every": 0}],
    ids=str,
)
def test_numbers_that_no_run_can_have_are_refused(change: dict[str, float], tmp_path: Path) -> None:
    path = a_file(tmp_path / "a.mcap", info=msgspec.structs.replace(INFO, **change))
    with pytest.raises(RecordError, match="has numbers that no run can have"):
        farhand.records.open(path)
    index = RunIndex(tmp_path)
    index.refresh()
    assert (index.count(), list(index.unreadable)) == (0, ["a.mcap"])
    index.close()


def test_a_file_without_inputs_and_ticks_is_empty(tmp_path: Path) -> None:
    with farhand.records.open(a_file(tmp_path / "a.mcap", (ContactEntry(1, "begin", "a", "b", 1.0, 0.0),))) as record:
        assert (record.first, record.last, record.duration) == (1, 0, 0.0)
        assert (list(record.inputs()), list(record.ticks(5)), record.signals()) == ([], [], ())
        assert {name: len(values) for name, values in record.table(("a",)).items()} == {"time": 0, "number": 0, "a": 0}
        assert len(record.contacts) == 1
        with pytest.raises(RecordError, match="holds no kept tick"):
            record.kept_at(1)


def test_a_time_beyond_either_end_is_the_end(tmp_path: Path) -> None:
    encode = msgspec.msgpack.encode
    kept = columns_of([encode(tick) for tick in ticks(9)])
    with farhand.records.open(a_file(tmp_path / "a.mcap", (TickColumns(tuple(kept)),))) as record:
        assert [record.kept_at(at).tick.number for at in (-5, 0, 4, 9, 10**6, 10**30)] == [1, 1, 4, 9, 9, 9]


def test_a_signal_that_is_no_number_anywhere_is_still_a_signal(tmp_path: Path) -> None:
    encode = msgspec.msgpack.encode
    kept = columns_of([encode({"number": i, "x": float("nan"), "y": 1e300}) for i in range(5)])
    assert [*paths_of(kept[0].skeleton).floats] == ["x", "y"]
    with farhand.records.open(a_file(tmp_path / "a.mcap", (TickColumns(tuple(kept)),))) as record:
        assert np.isnan(record.signal("x")[1]).all()
        assert np.isinf(record.signal("y")[1]).all()
        assert len(record.signal("x")[1]) == 5
        with pytest.raises(RecordError, match="kept ticks cannot be read"):
            list(ticks_of(kept[0]))


def test_a_damaged_chunk_in_the_middle_is_one_of_the_problems(tmp_path: Path) -> None:
    entries = tuple(ContactEntry(i, "begin", "a" * 50, "b", 1.0, 0.0) for i in range(5))
    for finish in (True, False):
        path = a_file(tmp_path / f"{finish}.mcap", entries, finish=finish)
        content = bytearray(path.read_bytes())
        place = scan(bytes(content), path).chunks[2]
        content[place.offset + place.length - 9] ^= 1
        path.write_bytes(content)
        with farhand.records.open(path) as record:
            assert [entry.tick for entry in record.contacts] == [0, 1, 3, 4]
            assert len(record.problems) == 1
            assert not record.complete


def test_a_terminal_gets_no_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARHAND_DATA", str(tmp_path))
    (tmp_path / "runs").mkdir()
    bad = "\x1b[31mred\x1b]0;title\x07\r\n\u202e"
    info = msgspec.structs.replace(INFO, run=bad, title=bad, who=bad, cell=bad, versions={bad: bad}, machine=bad)
    path = a_file(tmp_path / "runs" / "a.mcap", info=info)
    shutil.copy(path, tmp_path / "runs" / "b\x1b[2J.mcap")
    (tmp_path / "runs" / "c\x1b[2J.mcap").write_bytes(b"none")
    for command in (
        ["list"],
        ["show", str(path)],
        ["check", str(path)],
        ["resim", str(path)],
        ["prune", "--to-gb", "0.0"],
    ):
        main(["records", *command])
        told = capsys.readouterr()
        assert told.out or told.err
        assert {letter for letter in told.out + told.err if not letter.isprintable()} <= {"\n"}


def test_ten_thousand_runs_are_listed_and_searched_in_the_index(tmp_path: Path) -> None:
    with RunIndex(tmp_path) as index:
        rows = [
            {
                "changed": 0,
                **msgspec.structs.asdict(
                    Summary(
                        run=f"run{i}", file=f"{i}.mcap", cell="c", started=i, duration=1.0, size=1, title=f"Title {i}"
                    )
                ),
            }
            for i in range(10_000)
        ]
        index._put([], rows)
        assert index.count() == 10_000
        assert [run.run for run in index.runs(limit=2)] == ["run9999", "run9998"]
        assert [run.run for run in index.runs("title 1234")] == ["run1234"]
        assert len(index.runs(limit=10**9)) == 10_000
        index.refresh()
        assert index.count() == 0  # none of them has a file
