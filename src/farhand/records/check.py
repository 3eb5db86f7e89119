"""Checking a record completely, and saving what can be read of a damaged one."""

from __future__ import annotations

import errno
import mmap
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from mcap.opcode import Opcode
from msgspec import Struct

from farhand.records.durable_file import DurableFile
from farhand.records.errors import RecordError
from farhand.records.mcap_scan import ChunkPlace, chunk_messages, scan
from farhand.records.mcap_write import SEAL, McapWriter
from farhand.records.read import open_record

__all__ = ["Report", "check", "repair"]

Progress = Callable[[int, int], None]


class Report(Struct, frozen=True):
    """The result of a check.

    Args:
        good: Nothing is damaged.
        finished: The file was finished.
        chunks: Number of its chunks.
        problems: Damage, as sentences.
        gaps: Ticks that were dropped while recording, as sentences; no damage.
    """

    good: bool
    finished: bool
    chunks: int
    problems: tuple[str, ...]
    gaps: tuple[str, ...] = ()


def check(path: Path, progress: Progress | None = None) -> Report:
    """Check every byte of a record.

    Every chunk carries the checksum of all bytes before it, and the end of the file that of the whole; the indexes are
    compared with what they index. So a single flipped bit is found, in an unfinished file too.

    Args:
        path: The file.
        progress: Called now and then with the number of bytes checked and of all.

    Raises:
        RecordError: If it cannot be read, or is no record.
    """
    with open_record(path) as record:
        gaps = tuple(f"ticks {gap.first} to {gap.last} were dropped ({gap.why})" for gap in record.gaps)
    with path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
        found = scan(content, path)
        problems = [*found.problems, *_damage(content, found.chunks, progress)]
        seals = {number for number, channel in found.channels.items() if channel.topic == SEAL}
        problems += _broken_seals(content, found.chunks, seals)
        problems += _broken_end(content, found.data_end, finished=found.finished)
    return Report(not problems, found.finished, len(found.chunks), tuple(problems), gaps)


def _damage(content: mmap.mmap, chunks: tuple[ChunkPlace, ...], progress: Progress | None) -> list[str]:
    problems = []
    for place in chunks:
        try:
            _check_indexes(content, place)
        except RecordError as error:
            problems.append(str(error))
        except struct.error:
            problems.append(f"the index behind the chunk at {place.offset} is damaged")
        if progress:
            progress(place.offset + place.length, len(content))
    return problems


def _check_indexes(content: mmap.mmap, place: ChunkPlace) -> None:
    """Compare the indexes behind a chunk with its messages."""
    counted: dict[int, list[int]] = {}
    times = []
    for message in chunk_messages(content, place):
        counted.setdefault(message.channel, []).append(message.time)
        times.append(message.time)
    if times and (min(times), max(times)) != (place.start, place.end):
        raise RecordError(f"the chunk at {place.offset} has other times than its messages")
    at = place.offset + place.length
    while at + 9 <= len(content) and content[at] == Opcode.MESSAGE_INDEX:
        (size,) = struct.unpack_from("<Q", content, at + 1)
        number, length = struct.unpack_from("<HI", content, at + 9)
        rows = [struct.unpack_from("<Q", content, at + 15 + 16 * i)[0] for i in range(length // 16)]
        if size != length + 6 or counted.pop(number, None) != rows:
            raise RecordError(f"the index behind the chunk at {place.offset} is damaged")
        at += 9 + size
    if counted and at + 9 <= len(content):
        raise RecordError(f"the index behind the chunk at {place.offset} is incomplete")


def _broken_seals(content: mmap.mmap, chunks: tuple[ChunkPlace, ...], seals: set[int]) -> list[str]:
    """Return what the seals say of the bytes between chunks."""
    problems, crc, at = [], 0, 0
    for place in chunks:
        crc, at = _crc(content, at, place.offset, crc), place.offset
        try:
            sealed = next((m.data for m in chunk_messages(content, place) if m.channel in seals), None)
        except RecordError:
            continue
        if sealed is not None and sealed != struct.pack("<I", crc):
            problems.append(f"bytes before {place.offset} have changed since they were written")
            (crc,) = struct.unpack("<I", sealed)
    return problems


def _broken_end(content: mmap.mmap, data_end: int, *, finished: bool) -> list[str]:
    """Return what the end of the file says of the whole."""
    if not finished:
        return []
    opcode, length = struct.unpack_from("<BQ", content, data_end)
    if opcode != Opcode.DATA_END or length != 4:
        return ["the end of the data is damaged"]
    (crc,) = struct.unpack_from("<I", content, data_end + 9)
    if crc != _crc(content, 0, data_end):
        return ["bytes have changed since the file was finished"]
    return []


def _crc(content: mmap.mmap, start: int, end: int, crc: int = 0) -> int:
    with memoryview(content) as whole, whole[start:end] as part:
        return zlib.crc32(part, crc)


def repair(path: Path, target: Path, progress: Progress | None = None) -> Report:
    """Write what can be read of a record to a new, finished file; the old one stays as it is.

    Args:
        path: The damaged or unfinished file.
        target: The new file; it must not exist.
        progress: Called now and then with the number of bytes read and of all.

    Returns:
        The problems of the old file.

    Raises:
        RecordError: If nothing can be saved.
        OSError: If the new file exists or cannot be written.
    """
    if target.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    with open_record(path) as record, path.open("rb") as opened:
        info, content = record.info, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        found = scan(content, path)
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    writer = McapWriter(DurableFile(partial), "farhand repair")
    try:
        for name, values in found.metadata.items():
            writer.describe(name, values)
        for name, data in found.attachments.items():
            writer.attach(name, "application/octet-stream", data, info.started)
        numbers = {}
        for number, channel in found.channels.items():
            if channel.topic != SEAL:
                schema = found.schemas.get(channel.schema_id)
                name, encoding, text = (schema.name, schema.encoding, schema.data) if schema else ("", "", b"")
                numbers[number] = writer.channel(channel.topic, name, encoding, text, channel.message_encoding)
        problems = list(found.problems)
        for place in found.chunks:
            try:
                messages = [m for m in chunk_messages(content, place) if m.channel in numbers]
            except RecordError as error:
                problems.append(str(error))
                continue
            for message in messages:
                writer.add(numbers[message.channel], message.time, message.data)
            writer.close_chunk()
            if progress:
                progress(place.offset + place.length, len(content))
        writer.finish()
        partial.rename(target)
    except BaseException:
        writer.file.close()
        partial.unlink(missing_ok=True)
        raise
    finally:
        content.close()
    return Report(not problems, found.finished, len(found.chunks), tuple(problems))
