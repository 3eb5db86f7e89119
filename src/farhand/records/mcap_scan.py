"""Reading an MCAP file that may be unfinished, cut short, damaged or hostile.

A finished file has a summary, which says where each chunk is. Without a good one the file is walked record by record,
and after damage the next chunk is searched for. Nothing is trusted: sizes are compared with the file's own before
memory is allocated, and a chunk counts only if its checksum agrees.
"""

from __future__ import annotations

import io
import mmap
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard
from mcap.data_stream import ReadDataStream
from mcap.exceptions import EndOfFile, McapError
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, ChunkIndex, Footer, Header, Metadata, Schema
from msgspec import Struct
from msgspec.structs import replace

from farhand.records.errors import RecordError

__all__ = ["MAGIC", "ChunkPlace", "Message", "Scan", "chunk_messages", "scan"]

MAGIC = b"\x89MCAP0\r\n"
MAX_CHUNK = 1 << 28  # bytes of a chunk, packed or unpacked
MAX_NAME = 1 << 16  # bytes of a text in a header
MAX_RECORD = 1 << 30  # bytes of any other record
MESSAGE_BYTES = 22  # of the head of a message
FOOTER_BYTES = 9 + 20 + len(MAGIC)
_HEAD = struct.Struct("<BQ")
_CHUNK = struct.Struct("<QQQI")
DAMAGE = (McapError, ValueError, struct.error)
_MARK = struct.pack("<I", 4) + b"zstd"


TAKEN = {Opcode.SCHEMA, Opcode.CHANNEL, Opcode.ATTACHMENT, Opcode.METADATA, Opcode.HEADER}


class ChunkPlace(Struct, frozen=True):
    """Where a chunk is: offset and length of its record, times (ns) of its first and last message, its channels."""

    offset: int
    length: int
    start: int
    end: int
    channels: frozenset[int] = frozenset()


class Message(Struct, frozen=True):
    """A message of a chunk."""

    channel: int
    sequence: int
    time: int
    data: bytes


class Scan(Struct, frozen=True):
    """The contents of a file.

    Args:
        chunks: In the order of the file.
        schemas: By number.
        channels: By number.
        attachments: The first of each name.
        metadata: By name.
        data_end: Offset after the last good record of the data section: a writer goes on from here.
        finished: It has a good summary.
        problems: Damage that was met, as sentences.
    """

    chunks: tuple[ChunkPlace, ...]
    schemas: dict[int, Any]
    channels: dict[int, Any]
    attachments: dict[str, bytes]
    metadata: dict[str, dict[str, str]]
    data_end: int
    finished: bool
    problems: tuple[str, ...] = ()


def scan(file: mmap.mmap | bytes, path: Path) -> Scan:
    """Return what a file holds.

    Args:
        file: Its bytes.
        path: Its path, for messages.

    Raises:
        RecordError: If it is no MCAP file.
    """
    if len(file) < len(MAGIC) or file[: len(MAGIC)] != MAGIC:
        raise RecordError(f"{path.name} is not a record: it does not begin as an MCAP file does")
    return _Scanner(file).scan()


