"""``python -m farhand.net.cellside.process``: one cell, live, until its parent ends."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import zenoh

from farhand.cell import Cell
from farhand.cell.checkpoint import Checkpoint, checkpoint_of
from farhand.cell.signals import Signal, signals_of
from farhand.errors import FarhandError
from farhand.kernels.notice import NOT_IN_A_TICK, compile_with_bar
from farhand.loop import Listener, Run, WallClock, calm_collector, feedback_of
from farhand.masters import Master
from farhand.net import fabric
from farhand.net.cellside.describe import describe
from farhand.net.cellside.intake import Intake
from farhand.net.cellside.masters import shows_of
from farhand.net.cellside.order import CellOrder
from farhand.net.cellside.tap import Tap
from farhand.net.inside import Done, Frame, Greeting
from farhand.net.letters import Letters
from farhand.net.lifeline import end_with_parent, lines_from_parent
from farhand.net.messages import Said
from farhand.net.urgency import come_first, come_last
from farhand.types import Feedback, Inputs, Tick
from farhand.world import Workshop
from farhand.world.scene import MeshLook

__all__ = ["main"]

CHECKPOINT_EVERY = 0.5  # seconds
GREETING = 0.3  # seconds to wait for the gateway before asking again


def main() -> int:
    """Load the cell, greet the gateway, take up the world where it was, and tick."""
    order = msgspec.json.decode(sys.argv[1], type=CellOrder)
    ending = threading.Event()
    lines_from_parent(end=ending.set)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it ends us by closing its pipe
    try:
        compile_with_bar(NOT_IN_A_TICK)
        cell = _load(order)
    except FarhandError as error:
        sys.stderr.write(f"farhand: {error}\n")
        return 2
    come_first()  # before the fabric's threads start
    session = fabric.open_fabric(Path(order.folder), listen=False)
    try:
        LiveCell(cell, order.name, session).serve(ending.is_set)
    finally:
        session.close()
    return 0


def _load(order: CellOrder) -> Cell:
    if order.robot:
        return Cell.for_robot(order.robot, tip=order.tip, base=order.base, tool=order.tool, seed=order.seed)
    return Cell.load(order.cell, seed=order.seed)


def _beside_the_cell() -> None:
    """Start a worker: it ends with the cell, and never makes it wait."""
    end_with_parent()
    come_last()


class LiveCell:
    """A cell on the fabric.

    Args:
        cell: The cell.
        name: Under which the server shows it.
        session: The fabric.
    """

    def __init__(self, cell: Cell, name: str, session: Any) -> None:
        self._cell, self._name, self._session = cell, name, session
        drop, high = zenoh.CongestionControl.DROP, zenoh.Priority.REAL_TIME
        self._frames = session.declare_publisher(fabric.frames(name), congestion_control=drop, express=True)
        self._answers = session.declare_publisher(
            fabric.answers(name), congestion_control=drop, express=True, priority=high
        )
        self._checkpoints = session.declare_publisher(fabric.checkpoint(name), congestion_control=drop)
        self._frame_letters = Letters(fabric.frames(name), Frame)
        self._done_letters = Letters(fabric.answers(name), Done)
        self._checkpoint_letters = Letters(fabric.checkpoint(name), Checkpoint)
        self._feels: dict[str, tuple[Any, Letters[Feedback]]] = {}
        self._encode = msgspec.msgpack.Encoder().encode
        self._keep_every = max(1, round(CHECKPOINT_EVERY / cell.dt))
        self._signals: tuple[Signal, ...] = ()
        self._meshes: dict[str, MeshLook] = {}
        self._scene, self._scene_number = b"", 0

    def serve(self, ending: Callable[[], bool]) -> None:
        """Run until told to end."""
        checkpoint = self._greet(ending)
        tap = Tap(self._cell, secrets.randbits(48), self._send_frame)
        if checkpoint:
            self._resume(checkpoint, tap)
        intake = Intake(self._session, self._cell, self._name, self._send_done, tap.listen, lambda: self._signals)
        masters = intake.masters
        tap.epochs, tap.shows = intake.epochs, shows_of(self._cell, masters)
        self._describe(tap, masters)
        self._answer_questions(tap)
        self._offer_feeling(intake.led)
        with Workshop.open(_beside_the_cell) as workshop:
            workshop.warm_up(wait=False)
            listeners: list[Listener] = [intake.answered, tap, self._keep, self._let_feel]
            clock = WallClock(self._cell.dt)
            run = Run(self._cell, masters, clock, listeners, workshop)
            with calm_collector():
                while not ending():
                    clock.wait()
                    tap.late += clock.late > 0.5 * self._cell.dt
                    intake.take(run)
                    run.tick()
                    if tap.scene != self._scene_number:
                        self._describe(tap, masters)

    # ── Before the first tick ────────────────────────────────────────────────────────────────────────────────────

    def _greet(self, ending: Callable[[], bool]) -> Checkpoint | None:
        """Wait for the gateway, and return how it last knew our world."""
        while not ending():
            for reply in self._session.get(fabric.greeting(self._name), timeout=GREETING):
                if reply.ok is not None:
                    return msgspec.msgpack.decode(reply.ok.payload.to_bytes(), type=Greeting).checkpoint
            time.sleep(GREETING / 10)
        return None

    def _resume(self, checkpoint: Checkpoint, tap: Tap) -> None:
        try:
            self._cell.resume(checkpoint)
        except FarhandError as error:
            tap.book.write(self._cell.time, "", f"The world could not be taken up where it was: {error}.")

    # ── Telling ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _describe(self, tap: Tap, masters: dict[str, Master]) -> None:
        """Lay the scene ready for whoever asks."""
        self._signals = signals_of(self._cell)
        scene = describe(self._cell, self._name, tap.scene, self._signals, masters)
        self._meshes = self._cell.world.compiled.look.meshes
        self._scene, self._scene_number = self._encode(scene), tap.scene

    def _answer_questions(self, tap: Tap) -> None:
        """Answer for scene, meshes and log on Zenoh's own threads, from bytes that lie ready."""
        name = self._name

        def log(query: Any) -> None:
            since = int(query.payload.to_bytes()) if query.payload is not None else 0
            query.reply(query.key_expr, self._encode(Said(entries=tap.book.since(since))))

        def mesh(query: Any) -> None:
            look = self._meshes.get(str(query.key_expr).rpartition("/")[2])
            if look is not None:
                query.reply(query.key_expr, self._encode(look))

        self._queryables = [
            self._session.declare_queryable(fabric.scene(name), lambda q: q.reply(q.key_expr, self._scene)),
            self._session.declare_queryable(fabric.mesh(name, "*"), mesh),
            self._session.declare_queryable(fabric.log(name), log),
        ]

    def _send_frame(self, frame: Frame) -> None:
        self._frames.put(self._frame_letters.written(frame))

    def _offer_feeling(self, led: tuple[str, ...]) -> None:
        """Be ready to tell masters elsewhere what their hands feel; while none listens it costs next to nothing."""
        lanes, master_of = self._cell.lanes, self._cell.master_of
        self._driven = {master: [robot for robot in lanes if master_of(robot) == master] for master in led}
        for master in led:
            key = fabric.feel(self._name, master)
            publisher = self._session.declare_publisher(
                key, congestion_control=zenoh.CongestionControl.DROP, express=True, priority=zenoh.Priority.REAL_TIME
            )
            self._feels[master] = publisher, Letters(key, Feedback)

    def _let_feel(self, inputs: Inputs, tick: Tick) -> None:
        """Tell each master elsewhere what its hand feels; a listener of the loop."""
        del inputs
        for master, (publisher, letters) in self._feels.items():
            if publisher.matching_status.matching:
                publisher.put(letters.written(feedback_of(tick, self._driven[master])))

    def _send_done(self, done: Done) -> None:
        self._answers.put(self._done_letters.written(done))

    def _keep(self, inputs: Inputs, tick: Tick) -> None:
        """Give the gateway something to start us anew from, now and then; a listener of the loop."""
        del inputs
        if tick.number % self._keep_every == 0:
            self._checkpoints.put(self._checkpoint_letters.written(checkpoint_of(self._cell)))


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # All is closed. Taking the interpreter down piece by piece would only let libraries complain about the order.
    os._exit(code)
