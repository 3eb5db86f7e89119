"""Events declare themselves: the table of events, their checks and handlers, and a new event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
import pytest
from frames import EVENTS as SAMPLES
from gateways import CELL, Gateway, in_loop, settle
from paths import ROOT
from worded import worded

from farhand.cell import Cell
from farhand.cell.cell import HANDLERS
from farhand.cell.event_checks import CHECKS
from farhand.cell.runtime import BLUEPRINTS
from farhand.errors import CommandError, FarhandError
from farhand.lane.intake.choices import CHOICES
from farhand.lane.intake.requests import REQUESTS
from farhand.server.protocol.event_page import PAGE, page
from farhand.server.protocol.messages import Ask, Command
from farhand.types import (
    Event,
    HoldHere,
    Inputs,
    MoveJoints,
    Note,
    Quantity,
    Reconfigure,
    Reset,
    SetSpeed,
    Stop,
    Subject,
)
from farhand.types.events.declaration import (
    EVENTS,
    EventStruct,
    Handlers,
    concerns,
    declaration_of,
    declare,
    is_urgent,
    needs_world,
    robot_of,
    time_out_of,
)
from farhand.world import Blueprint

KINDS = pytest.mark.parametrize("kind", list(EVENTS), ids=lambda kind: kind.__name__)
COMPILED = {"AddObject", "MoveObject", "RemoveObject", "ChangeTool"}


def sample(kind: type[EventStruct]) -> Event:
    return next(event for event in SAMPLES if type(event) is kind)


def test_every_event_that_can_travel_is_in_the_table_and_in_the_samples_of_the_tests() -> None:
    assert set(get_args(Event)) == set(EVENTS) == {type(event) for event in SAMPLES}
    assert len(EVENTS) == 32


@KINDS
def test_every_event_has_a_check_and_a_handler(kind: type[EventStruct]) -> None:
    assert kind in CHECKS
    assert kind in HANDLERS or kind in CHOICES or kind in REQUESTS


@KINDS
def test_what_may_need_a_new_world_says_what_it_is_made_of(kind: type[EventStruct]) -> None:
    may = EVENTS[kind].new_world is not False
    assert may == (kind in BLUEPRINTS) == (kind.__name__ in {*COMPILED, "Reconfigure"})
    assert needs_world(sample(kind)) == (kind.__name__ in COMPILED)


def test_of_the_changes_to_how_a_robot_is_driven_only_that_of_its_drive_needs_a_new_world() -> None:
    assert needs_world(Reconfigure("arm", "drive", settings={}))
    assert not needs_world(Reconfigure("arm", "filter", "smooth"))


@KINDS
def test_an_event_for_a_robot_names_it(kind: type[EventStruct]) -> None:
    event = sample(kind)
    named = "robot" in kind.__struct_fields__
    assert (EVENTS[kind].scope == "robot") == named
    if named and event != Reset():
        assert (robot_of(event), concerns(event, "arm"), concerns(event, "leg")) == ("arm", True, False)
    else:
        assert (robot_of(event), concerns(event, "leg")) == ("", True)


def test_a_reset_without_a_name_is_for_every_robot_and_a_name_that_is_missing_for_none() -> None:
    assert concerns(Reset(), "arm")
    assert not concerns(Reset("leg"), "arm")
    assert not concerns(HoldHere(""), "arm")


def test_a_stop_is_urgent_and_nothing_else_is() -> None:
    assert [kind for kind in EVENTS if is_urgent(sample(kind))] == [Stop]
    assert not is_urgent(None)
    assert time_out_of(Stop()) == 2.0
    assert time_out_of(None) == time_out_of(SetSpeed("arm", 1)) == 5.0
    assert {kind.__name__ for kind in EVENTS if EVENTS[kind].time_out == 30.0} == {*COMPILED, "Reconfigure"}


def test_a_value_that_is_not_an_event_is_refused() -> None:
    with pytest.raises(CommandError, match=r"'Stop' is not an event; send a value such as Stop\(\)"):
        declaration_of("Stop")


def test_the_page_about_events_is_made_from_the_table() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert text == page(), "docs/events.md is out of date: run make events"


def test_an_event_that_is_declared_twice_or_names_no_robot_is_refused() -> None:
    known = len(EVENTS)
    with pytest.raises(FarhandError, match="two events are called 'Stop'"):

        @declare(scope="cell", right="stop")
        class Stop(EventStruct, frozen=True):
            pass

    with pytest.raises(FarhandError, match="Wave is for a robot, but has no field `robot`"):

        @declare(scope="robot", right="drive")
        class Wave(EventStruct, frozen=True):
            pass

    assert len(EVENTS) == known


def test_a_second_handler_is_refused_and_so_is_one_of_an_event_that_is_not_declared() -> None:
    handlers: Handlers[Callable[[], None]] = Handlers("toy handler")
    handlers.register(MoveJoints)(lambda: None)
    with pytest.raises(FarhandError, match="MoveJoints has a toy handler already"):
        handlers.register(SetSpeed, MoveJoints)(lambda: None)
    with pytest.raises(FarhandError, match="EventStruct is not declared"):
        handlers.register(EventStruct)(lambda: None)


# ── A new event: its struct, its handler (and, on the page, its button) ──────────────────────────────────────────


@pytest.fixture
def flash() -> Iterator[Any]:
    """Declare a toy event as a file of `farhand.types.events` would, and handle it as a file of the cell would."""

    @declare(scope="robot", right="task")
    class Flash(EventStruct, frozen=True):
        robot: str
        times: int = 1

    @CHECKS.register(Flash)
    def check(event: Flash, _: Blueprint) -> None:
        if event.times > 9:
            raise CommandError(f"a lamp flashes up to 9 times, found {event.times}")

    @HANDLERS.register(Flash)
    def handle(cell: Cell, event: Flash) -> tuple[Note, ...]:
        quantities = (Quantity("times", event.times, "count"), Quantity("tick", cell.number + 1, "count"))
        return (Note("toy.flash", about=(Subject("robot", event.robot),), quantities=quantities),)

    yield Flash
    del HANDLERS[Flash], CHECKS[Flash], EVENTS[Flash]


def test_a_toy_event_goes_through_a_cell(flash: Any) -> None:
    cell = Cell.load("irb120")
    (flashed,) = cell.step(Inputs(events=(flash("arm", 3),))).notes
    assert (flashed.code, flashed.about) == ("toy.flash", (Subject("robot", "arm"),))
    assert [quantity.value for quantity in flashed.quantities] == [3, 1]
    refused = cell.step(Inputs(events=(flash("arm", 10), flash("leg"), Stop())))
    assert [note.code for note in refused.notes] == ["cell.refused", "cell.refused"]
    assert worded(refused.notes[0]) == "Refused: a lamp flashes up to 9 times, found 10."
    assert refused.lanes["arm"].mode == "stopped"


def test_a_toy_event_goes_through_the_gateway(flash: Any) -> None:
    @in_loop
    async def sent() -> None:
        gateway = Gateway()
        gateway.start()
        (ada, _), (ben, page), (tom, toms) = [gateway.enter(name) for name in ("Ada", "Ben", "Tom")]
        tom.role = "trainee"
        gateway.state.take(ada, Ask(robot="arm"))
        for id_, viewer in enumerate((ada, ben, tom), 1):
            gateway.state.take(viewer, Command(id=id_, event=flash("arm")))
        await settle()
        assert gateway.link.events == [flash("arm")]
        assert page.answer(2).text == "You do not control arm. Ask for control first."
        assert toms.answer(3).text == "Only the instructor may do that during an exam."
        order = gateway.link.orders[0]
        assert (order.content, gateway.link.cells) == (flash("arm"), {CELL})
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(order))["content"] == {
            "type": "Flash",
            "robot": "arm",
            "times": 1,
        }

    sent()


def test_an_event_of_a_person_needs_no_control() -> None:
    @declare(scope="person", right="drive")
    class Blink(EventStruct, frozen=True):
        pass

    @in_loop
    async def sent() -> None:
        gateway = Gateway()
        gateway.start()
        viewer, _ = gateway.enter()
        gateway.state.take(viewer, Command(id=1, event=Blink()))
        assert gateway.link.events == [Blink()]
        viewer.role = "observer"
        gateway.state.take(viewer, Command(id=2, event=Blink()))
        assert len(gateway.link.events) == 1

    try:
        sent()
        assert not concerns(Blink(), "arm")
    finally:
        del EVENTS[Blink]
