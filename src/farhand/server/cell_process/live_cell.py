"""``python -m farhand.server.cell_process.live_cell``: run one cell live, until the parent process ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import zenoh

from farhand.cell import Cell
from farhand.cell.checkpoint import Checkpoint
from farhand.cell.signals import Signal, signals_of
from farhand.cell.take_checkpoint import checkpoint_of
from farhand.errors import FarhandError
from farhand.kernels.notice import NOT_IN_A_TICK, compile_with_bar
from farhand.loop import Governor, Listener, Run, WallClock, calm_collector, feedback_of
from farhand.loop.governor import LEAST_FACTOR
from farhand.masters import Master
from farhand.server.cell_process.cell_order import CellOrder
from farhand.server.cell_process.describe import describe
from farhand.server.cell_process.frame_publisher import FramePublisher
from farhand.server.cell_process.intake import Intake
from farhand.server.cell_process.master_views import views_of
from farhand.server.fabric import sessions
from farhand.server.fabric.typed_channel import Life, TypedChannel
from farhand.server.lifecycle.child_messages import GoLive
from farhand.server.lifecycle.parent_watch import end_with_parent, follow_parent
from farhand.server.lifecycle.priority import raise_priority
from farhand.server.lifecycle.standby import Heartbeat, go_live, with_parent_while_loading
from farhand.server.protocol.internal_messages import Done, Entries, Frame, Greeting
from farhand.server.protocol.messages import Scene
from farhand.types import Feedback, Inputs, Note, Stop, Subject, Tick
from farhand.world import CellWorker
from farhand.world.visual_scene import MeshLook

if TYPE_CHECKING:
    from farhand.server.cell_process.record_feed import PreparedSource, RecordFeed

__all__ = ["main"]

CHECKPOINT_S = 0.5  # between two checkpoints
FIRST_LIFE = 1  # incarnation of a cell's first process
GREETING_S = 0.3  # to wait for the gateway before greeting it again


def main() -> int:
    """Load the cell, greet the gateway, resume from its checkpoint, and tick."""
    order = msgspec.json.decode(sys.argv[1], type=CellOrder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process by its pipe
    try:
        with with_parent_while_loading():
            compile_with_bar(NOT_IN_A_TICK)
            cell = _load(order)
            source = _prepare(cell) if order.record else None
    except FarhandError as error:
        sys.stderr.write(f"farhand: {error}\n")
        return 2
    return go_live(lambda word, heartbeat: _live(cell, order, source, word, heartbeat), spare=order.spare)


def _live(cell: Cell, order: CellOrder, source: PreparedSource | None, word: GoLive, heartbeat: Heartbeat) -> int:
    """Serve the cell until the parent ends. No thread and no session may be started before this."""
    ending = threading.Event()
    follow_parent(end=ending.set)
    raise_priority()  # before the fabric's threads start
    session = sessions.open_fabric(Path(order.folder), listen=False, record=source is not None)
    try:
        live = LiveCell(cell, order.name, session, word.life, heartbeat, real_time=order.real_time)
        live.source = source
        live.serve(ending.is_set)
    finally:
        session.close()
    return 0


def _prepare(cell: Cell) -> PreparedSource:
    from farhand.server.cell_process.record_feed import prepare  # its packages are an extra

    return prepare(cell)


def _load(order: CellOrder) -> Cell:
    if order.robot:
        return Cell.for_robot(order.robot, tip=order.tip, base=order.base, tool=order.tool, seed=order.seed)
    return Cell.load(order.cell, seed=order.seed)


class LiveCell:
    """A cell that runs in real time and is connected to the gateway.

    Args:
        cell: The cell.
        name: Name under which the server shows it.
        session: Session of the fabric.
        life: Incarnation of this process.
        heartbeat: Sends a heartbeat.
        real_time: Never run slower than real time.

    Attributes:
        source: Everything of which the cell is built, for its record; None: the run is not recorded.
    """

    def __init__(
        self, cell: Cell, name: str, session: Any, life: int, heartbeat: Heartbeat, *, real_time: bool = False
    ) -> None:
        self._cell, self._name, self._session, self._heartbeat = cell, name, session, heartbeat
        self._life = Life(life, own=True)
        drop, high = zenoh.CongestionControl.DROP, zenoh.Priority.REAL_TIME
        self._frames = session.declare_publisher(sessions.frame_key(name), congestion_control=drop, express=True)
        self._answers = session.declare_publisher(
            sessions.answer_key(name), congestion_control=drop, express=True, priority=high
        )
        self._checkpoints = session.declare_publisher(sessions.checkpoint_key(name), congestion_control=drop)
        self._frame_channel = TypedChannel(sessions.frame_key(name), Frame, self._life)
        self._done_channel = TypedChannel(sessions.answer_key(name), Done, self._life)
        self._checkpoint_channel = TypedChannel(sessions.checkpoint_key(name), Checkpoint, self._life)
        self._scene_channel = TypedChannel(sessions.scene_key(name), Scene, self._life)
        self._log_channel = TypedChannel(sessions.log_key(name), Entries, self._life)
        self._feedback_channels: dict[str, tuple[Any, TypedChannel[Feedback]]] = {}
        self._encode = msgspec.msgpack.Encoder().encode
        self.source: PreparedSource | None = None
        self._least_factor = 1.0 if real_time or cell.spec.real_time else LEAST_FACTOR
        self._checkpoint_every = max(1, round(CHECKPOINT_S / cell.dt))
        self._signals: tuple[Signal, ...] = ()
        self._meshes: dict[str, MeshLook] = {}
        self._scene, self._scene_number = b"", 0

    def serve(self, ending: Callable[[], bool]) -> None:
        """Run the cell until `ending` returns True."""
        checkpoint = self._greet(ending)
        publisher = FramePublisher(self._cell, self._life.number, self._send_frame)
        resumed = checkpoint is not None and self._resume(checkpoint, publisher)
        life = self._life
        intake = Intake(
            self._session,
            self._cell,
            self._name,
            self._send_done,
            publisher.listen,
            lambda: self._signals,
            life,
            log_drop=lambda complaint: publisher.note_log.write(self._cell.time, "", _plain(complaint)),
        )
        masters = intake.masters
        publisher.epochs, publisher.master_views = intake.epochs, views_of(self._cell, masters)
        self._describe(publisher, masters)
        self._answer_questions(publisher)
        self._declare_feedback(intake.led)
        with CellWorker.open(end_with_parent) as worker:
            worker.warm_up(wait=False)
            listeners: list[Listener] = [intake.answered, publisher, self._send_checkpoint, self._send_feedback]
            feed = self._feed(masters, publisher)
            if feed is not None:
                listeners.append(feed)
            clock = WallClock(self._cell.dt, governor=Governor(self._cell.dt, self._least_factor))
            run = Run(self._cell, masters, clock, listeners, worker)
            if life.number > FIRST_LIFE and not resumed:
                run.send(Stop(how="restarted"))  # nobody drives on without a reset, with or without a checkpoint
            with calm_collector():
                while not ending():
                    self._heartbeat()
                    clock.wait()
                    publisher.late += clock.late > 0.5 * self._cell.dt
                    intake.take(run)
                    run.tick()
                    if publisher.scene != self._scene_number:
                        self._describe(publisher, masters)
            if feed is not None:
                feed.close()

    # ── Before the first tick ────────────────────────────────────────────────────────────────────────────────────

    def _greet(self, ending: Callable[[], bool]) -> Checkpoint | None:
        """Wait for the gateway, and return the last checkpoint that it has."""
        channel = TypedChannel(sessions.greeting_key(self._name), Greeting, self._life)
        hello = channel.written(Greeting())
        while not ending():
            self._heartbeat()
            for reply in self._session.get(channel.key, payload=hello, timeout=GREETING_S):
                greeting = channel.read(reply.ok.payload.to_bytes()) if reply.ok is not None else None
                if greeting is not None:
                    return greeting.checkpoint
            time.sleep(GREETING_S / 10)
        return None

    def _resume(self, checkpoint: Checkpoint, publisher: FramePublisher) -> bool:
        """Resume from a checkpoint; return whether that was possible."""
        try:
            self._cell.resume(checkpoint)
        except FarhandError as error:
            publisher.note_log.write(
                self._cell.time, "", _plain(f"The cell starts from its file, not from the checkpoint: {error}.")
            )
            return False
        return True

    def _feed(self, masters: dict[str, Master], publisher: FramePublisher) -> RecordFeed | None:
        """Return what hands the ticks to the recorder; None if this run is not recorded."""
        if self.source is None:
            return None

        def complain(sentence: str) -> None:
            publisher.note_log.write(self._cell.time, "", _plain(sentence))

        if self.source.problem:
            complain(self.source.problem)
            return None
        from farhand.server.cell_process.record_feed import RecordFeed

        return RecordFeed(self._session, self._cell, self._name, self._life, masters, self.source, complain)

    # ── Messages to the gateway ──────────────────────────────────────────────────────────────────────────────────

    def _describe(self, publisher: FramePublisher, masters: dict[str, Master]) -> None:
        """Encode the scene, so that queries can be answered at once."""
        self._signals = signals_of(self._cell)
        scene = describe(self._cell, self._name, publisher.scene, self._signals, masters)
        self._meshes = self._cell.world.compiled.look.meshes
        self._scene, self._scene_number = self._scene_channel.written(scene), publisher.scene

    def _answer_questions(self, publisher: FramePublisher) -> None:
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

    def _declare_feedback(self, led: tuple[str, ...]) -> None:
        """Declare publishers of force feedback for remote masters; they cost almost nothing without a subscriber."""
        lanes, master_of = self._cell.lanes, self._cell.master_of
        self._driven = {master: [robot for robot in lanes if master_of(robot) == master] for master in led}
        for master in led:
            key = sessions.feedback_key(self._name, master)
            publisher = self._session.declare_publisher(
                key, congestion_control=zenoh.CongestionControl.DROP, express=True, priority=zenoh.Priority.REAL_TIME
            )
            self._feedback_channels[master] = publisher, TypedChannel(key, Feedback, self._life)

    def _send_feedback(self, inputs: Inputs, tick: Tick) -> None:
        """Send force feedback to each remote master; a listener of the loop."""
        del inputs
        for master, (publisher, channel) in self._feedback_channels.items():
            if publisher.matching_status.matching:
                publisher.put(channel.written(feedback_of(tick, self._driven[master])))

    def _send_done(self, done: Done) -> None:
        self._answers.put(self._done_channel.written(done))

    def _send_checkpoint(self, inputs: Inputs, tick: Tick) -> None:
        """Send the gateway a checkpoint when one is due; a listener of the loop."""
        del inputs
        if tick.number % self._checkpoint_every == 0:
            self._checkpoints.put(self._checkpoint_channel.written(checkpoint_of(self._cell)))


def _plain(text: str) -> Note:
    return Note("gateway.detail", about=(Subject("detail", text),))


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Everything is closed; the normal shutdown would only make libraries print errors.
    os._exit(code)
