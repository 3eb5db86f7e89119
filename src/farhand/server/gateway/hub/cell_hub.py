"""The hub of one cell: takes the cell's messages, serves its viewers, and watches its state."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from farhand.cell.checkpoint import Checkpoint
from farhand.cell.path_library import PathLibrary
from farhand.server.fabric.typed_channel import Life
from farhand.server.gateway.exam import for_trainee
from farhand.server.gateway.frame_history import FrameHistory
from farhand.server.gateway.hub.broadcaster import Broadcaster
from farhand.server.gateway.hub.cell_view import CellView
from farhand.server.gateway.hub.control import Control
from farhand.server.gateway.hub.journal import Journal
from farhand.server.gateway.hub.orders import RESEND_S, CellLink, Orders
from farhand.server.gateway.hub.samples import Samples
from farhand.server.gateway.hub.stop_limit import RepeatedStops
from farhand.server.gateway.hub.viewer_commands import Commands
from farhand.server.gateway.hub.viewer_list import ViewerList
from farhand.server.gateway.move_store import Background, MoveStore, run_now
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Done, Entries, Frame
from farhand.server.protocol.messages import (
    CellInfo,
    CellState,
    MasterInfo,
    Playback,
    Recording,
    RobotInfo,
    RobotUpdate,
    Scene,
)
from farhand.server.protocol.permissions import never
from farhand.types import Note, Subject
from farhand.types.events.rights import GRANTS

__all__ = ["SILENT_S", "CellHub"]

SILENT_S = 0.3  # without a frame, after which a cell counts as silent
NEVER = -1e9
FROM_THE_FILE = "It cannot resume from its checkpoint and will start from its cell file."


class CellHub:
    """One cell and its viewers.

    Args:
        name: Name of the cell.
        gateway: Incarnation of the gateway.
        link: Link to the cell.
        clock: Monotonic clock, s.
        changed: Called when the cell's state has changed.
        library: Files of taught moves; None: moves end with the gateway.
        background: Runs work that may wait for the disk.

    Attributes:
        info: Name and state of the cell.
        life: Its newest known incarnation.
        checkpoint: Its last checkpoint, from which it can resume.
        recording: State of the recording of its run.
        history: Its last frames, from which camera pictures are drawn.
        journal: Its log.
        samples: Signals that viewers plot.
        control: Leases of its robots.
        commands: Commands of its viewers.
        people: List of its viewers, for those who may send one away.
    """

    def __init__(
        self,
        name: str,
        gateway: int,
        link: CellLink,
        clock: Callable[[], float],
        changed: Callable[[], None],
        library: PathLibrary | None = None,
        background: Background = run_now,
    ) -> None:
        self.info = CellInfo(name=name, state="starting")
        self.checkpoint: Checkpoint | None = None
        self.recording = Recording()
        self.history = FrameHistory()
        self._name, self._link, self._clock, self._changed = name, link, clock, changed
        self._heard = self._asked_scene = NEVER
        self.life = Life()
        self._view = view = CellView()
        self._orders = Orders(name, gateway, link, clock)
        self._broadcaster = Broadcaster(view)
        self._moves = MoveStore(library, background, self._tell_moves)
        self.journal = Journal(name, link, view)
        self.samples = Samples(view, self._orders)
        self.control = Control(name, link, view, self.journal, clock)
        self.commands = Commands(self._orders, self.control, self._moves, RepeatedStops(clock, self._latched))
        self.people = ViewerList(self._view.viewers, self.control)
        for problem in self._moves.problems:
            self.journal.write(_plain(problem))

    @property
    def scene(self) -> Scene | None:
        """Scene of the cell; None before it is known."""
        return self._view.scene

    @property
    def is_replay(self) -> bool:
        """Whether a record is replayed in place of a live cell."""
        return self.scene is not None and self.scene.replay is not None

    def play(self, playback: Playback) -> None:
        """Order the replay to play as asked; its next frame shows the result."""
        self._orders.send(playback, _nobody_waits)

    @property
    def viewers(self) -> dict[int, Viewer]:
        """Viewers of the cell, by number."""
        return self._view.viewers

    def masters(self) -> tuple[MasterInfo, ...]:
        """Return the masters that can be drawn."""
        return self.scene.masters if self.scene else ()

    def robot_now(self, name: str) -> tuple[RobotInfo, RobotUpdate] | None:
        """Return the description and the newest state of a robot; None while they are unknown."""
        scene, frame = self._view.scene, self._view.frame
        if scene is None or frame is None:
            return None
        pairs = zip(scene.robots, frame.robots, strict=False)  # a frame may be of the next scene
        return next(((info, now) for info, now in pairs if info.name == name), None)

    # ── From the cell ────────────────────────────────────────────────────────────────────────────────────────────

    def take_frame(self, frame: Frame) -> None:
        """Take a frame, and wake every viewer for an update."""
        if frame.run < self.life.number:
            return  # sent by an earlier process, before it ended
        now, before = self._clock(), self._view.frame
        if before is not None and before.run != frame.run:
            self._cell_restarted()
        self._view.frame, self._heard = frame, now
        self._broadcaster.take_poses(frame)
        if any(robot.cameras for robot in frame.robots):
            self.history.take(frame)
        self.journal.take(frame, now)
        if self.scene is None or self.scene.number != frame.scene:
            self._want_scene(now)
        self._broadcaster.take_why(frame.why)
        self._set_state("running", "")
        if frame.samples:
            self.samples.share(frame)
        for viewer in self.viewers.values():
            viewer.refresh()

    def _cell_restarted(self) -> None:
        """Forget the state of an earlier process of the cell; leases stay."""
        self._orders.process_ended()
        self.commands.cell_restarted()
        self._view.scene, self._asked_scene = None, NEVER
        self._broadcaster.cell_restarted()
        self.journal.cell_restarted()
        self.samples.cell_restarted()

    def _want_scene(self, now: float) -> None:
        if now - self._asked_scene > RESEND_S:
            self._asked_scene = now
            self._link.query_scene(self._name)

    def take_scene(self, scene: Scene) -> None:
        """Take a scene and send it to all viewers.

        Ignore a scene that is older than the newest frame: the next frame makes us ask for the new one.
        """
        view = self._view
        if view.frame is not None and scene.number < view.frame.scene:
            return
        view.scene, view.trainees = scene, for_trainee(scene)
        self.info = msgspec.structs.replace(self.info, summary=scene.summary)
        self.control.take_scene(scene)
        self._broadcaster.take_scene(scene)
        self.control.tell()  # viewers may have joined before the robots were known
        self._changed()

    def take_log(self, missing: Entries) -> None:
        """Take log entries that were missing."""
        self.journal.take_missing(missing.entries)

    def take_done(self, done: Done) -> None:
        """Take the answer to an order."""
        self._orders.take(done)

    def take_recording(self, recording: Recording) -> None:
        """Take the state of the recording, and tell viewers if it has changed."""
        if recording.alarm and recording.alarm != self.recording.alarm:
            self.journal.write(_plain(recording.alarm))
        if recording != self.recording:
            self.recording = recording
            for viewer in self.viewers.values():
                viewer.tell(recording)

    def log_drop(self, complaint: str) -> None:
        """Log that a message from the cell could not be decoded."""
        if complaint:
            self.journal.write(_plain(complaint))

    def process_ended(self, reason: str, *, failed: bool, life: int) -> None:
        """React to the end of the cell's process.

        Args:
            reason: Sentences about it.
            failed: The process is not restarted at once.
            life: Messages of earlier incarnations no longer count.
        """
        self.life.takes(life)
        self._orders.process_ended()
        if failed and self.checkpoint is not None and not self._has_ticked(life - 1):
            self.checkpoint, reason = None, f"{reason} {FROM_THE_FILE}"
        self.commands.cell_restarted()
        self._set_state("failed" if failed else "lost", reason)
        self.journal.write(Note("gateway.ended", "fault", (Subject("detail", reason),)))

    def _has_ticked(self, life: int) -> bool:
        return self._view.frame is not None and self._view.frame.run >= life

    def restart_problem(self, viewer: Viewer) -> str:
        """Return the reason why a viewer may not restart the cell; empty if they may."""
        if self.info.state != "failed":
            return f"{self._name} is not waiting for a restart."
        grant = GRANTS[viewer.role]["task"]
        if grant == "never":
            return never(viewer.role)
        if grant == "always" or self.control.holds_any(viewer) or not self.control.is_held:
            return ""
        return f"Only the viewer in control of a robot may restart {self._name}."

    def sweep(self) -> None:
        """Act on passed time: a silent cell, unanswered orders, expired leases."""
        now = self._clock()
        if self.info.state == "running" and now - self._heard > SILENT_S:
            self._set_state("silent", "The cell has stopped answering.")
        self._orders.sweep(now, self._heard)
        self.control.sweep(now)
        self.people.sweep()

    def _latched(self) -> bool:
        """Return whether every robot is stopped in the newest frame."""
        frame = self._view.frame
        return frame is not None and all(robot.mode in ("stopped", "fault") for robot in frame.robots)

    def _set_state(self, state: CellState, reason: str) -> None:
        if self.info.state != state:
            self.info = msgspec.structs.replace(self.info, state=state, reason=reason)
            self._changed()

    # ── Viewers ──────────────────────────────────────────────────────────────────────────────────────────────────

    def join(self, viewer: Viewer) -> None:
        """Let a viewer watch this cell."""
        self.viewers[viewer.number] = viewer
        viewer.cell, viewer.update = self._name, lambda: self._broadcaster.update_for(viewer)
        self.control.join(viewer)
        if self.scene is not None:
            self._broadcaster.show(viewer)
        viewer.tell(self.journal.recent(viewer.reader))
        viewer.tell(self._moves.message())
        if self.recording.state != "off":
            viewer.tell(self.recording)
        self.control.tell()

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer, who has left or whose connection ended."""
        if self.viewers.get(viewer.number) is not viewer:
            return
        del self.viewers[viewer.number]
        self.control.leave(viewer)
        self.samples.relisten()
        self.control.tell()

    def _tell_moves(self) -> None:
        told = self._moves.message()
        for viewer in self.viewers.values():
            viewer.tell(told)


def _nobody_waits(done: Done) -> None:
    """Ignore an answer."""
    del done


def _plain(text: str) -> Note:
    return Note("gateway.detail", about=(Subject("detail", text),))
