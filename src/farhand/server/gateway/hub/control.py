"""Leases of a cell's robots, and the readings of their holders."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec

from farhand.server.gateway import lease as leases
from farhand.server.gateway.hub.cell_view import CellView
from farhand.server.gateway.hub.journal import Journal
from farhand.server.gateway.hub.orders import CellLink
from farhand.server.gateway.lease import FREE, Lease
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Asker, Hand, LeaseInfo, Leases, Scene
from farhand.types import Note, Subject

__all__ = ["Control"]

DRIVING_S = 0.5  # after a reading with the deadman held, in which its sender counts as driving
TELL_S = 1.0  # between two updates of waiting times
NEVER = -math.inf


class Control:
    """The leases of one cell's robots.

    Args:
        cell: Name of the cell.
        link: Link to the cell.
        view: The gateway's view of the cell.
        journal: Log, in which each change of control is written.
        clock: Monotonic clock, s.
    """

    def __init__(self, cell: str, link: CellLink, view: CellView, journal: Journal, clock: Callable[[], float]) -> None:
        self._cell, self._link, self._view, self._journal, self._clock = cell, link, view, journal, clock
        self._leases: dict[str, Lease] = {}
        self._driving: dict[str, float] = {}
        self._names: dict[int, str] = {}
        self._held: set[int] = set()
        self._told = NEVER
        self._restored: dict[str, tuple[int, int]] = {}
        self.changes = 0
        """Number of changes of any lease."""

    def take_scene(self, scene: Scene) -> None:
        """Add leases for the new robots of a scene: free, or reserved for their holder under an earlier gateway.

        Nobody controls the robots of a replay.
        """
        if scene.replay is not None:
            return
        for robot in scene.robots:
            if robot.name not in self._leases:
                self._leases[robot.name] = FREE
                self._restore(robot.name)

    def keep(self, robot: str, viewer: int, name: str, epoch: int) -> None:
        """Reserve control of a robot, once the robot is known, for its holder under an earlier gateway."""
        self._names[viewer] = name
        self._restored[robot] = (viewer, epoch)

    def holders(self) -> dict[str, tuple[int | None, int]]:
        """Return the holder and the epoch of each robot's lease."""
        return {robot: (lease.holder, lease.epoch) for robot, lease in self._leases.items()}

    def _restore(self, robot: str) -> None:
        if robot not in self._restored:
            return
        viewer, epoch = self._restored.pop(robot)
        lease = leases.restored(viewer, epoch, self._clock())
        self._set(robot, leases.back(lease, viewer) if viewer in self._view.viewers else lease)

    def join(self, viewer: Viewer) -> None:
        """Add a viewer, and give back the leases that were kept for them."""
        self._names[viewer.number] = viewer.name
        for robot, lease in self._leases.items():
            self._set(robot, leases.back(lease, viewer.number))

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer, whose leases are kept for a while."""
        for robot, lease in self._leases.items():
            self._set(robot, leases.gone(lease, viewer.number, self._clock()))

    def sweep(self, now: float) -> None:
        """Free leases that were kept for too long, and send viewers the waiting times."""
        for robot, lease in self._leases.items():
            self._set(robot, leases.expire(lease, now))
        if now - self._told > TELL_S and any(lease.askers for lease in self._leases.values()):
            self.tell()

    def holds(self, viewer: Viewer, robot: str) -> bool:
        """Return whether a viewer controls a robot."""
        return robot in self._leases and self._leases[robot].holder == viewer.number

    def epoch(self, robot: str) -> int:
        """Return the epoch of a robot's lease; -1 if there is no such robot."""
        return self._leases[robot].epoch if robot in self._leases else -1

    def has_held(self, viewer: int) -> bool:
        """Return whether a viewer controls a robot or has controlled one before."""
        return viewer in self._held or any(lease.holder == viewer for lease in self._leases.values())

    def holds_any(self, viewer: Viewer) -> bool:
        """Return whether a viewer controls one of the robots."""
        return any(self.holds(viewer, robot) for robot in self._leases)

    @property
    def is_held(self) -> bool:
        """Whether a viewer controls one of the robots."""
        return any(lease.holder is not None for lease in self._leases.values())

    def holds_all(self, viewer: Viewer) -> bool:
        """Return whether a viewer controls every robot of the cell, which must have one."""
        return bool(self._leases) and all(self.holds(viewer, robot) for robot in self._leases)

    def forward(self, viewer: Viewer, message: Hand) -> None:
        """Forward a reading to the cell, if its sender holds the lease of that epoch."""
        lease = self._leases.get(message.robot)
        if lease is None or lease.holder != viewer.number or message.reading.epoch != lease.epoch:
            return
        if message.reading.deadman:
            self._driving[message.robot] = self._clock()
        robots = self._view.scene.robots if self._view.scene else ()
        master = next((r.master for r in robots if r.name == message.robot and r.by_hand), None)
        if master is not None:
            self._link.send_reading(self._cell, master, message.reading)

    def change(self, robot: str, change: Callable[[Lease], Lease]) -> None:
        """Change the lease of a robot."""
        if robot in self._leases:
            self._set(robot, change(self._leases[robot]))
            self.tell()

    def ask(self, viewer: Viewer, robot: str) -> None:
        """Let a viewer ask for control."""
        self.change(robot, lambda lease: leases.ask(lease, viewer.number, self._clock()))

    def take_over(self, viewer: Viewer, robot: str) -> None:
        """Let a viewer take over, if they may."""
        driving = self._drives(robot)
        self.change(robot, lambda lease: leases.take_over(lease, viewer.number, self._clock(), driving=driving))

    def tell(self) -> None:
        """Send all viewers the leases and the number of viewers."""
        now = self._told = self._clock()
        viewers = self._view.viewers.values()
        for viewer in viewers:
            robots = tuple(self._info(robot, lease, viewer, now) for robot, lease in self._leases.items())
            viewer.tell(Leases(robots=robots, viewers=len(viewers)))

    def _drives(self, robot: str) -> bool:
        return self._clock() - self._driving.get(robot, NEVER) < DRIVING_S

    def _set(self, robot: str, lease: Lease) -> None:
        before, frame, scene = self._leases[robot], self._view.frame, self._view.scene
        if lease == before:
            return
        if lease.epoch != before.epoch and frame and scene:
            # An earlier gateway may have given control too: go beyond the newest epoch that the cell has seen.
            place = [r.name for r in scene.robots].index(robot)
            heard = frame.epochs[place] if place < len(frame.epochs) else -1
            lease = msgspec.structs.replace(lease, epoch=max(lease.epoch, heard + 1))
        self._leases[robot] = lease
        self.changes += 1
        if lease.holder != before.holder:
            if before.holder is not None:
                self._held.add(before.holder)
            self._driving.pop(robot, None)
            self._journal.write(self._control_note(robot, lease.holder), robot)
        self.tell()

    def _control_note(self, robot: str, holder: int | None) -> Note:
        if holder is None:
            return Note("gateway.free", about=(Subject("robot", robot),))
        return Note("gateway.controls", about=(Subject("person", self._name_of(holder)), Subject("robot", robot)))

    def _name_of(self, number: int) -> str:
        return self._names.get(number, f"Guest {number}")

    def _info(self, robot: str, lease: Lease, viewer: Viewer, now: float) -> LeaseInfo:
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
