"""Writing an MCAP file in small chunks, each complete in itself, so that any prefix of the file can be read.

The format is that of the public `mcap` library, whose records are used here; its writer cannot close a chunk or wait
for the disk. Every chunk begins with a seal: the checksum of all bytes of the file before it. So damage is found in an
unfinished file too, wherever it is.
"""

from __future__ import annotations

import io
import mmap
import struct
import zlib
from collections import defaultdict
from pathlib import Path

import zstandard
from mcap.data_stream import ReadDataStream, RecordBuilder
from mcap.opcode import Opcode
from mcap.records import (
    Attachment,
    AttachmentIndex,
    Channel,
    Chunk,
    ChunkIndex,
    DataEnd,
    Footer,
    Header,
    Message,
    MessageIndex,
    Metadata,
    MetadataIndex,
    Schema,
    Statistics,
    SummaryOffset,
)

from farhand.records.durable_file import DISK, Disk, DurableFile
from farhand.records.mcap_scan import MAGIC, Scan, chunk_messages, scan

__all__ = ["SEAL", "McapWriter"]

SEAL = "/farhand/seal"
LEVEL = 3  # of the compression


class McapWriter:
    """Appends chunks of messages to an MCAP file.

    Args:
        file: A file that is empty, or cut after its last good chunk.
        library: Name of the writer, for the header.
        before: Content of that file; None: it is empty.

    Raises:
        OSError: If the operating system refuses.
    """

    def __init__(self, file: DurableFile, library: str, before: Scan | None = None) -> None:
        self.file = file
        self._crc = 0
        self._schemas: dict[int, Schema] = {}
        self._channels: dict[int, Channel] = {}
        self._written: set[int] = set()
        self._by_topic: dict[str, int] = {}
        self._pending: list[Message] = []
        self._sequences: dict[int, int] = defaultdict(int)
        self._counts: dict[int, int] = defaultdict(int)
        self._indexes: list[ChunkIndex | AttachmentIndex | MetadataIndex] = []
        self._compress = zstandard.ZstdCompressor(level=LEVEL).compress
        if before is None:
            self._append(MAGIC + _bytes_of(Header("", library)))
        else:
            self._take_up(before)
        self._seal = self.channel(SEAL, "farhand.Seal", "", b"", "")

    @classmethod
    def reopen(cls, path: Path, library: str, disk: Disk = DISK) -> McapWriter:
        """Go on in a file that was finished, or broken off: its summary and a torn end are cut off.

        Raises:
            RecordError: If it is no record.
            OSError: If the operating system refuses.
        """
        with path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
            found = scan(content, path)
        file = DurableFile(path, found.data_end, disk)
        file.sync()
        return cls(file, library, found)

    def _take_up(self, before: Scan) -> None:
        """Know again what the file holds."""
        self._schemas, self._channels = dict(before.schemas), dict(before.channels)
        self._by_topic = {channel.topic: number for number, channel in self._channels.items()}
        self._written = set(self._channels)
        with self.file.path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
            with memoryview(content) as whole, whole[: self.file.size] as part:
                self._crc = zlib.crc32(part)
            self._index_head(content, before.chunks[0].offset if before.chunks else self.file.size)
            for place in before.chunks:
                for message in chunk_messages(content, place):
                    self._counts[message.channel] += 1
                    self._sequences[message.channel] = message.sequence + 1
                self._indexes.append(_index_again(content, place.offset, place.length))

    def _index_head(self, content: mmap.mmap, end: int) -> None:
        """Index the attachments and metadata before the first chunk again."""
        at = len(MAGIC)
        while at + 9 <= end:
            opcode, length = struct.unpack_from("<BQ", content, at)
            stream = ReadDataStream(io.BytesIO(content[at + 9 : at + 9 + length]))
            if opcode == Opcode.ATTACHMENT:
                found = Attachment.read(stream)
                times = (found.log_time, found.create_time)
                self._indexes.append(
                    AttachmentIndex(at, 9 + length, *times, len(found.data), found.name, found.media_type)
                )
            elif opcode == Opcode.METADATA:
                self._indexes.append(MetadataIndex(at, 9 + length, Metadata.read(stream).name))
            at += 9 + length

    # ── Adding ───────────────────────────────────────────────────────────────────────────────────────────────────

    def attach(self, name: str, media_type: str, data: bytes, time: int) -> None:
        """Write an attachment.

        Args:
            name: Its name.
            media_type: Its media type.
            data: Its content.
            time: Nanoseconds since 1970.
        """
        record = _bytes_of(Attachment(time, time, name, media_type, data))
        start = self._append(record)
        self._indexes.append(AttachmentIndex(start, len(record), time, time, len(data), name, media_type))

    def describe(self, name: str, values: dict[str, str]) -> None:
        """Write metadata."""
        record = _bytes_of(Metadata(name, values))
        self._indexes.append(MetadataIndex(self._append(record), len(record), name))

    def channel(self, topic: str, schema: str, schema_encoding: str, schema_data: bytes, encoding: str) -> int:
        """Return the number of a channel; it is made if there is none of this topic yet.

        Args:
            topic: Its topic.
            schema: Name of its schema; without an encoding it has none.
            schema_encoding: Encoding of the schema.
            schema_data: The schema.
            encoding: Encoding of the messages.
        """
        if topic in self._by_topic:
            return self._by_topic[topic]
        number = max(self._channels, default=0) + 1
        schema_number = 0
        if schema_encoding:
            schema_number = max(self._schemas, default=0) + 1
            self._schemas[schema_number] = Schema(schema_number, schema_data, schema_encoding, schema)
        self._channels[number] = Channel(number, topic, encoding, {}, schema_number)
        self._by_topic[topic] = number
        return number

    def add(self, channel: int, time: int, data: bytes) -> None:
        """Add a message to the chunk that is being made.

        Args:
            channel: Number of its channel.
            time: Nanoseconds since 1970.
            data: Its content.
        """
        self._pending.append(Message(channel, time, data, time, self._sequences[channel]))
        self._sequences[channel] += 1

    @property
    def pending(self) -> int:
        """Number of messages that wait for their chunk."""
        return len(self._pending)

    def close_chunk(self) -> None:
        """Write the chunk that is being made, if it has any message.

        Raises:
            OSError: If the disk is full or fails; the chunk's messages are dropped.
        """
        messages, self._pending = self._pending, []
        if not messages:
            return
        first = messages[0].log_time
        seal = Message(self._seal, first, struct.pack("<I", self._crc), first, self._sequences[self._seal])
        self._sequences[self._seal] += 1
        messages.insert(0, seal)
        builder, offsets = RecordBuilder(), defaultdict[int, list[tuple[int, int]]](list)
        new = {message.channel_id for message in messages} - self._written
        for number in sorted(new):
            channel = self._channels[number]
            if channel.schema_id:
                self._schemas[channel.schema_id].write(builder)
            channel.write(builder)
        for message in messages:
            offsets[message.channel_id].append((message.log_time, builder.count))
            message.write(builder)
        times = [message.log_time for message in messages]
        content = _content(builder)
        chunk = Chunk("zstd", self._compress(content), max(times), min(times), zlib.crc32(content), len(content))
        record = _bytes_of(chunk)
        indexes = {number: _bytes_of(MessageIndex(number, rows)) for number, rows in offsets.items()}
        start = self._append(record + b"".join(indexes.values()))
        self._written |= new
        for number, rows in offsets.items():
            self._counts[number] += len(rows)
        self._indexes.append(_index(chunk, start, len(record), indexes))

    def _append(self, record: bytes) -> int:
        start = self.file.append(record)
        self._crc = zlib.crc32(record, self._crc)
        return start

    # ── Ending ───────────────────────────────────────────────────────────────────────────────────────────────────

    def finish(self) -> None:
        """Write the summary, wait for the disk and close the file.

        Raises:
            OSError: If the disk is full or fails; the file can be read all the same.
        """
        self.close_chunk()
        self._append(_bytes_of(DataEnd(self._crc)))
        start = self.file.size
        summary, offsets = RecordBuilder(), list[SummaryOffset]()
        written = [self._channels[number] for number in sorted(self._written)]
        schemas = [self._schemas[channel.schema_id] for channel in written if channel.schema_id]
        groups: list[tuple[Opcode, list[object]]] = [
            (Opcode.SCHEMA, [*schemas]),
            (Opcode.CHANNEL, [*written]),
            (Opcode.STATISTICS, [self._statistics(len(schemas), len(written))]),
            (Opcode.CHUNK_INDEX, [index for index in self._indexes if isinstance(index, ChunkIndex)]),
            (Opcode.ATTACHMENT_INDEX, [index for index in self._indexes if isinstance(index, AttachmentIndex)]),
            (Opcode.METADATA_INDEX, [index for index in self._indexes if isinstance(index, MetadataIndex)]),
        ]
        for opcode, records in groups:
            begin = summary.count
            for record in records:
                record.write(summary)  # type: ignore[attr-defined]  # every record of mcap has it
            if records:
                offsets.append(SummaryOffset(opcode, start + begin, summary.count - begin))
        offset_start = start + summary.count
        for offset in offsets:
            offset.write(summary)
        content = _content(summary)
        head = struct.pack("<BQQQ", Opcode.FOOTER, 20, start, offset_start)
        footer = Footer(start, offset_start, zlib.crc32(head, zlib.crc32(content)))
        self.file.append(content + _bytes_of(footer) + MAGIC)
        self.file.sync()
        self.file.close()

    def _statistics(self, schemas: int, channels: int) -> Statistics:
        chunks = [index for index in self._indexes if isinstance(index, ChunkIndex)]
        return Statistics(
            attachment_count=sum(isinstance(index, AttachmentIndex) for index in self._indexes),
            channel_count=channels,
            channel_message_counts=dict(self._counts),
            chunk_count=len(chunks),
            message_count=sum(self._counts.values()),
            message_end_time=max((chunk.message_end_time for chunk in chunks), default=0),
            message_start_time=min((chunk.message_start_time for chunk in chunks), default=0),
            metadata_count=sum(isinstance(index, MetadataIndex) for index in self._indexes),
            schema_count=schemas,
        )