class _Scanner:
    """One pass over a file."""

    def __init__(self, file: mmap.mmap | bytes) -> None:
        self.file = file
        self.chunks: list[ChunkPlace] = []
        self.schemas: dict[int, Any] = {}
        self.channels: dict[int, Any] = {}
        self.attachments: dict[str, bytes] = {}
        self.metadata: dict[str, dict[str, str]] = {}
        self.problems: list[str] = []
        self._searched = 0  # bytes of chunks that were tried behind damage

    def scan(self) -> Scan:
        summary = self._summary_start()
        if summary and self._take_summary(summary):
            self._walk(len(MAGIC), summary, headers_only=True)
            return self._result(self._data_end_before(summary), finished=True)
        for found in (self.chunks, self.schemas, self.channels, self.attachments, self.metadata):
            found.clear()
        end = self._walk(len(MAGIC), len(self.file), headers_only=False)
        return self._result(end, finished=False)

    def _result(self, end: int, *, finished: bool) -> Scan:
        return Scan(
            tuple(self.chunks),
            self.schemas,
            self.channels,
            self.attachments,
            self.metadata,
            end,
            finished,
            tuple(self.problems),
        )

    # ── With a summary ───────────────────────────────────────────────────────────────────────────────────────────

    def _summary_start(self) -> int:
        """Return the offset of a summary whose checksum agrees; 0 without one."""
        size = len(self.file)
        if size < len(MAGIC) + FOOTER_BYTES or self.file[size - len(MAGIC) :] != MAGIC:
            return 0
        at = size - FOOTER_BYTES
        opcode, length = _HEAD.unpack_from(self.file, at)
        if opcode != Opcode.FOOTER or length != 20:
            return 0
        footer = Footer.read(ReadDataStream(io.BytesIO(self.file[at + 9 : at + 29])))
        if not len(MAGIC) <= footer.summary_start <= at:
            return 0
        if zlib.crc32(self.file[footer.summary_start : at + 25]) != footer.summary_crc:
            self.problems.append("the summary at the end is damaged")
            return 0
        return int(footer.summary_start)

    def _take_summary(self, start: int) -> bool:
        """Take over a summary; return whether it makes sense."""
        free = len(MAGIC)
        try:
            for opcode, at, length in self._records(start, len(self.file) - FOOTER_BYTES):
                if opcode == Opcode.CHUNK_INDEX:
                    index = ChunkIndex.read(self._stream(at, length))
                    place = (index.chunk_start_offset, index.chunk_length)
                    if place[0] < free or sum(place) > start:
                        return False
                    free = sum(place)
                    times = (index.message_start_time, index.message_end_time)
                    self.chunks.append(ChunkPlace(*place, *times, frozenset(index.message_index_offsets)))
                else:
                    self._take(opcode, at, length)
        except DAMAGE:
            return False
        return True

    def _data_end_before(self, summary: int) -> int:
        """Return where the record is that ends the data section."""
        return summary - (9 + 4)

    # ── Record by record ─────────────────────────────────────────────────────────────────────────────────────────

    def _records(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield (opcode, offset of the content, length) of records in a row."""
        at = start
        while at < end:
            if at + _HEAD.size > end:
                raise EndOfFile
            opcode, length = _HEAD.unpack_from(self.file, at)
            if not opcode or at + _HEAD.size + length > end:
                raise EndOfFile
            yield opcode, at + _HEAD.size, length
            at += _HEAD.size + length

    def _walk(self, start: int, end: int, *, headers_only: bool) -> int:
        """Take over records up to an offset; return where the last good one ends.

        Args:
            start: Offset of the first record.
            end: Offset to stop at.
            headers_only: Stop at the first chunk: the summary has said the rest.
        """
        good = at = start
        while at < end:
            try:
                for opcode, content, length in self._records(at, end):
                    if opcode in (Opcode.DATA_END, Opcode.FOOTER) or (opcode == Opcode.CHUNK and headers_only):
                        return good
                    if opcode == Opcode.CHUNK:
                        self._take_chunk(content - _HEAD.size, length)
                    else:
                        self._take(opcode, content, length)
                    good = content + length
                return good
            except (RecordError, *DAMAGE):
                found = -1 if headers_only else self._next_chunk(good + 1)
                if found < 0:
                    if good < end:
                        self.problems.append(f"the last {end - good} bytes are cut off or damaged")
                    return good
                self.problems.append(f"{found - good} bytes at {good} are damaged")
                at = good = found
        return good

    def _take_chunk(self, at: int, length: int) -> None:
        """Take over a chunk of an unfinished file: its channels and schemas stand in it alone."""
        place = self._place(at, length)
        content, channels = chunk_content(self.file, place), set[int]()
        for opcode, start, size in _inner(content):
            if opcode == Opcode.MESSAGE:
                channels.add(int.from_bytes(content[start : start + 2], "little"))
            else:
                self._take(opcode, start, size, content)
        self.chunks.append(replace(place, channels=frozenset(channels)))

    def _place(self, at: int, length: int) -> ChunkPlace:
        if length < _CHUNK.size:
            raise EndOfFile
        start, end, _, _ = _CHUNK.unpack_from(self.file, at + _HEAD.size)
        return ChunkPlace(at, _HEAD.size + length, start, end)

    def _next_chunk(self, start: int) -> int:
        """Return the offset of the next whole chunk, or -1; a file made of false beginnings is given up."""
        at = self.file.find(_MARK, start)
        while at >= 0:
            begin = at - _CHUNK.size - _HEAD.size
            if begin >= start and self.file[begin] == Opcode.CHUNK:
                _, length = _HEAD.unpack_from(self.file, begin)
                if begin + _HEAD.size + length <= len(self.file) and self._searched <= 4 * len(self.file):
                    self._searched += length
                    try:
                        chunk_content(self.file, self._place(begin, length))
                    except (RecordError, EndOfFile):
                        pass
                    else:
                        return begin
            at = self.file.find(_MARK, at + 1)
        return -1

    def _take(self, opcode: int, at: int, length: int, content: bytes | None = None) -> None:
        """Take over a record that is no chunk."""
        if opcode not in TAKEN:
            return
        if length > MAX_RECORD:
            raise ValueError(f"a record of {length} bytes")
        stream = self._stream(at, length, content)
        if opcode == Opcode.SCHEMA:
            schema = Schema.read(stream)
            self.schemas.setdefault(schema.id, schema)
        elif opcode == Opcode.CHANNEL:
            channel = Channel.read(stream)
            self.channels.setdefault(channel.id, channel)
        elif opcode == Opcode.ATTACHMENT:
            self._take_attachment(at, length)
        elif opcode == Opcode.METADATA:
            metadata = Metadata.read(stream)
            self.metadata.setdefault(metadata.name, metadata.metadata)
        elif opcode == Opcode.HEADER:
            Header.read(stream)

    def _take_attachment(self, at: int, length: int) -> None:
        content = self.file[at : at + length]
        attachment = Attachment.read(ReadDataStream(io.BytesIO(content)))
        (crc,) = struct.unpack("<I", content[-4:])
        if zlib.crc32(content[:-4]) != crc:
            self.problems.append(f"the attachment {attachment.name!r} is damaged")
        else:
            self.attachments.setdefault(attachment.name, attachment.data)

    def _stream(self, at: int, length: int, content: bytes | None = None) -> ReadDataStream:
        return ReadDataStream(io.BytesIO((self.file if content is None else content)[at : at + length]))


# ── Chunks ───────────────────────────────────────────────────────────────────────────────────────────────────────


def chunk_content(file: mmap.mmap | bytes, place: ChunkPlace) -> bytes:
    """Return the unpacked records of a chunk.

    Raises:
        RecordError: If its checksum does not agree.
    """
    try:
        if place.length > MAX_CHUNK:
            raise ValueError(f"it has {place.length} bytes; at most {MAX_CHUNK} are read")
        record = file[place.offset : place.offset + place.length]
        opcode, length = _HEAD.unpack_from(record)
        start, end, size, crc = _CHUNK.unpack_from(record, _HEAD.size)
        stream = ReadDataStream(io.BytesIO(record[_HEAD.size + _CHUNK.size :]))
        name = stream.read4()
        if name > MAX_NAME or size > MAX_CHUNK or opcode != Opcode.CHUNK or length + _HEAD.size != len(record):
            raise ValueError("its sizes make no sense")
        compression = stream.read(name)
        packed = stream.read(stream.read8()) if size else b""
        content = _unpacked(packed, size) if compression == b"zstd" else packed
    except (*DAMAGE, zstandard.ZstdError) as error:
        raise RecordError(f"the chunk at {place.offset} is damaged: {error}") from error
    if len(content) != size or zlib.crc32(content) != crc or (start, end) != (place.start, place.end):
        raise RecordError(f"the chunk at {place.offset} is damaged: its checksum does not agree")
    return content


def _unpacked(packed: bytes, size: int) -> bytes:
    """Return unpacked bytes; the size that they declare themselves is checked before memory is allocated."""
    declared = zstandard.frame_content_size(packed)
    if declared not in (-1, size):
        raise ValueError(f"its content declares {declared} bytes, its head {size}")
    return zstandard.ZstdDecompressor().decompress(packed, size)


def chunk_messages(file: mmap.mmap | bytes, place: ChunkPlace) -> Iterator[Message]:
    """Yield the messages of a chunk, in order.

    Raises:
        RecordError: If it is damaged.
    """
    content = chunk_content(file, place)
    for opcode, at, length in _inner(content):
        if opcode == Opcode.MESSAGE:
            if length < MESSAGE_BYTES:
                raise RecordError(f"the chunk at {place.offset} holds a message of {length} bytes")
            channel, sequence, time, _ = struct.unpack_from("<HIQQ", content, at)
            yield Message(channel, sequence, time, content[at + MESSAGE_BYTES : at + length])


def _inner(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield (opcode, offset of the content, length) of the records in a chunk."""
    at = 0
    while at < len(content):
        try:
            opcode, length = _HEAD.unpack_from(content, at)
        except struct.error as error:
            raise RecordError("a chunk ends in the middle of a record") from error
        at += _HEAD.size
        if at + length > len(content):
            raise RecordError("a chunk ends in the middle of a record")
        yield opcode, at, length
        at += length
