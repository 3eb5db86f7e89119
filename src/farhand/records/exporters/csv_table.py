"""A record as a table of text: one line for each kept tick."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from farhand.records.exporters.exporter import EXPORTERS, Progress, rows
from farhand.records.read import Record

__all__: list[str] = []

LINES = 2000


@EXPORTERS.register("csv")
def _csv(record: Record, target: Path, progress: Progress | None) -> None:
    """Comma-separated values: one line for each kept tick, one column for each number."""
    names = rows(record)
    with target.open("x", encoding="utf-8", newline="") as file:
        file.write(",".join(_quoted(name) for name in ("time", "number", *names)) + "\n")
        for table in record.tables(names, rows=LINES):
            text = io.StringIO()
            np.savetxt(text, np.column_stack(list(table.values())), fmt="%.9g", delimiter=",")
            file.write(text.getvalue())
            if progress:
                progress(int(table["number"][-1]) - record.info.tick, record.last - record.info.tick)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(letter in name for letter in ',"\n\r') else name
