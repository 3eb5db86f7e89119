"""``python -m farhand.server.cell_process.replay_cell``: replay the record of a run, until the parent process ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import zenoh

from farhand.cell import Cell
from farhand.cell.signals import Signal, signals_of
from farhand.errors import FarhandError
from farhand.records.cell_source import build
from farhand.records.check import check
from farhand.records.collector import IDLE_RATIO
from farhand.records.read import Kept, Record, open_record
from farhand.server.cell_process.cell_order import CellOrder
from farhand.server.cell_process.describe import describe
from farhand.server.cell_process.frame_publisher import FRAME_RATE
from farhand.server.cell_process.master_views import views_of
from farhand.server.cell_process.playback_clock import Extent, PlaybackState, advanced, applied
from farhand.server.cell_process.recorded_moments import RecordedMoments, index_at
from farhand.server.cell_process.replay_marks import describe_replay
from farhand.server.cell_process.replay_publisher import ReplayNotes, ReplayPublisher
from farhand.server.fabric import sessions
from farhand.server.fabric.typed_channel import Life, TypedChannel
from farhand.server.lifecycle.child_messages import GoLive
from farhand.server.lifecycle.parent_watch import follow_parent
from farhand.server.lifecycle.standby import Heartbeat, go_live, with_parent_while_loading
from farhand.server.protocol.internal_messages import Done, Entries, Frame, Greeting, Listening, Order
from farhand.server.protocol.messages import Playback, PlaybackUpdate, Scene
from farhand.types import Note, Tick
from farhand.world.visual_scene import MeshLook

__all__ = ["main"]

MAX_CHECKED = 100 * 10**6  # bytes of a file that is checked before it is replayed: about a second
QUEUE = 4096  # orders that may wait on the fabric, and answers that are kept
GREETING_S = 0.3  # to wait for the gateway before greeting it again
REPEAT_S = 0.1  # between two frames while nothing changes: a cell without frames counts as silent
PLOTTED_S = 10.0  # before a moment that was jumped to, of which signals are sent
REPLAY = (Note("order.replay"),)


def main() -> int:
    """Open the record, build its cell, greet the gateway, and play."""
    order = msgspec.json.decode(sys.argv[1], type=CellOrder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process by its pipe
    try:
        with with_parent_while_loading():
            record = open_record(order.replay)
            cell, damage = build(record.source), _damage(order.replay)
    except FarhandError as error:
        sys.stderr.write(f"farhand: {error}\n")
        return 2
    return go_live(lambda word, heartbeat: _live(cell, record, damage, order, word, heartbeat), spare=order.spare)


def _damage(path: str) -> tuple[str, ...]:
    """Return sentences about damage, found by reading every byte, and say them; large files are opened unread."""
    if Path(path).stat().st_size > MAX_CHECKED:
        return ()
    damage = check(Path(path)).problems
    sys.stderr.writelines(f"Damaged: {sentence}\n" for sentence in damage)
    sys.stderr.flush()
    return damage


def _live(
    cell: Cell, record: Record, damage: tuple[str, ...], order: CellOrder, word: GoLive, heartbeat: Heartbeat
) -> int:
    """Serve the replay until the parent ends. No thread and no session may be started before this."""
    ending = threading.Event()
    follow_parent(end=ending.set)
    session = sessions.open_fabric(Path(order.folder), listen=False)
    try:
        ReplayCell(cell, record, damage, order.name, session, word.life, heartbeat).serve(ending.is_set)
    finally:
        session.close()
    return 0


class ReplayCell:
    """A cell that shows the record of a run; nothing in it can be driven.

    Args:
        cell: The cell of the record; it is never stepped.
        record: The record.
        damage: Sentences about damage of its file.
        name: Name under which the server shows it.
        session: Session of the fabric.
        life: Incarnation of this process.
        heartbeat: Sends a heartbeat.
    """

    def __init__(
        self,
        cell: Cell,
        record: Record,
        damage: tuple[str, ...],
        name: str,
        session: Any,
        life: int,
        heartbeat: Heartbeat,
    ) -> None:
        self._cell, self._record, self._name = cell, record, name
        self._session, self._heartbeat = session, heartbeat
        self._life = Life(life, own=True)
        drop = zenoh.CongestionControl.DROP
        self._frames = session.declare_publisher(sessions.frame_key(name), congestion_control=drop, express=True)
        self._answers = session.declare_publisher(sessions.answer_key(name), congestion_control=drop, express=True)
        self._frame_channel = TypedChannel(sessions.frame_key(name), Frame, self._life)
        self._done_channel = TypedChannel(sessions.answer_key(name), Done, self._life)
        self._scene_channel = TypedChannel(sessions.scene_key(name), Scene, self._life)
        self._log_channel = TypedChannel(sessions.log_key(name), Entries, self._life)
        self._order_channel = TypedChannel(sessions.order_key(name), Order, self._life)
        self._encode = msgspec.msgpack.Encoder().encode
        self._orders = session.declare_subscriber(sessions.order_key(name), zenoh.handlers.FifoChannel(QUEUE))
        self._done: dict[tuple[int, int], Done] = {}
        self._player = Player(cell, record)
        self._info = describe_replay(record, damage)
        self._signals: tuple[Signal, ...] = ()
        self._meshes: dict[str, MeshLook] = {}
        self._scene, self._scene_number = b"", 0

    def serve(self, ending: Callable[[], bool]) -> None:
        """Play until `ending` returns True."""
        self._greet(ending)
        self._player.begin()
        notes = ReplayNotes(self._record.notes, self._cell.dt)
        publisher = ReplayPublisher(self._cell, self._life.number, self._send_frame, notes)
        publisher.master_views = views_of(self._cell, self._cell.masters)
        self._describe(publisher)
        self._answer_questions(publisher)
        before, shown_at = time.perf_counter(), 0.0
        while not ending():
            self._heartbeat()
            self._take_orders(publisher)
            now = time.perf_counter()
            changed = self._player.advance(now - before)
            before = now
            if changed or now - shown_at >= REPEAT_S:
                shown_at = now
                self._player.show(publisher)
            if publisher.scene != self._scene_number:
                self._describe(publisher)
            time.sleep(max(0.001, 1.0 / FRAME_RATE - (time.perf_counter() - now)))

    def _greet(self, ending: Callable[[], bool]) -> None:
        """Wait for the gateway."""
        channel = TypedChannel(sessions.greeting_key(self._name), Greeting, self._life)
        hello = channel.written(Greeting())
        while not ending():
            self._heartbeat()
            for reply in self._session.get(channel.key, payload=hello, timeout=GREETING_S):
                if reply.ok is not None and channel.read(reply.ok.payload.to_bytes()) is not None:
                    return
            time.sleep(GREETING_S / 10)

    # ── Orders ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _take_orders(self, publisher: ReplayPublisher) -> None:
        """Take all orders that have arrived; never wait."""
        sample = self._orders.try_recv()
        while sample is not None:
            order = self._order_channel.read(sample.payload.to_bytes())
            if order is not None:
                self._take(order, publisher)
            sample = self._orders.try_recv()

    def _take(self, order: Order, publisher: ReplayPublisher) -> None:
        key = (order.gateway, order.number)
        if key not in self._done:
            refused: tuple[Note, ...] = ()
            if isinstance(order.content, Playback):
                self._player.play(order.content)
            elif isinstance(order.content, Listening):
                self._listen(order.content, publisher)
            elif order.content is not None:
                refused = REPLAY
            self._done[key] = Done(gateway=order.gateway, number=order.number, ok=not refused, refused=refused)
            if len(self._done) > QUEUE:
                del self._done[next(iter(self._done))]
        self._answers.put(self._done_channel.written(self._done[key]))

    def _listen(self, listening: Listening, publisher: ReplayPublisher) -> None:
        known = {signal.name: signal for signal in self._signals}
        publisher.listen(tuple(known[name] for name in listening.signals if name in known))
        self._player.forget_plotted()

    # ── Messages to the gateway ──────────────────────────────────────────────────────────────────────────────────

    def _describe(self, publisher: ReplayPublisher) -> None:
        """Encode the scene, so that queries can be answered at once."""
        self._signals = signals_of(self._cell)
        scene = describe(self._cell, self._name, publisher.scene, self._signals, self._cell.masters)
        scene = msgspec.structs.replace(scene, replay=self._info)
        self._meshes = self._cell.world.compiled.look.meshes
        self._scene, self._scene_number = self._scene_channel.written(scene), publisher.scene

    def _answer_questions(self, publisher: ReplayPublisher) -> None:
        """Answer queries for scene, meshes and log, on Zenoh's own threads and from prepared bytes."""
        name = self._name

        def log(query: Any) -> None:
            since = int(query.payload.to_bytes()) if query.payload is not None else 0
            query.reply(query.key_expr, self._log_channel.written(Entries(publisher.note_log.since(since))))

        def mesh(query: Any) -> None:
            look = self._meshes.get(str(query.key_expr).rpartition("/")[2])
            if look is not None:
                query.reply(query.key_expr, self._encode(look))

        self._queryables = [
            self._session.declare_queryable(sessions.scene_key(name), lambda q: q.reply(q.key_expr, self._scene)),
            self._session.declare_queryable(sessions.mesh_key(name, "*"), mesh),
            self._session.declare_queryable(sessions.log_key(name), log),
        ]

    def _send_frame(self, frame: Frame) -> None:
        self._frames.put(self._frame_channel.written(frame))


