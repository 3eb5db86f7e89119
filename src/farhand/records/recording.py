"""Recording a run in this process: for programs, tests and benchmarks. A live server has a process for it."""

from __future__ import annotations

from pathlib import Path

from farhand.loop import Run
from farhand.records.cell_source import source_of
from farhand.records.collector import KEEP_HZ, Collector
from farhand.records.entries import Mark
from farhand.records.run_info import info_of, joint_names, text_of
from farhand.records.run_writer import RunWriter
from farhand.types import Inputs, Tick

__all__ = ["Recording"]


class Recording:
    """Records a run to a file, as a context: from here on until its end.

    ::

        with Recording(run, "drive.mcap"):
            run.run(10.0)

    Args:
        run: The run.
        path: The new file.
        title: Title of the record.
        keep_hz: Ticks a second that are kept for viewing.

    Raises:
        OSError: If the file exists, or the disk is full or fails.
        RecordError: If a file that the cell names cannot be read any more.
    """

    def __init__(self, run: Run, path: Path | str, *, title: str = "", keep_hz: float = KEEP_HZ) -> None:
        self._run, cell, path = run, run.cell, Path(path)
        self._writer = RunWriter(
            path, info_of(cell, path.stem, title=title), source_of(cell), text_of(cell), joint_names(cell)
        )
        self._collector = Collector(cell, self._writer.take, run.masters, keep_hz)
        self._collector.begin()

    def __enter__(self) -> Recording:
        self._run.listeners = (*self._run.listeners, self._take)
        return self

    def _take(self, inputs: Inputs, tick: Tick) -> None:
        self._collector(inputs, tick)

    def mark(self, mark: Mark) -> None:
        """Add an episode, a bookmark, a title or the like."""
        self._collector.flush()
        self._writer.mark(mark, self._run.cell.number)

    def __exit__(self, *error: object) -> None:
        self._run.listeners = tuple([listener for listener in self._run.listeners if listener != self._take])
        self._collector.flush()
        self._writer.finish()
