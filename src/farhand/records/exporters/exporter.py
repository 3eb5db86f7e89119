"""The registry of exporters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from farhand.records.read import Record
from farhand.registry import Registry

__all__ = ["EXPORTERS", "Exporter", "Progress", "rows"]

Progress = Callable[[int, int], None]
Exporter = Callable[[Record, Path, Progress | None], None]
"""Writes a record to a path that does not exist yet."""

EXPORTERS: Registry[Exporter] = Registry("export format")


def rows(record: Record) -> tuple[str, ...]:
    """Return the columns of a table of kept ticks, besides number and time."""
    return tuple(path for path in record.signals() if path not in ("number", "time"))