class Player:
    """Plays a record in the world of its cell.

    Args:
        cell: The cell of the record.
        record: The record.
    """

    def __init__(self, cell: Cell, record: Record) -> None:
        self._cell, self._record, self._dt = cell, record, record.info.timestep
        self._whole = Extent(record.first * self._dt, record.last * self._dt)
        self._state = PlaybackState(self._whole.first)
        self._moments = RecordedMoments(record)
        self._hold = 2 * IDLE_RATIO * record.info.keep_every  # ticks between two kept ones, with a margin
        self._world_starts = [entry.tick for entry in record.worlds]
        self._world = -1
        self._shown: Kept | None = None
        self._plotted: tuple[int, int] | None = None
        self._changed = True

    def begin(self) -> None:
        """Build the world of the first moment."""
        self._enter_world(self._record.first)

    def play(self, order: Playback) -> None:
        """Play as ordered."""
        self._changed = True
        self._state = applied(self._state, order, self._whole)
        if order.action == "step":
            kept = self._moments.stepped(self._tick, round(max(-1000.0, min(order.value, 1000.0))))
            if kept is not None:
                self._state = msgspec.structs.replace(self._state, moment=kept.tick.number * self._dt)

    def advance(self, elapsed: float) -> bool:
        """Let real time pass; return whether there is something new to show."""
        before = self._state
        self._state = advanced(before, elapsed, self._whole)
        changed, self._changed = self._changed or self._state != before, False
        return changed

    def forget_plotted(self) -> None:
        """Send the signals before the present moment again."""
        self._plotted, self._changed = None, True

    @property
    def _tick(self) -> int:
        return round(self._state.moment / self._dt)

    def show(self, publisher: ReplayPublisher) -> None:
        """Send the frame of the present moment, or of the last one before it that the record has."""
        wanted = self._tick
        kept = self._moments.at(wanted) or self._shown
        if kept is None:
            return
        self._enter_world(kept.tick.number)
        missing = abs(wanted - kept.tick.number) > self._hold or not self._put(kept)
        self._shown = kept
        playback = PlaybackUpdate(
            moment=round(self._state.moment, 4),
            playing=self._state.playing,
            speed=self._state.speed,
            loop=(self._state.loop.first, self._state.loop.last) if self._state.loop else None,
            missing=missing,
        )
        tick = kept.tick
        inputs = self._moments.inputs_of(tick.number)
        publisher.show(tick, inputs, playback, self._plot(tick) if publisher.listens else (), self._hold)

    def _put(self, kept: Kept) -> bool:
        """Put the bodies where they were; return whether the record has that."""
        if kept.qpos is None:
            return False
        try:
            self._cell.world.show(kept.qpos.astype(np.float64))
        except FarhandError:
            return False
        return True

    def _enter_world(self, tick: int) -> None:
        """Build the world of a moment, if it is another one than the present."""
        if not self._world_starts:
            return
        index = index_at(self._world_starts, tick)
        if index != self._world:
            self._world = index
            try:
                self._cell.resume(self._record.worlds[index].checkpoint)
            except FarhandError:
                return  # the poses then do not fit, and the moment counts as missing

    def _plot(self, tick: Tick) -> list[Tick]:
        """Return the ticks to sample: those since the last frame, or a stretch up to a moment that was jumped to."""
        last = tick.number
        if self._plotted is not None:
            first, newest = self._plotted
            if first <= last <= newest:
                return []
            if newest < last <= newest + round(PLOTTED_S / self._dt / 4):
                self._plotted = (first, last)
                return [kept.tick for kept in self._moments.between(newest, last)]
        first = max(self._record.first, last - round(PLOTTED_S / self._dt))
        self._plotted = (first, last)
        return [kept.tick for kept in self._moments.between(first, last)]


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Everything is closed; the normal shutdown would only make libraries print errors.
    os._exit(code)
