"""Publish the ticks of a record as the frames of a live cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.records.entries import NoteEntry
from farhand.server.cell_process.frame_publisher import FramePublisher
from farhand.server.cell_process.note_log import NoteLog
from farhand.server.cell_process.replay_marks import can_be_worded
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import ClearanceUpdate, PlaybackUpdate
from farhand.types import Inputs, LaneReport, Note, Tick

__all__ = ["ReplayPublisher"]

REFRESH_S = 0.1  # between two updates of the same notes: you cannot read numbers that change faster
MAX_ENTRIES = 5000  # of the record's log
NOT_LOGGED = ("guard.", "scale.", "servo.", "smooth.")  # of level "info": every motion starts gently


class ReplayNotes(NoteLog):
    """The notes of a record: those of the present tick, and the log of the whole run.

    Args:
        entries: Notes of the record, each when it began.
        dt: Seconds per tick.
    """

    def __init__(self, entries: Iterable[NoteEntry], dt: float) -> None:
        super().__init__()
        self._present: dict[str, tuple[Note, ...]] = {}
        self._shown: dict[str, tuple[Note, ...]] = {}
        self._shown_at = -1.0
        for entry in list(entries)[-MAX_ENTRIES:]:
            if _logged(entry.note):
                self.write(entry.tick * dt, entry.robot, entry.note)

    def take(self, tick: Tick) -> None:
        """Take the notes of a tick."""
        found = {"": tick.notes, **{robot: report.notes for robot, report in tick.lanes.items()}}
        worded = {robot: tuple(filter(can_be_worded, notes)) for robot, notes in found.items()}
        self._present = {robot: notes for robot, notes in worded.items() if notes}

    def why(self, time: float) -> dict[str, tuple[Note, ...]]:
        """Return the notes of the present tick; the same value while nothing has changed that can be read."""
        same = _codes(self._present) == _codes(self._shown)
        if self._present != self._shown and not (same and abs(time - self._shown_at) < REFRESH_S):
            self._shown, self._shown_at = self._present, time
        return self._shown


class ReplayPublisher(FramePublisher):
    """Sends frames of recorded ticks.

    Args:
        cell: The cell, whose world shows the recorded poses.
        run: Incarnation of the process.
        send: Takes the frames.
        notes: Notes of the record.
    """

    def __init__(self, cell: Cell, run: int, send: Callable[[Frame], None], notes: ReplayNotes) -> None:
        self._playback: PlaybackUpdate | None = None
        super().__init__(cell, run, send)
        self.note_log = notes

    @property
    def listens(self) -> bool:
        """Whether signals are sampled."""
        return bool(self._signals)

    def show(self, tick: Tick, inputs: Inputs, playback: PlaybackUpdate, samples: Iterable[Tick], hold: int) -> None:
        """Send a frame.

        Args:
            tick: The recorded tick.
            inputs: Readings of the masters.
            playback: State of the playback.
            samples: Ticks whose signals are plotted; each holds until the next one.
            hold: Most ticks for which a value holds.
        """
        for view in self.master_views:
            view.keep(inputs)
        self.note_log.take(tick)
        self._sample(list(samples), hold)
        self._follow_world()
        # Kept times have seven digits; the number of the tick is exact.
        self._send(replace(self._frame(tick), time=tick.number * self._cell.dt, playback=playback))

    def _sample(self, ticks: list[Tick], hold: int) -> None:
        """Sample the signals: a row for every tick, as a live cell has it."""
        if not self._signals or not ticks:
            return
        rows: list[list[float]] = []
        self._first = ticks[0].number
        for tick, following in zip(ticks, [*ticks[1:], None], strict=True):
            count = min(following.number - tick.number, hold) if following else 1
            missing = following.number - tick.number - count if following else 0
            rows += [[signal.read(tick) for signal in self._signals]] * count
            rows += [[float("nan")] * len(self._signals)] * missing
        self._samples = np.array(rows).ravel().tolist()

    def _follow_world(self) -> None:
        """Begin a new scene if the world has changed."""
        if self._cell.world.compiled is not self._compiled or self._cell.lanes is not self._lanes:
            self._compiled = self._cell.world.compiled
            self.scene += 1
            self._check()

    def _contact_marks(self) -> bytes:
        return b""  # forces at contact points are not part of a record

    def _near(self, name: str, report: LaneReport) -> ClearanceUpdate | None:
        del name, report
        return None

    def _pace(self, number: int) -> None:
        """Keep the time factor of a live cell: the playback has a speed of its own."""
        del number


def _logged(note: Note) -> bool:
    return can_be_worded(note) and not (note.level == "info" and note.code.startswith(NOT_LOGGED))


def _codes(notes: dict[str, tuple[Note, ...]]) -> dict[str, list[str]]:
    return {robot: [note.code for note in each] for robot, each in notes.items()}
