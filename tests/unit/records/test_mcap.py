"""Files as the public `mcap` library reads them; every prefix can be read; every flipped bit is found."""

import io
import random
from pathlib import Path

import pytest
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader

from farhand.records.durable_file import DurableFile
from farhand.records.errors import RecordError
from farhand.records.mcap_scan import chunk_messages, scan
from farhand.records.mcap_write import McapWriter

CHUNKS, PER_CHUNK = 12, 5


def write(path: Path, *, finish: bool = True) -> list[int]:
    """Write a small file; return its size after each chunk."""
    random_bytes = random.Random(1).randbytes
    writer = McapWriter(DurableFile(path), "test")
    writer.attach("run.json", "application/json", b'{"a": 1}', 5)
    writer.describe("farhand", {"format": "1"})
    channel = writer.channel("/a", "farhand.A", "jsonschema", b"{}", "msgpack")
    sizes = []
    for k in range(CHUNKS):
        for i in range(PER_CHUNK):
            writer.add(channel, 1000 * k + i, b"%d " % (PER_CHUNK * k + i) + random_bytes(20))
        writer.close_chunk()
        sizes.append(writer.file.size)
    if finish:
        writer.finish()
    else:
        writer.file.close()
    return sizes


def numbers(content: bytes, path: Path) -> list[int]:
    """Return the numbers of the messages that can be read."""
    found = scan(content, path)
    wanted = {number for number, channel in found.channels.items() if channel.topic == "/a"}
    return [
        int(message.data.split()[0])
        for place in found.chunks
        for message in chunk_messages(content, place)
        if message.channel in wanted
    ]


def test_the_public_library_reads_it(tmp_path: Path) -> None:
    write(tmp_path / "a.mcap")
    content = (tmp_path / "a.mcap").read_bytes()
    reader = make_reader(io.BytesIO(content), validate_crcs=True)
    assert sum(1 for _ in reader.iter_messages(topics=["/a"])) == CHUNKS * PER_CHUNK
    summary = reader.get_summary()
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.chunk_count == CHUNKS
    assert [item.name for item in reader.iter_attachments()] == ["run.json"]
    assert [item.name for item in reader.iter_metadata()] == ["farhand"]
    assert len(list(StreamReader(io.BytesIO(content), validate_crcs=True).records)) > CHUNKS
    late = [
        message.log_time for _, _, message in reader.iter_messages(topics=["/a"], starting_at=5000, ending_before=6000)
    ]
    assert late == [5000 + i for i in range(PER_CHUNK)]


def test_every_prefix_holds_its_whole_chunks(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    sizes = write(path, finish=False)
    content = path.read_bytes()
    for cut in [*range(60, len(content), 37), *sizes]:
        whole = sum(size <= cut for size in sizes)
        found = numbers(content[:cut], path)
        assert found[: whole * PER_CHUNK] == list(range(whole * PER_CHUNK))
        assert len(found) <= (whole + 1) * PER_CHUNK  # the chunk itself may be whole, only its index cut off


def test_a_broken_off_file_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    sizes = write(path, finish=False)
    content = path.read_bytes()
    path.write_bytes(content[: sizes[6] + 40])  # a torn chunk at its end
    writer = McapWriter.reopen(path, "test")
    writer.add(writer.channel("/a", "farhand.A", "jsonschema", b"{}", "msgpack"), 99_000, b"999 more")
    writer.finish()
    reader = make_reader(io.BytesIO(path.read_bytes()), validate_crcs=True)
    found = [int(message.data.split()[0]) for _, _, message in reader.iter_messages(topics=["/a"])]
    assert found == [*range(7 * PER_CHUNK), 999]
    assert numbers(path.read_bytes(), path) == found


def test_a_finished_file_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    write(path)
    for more in (1000, 1001):
        writer = McapWriter.reopen(path, "test")
        writer.add(writer.channel("/a", "farhand.A", "jsonschema", b"{}", "msgpack"), 99_000 + more, b"%d x" % more)
        writer.finish()
    reader = make_reader(io.BytesIO(path.read_bytes()), validate_crcs=True)
    found = [int(message.data.split()[0]) for _, _, message in reader.iter_messages(topics=["/a"])]
    assert found == [*range(CHUNKS * PER_CHUNK), 1000, 1001]


def test_what_stands_behind_damage_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    sizes = write(path, finish=False)
    content = bytearray(path.read_bytes())
    content[sizes[3] + 1 : sizes[3] + 9] = b"\xff" * 8  # the length of the fifth chunk
    found = numbers(bytes(content), path)
    assert found == [n for n in range(CHUNKS * PER_CHUNK) if not 4 * PER_CHUNK <= n < 5 * PER_CHUNK]
    assert len(scan(bytes(content), path).problems) == 1


def test_a_length_beyond_the_file_allocates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    sizes = write(path, finish=False)
    content = bytearray(path.read_bytes())
    content[sizes[-2] + 1 : sizes[-2] + 9] = (50 * 10**9).to_bytes(8, "little")
    assert numbers(bytes(content), path) == list(range((CHUNKS - 1) * PER_CHUNK))


@pytest.mark.parametrize(
    "content", [b"", b"\x89MCAP0\r", b"PK\x03\x04" + bytes(100), b"\x89PNG\r\n\x1a\n" + bytes(100)]
)
def test_another_programs_file_is_no_record(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="is not a record"):
        scan(content, tmp_path / "a.mcap")
