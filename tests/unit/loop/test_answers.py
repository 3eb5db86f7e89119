"""Every event is answered by number: carried out, or refused by the notes that name it, and by no others."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from worded import worded

from farhand.cell import Cell
from farhand.errors import CommandError
from farhand.loop import Run
from farhand.loop.sent import refusals
from farhand.types import (
    Event,
    FreeMe,
    Generate,
    Generator,
    HoldHere,
    Inputs,
    MoveJoints,
    Park,
    Power,
    RemoveObject,
    Reset,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    SwitchFilter,
    Teach,
    Tick,
    ZeroWrist,
)

GOOD: tuple[Event, ...] = (SetSpeed("arm", 2), SetScale("arm", 0.5), MoveJoints("arm"), HoldHere("arm"), Reset())
BAD: tuple[Event, ...] = (
    SetSpeed("arm", 99),
    SetScale("arm", 1e9),
    SelectMapping("arm", "nothing"),
    Teach("arm", "discard"),
    Power("arm", on=True),
    Park("arm", on=True),
    SwitchFilter("arm", "nothing", on=False),
    Generate("arm", Generator(40)),
    ZeroWrist("arm"),
    FreeMe("arm"),
    MoveJoints("arm", (0.0,)),
    HoldHere("leg"),
    RemoveObject("nothing"),
)


@pytest.fixture(scope="module")
def loaded() -> Cell:
    return Cell.load("irb120")


@pytest.fixture
def cell(loaded: Cell) -> Iterator[Cell]:
    before = loaded.snapshot()
    yield loaded
    loaded.restore(before)


def test_an_event_has_no_answer_before_a_tick_has_taken_it(cell: Cell) -> None:
    run = Run(cell)
    first, second = run.send(SetSpeed("arm", 2)), run.send(SetSpeed("arm", 99))
    assert (first.number, second.number) == (1, 2)
    assert [(sent.done, sent.ok) for sent in (first, second)] == [(False, False)] * 2
    tick = run.tick()
    assert [(sent.done, sent.ok) for sent in (first, second)] == [(True, True), (True, False)]
    assert [worded(note) for note in second.notes] == ["Refused: speed 99 is not one of 1 to 5."]
    assert tick.lanes["arm"].speed_level == 2


@pytest.mark.parametrize("bad", BAD, ids=lambda event: type(event).__name__)
def test_a_refusal_answers_its_own_event_among_others(cell: Cell, bad: Event) -> None:
    run = Run(cell)
    sent = [run.send(event) for event in (GOOD[0], bad, GOOD[1])]
    run.tick()
    assert [one.ok for one in sent] == [True, False, True]
    assert {note.answers for note in sent[1].notes} == {sent[1].number}


def test_every_event_of_a_tick_is_answered_apart(cell: Cell) -> None:
    run = Run(cell)
    sent = [run.send(event) for event in (*BAD, *GOOD, Stop())]
    tick = run.tick()
    # the motion that is asked for last in a tick takes the place of those before: "free me" is not even tried
    assert [one.event for one in sent if not one.ok] == [event for event in BAD if event != FreeMe("arm")]
    assert tick.lanes["arm"].mode == "stopped"


def test_a_move_that_a_stop_of_its_tick_prevents_is_refused_and_the_stop_is_not(cell: Cell) -> None:
    run = Run(cell)
    move, stop = run.send(MoveJoints("arm")), run.send(Stop())
    run.tick()
    assert (move.ok, stop.ok) == (False, True)
    assert worded(move.notes[0]).startswith("Refused: arm cannot move by itself: ")


def test_numbers_are_part_of_the_inputs_so_a_record_repeats_the_answers(cell: Cell) -> None:
    before, kept, ticks = cell.snapshot(), list[bytes](), list[Tick]()

    def keep(inputs: Inputs, tick: Tick) -> None:
        kept.append(msgspec.msgpack.encode(inputs))
        ticks.append(tick)

    run = Run(cell, listeners=[keep])
    run.tick()
    run.send(SetSpeed("arm", 2))
    run.tick()
    refused = run.send(SetSpeed("arm", 99))
    run.tick()
    cell.restore(before)
    inputs = [msgspec.msgpack.decode(content, type=Inputs) for content in kept]
    assert [one.numbers for one in inputs] == [(), (1,), (2,)]
    again = [cell.step(one) for one in inputs]
    assert again == ticks
    assert refusals(again[2]) == {2: list(refused.notes)}


def test_without_numbers_the_place_in_the_tick_counts(cell: Cell) -> None:
    tick = cell.step(Inputs(events=(SetSpeed("arm", 2), SetSpeed("arm", 99), HoldHere("leg"))))
    assert {number: [note.code for note in notes] for number, notes in refusals(tick).items()} == {
        1: ["lane.refused"],
        2: ["cell.refused"],
    }


def test_what_is_no_event_is_not_queued(cell: Cell) -> None:
    with pytest.raises(CommandError, match="'Stop' is not an event"):
        Run(cell).send("Stop")  # type: ignore[arg-type] # as a caller without a type checker may
