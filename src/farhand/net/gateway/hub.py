"""What the gateway knows of one cell, and who looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec
import numpy as np

from farhand.cell.checkpoint import Checkpoint
from farhand.cell.library import Library
from farhand.net.gateway import lease as leases
from farhand.net.gateway.exam import (
    TRAINERS_ONLY,
    for_trainee,
    log_for_trainee,
    robots_for_trainee,
    trainee_may,
    trainer_may,
    unmeasured,
    why_for_trainee,
)
from farhand.net.gateway.lease import FREE, Lease
from farhand.net.gateway.poses import PoseTable
from farhand.net.gateway.reel import Reel
from farhand.net.gateway.shelf import Aside, MoveShelf, at_once
from farhand.net.gateway.viewer import Viewer
from farhand.net.inside import Done, Frame, Listening, Order
from farhand.net.messages import (
    Answer,
    Asker,
    CellInfo,
    CellState,
    Hand,
    KeptMove,
    LeaseInfo,
    Leases,
    LogEntry,
    MasterInfo,
    RobotInfo,
    RobotUpdate,
    Said,
    Scene,
    Signals,
    Update,
    Why,
)
from farhand.types import Event, Note, Reading, Replay, Reset, Stop, Teach

__all__ = ["CellHub", "Wire"]

SILENT = 0.3  # seconds without a frame after which a cell counts as silent
AGAIN = 0.1  # seconds after which an order without an answer is sent again
GIVE_UP = 2.0  # seconds of silence after which it is given up
WORKING = 30.0  # and if the cell is not silent: an edit of the world is compiled, and may take its time
RECENT = 100  # log entries that a new viewer gets
KEPT = 5000
DRIVING = 0.5  # seconds for which a held deadman counts


class Wire(Protocol):
    """How a hub reaches its cell."""

    def order(self, cell: str, order: Order) -> None:
        """Send an order."""

    def hand(self, cell: str, master: str, reading: Reading) -> None:
        """Send a reading."""

    def ask_scene(self, cell: str) -> None:
        """Have the scene told."""

    def ask_log(self, cell: str, since: int) -> None:
        """Have the log told from a number on."""


class _Pending(msgspec.Struct):
    order: Order
    sent: float
    first: float
    answer: Callable[[Done], None]
    answered: bool = False


class CellHub:
    """One cell as its viewers see it.

    Args:
        name: Of the cell.
        gateway: Tells this life of the gateway from others.
        wire: How to reach the cell.
        clock: Monotonic seconds.
        changed: Called when the cell's state has changed.
        library: Where taught moves are kept; None: nowhere.
        aside: How to wait for a disk.
    """

    def __init__(
        self,
        name: str,
        gateway: int,
        wire: Wire,
        clock: Callable[[], float],
        changed: Callable[[], None],
        library: Library | None = None,
        aside: Aside = at_once,
    ) -> None:
        self.info = CellInfo(name=name, state="starting")
        self.viewers: dict[int, Viewer] = {}
        self.checkpoint: Checkpoint | None = None
        self.scene: Scene | None = None
        self._name, self._gateway, self._wire, self._clock, self._changed = name, gateway, wire, clock, changed
        self.reel = Reel()
        self._scene_bytes = b""
        self._trainees_scene: Scene | None = None
        self._frame: Frame | None = None
        self._heard = -1e9
        self._ended_run: int | None = None
        self._poses = PoseTable()
        self._why = self._trainees_why = Why(robots={})
        self._leases: dict[str, Lease] = {}
        self._driving: dict[str, float] = {}
        self._names: dict[int, str] = {}
        self._told_leases = -1e9
        self._log: list[LogEntry] = []
        self._said = 0  # of the cell's own log
        self._asked_log, self._asked_scene = -1e9, -1e9
        self._number = 0
        self._pending: dict[int, _Pending] = {}
        self._listening: tuple[str, ...] = ()
        self._encode = msgspec.msgpack.Encoder().encode
        self._shelf = MoveShelf(library, aside, self._tell_moves)
        for problem in self._shelf.problems:
            self.write(problem)

    # ── From the cell ────────────────────────────────────────────────────────────────────────────────────────────

    def take_frame(self, frame: Frame) -> None:
        """Take what the cell says of itself, and let every viewer know that there is something newer."""
        if frame.run == self._ended_run:
            return  # it was on its way when the process ended
        now, before = self._clock(), self._frame
        if before is not None and before.run != frame.run:
            self._begin_anew()
        self._frame, self._heard = frame, now
        self._poses.take(frame.bodies)
        if any(robot.cameras for robot in frame.robots):
            self.reel.take(frame)
        self._take_entries(frame, now)
        if self.scene is None or self.scene.number != frame.scene:
            self._want_scene(now)
        if frame.why != self._why.robots:
            self._take_why(frame.why)
        self._set_state("running", "")
        if frame.samples:
            self._share_samples(frame)
        for viewer in self.viewers.values():
            viewer.refresh()

    def _take_why(self, why: dict[str, tuple[Note, ...]]) -> None:
        """Take what alters the robots' motions; a trainee hears of it anew only if it reads anew for him."""
        self._why, less = Why(robots=why), why_for_trainee(why)
        if less != self._trainees_why.robots:
            self._trainees_why = Why(robots=less)

    def _begin_anew(self) -> None:
        """Forget what belonged to an earlier life of the cell's process; who controls it stays."""
        self.scene, self._said, self._poses = None, 0, PoseTable()
        self._asked_log, self._asked_scene = -1e9, -1e9
        self._listening = ()
        self._relisten()

    def _take_entries(self, frame: Frame, now: float) -> None:
        fresh = [entry for entry in frame.entries if entry.number > self._said]
        if fresh and fresh[0].number == self._said + 1:
            self._log_entries(fresh)
            self._said = fresh[-1].number
        if frame.said > self._said and now - self._asked_log > AGAIN:
            self._asked_log = now
            self._wire.ask_log(self._name, self._said)

    def take_log(self, said: Said) -> None:
        """Take entries that were missing."""
        fresh = [entry for entry in said.entries if entry.number > self._said]
        if fresh:
            self._said = fresh[-1].number
            self._log_entries(fresh)

    def _want_scene(self, now: float) -> None:
        if now - self._asked_scene > AGAIN:
            self._asked_scene = now
            self._wire.ask_scene(self._name)

    def take_scene(self, scene: Scene) -> None:
        """Take the scene and show it to everybody, from its beginning.

        One that the cell has left behind already was on its way while the world changed; the new one is asked for.
        """
        if self._frame is not None and scene.number < self._frame.scene:
            return
        self.scene, self._scene_bytes, self._trainees_scene = scene, self._encode(scene), for_trainee(scene)
        self.info = msgspec.structs.replace(self.info, summary=scene.summary)
        for robot in scene.robots:
            self._leases.setdefault(robot.name, FREE)
        for viewer in self.viewers.values():
            self._show(viewer)
        self._tell_leases()  # a viewer who was here before the robots were known
        self._changed()

    def take_done(self, done: Done) -> None:
        """Take the answer to an order."""
        if done.gateway != self._gateway or done.number not in self._pending:
            return
        pending = self._pending.pop(done.number)
        if not pending.answered:
            pending.answer(done)

    def misheard(self, count: int) -> None:
        """Take note that something came from the cell that was no message of its kind; the log has it now and then."""
        if count & (count - 1) == 0:  # the first, the second, the fourth, …
            self.write(f"What came from the cell was not understood, and was dropped ({count} so far).")

    def process_ended(self, reason: str, *, failed: bool) -> None:
        """Take the news that the cell's process has ended."""
        self._ended_run = self._frame.run if self._frame else None
        # A cell that starts anew is stopped already: a stop that it did not hear would only stop it once more, later.
        self._pending = {number: pending for number, pending in self._pending.items() if not pending.answered}
        self._set_state("failed" if failed else "lost", reason)
        self.write(reason, level="fault")

    def sweep(self) -> None:
        """Look at what time alone changes: silence, orders without an answer, control that is kept too long."""
        now = self._clock()
        if self.info.state == "running" and now - self._heard > SILENT:
            self._set_state("silent", "The cell has stopped answering.")
        for number, pending in list(self._pending.items()):
            silent = now - max(pending.first, self._heard)
            if not pending.answered and (silent > GIVE_UP or now - pending.first > WORKING):
                pending.answered = True
                pending.answer(Done(gateway=self._gateway, number=number, ok=False, text="The cell does not answer."))
                # A stop is never given up: whenever the cell hears again, it shall hear that first.
                if not isinstance(pending.order.what, Stop):
                    del self._pending[number]
                    continue
            if now - pending.sent > AGAIN:
                pending.sent = now
                self._wire.order(self._name, pending.order)
        for robot, lease in self._leases.items():
            self._set_lease(robot, leases.expire(lease, now))
        if now - self._told_leases > 1.0 and any(lease.askers for lease in self._leases.values()):
            self._tell_leases()  # how long they have waited

    def _set_state(self, state: CellState, reason: str) -> None:
        if self.info.state != state:
            self.info = msgspec.structs.replace(self.info, state=state, reason=reason)
            self._changed()

    # ── To the viewers ───────────────────────────────────────────────────────────────────────────────────────────

    def join(self, viewer: Viewer) -> None:
        """Let a viewer look at this cell."""
        self.viewers[viewer.number] = viewer
        self._names[viewer.number] = viewer.name
        viewer.cell, viewer.update = self._name, lambda: self._update_for(viewer)
        for robot, lease in self._leases.items():
            self._set_lease(robot, leases.back(lease, viewer.number))
        if self.scene is not None:
            self._show(viewer)
        recent = tuple(self._log[-RECENT:])
        viewer.tell(Said(entries=log_for_trainee(recent) if viewer.exam else recent))
        viewer.tell(self._shelf.told())
        self._tell_leases()

    def leave(self, viewer: Viewer) -> None:
        """Take note that a viewer no longer looks, by his will or not."""
        if self.viewers.get(viewer.number) is not viewer:
            return
        del self.viewers[viewer.number]
        for robot, lease in self._leases.items():
            self._set_lease(robot, leases.gone(lease, viewer.number, self._clock()))
        self._relisten()
        self._tell_leases()

    def _show(self, viewer: Viewer) -> None:
        viewer.seen_frame, viewer.seen_why = 0, None
        if viewer.exam:
            assert self._trainees_scene is not None
            viewer.tell(self._trainees_scene)
        else:
            viewer.tell_bytes(self._scene_bytes)
        viewer.refresh()

    def _update_for(self, viewer: Viewer) -> bytes | None:
        frame = self._frame
        if frame is None or self.scene is None or frame.scene != self.scene.number:
            return None
        exam = viewer.exam
        why = self._trainees_why if exam else self._why
        if viewer.seen_why is not why:
            viewer.seen_why = why
            viewer.tell(why)
        update = Update(
            scene=frame.scene,
            tick=frame.tick,
            time=frame.time,
            factor=round(frame.factor, 3),
            late=frame.late,
            moved=b"" if exam else self._poses.since(viewer.seen_frame),
            asleep=b"" if exam else frame.asleep,
            robots=robots_for_trainee(frame.robots) if exam else frame.robots,
            contacts=b"" if exam else frame.contacts,
            masters=() if exam else frame.masters,
        )
        viewer.seen_frame = self._poses.frame
        return self._encode(update)

    def write(self, text: str, robot: str = "", level: Literal["info", "fault"] = "info") -> None:
        """Add to the log what the gateway itself has to say."""
        time = self._frame.time if self._frame else 0.0
        self._log_entries([LogEntry(number=0, time=time, robot=robot, text=text, level=level, code="gateway")])

    def _log_entries(self, entries: list[LogEntry]) -> None:
        """Number the entries anew, the cell's and the gateway's together, and tell everybody."""
        start = self._log[-1].number + 1 if self._log else 1
        numbered = [msgspec.structs.replace(entry, number=start + i) for i, entry in enumerate(entries)]
        self._log += numbered
        if len(self._log) > 2 * KEPT:
            self._log = self._log[-KEPT:]
        content = self._encode(Said(entries=tuple(numbered)))
        less = self._encode(Said(entries=log_for_trainee(numbered)))
        for viewer in self.viewers.values():
            viewer.tell_bytes(less if viewer.exam else content)

    # ── Signals ──────────────────────────────────────────────────────────────────────────────────────────────────

    def listen(self, viewer: Viewer, signals: tuple[str, ...]) -> None:
        """Note which signals a viewer wants."""
        viewer.signals = tuple(name for name in signals if self._may_hear(viewer, name))
        self._relisten()

    def _may_hear(self, viewer: Viewer, name: str) -> bool:
        """Return whether a viewer may have a signal: a trainee only those that his scene has."""
        told = self._trainees_scene
        return not viewer.exam or (told is not None and any(signal.name == name for signal in told.signals))

    def _relisten(self) -> None:
        wanted = tuple(dict.fromkeys(name for viewer in self.viewers.values() for name in viewer.signals))
        if wanted != self._listening:
            self._listening = wanted
            self._order(Listening(wanted), _nobody_waits)

    def _share_samples(self, frame: Frame) -> None:
        if not frame.signals:
            return
        table = np.frombuffer(frame.samples, dtype="<f4").reshape(-1, len(frame.signals))
        for viewer in self.viewers.values():
            wanted = [name for name in viewer.signals if self._may_hear(viewer, name)]
            columns = [i for i, name in enumerate(frame.signals) if name in wanted]
            if columns and not viewer.crowded:
                names = tuple(frame.signals[i] for i in columns)
                viewer.tell(Signals(tick=frame.first, names=names, values=table[:, columns].tobytes()))

    # ── Control ──────────────────────────────────────────────────────────────────────────────────────────────────

    def holds(self, viewer: Viewer, robot: str) -> bool:
        """Return whether a viewer controls a robot."""
        return robot in self._leases and self._leases[robot].holder == viewer.number

    def hand(self, viewer: Viewer, message: Hand) -> None:
        """Pass a reading on, if its sender holds control under that epoch."""
        lease = self._leases.get(message.robot)
        if lease is None or lease.holder != viewer.number or message.reading.epoch != lease.epoch:
            return
        if message.reading.deadman:
            self._driving[message.robot] = self._clock()
        robots = self.scene.robots if self.scene else ()
        master = next((r.master for r in robots if r.name == message.robot and r.by_hand), None)
        if master is not None:
            self._wire.hand(self._name, master, message.reading)

    def control(self, robot: str, change: Callable[[Lease], Lease]) -> None:
        """Change who controls a robot."""
        if robot in self._leases:
            self._set_lease(robot, change(self._leases[robot]))
            self._tell_leases()

    def ask(self, viewer: Viewer, robot: str) -> None:
        """Let a viewer ask for control."""
        self.control(robot, lambda lease: leases.ask(lease, viewer.number, self._clock()))

    def take_over(self, viewer: Viewer, robot: str) -> None:
        """Let a viewer take over, if he may."""
        driving = self._drives(robot)
        self.control(robot, lambda lease: leases.take_over(lease, viewer.number, self._clock(), driving=driving))

    def _drives(self, robot: str) -> bool:
        return self._clock() - self._driving.get(robot, -1e9) < DRIVING

    def _set_lease(self, robot: str, lease: Lease) -> None:
        before = self._leases[robot]
        if lease == before:
            return
        if lease.epoch != before.epoch and self._frame and self.scene:
            # Another gateway may have given control before us: the cell knows the newest epoch it has heard.
            place = [r.name for r in self.scene.robots].index(robot)
            heard = self._frame.epochs[place] if place < len(self._frame.epochs) else -1
            lease = msgspec.structs.replace(lease, epoch=max(lease.epoch, heard + 1))
        self._leases[robot] = lease
        if lease.holder != before.holder:
            self._driving.pop(robot, None)
            who = "Nobody" if lease.holder is None else self._name_of(lease.holder)
            self.write(f"{who} controls {robot}.", robot)
        self._tell_leases()

    def _name_of(self, number: int) -> str:
        return self._names.get(number, f"Guest {number}")

    def _tell_leases(self) -> None:
        now = self._told_leases = self._clock()
        for viewer in self.viewers.values():
            robots = tuple(self._lease_info(robot, lease, viewer, now) for robot, lease in self._leases.items())
            viewer.tell(Leases(robots=robots, viewers=len(self.viewers)))

    def _lease_info(self, robot: str, lease: Lease, viewer: Viewer, now: float) -> LeaseInfo:
        return LeaseInfo(
            robot=robot,
            holder=lease.holder,
            name="" if lease.holder is None else self._name_of(lease.holder),
            epoch=lease.epoch,
            present=lease.lost is None,
            askers=tuple(
                Asker(viewer=w.viewer, name=self._name_of(w.viewer), waited=round(now - w.since, 1))
                for w in lease.askers
            ),
            may_take=leases.may_take(lease, viewer.number, now, driving=self._drives(robot)),
        )

    # ── Commands ─────────────────────────────────────────────────────────────────────────────────────────────────

    def command(
        self,
        viewer: Viewer,
        id_: int,
        event: Event,
        *,
        trainer: bool = False,
        how: str = "pressed",
        tell: Callable[[Answer], None] | None = None,
    ) -> None:
        """Pass an event on if its sender may, and answer him.

        Args:
            viewer: Who sends it.
            id_: Of the answer.
            event: What shall happen.
            trainer: He is one, and may more.
            how: What he did to say so: "pressed", "said".
            tell: Takes the answer; None: the viewer himself.
        """
        tell = tell or viewer.tell
        problem = "" if trainer and trainer_may(event) else self._command_problem(viewer, event)
        if problem:
            tell(Answer(id=id_, ok=False, text=problem))
            return
        if isinstance(event, Stop):
            event = Stop(reason=f"{viewer.name} {how} Stop.")
        self._order(event, lambda done: self._done(viewer, id_, event, done, tell))

    def _done(self, viewer: Viewer, id_: int, event: Event, done: Done, tell: Callable[[Answer], None]) -> None:
        """Answer a viewer whose command was done; what he taught is kept first."""
        if isinstance(event, Teach) and done.taught is not None:
            self._shelf.keep(event.robot, done.taught, lambda problem: _answer(viewer, id_, problem))
        else:
            tell(Answer(id=id_, ok=done.ok, text=unmeasured(done.text) if viewer.exam else done.text))

    def masters(self) -> tuple[MasterInfo, ...]:
        """Return the masters that can be shown."""
        return self.scene.masters if self.scene else ()

    def robot_now(self, name: str) -> tuple[RobotInfo, RobotUpdate] | None:
        """Return a robot as it is made and as it is now; None while nothing is known of it."""
        if self.scene is None or self._frame is None:
            return None
        pairs = zip(self.scene.robots, self._frame.robots, strict=False)  # a frame may be of the next scene
        return next(((info, now) for info, now in pairs if info.name == name), None)

    def kept_move(self, viewer: Viewer, asked: KeptMove) -> None:
        """Do what a viewer asks with a taught move, if he may, and answer him."""
        robot, name = asked.robot, asked.name
        if not self.holds(viewer, robot):
            _answer(viewer, asked.id, f"Only who controls {robot} may do that. Ask for control first.")
        elif viewer.exam and asked.action != "replay":  # what is on the disk is the trainer's
            _answer(viewer, asked.id, TRAINERS_ONLY)
        elif asked.action == "rename":
            self._shelf.rename(robot, name, asked.to, lambda problem: _answer(viewer, asked.id, problem))
        elif asked.action == "delete":
            self._shelf.remove(robot, name, lambda problem: _answer(viewer, asked.id, problem))
        else:
            move = self._shelf.find(robot, name)
            if move is None:
                _answer(viewer, asked.id, f"{robot} has no move called {name!r}.")
            else:
                self.command(viewer, asked.id, Replay(robot, move))

    def _tell_moves(self) -> None:
        told = self._shelf.told()
        for viewer in self.viewers.values():
            viewer.tell(told)

    def _command_problem(self, viewer: Viewer, event: Event) -> str:
        if isinstance(event, Stop):
            return ""
        if viewer.exam and not trainee_may(event):
            return TRAINERS_ONLY
        robot = getattr(event, "robot", "")
        if isinstance(event, Teach) and event.action == "finish" and self.holds(viewer, robot):
            return self._shelf.problem(robot, event.name)
        if robot:
            return "" if self.holds(viewer, robot) else f"Only who controls {robot} may do that. Ask for control first."
        needed = all if isinstance(event, Reset) else any
        if self._leases and needed(self.holds(viewer, name) for name in self._leases):
            return ""
        return "Only who is in control may do that. Ask for control first."

    def ping(self, viewer: Viewer, id_: int) -> None:
        """Have the cell answer a viewer."""
        self._order(None, lambda done: viewer.tell(Answer(id=id_, ok=done.ok, text=done.text)))

    def _order(self, what: Event | Listening | None, answer: Callable[[Done], None]) -> None:
        self._number += 1
        now, order = self._clock(), Order(gateway=self._gateway, number=self._number, what=what)
        self._pending[self._number] = _Pending(order, now, now, answer)
        self._wire.order(self._name, order)


def _answer(viewer: Viewer, id_: int, problem: str) -> None:
    viewer.tell(Answer(id=id_, ok=not problem, text=problem))


def _nobody_waits(done: Done) -> None:
    """Take an answer that nobody waits for."""
    del done