def _bytes_of(record: object) -> bytes:
    builder = RecordBuilder()
    record.write(builder)  # type: ignore[attr-defined]  # every record of mcap has it
    return _content(builder)


def _content(builder: RecordBuilder) -> bytes:
    return bytes(builder.end())  # type: ignore[no-untyped-call]  # mcap leaves it untyped


def _index(chunk: Chunk, start: int, length: int, indexes: dict[int, bytes]) -> ChunkIndex:
    offsets, at = {}, start + length
    for number, content in indexes.items():
        offsets[number] = at
        at += len(content)
    return ChunkIndex(
        chunk_length=length,
        chunk_start_offset=start,
        compression=chunk.compression,
        compressed_size=len(chunk.data),
        message_end_time=chunk.message_end_time,
        message_index_length=at - start - length,
        message_index_offsets=offsets,
        message_start_time=chunk.message_start_time,
        uncompressed_size=chunk.uncompressed_size,
    )


def _index_again(file: mmap.mmap, start: int, length: int) -> ChunkIndex:
    """Return the index of a chunk that stands in a file, with the message indexes behind it."""
    chunk = Chunk.read(ReadDataStream(io.BytesIO(file[start + 9 : start + length])))
    indexes, at = {}, start + length
    while at + 9 <= len(file) and file[at] == Opcode.MESSAGE_INDEX:
        (size,) = struct.unpack_from("<Q", file, at + 1)
        (number,) = struct.unpack_from("<H", file, at + 9)
        indexes[number] = file[at : at + 9 + size]
        at += 9 + size
    return _index(chunk, start, length, indexes)
