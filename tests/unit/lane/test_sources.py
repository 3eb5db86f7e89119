"""Sources of motion: a toy one goes through a cell from its own file, and the arbiter knows kinds alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct

from farhand.cell import Cell
from farhand.cell.event_checks import CHECKS
from farhand.errors import FarhandError
from farhand.lane.intake.requests import REQUESTS, Requests, start_source
from farhand.lane.sources import SOURCES, SourceConfig, SourceView, Step
from farhand.types import Continue, Demand, HoldHere, Inputs, JointTrack, Note, Reset, Stop, Tick
from farhand.types.events.declaration import EVENTS, EventStruct, declare
from farhand.world import Blueprint

RATE = 0.2  # rad/s


# ── A new source: its file, with the request of its event ────────────────────────────────────────────────────────


class Nodding(Struct, frozen=True):
    """How far the first joint still has to go (rad)."""

    left: float


class Nod:
    """Turns an arm's first joint by an angle."""

    kind = "autonomous"
    ended_by_press = None

    def __init__(self, config: SourceConfig) -> None:
        self._dt = config.dt

    def begin(self, argument: float, _: SourceView) -> Nodding | Note:
        return Nodding(argument) if argument else Note("toy.still")

    def resume(self, memory: Nodding, _: SourceView) -> Nodding:
        return memory

    def step(self, view: SourceView, memory: Nodding) -> Step:
        step = min(RATE * self._dt, memory.left)
        first, *others = view.setpoint.positions
        demand = Demand("nod", {"arm": JointTrack((first + step, *others), (RATE, *[0.0 for _ in others]))})
        left = memory.left - step
        return demand, Nodding(left), "running" if left > 0.0 else "arrived", (Note("toy.nods"),)


@pytest.fixture
def nod(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Add a toy source and its event as three files would: its own, the events' and the checks'."""

    @declare(scope="robot", right="drive")
    class NodBy(EventStruct, frozen=True):
        robot: str
        angle: float

    @CHECKS.register(NodBy)
    def check(_: NodBy, __: Blueprint) -> None: ...

    @REQUESTS.register(NodBy)
    def ask(asked: Requests, event: NodBy, number: int) -> Requests:
        return start_source(asked, number, "nod", event.angle)

    monkeypatch.setitem(SOURCES._items, "nod", Nod)
    yield NodBy
    del REQUESTS[NodBy], CHECKS[NodBy], EVENTS[NodBy]


def codes(tick: Tick) -> set[str]:
    return {note.code for note in tick.lanes["arm"].notes}


def first_joint(tick: Tick) -> float:
    return tick.lanes["arm"].setpoints["arm"].positions[0]


def until_idle(cell: Cell, most: int) -> Tick:
    for _ in range(most):
        tick = cell.step(Inputs())
        if tick.lanes["arm"].mode == "idle":
            return tick
    raise AssertionError("it does not end")


def test_a_toy_source_moves_an_arm_and_ends(nod: Any) -> None:
    cell = Cell.load("irb120")
    tick = cell.step(Inputs(events=(nod("arm", 0.1),)))
    begin = first_joint(tick)
    assert (tick.lanes["arm"].mode, tick.lanes["arm"].demand.source) == ("autonomous", "nod")
    assert "toy.nods" in codes(tick)
    ended = until_idle(cell, 500)
    assert 0.03 < first_joint(ended) - begin < 0.11
    assert not ended.lanes["arm"].waiting


def test_a_toy_source_may_decline(nod: Any) -> None:
    cell = Cell.load("irb120")
    tick = cell.step(Inputs(events=(nod("arm", 0.0),)))
    (refused,) = [note for note in tick.lanes["arm"].notes if note.code == "lane.refused"]
    assert refused.cause is not None
    assert refused.cause.cause == Note("toy.still")
    assert tick.lanes["arm"].mode == "idle"


def interrupted(nod: Any, ending: EventStruct) -> tuple[Cell, float]:
    """Return a cell in which a nod was interrupted by an event, and where the joint rests."""
    cell = Cell.load("irb120")
    cell.step(Inputs(events=(nod("arm", 0.1),)))
    for _ in range(50):
        cell.step(Inputs())
    cell.step(Inputs(events=(ending,)))
    for _ in range(100):
        tick = cell.step(Inputs())
    assert "toy.nods" not in codes(tick)
    there = first_joint(tick)
    assert first_joint(cell.step(Inputs())) == there
    return cell, there


def test_a_toy_source_that_a_stop_interrupted_goes_on_once_it_is_asked_to(nod: Any) -> None:
    cell, there = interrupted(nod, Stop())
    tick = cell.step(Inputs(events=(Continue("arm"),)))
    assert (tick.lanes["arm"].mode, tick.lanes["arm"].waiting) == ("stopped", True)
    tick = cell.step(Inputs(events=(Reset("arm"),)))
    assert first_joint(cell.step(Inputs())) == there
    tick = cell.step(Inputs(events=(Continue("arm"),)))
    assert (tick.lanes["arm"].mode, tick.lanes["arm"].waiting) == ("autonomous", False)
    assert first_joint(until_idle(cell, 500)) > there + 0.03


def test_a_toy_source_that_was_told_to_hold_has_ended(nod: Any) -> None:
    cell, there = interrupted(nod, HoldHere("arm"))
    tick = cell.step(Inputs(events=(Continue("arm"),)))
    assert (tick.lanes["arm"].mode, tick.lanes["arm"].waiting) == ("idle", False)
    assert "lane.refused" in codes(tick)
    assert first_joint(tick) == there


# ── What the arbiter refuses ─────────────────────────────────────────────────────────────────────────────────────


def test_an_autonomous_source_that_cannot_begin_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Half:
        kind = "autonomous"

        def __init__(self, _: SourceConfig) -> None: ...

        def step(self, view: SourceView, memory: Any) -> Step:
            raise NotImplementedError

    monkeypatch.setitem(SOURCES._items, "half", Half)
    with pytest.raises(FarhandError, match="the autonomous source 'half' must have begin, resume and ended_by_press"):
        Cell.load("irb120")


def test_a_second_source_by_hand_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Left(Nod):
        kind = "hand"

    monkeypatch.setitem(SOURCES._items, "left", Left)
    with pytest.raises(FarhandError, match="expected one source of the hand, found hand, left"):
        Cell.load("irb120")
