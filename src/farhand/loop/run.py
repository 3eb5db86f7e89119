"""The run of a cell: masters → inputs → cell → tick → listeners, again and again."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import count

from msgspec.structs import replace

from farhand.cell import Cell
from farhand.errors import UnknownNameError
from farhand.loop.clock import Clock, VirtualClock, WallClock
from farhand.loop.plan_queue import PlanQueue
from farhand.loop.sent import Sent, refusals
from farhand.loop.world_edits import EditQueue
from farhand.masters import Master
from farhand.types import Event, Feedback, Inputs, Reading, Tick, Wrench
from farhand.types.events.declaration import declaration_of, needs_world
from farhand.world import CellWorker

__all__ = ["Listener", "Run", "calm_collector", "feedback_of", "total_wrench"]

STANDING = ("stopped", "fault")  # modes that only a reset ends

Listener = Callable[[Inputs, Tick], None]
"""Function called with each tick and its inputs; it must be quick."""


@contextmanager
def calm_collector() -> Iterator[None]:
    """Exempt all present objects from garbage collection: a full collection takes as long as several ticks."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def feedback_of(tick: Tick, robots: list[str]) -> Feedback:
    """Return the feedback to the master of some robots."""
    if len(robots) == 1:
        lane, state = tick.lanes[robots[0]], tick.state.robots[robots[0]]
        driving = lane.mode == "teleoperation"
        stopped = lane.mode in STANDING
        return Feedback(
            tick.number, state.contact, lane.felt, driving=driving, deflected=lane.deflected, stopped=stopped
        )
    lanes = [tick.lanes[robot] for robot in robots]
    return Feedback(
        tick.number,
        total_wrench([tick.state.robots[robot].contact for robot in robots]),
        total_wrench([lane.felt for lane in lanes]),
        driving=any([lane.mode == "teleoperation" for lane in lanes]),
        deflected=any([lane.deflected for lane in lanes]),
        stopped=any([lane.mode in STANDING for lane in lanes]),
    )


def total_wrench(contacts: list[Wrench]) -> Wrench:
    """Return the sum of several robots' wrenches, for one hand that drives them all."""
    if len(contacts) == 1:
        return contacts[0]
    force, torque = (
        tuple([sum(parts) for parts in zip((0.0, 0.0, 0.0), *vectors, strict=True)])
        for vectors in ([c.force for c in contacts], [c.torque for c in contacts])
    )
    return Wrench(force, torque)


class Run:
    """Runs a cell with its masters.

    Args:
        cell: The cell.
        masters: Masters by name; left out: all masters of the cell file.
        clock: The clock that paces it; left out: virtual time.
        listeners: Functions called after every tick, in order.
        worker: Compiles edits of the world and computes plans; left out: that is done between two ticks, which is as
            good in virtual time.

    Raises:
        UnknownNameError: If the cell has no master of one of the names.
    """

    def __init__(
        self,
        cell: Cell,
        masters: Mapping[str, Master] | None = None,
        clock: Clock | None = None,
        listeners: Iterable[Listener] = (),
        worker: CellWorker | None = None,
    ) -> None:
        self.cell = cell
        self.masters = dict(cell.masters if masters is None else masters)
        self.clock: Clock = VirtualClock(cell.dt) if clock is None else clock
        self.listeners = tuple(listeners)
        self._events: deque[Sent] = deque()
        self._numbers = count(1)
        self._edits = EditQueue(cell, worker) if worker else None
        self._plans = PlanQueue(cell, worker)
        self._feedback = {name: Feedback(cell.number) for name in self.masters}
        for name in self.masters:
            if name not in cell.spec.masters:
                raise UnknownNameError("master", name, cell.spec.masters)
        self._driven = {name: [r for r in cell.lanes if cell.master_of(r) == name] for name in self.masters}

    def send(self, event: Event) -> Sent:
        """Queue an event for the next tick, and return the object that will hold its answer; safe from other threads.

        An edit of the world enters as soon as the worker has compiled it, if there is one.

        Raises:
            CommandError: If it is not an event.
        """
        declaration_of(event)
        sent = Sent(next(self._numbers), event)
        self._events.append(sent)
        return sent

    def tick(self) -> Tick:
        """Do one tick, without waiting for the clock."""
        readings, entering = self._read(), self._drain()
        inputs = Inputs(readings, wall_lead=self.clock.lead, time_factor=self.clock.time_factor)
        if entering:
            events, numbers = tuple([sent.event for sent in entering]), tuple([sent.number for sent in entering])
            inputs = replace(inputs, events=events, numbers=numbers)
        tick = self.cell.step(inputs)
        self._plans.look(tick)
        if entering:
            refused = refusals(tick)
            for sent in entering:
                sent.answer(refused.get(sent.number, ()))
        for name, robots in self._driven.items():
            self._feedback[name] = feedback_of(tick, robots)
        for listener in self.listeners:
            listener(inputs, tick)
        return tick

    def run(self, seconds: float, until: Callable[[Tick], bool] | None = None) -> Tick:
        """Run for some virtual seconds, or until a condition holds; return the last tick."""
        last = self.cell.number + max(1, round(seconds / self.cell.dt))
        with calm_collector() if isinstance(self.clock, WallClock) else nullcontext():
            while True:
                self.clock.wait()
                tick = self.tick()
                if tick.number >= last or (until is not None and until(tick)):
                    self.clock.rest()
                    return tick

    def _read(self) -> dict[str, Reading]:
        now = self.cell.time
        readings = {}
        for name, master in self.masters.items():
            reading = master.step(self._feedback[name], now)
            if reading is not None:
                readings[name] = reading
        return readings

    def _drain(self) -> list[Sent]:
        entering = []
        while self._events:
            sent = self._events.popleft()
            if self._edits and needs_world(sent.event):
                self._edits.put(sent)
            else:
                entering.append(sent)
        if self._edits:
            entering += self._edits.ready()
        entering += [Sent(next(self._numbers), event) for event in self._plans.found()]
        return entering
