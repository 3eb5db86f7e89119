"""A master that repeats recorded readings, which are kept by tick as lines of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from farhand.config import convert, read_regular
from farhand.errors import FileError
from farhand.masters.master import MASTERS
from farhand.types import Feedback, Reading

__all__ = ["Recorded", "load_readings", "save_readings"]


MAX_BYTES = 1 << 30


class _RecordedLine(Struct, frozen=True, forbid_unknown_fields=True):
    tick: int
    reading: Reading


class Recorded:
    """Repeats recorded readings at the ticks of their receipt, counted from its own first tick.

    Args:
        readings: By tick number.
    """

    def __init__(self, readings: Mapping[int, Reading]) -> None:
        self._readings = dict(readings)
        self._from = min(self._readings, default=0)
        self._count = -1

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the reading of this tick, or None if there was none."""
        del now
        self._count += 1
        reading = self._readings.get(self._from + self._count)
        return reading and replace(reading, tick=feedback.tick)


def save_readings(path: Path | str, readings: Iterable[tuple[int, Reading]]) -> None:
    """Write (tick, reading) pairs, one line of JSON each."""
    encoder = msgspec.json.Encoder()
    lines = [encoder.encode(_RecordedLine(tick, reading)) + b"\n" for tick, reading in readings]
    Path(path).write_bytes(b"".join(lines))


def load_readings(path: Path | str) -> dict[int, Reading]:
    """Return the readings of a file by tick.

    Raises:
        FileError: If the file cannot be read or a line is wrong; the error names the line.
    """
    decoder = msgspec.json.Decoder(_RecordedLine)
    readings: dict[int, Reading] = {}
    try:
        content = read_regular(Path(path), MAX_BYTES)
    except (OSError, ValueError) as error:
        raise FileError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    for number, text in enumerate(content.splitlines(), 1):
        try:
            line = decoder.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise FileError(path, f"is not a recorded reading: {error}", field=f"line {number}") from error
        readings[line.tick] = line.reading
    return readings


class _RecordedTable(Struct, frozen=True, forbid_unknown_fields=True):
    file: str


@MASTERS.register("recorded")
def _make(table: dict[str, Any], folder: Path) -> Recorded:
    """Repeats the readings of another master from a file."""
    path = folder / convert(table, _RecordedTable).file
    readings = load_readings(path)
    if not readings:
        raise FileError(path, "has no readings")
    return Recorded(readings)
