"""``python -m farhand.server.recorder.recorder_process``: record the cells of a server, until the parent ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Any

import msgspec
import zenoh

from farhand.records.data_folder import Room
from farhand.records.errors import RecordError
from farhand.server.fabric import sessions
from farhand.server.fabric.typed_channel import Life, TypedChannel
from farhand.server.lifecycle.child_messages import GoLive
from farhand.server.lifecycle.parent_watch import follow_parent
from farhand.server.lifecycle.priority import lower_priority
from farhand.server.lifecycle.standby import go_live
from farhand.server.protocol.internal_messages import RecorderNews
from farhand.server.protocol.messages import Recording
from farhand.server.protocol.recording_messages import RecordedBatch, RunSource, Safe
from farhand.server.recorder.cell_recorder import CellRecorder
from farhand.server.recorder.recorder_order import RecorderOrder
from farhand.server.recorder.room_keeper import RoomKeeper

__all__ = ["main"]

MAX_WAITING = 256  # batches; later ones are dropped, and asked for again
POLL_S = 0.05  # between two looks at the disk and the clock
NEWS_S = 0.5  # between two messages to the gateway
ROOM_S = 5.0  # between two looks at the room for runs
FETCH_S = 2.0  # to wait for the description of a run


def main() -> int:
    """Record until the parent process ends."""
    order = msgspec.json.decode(sys.argv[1], type=RecorderOrder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process by its pipe
    return go_live(lambda word, _: _live(order, word), spare=False)


def _live(order: RecorderOrder, word: GoLive) -> int:
    del word
    ending = threading.Event()
    follow_parent(end=ending.set)
    lower_priority()  # no tick waits for the disk
    session = sessions.open_recorder(Path(order.folder))
    try:
        Recorder(order, session).serve(ending.is_set)
    finally:
        session.close()
    return 0


class Recorder:
    """Records the cells of a server.

    Args:
        order: What to record, and where.
        session: Session of the fabric.
    """

    def __init__(self, order: RecorderOrder, session: Any) -> None:
        self._session, folder = session, Path(order.runs)
        self._waiting: Queue[tuple[str, bytes]] = Queue(MAX_WAITING)
        self._keeper = RoomKeeper(folder, order.quota, self._running)
        self._room = Room(0, order.quota, 0)
        self._life = {cell: Life() for cell in order.cells}
        self._channels = {
            cell: TypedChannel(sessions.record_key(cell), RecordedBatch, self._life[cell]) for cell in order.cells
        }
        self._cells = {cell: self._recorder_of(cell, folder) for cell in order.cells}
        self._news = session.declare_publisher(
            sessions.recorder_news_key(), congestion_control=zenoh.CongestionControl.DROP
        )
        self._news_channel = TypedChannel(sessions.recorder_news_key(), RecorderNews)
        self._told: tuple[float, object] = (-1e9, None)
        self._room_at = -1e9
        self._subscribers = [
            session.declare_subscriber(channel.key, self._hearing(cell)) for cell, channel in self._channels.items()
        ]

    def _hearing(self, cell: str) -> Callable[[Any], None]:
        def heard(sample: Any) -> None:
            try:
                self._waiting.put_nowait((cell, sample.payload.to_bytes()))
            except Full:  # the disk is slow: the cell sends it again
                return

        return heard

    def _recorder_of(self, cell: str, folder: Path) -> CellRecorder:
        key = sessions.record_answer_key(cell)
        publisher = self._session.declare_publisher(key, congestion_control=zenoh.CongestionControl.DROP)
        channel = TypedChannel(key, Safe, self._life[cell])
        sources = TypedChannel(sessions.run_source_key(cell), RunSource, self._life[cell])

        def fetch() -> RunSource | None:
            for reply in self._session.get(sources.key, timeout=FETCH_S):
                found = sources.read(reply.ok.payload.to_bytes()) if reply.ok is not None else None
                if found is not None:
                    return found
            return None

        def answer(safe: Safe) -> None:
            publisher.put(channel.written(safe))

        return CellRecorder(folder, fetch, answer, self._make_room, time.monotonic)

    def serve(self, ending: Callable[[], bool]) -> None:
        """Record until `ending` returns True, then finish every file."""
        while not ending():
            self._take(POLL_S)
            for cell in self._cells.values():
                cell.sweep()
            self._look_at_room()
            self._tell()
        while not self._waiting.empty():
            self._take(0.0)
        for cell in self._cells.values():
            cell.finish()

    def _take(self, seconds: float) -> None:
        """Take the batches that have come, after waiting for one."""
        try:
            cell, content = self._waiting.get(timeout=seconds) if seconds else self._waiting.get_nowait()
        except Empty:
            return
        message = self._channels[cell].read(content)
        if message is not None:
            self._cells[cell].take(message)

    # ── Room ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _running(self) -> list[Path]:
        return [cell.path for cell in self._cells.values() if cell.path is not None]

    def _make_room(self) -> Room:
        self._room_at = time.monotonic()
        self._room = self._keeper.make_room()
        return self._room

    def _look_at_room(self) -> None:
        """Make room while the runs grow; if there is none, interrupt the recording."""
        if not self._running() or time.monotonic() - self._room_at < ROOM_S:
            return
        with suppress(RecordError):  # the folder cannot be read; writing will tell
            room = self._make_room()
            for cell in self._cells.values():
                cell.check_room(room)

    # ── News ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _tell(self) -> None:
        """Tell the gateway, now and then and when a state changes."""
        now, cells = time.monotonic(), {name: cell.news(self._room.left) for name, cell in self._cells.items()}
        states = {name: _state(recording) for name, recording in cells.items()}
        if states != self._told[1] or now - self._told[0] >= NEWS_S:
            self._told = now, states
            self._news.put(self._news_channel.written(RecorderNews(cells)))


def _state(recording: Recording) -> tuple[str, str, str]:
    return recording.state, recording.run, recording.alarm


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Every file is finished; the normal shutdown would only make libraries print errors.
    os._exit(code)
