"""All cells and all viewers of one gateway, and what each message of a page does."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from farhand.cell.library import Library
from farhand.net.gateway import lease as leases
from farhand.net.gateway.hub import CellHub, Wire
from farhand.net.gateway.pictures import Source
from farhand.net.gateway.shelf import Aside, at_once
from farhand.net.gateway.speech import DEAF, Hearing, Spoken
from farhand.net.gateway.viewer import Viewer
from farhand.net.messages import (
    Answer,
    Ask,
    CellInfo,
    Cells,
    Command,
    FromPage,
    Hand,
    Hello,
    KeptMove,
    Listen,
    Ping,
    Refuse,
    Release,
    Speech,
    TakeOver,
    Watch,
    Yield,
)

__all__ = ["House"]

MESH_BYTES = 512 * 1024 * 1024  # of meshes that are kept
REMEMBERED = 1000  # guests that are known again when they come back
COMPLAINT_EVERY = 0.1  # seconds between two answers to what is no message
AGAIN = "This page was opened a second time, and goes on there."
SLOW = "This connection is too slow for what it must be told."


class House:
    """The gateway's state.

    Args:
        cells: Names of the cells.
        wire: How to reach them.
        gateway: Tells this life of the gateway from others.
        fetch: Returns a cell's mesh, or None.
        clock: Monotonic seconds.
        library: Returns where a cell's taught moves are kept; None: nowhere.
        aside: How to wait for a disk.
        ear: Understands what is said.
    """

    def __init__(
        self,
        cells: Sequence[str],
        wire: Wire,
        gateway: int,
        fetch: Callable[[str, str], asyncio.Future[bytes | None]],
        clock: Callable[[], float],
        library: Callable[[str], Library] | None = None,
        aside: Aside = at_once,
        ear: Hearing = DEAF,
    ) -> None:
        self.hubs = {
            name: CellHub(name, gateway, wire, clock, self._tell_cells, library(name) if library else None, aside)
            for name in cells
        }
        self.sockets = 0
        self.exam = False  # somebody sits an exam; everybody else is a trainer
        self._fetch, self._clock = fetch, clock
        self._guests: OrderedDict[str, tuple[int, str]] = OrderedDict()
        self._count = 0
        self._viewers: dict[int, tuple[Viewer, asyncio.Future[str]]] = {}
        self._meshes: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._complained: dict[int, float] = {}
        self._spoken = Spoken(ear, clock)

    def cells(self) -> tuple[CellInfo, ...]:
        """Return the cells and how they are."""
        return tuple(hub.info for hub in self.hubs.values())

    def _tell_cells(self) -> None:
        message = Cells(cells=self.cells())
        for viewer, _ in self._viewers.values():
            viewer.tell(message)

    def source(self, cell: str) -> Source | None:
        """Return what a cell's pictures are drawn from."""
        hub = self.hubs.get(cell)
        return None if hub is None else Source(hub.scene, hub.reel)

    # ── Coming and going ─────────────────────────────────────────────────────────────────────────────────────────

    def guest(self, client: str, name: str) -> tuple[int, str]:
        """Return the number and name of a page, the same ones when it comes again."""
        if client not in self._guests:
            self._count += 1
            self._guests[client] = (self._count, "")
            if len(self._guests) > REMEMBERED:
                self._guests.popitem(last=False)
        number, _ = self._guests[client]
        known = " ".join(name.split()) or f"Guest {number}"
        self._guests[client] = (number, known)
        self._guests.move_to_end(client)
        return number, known

    def enter(self, viewer: Viewer, refusal: asyncio.Future[str]) -> None:
        """Let a viewer in; an older connection of the same page ends."""
        before = self._viewers.get(viewer.number)
        if before is not None:
            if not before[1].done():
                before[1].set_result(AGAIN)
            self.left(before[0])
        self._viewers[viewer.number] = (viewer, refusal)

    def left(self, viewer: Viewer) -> None:
        """Take note that a viewer has gone."""
        entry = self._viewers.get(viewer.number)
        if entry is not None and entry[0] is viewer:
            del self._viewers[viewer.number]
            self._complained.pop(viewer.number, None)
        self._spoken.forget(viewer)
        if viewer.cell:
            self.hubs[viewer.cell].leave(viewer)

    def is_trainer(self, viewer: Viewer) -> bool:
        """Return whether a viewer sets the task of an exam: everybody who does not sit it."""
        return self.exam and not viewer.exam

    def blind(self) -> list[str]:
        """Return a sentence for each robot through which a trainee sees nothing."""
        scenes = [hub.scene for hub in self.hubs.values() if self.exam and hub.scene is not None]
        blind = [(scene.cell, robot.name) for scene in scenes for robot in scene.robots if not robot.cameras]
        return [
            f"{robot} in {cell} has no cameras: the trainee's page has no picture to drive it by."
            for cell, robot in blind
        ]

    def sweep(self) -> None:
        """Look at what time alone changes."""
        for hub in self.hubs.values():
            hub.sweep()
        for viewer, refusal in list(self._viewers.values()):
            if viewer.too_slow and not refusal.done():
                refusal.set_result(SLOW)

    # ── Messages ─────────────────────────────────────────────────────────────────────────────────────────────────

    def take(self, viewer: Viewer, message: FromPage) -> None:
        """Do what a page asks for."""
        if isinstance(message, Watch):
            self._watch(viewer, message.cell)
            return
        hub = self.hubs.get(viewer.cell)
        if hub is None or isinstance(message, Hello):
            self.misunderstood(viewer, "choose a cell to watch first" if hub is None else "you have greeted already")
        elif isinstance(message, Hand):
            hub.control.hand(viewer, message)
        elif isinstance(message, Command):
            hub.commands.take(viewer, message.id, message.event, trainer=self.is_trainer(viewer))
        elif isinstance(message, KeptMove):
            hub.commands.kept_move(viewer, message)
        elif isinstance(message, Ping):
            hub.commands.ping(viewer, message.id)
        elif isinstance(message, Listen):
            hub.samples.listen(viewer, message.signals)
        elif isinstance(message, Speech):
            self._spoken.take(hub, viewer, message, trainer=self.is_trainer(viewer))
        else:
            self._control(hub, viewer, message)

    def _watch(self, viewer: Viewer, cell: str) -> None:
        if cell not in self.hubs:
            self.misunderstood(viewer, f"there is no cell {cell!r}; there are: {', '.join(self.hubs)}")
            return
        if viewer.cell:
            self.hubs[viewer.cell].leave(viewer)
        viewer.signals = ()
        self.hubs[cell].join(viewer)

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

    def misunderstood(self, viewer: Viewer, problem: str) -> None:
        """Tell a page that a message of it was none; a flood of them is not answered one by one."""
        now = self._clock()
        if now - self._complained.get(viewer.number, -1e9) >= COMPLAINT_EVERY:
            self._complained[viewer.number] = now
            viewer.tell(Answer(id=0, ok=False, text=f"Not understood: {problem}."))

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
