"""The state of one gateway: its cells, its viewers, and the handling of each message from a page."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

import msgspec

from farhand.cell.path_library import PathLibrary
from farhand.notes import said
from farhand.server.gateway import lease as leases
from farhand.server.gateway.camera_pictures import PictureSource
from farhand.server.gateway.client_identity import ClientIdentities, client_hash
from farhand.server.gateway.hub import CellHub, CellLink
from farhand.server.gateway.message_limit import RATE_PER_S
from farhand.server.gateway.move_store import Background, run_now
from farhand.server.gateway.shown_text import clean
from farhand.server.gateway.speech import NO_RECOGNISER, SpeechCommands, SpeechRecogniser
from farhand.server.gateway.terminal_log import silent
from farhand.server.gateway.viewer import Viewer
from farhand.server.lifecycle.child_messages import HeldLease
from farhand.server.protocol import close_codes
from farhand.server.protocol.internal_messages import RecorderNews
from farhand.server.protocol.messages import (
    Answer,
    Ask,
    CellInfo,
    Cells,
    Command,
    Confirm,
    FromPage,
    Hand,
    Hello,
    KeptMove,
    Listen,
    Ping,
    Playback,
    Recording,
    Refuse,
    Refused,
    Release,
    Restart,
    SendAway,
    Speech,
    TakeOver,
    Watch,
    Yield,
)
from farhand.server.protocol.permissions import never
from farhand.types import Note, Subject
from farhand.types.events.declaration import is_urgent
from farhand.types.events.rights import GRANTS

__all__ = ["GatewayState"]

RECORDER_SILENT_S = 5.0  # without news, after which the recorder counts as silent
RECORDER_SILENT = "Recording is interrupted: the recorder does not answer. Driving goes on."
MESH_BYTES = 512 * 1024 * 1024  # of meshes that are kept
BARRED_S = 600.0  # for which a viewer that was sent away stays out
COMPLAINT_S = 0.1  # between two answers to messages that are refused
OPENED_AGAIN = Refused(
    reason="You opened this page a second time. Continue in the newer window.", code=close_codes.OPENED_AGAIN
)
SLOW = Refused(reason="Your connection is too slow for the updates.", retry=True, code=close_codes.TOO_SLOW)
REPLAY = (Note("order.replay"),)
DRIVING = Hand | Command | KeptMove | Ask | TakeOver | Release | Yield | Refuse | Speech | Confirm
TOO_MANY = f"Over {RATE_PER_S:.0f} messages a second: only Stop and the newest reading of each robot count."


class GatewayState:
    """The gateway's state.

    Args:
        cells: Names of the cells.
        link: Link to the cells.
        gateway: Incarnation of the gateway.
        fetch: Returns a cell's mesh, or None.
        clock: Monotonic clock, s.
        library: Returns the files of a cell's taught moves; None: moves end with the gateway.
        background: Runs work that may wait for the disk.
        recogniser: Recogniser of speech.
        held: Leases under the gateway's last incarnation, which are reserved for their holders.
    """

    def __init__(
        self,
        cells: Sequence[str],
        link: CellLink,
        gateway: int,
        fetch: Callable[[str, str], asyncio.Future[bytes | None]],
        clock: Callable[[], float],
        library: Callable[[str], PathLibrary] | None = None,
        background: Background = run_now,
        recogniser: SpeechRecogniser = NO_RECOGNISER,
        held: Sequence[HeldLease] = (),
    ) -> None:
        self.hubs = {
            name: CellHub(name, gateway, link, clock, self._tell_cells, library(name) if library else None, background)
            for name in cells
        }
        self.sockets = 0
        self.restarts: list[str] = []  # cells that a viewer asked to restart
        self.exam = False
        self._fetch, self.clock = fetch, clock
        self.say: Callable[[str, str], None] = silent  # takes a kind and a sentence for the terminal
        self._clients = ClientIdentities(self._needed_clients)
        self._viewers: dict[int, tuple[Viewer, asyncio.Future[Refused]]] = {}
        self._meshes: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._barred: dict[int, float] = {}
        self._complained: dict[int, float] = {}
        self._speech = SpeechCommands(recogniser, clock)
        self._told: dict[tuple[str, str], HeldLease] = {}
        self._changes = -1
        self._recorder_heard = math.inf  # time of the recorder's last news; infinite: none is expected
        for lease in held:
            self._keep(lease)

    def cells(self) -> tuple[CellInfo, ...]:
        """Return the cells and their states."""
        return tuple(hub.info for hub in self.hubs.values())

    def _tell_cells(self) -> None:
        message = Cells(cells=self.cells())
        for viewer, _ in self._viewers.values():
            viewer.tell(message)

    def take_recorder(self, news: RecorderNews) -> None:
        """Take news of the recorder."""
        self._recorder_heard = self.clock()
        self._show_recordings(news.cells)

    def _sweep_recorder(self) -> None:
        """Say that nothing is recorded while the recorder is silent."""
        if self.clock() - self._recorder_heard > RECORDER_SILENT_S:
            self._recorder_heard = math.inf
            silence = {"state": "alarm", "reason": "silent", "alarm": RECORDER_SILENT}
            self._show_recordings(
                {name: msgspec.structs.replace(hub.recording, **silence) for name, hub in self.hubs.items()}
            )

    def _show_recordings(self, cells: Mapping[str, Recording]) -> None:
        for cell, recording in cells.items():
            if cell in self.hubs:
                if recording.alarm and recording.alarm != self.hubs[cell].recording.alarm:
                    self.say("recording", f"{cell}: {recording.alarm}")
                self.hubs[cell].take_recording(recording)

    def source(self, cell: str) -> PictureSource | None:
        """Return the scene and the frames from which a cell's pictures are drawn."""
        hub = self.hubs.get(cell)
        return None if hub is None else PictureSource(hub.scene, hub.history)

    # ── Viewers ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _keep(self, held: HeldLease) -> None:
        """Reserve a lease of the gateway's last incarnation for its holder, known by the hash of the page's secret."""
        self._told[held.cell, held.robot] = held
        if held.client and held.cell in self.hubs:
            number, name = self._clients.recognise(held.client, held.name)
            self.hubs[held.cell].control.keep(held.robot, number, name, held.epoch)

    def new_holders(self) -> list[HeldLease]:
        """Return the leases that have changed since the last call."""
        changes = sum(hub.control.changes for hub in self.hubs.values())
        if changes == self._changes:
            return []
        self._changes = changes
        clients = self._clients.by_number()
        new = []
        for cell, hub in self.hubs.items():
            for robot, (holder, epoch) in hub.control.holders().items():
                client, name = clients.get(holder, ("", "")) if holder is not None else ("", "")
                held = HeldLease(cell=cell, robot=robot, client=client, name=name, epoch=epoch)
                if self._told.get((cell, robot)) != held:
                    self._told[cell, robot] = held
                    new.append(held)
        return new

    def guest(self, client: str, name: str) -> tuple[int, str]:
        """Return the number and name of a page; a page that comes back keeps its number."""
        return self._clients.recognise(client_hash(client), name)

    def _needed_clients(self) -> set[int]:
        """Return the numbers of the clients that are connected or in control."""
        holders = [holder for hub in self.hubs.values() for holder, _ in hub.control.holders().values()]
        return self._viewers.keys() | {holder for holder in holders if holder is not None}

    def enter(self, viewer: Viewer, refusal: asyncio.Future[Refused]) -> None:
        """Add a viewer, and end an older connection of the same page."""
        before = self._viewers.get(viewer.number)
        if before is not None:
            if not before[1].done():
                before[1].set_result(OPENED_AGAIN)
            self.left(before[0])
        self._viewers[viewer.number] = (viewer, refusal)

    def left(self, viewer: Viewer) -> None:
        """Remove a viewer whose connection has ended."""
        entry = self._viewers.get(viewer.number)
        if entry is not None and entry[0] is viewer:
            del self._viewers[viewer.number]
            self._complained.pop(viewer.number, None)
        self._speech.forget(viewer)
        if viewer.cell:
            self.hubs[viewer.cell].leave(viewer)

    def has_held(self, viewer: int) -> bool:
        """Return whether a viewer controls a robot or has controlled one before, so that a place is kept for them."""
        return any(hub.control.has_held(viewer) for hub in self.hubs.values())

    def missing_cameras(self) -> list[str]:
        """Return a sentence about each robot without cameras in an exam."""
        scenes = [hub.scene for hub in self.hubs.values() if self.exam and hub.scene is not None]
        blind = [(scene.cell, robot.name) for scene in scenes for robot in scene.robots if not robot.cameras]
        return [
            f"{robot} in {cell} has no cameras: the trainee has no picture to drive it by." for cell, robot in blind
        ]

    def sweep(self) -> None:
        """Act on passed time: sweep the hubs and the speech, and end connections that are too slow."""
        for hub in self.hubs.values():
            hub.sweep()
        self._speech.sweep()
        self._sweep_recorder()
        for viewer, refusal in list(self._viewers.values()):
            if viewer.too_slow and not refusal.done():
                refusal.set_result(SLOW)

    # ── Messages ─────────────────────────────────────────────────────────────────────────────────────────────────

    def take(self, viewer: Viewer, message: FromPage) -> None:
        """Handle a message from a page."""
        if isinstance(message, Watch):
            self._watch(viewer, message.cell)
            return
        hub = self.hubs.get(viewer.cell)
        if hub is None or isinstance(message, Hello):
            self.misunderstood(viewer, "watch a cell first" if hub is None else "only one greeting is allowed")
        elif isinstance(message, Playback):
            self._play(hub, viewer, message)
        elif hub.is_replay and isinstance(message, DRIVING):
            self._refuse_driving(viewer, message)
        elif isinstance(message, Hand):
            hub.control.forward(viewer, message)
        elif isinstance(message, Command):
            self._command(hub, viewer, message)
        elif isinstance(message, KeptMove):
            hub.commands.kept_move(viewer, message)
        elif isinstance(message, SendAway):
            viewer.tell(self._send_away(hub, viewer, message))
        elif isinstance(message, Ping):
            hub.commands.ping(viewer, message.id)
        elif isinstance(message, Listen):
            hub.samples.listen(viewer, message.signals)
        elif isinstance(message, Restart):
            self._restart(hub, viewer, message.id)
        elif isinstance(message, Speech | Confirm):
            self._speak(hub, viewer, message)
        elif isinstance(message, Ask | TakeOver) and GRANTS[viewer.role]["drive"] == "never":
            self._complain(viewer, never(viewer.role))
        else:
            self._control(hub, viewer, message)

    def _command(self, hub: CellHub, viewer: Viewer, message: Command) -> None:
        """Hand a command to its cell; a stop ends what speech has begun."""
        if is_urgent(message.event):
            self._speech.stopped(hub)
        hub.commands.take(viewer, message.id, message.event)

    def _speak(self, hub: CellHub, viewer: Viewer, message: Speech | Confirm) -> None:
        """Hand speech, or the confirmation of a spoken command, to the recogniser."""
        if isinstance(message, Speech):
            self._speech.take(hub, viewer, message)
        else:
            self._speech.confirm(hub, viewer, message.id)

    def _play(self, hub: CellHub, viewer: Viewer, message: Playback) -> None:
        """Play a record as a viewer asks; every viewer may."""
        if hub.is_replay:
            hub.play(message)
        else:
            self.misunderstood(viewer, f"{viewer.cell} is live: there is nothing to play")

    def _refuse_driving(self, viewer: Viewer, message: FromPage) -> None:
        """Tell a viewer that nothing can be driven in a replay; a reading is dropped without a word."""
        text = said(REPLAY, viewer.reader)
        if isinstance(message, Command | KeptMove):
            viewer.tell(Answer(id=message.id, ok=False, text=text))
        elif not isinstance(message, Hand):
            self._complain(viewer, text)

    def _watch(self, viewer: Viewer, cell: str) -> None:
        if cell not in self.hubs:
            self.misunderstood(viewer, f"there is no cell {cell!r}; there are: {', '.join(self.hubs)}")
            return
        if viewer.cell:
            self.hubs[viewer.cell].leave(viewer)
        viewer.signals = ()
        self.hubs[cell].join(viewer)

    def _restart(self, hub: CellHub, viewer: Viewer, id_: int) -> None:
        """Request a restart of a cell, if the viewer may."""
        problem = hub.restart_problem(viewer)
        if not problem:
            self.restarts.append(viewer.cell)
        viewer.tell(Answer(id=id_, ok=not problem, text=problem))

    def _send_away(self, hub: CellHub, by: Viewer, message: SendAway) -> Answer:
        """End a viewer's connection and bar the viewer for `BARRED_S`; a Stop that they have sent still counts."""
        problem = hub.people.problem(by, message.viewer)
        if problem:
            return Answer(id=message.id, ok=False, text=problem)
        viewer, refusal = self._viewers[message.viewer]
        reason = f"{by.name} sent you away. You can come back in {BARRED_S / 60:.0f} minutes."
        if not refusal.done():
            refusal.set_result(Refused(reason=reason, code=close_codes.SENT_AWAY))
        self._barred[viewer.number] = self.clock() + BARRED_S
        people = (Subject("person", by.name), Subject("person", viewer.name))
        hub.journal.write(Note("gateway.sent", about=people))
        return Answer(id=message.id, ok=True)

    def barred(self, viewer: int) -> Refused | None:
        """Return the refusal of a viewer who was sent away within `BARRED_S`; None for all others."""
        left = self._barred.get(viewer, -1e9) - self.clock()
        if left <= 0.0:
            self._barred.pop(viewer, None)
            return None
        minutes = math.ceil(left / 60.0)
        return Refused(reason=f"You can come back in {minutes} min.", code=close_codes.SENT_AWAY)

    @staticmethod
    def _control(hub: CellHub, viewer: Viewer, message: Ask | Release | Yield | Refuse | TakeOver) -> None:
        me, robot = viewer.number, message.robot
        if isinstance(message, Ask):
            hub.control.ask(viewer, robot)
        elif isinstance(message, Release):
            hub.control.change(robot, lambda lease: leases.release(lease, me))
        elif isinstance(message, TakeOver):
            hub.control.take_over(viewer, robot)
        elif isinstance(message, Yield):
            other = message.viewer
            hub.control.change(robot, lambda lease: leases.yield_to(lease, me, other))
        else:
            other = message.viewer
            hub.control.change(robot, lambda lease: leases.refuse(lease, me, other))

    def misunderstood(self, viewer: Viewer, problem: str, channel: str = "page") -> None:
        """Tell a page that its message was refused, at most once per `COMPLAINT_S`, and log it."""
        self._complain(viewer, f"Message refused: {problem}.")
        self.log_refusal(channel, problem)

    def log_refusal(self, channel: str, reason: str) -> None:
        """Write to the terminal that a message was refused, with its channel and the reason."""
        self.say(f"refused {channel}", f"A message from a {channel} was refused: {clean(reason, 200)}")

    def overrun(self, viewer: Viewer) -> None:
        """Tell a page that it sends too much, at most once per `COMPLAINT_S`."""
        self._complain(viewer, TOO_MANY)

    def _complain(self, viewer: Viewer, text: str) -> None:
        now = self.clock()
        if now - self._complained.get(viewer.number, -1e9) >= COMPLAINT_S:
            self._complained[viewer.number] = now
            viewer.tell(Answer(id=0, ok=False, text=text))

    # ── Meshes ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def mesh(self, cell: str, name: str) -> bytes | None:
        """Return a mesh of a cell by its hash."""
        hub = self.hubs.get(cell)
        if hub is None or hub.scene is None or all(geom.mesh != name for geom in hub.scene.geoms):
            return None
        if (cell, name) not in self._meshes:
            content = await self._fetch(cell, name)
            if content is None:
                return None
            self._meshes[cell, name] = content
            while sum(len(c) for c in self._meshes.values()) > MESH_BYTES and len(self._meshes) > 1:
                self._meshes.popitem(last=False)
        return self._meshes[cell, name]
