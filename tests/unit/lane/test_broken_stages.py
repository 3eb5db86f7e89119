"""A stage that breaks: its robot brakes, the fault is latched, and nothing that was chosen in that tick is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell
from farhand.lane import PowerSpec
from farhand.types import (
    Event,
    Generate,
    Generator,
    Inputs,
    LaneReport,
    Power,
    Reading,
    Reset,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    SwitchFeedforward,
    SwitchFilter,
    Teach,
    Trajectory,
)

STAGES = ("_receive", "_advance_mode", "_ask", "_stopped_first", "_view", "_checked", "_look_around", "_move")
CHOICES: tuple[st.SearchStrategy[Event], ...] = (
    st.builds(SelectMapping, st.just("arm"), st.sampled_from(["joints", "tool axes", "pointer", "none such"])),
    st.builds(SetSpeed, st.just("arm"), st.integers(0, 6)),
    st.builds(SetScale, st.just("arm"), st.sampled_from([0.1, 0.5, 1.0, 1e9])),
    st.builds(SwitchFilter, st.just("arm"), st.sampled_from(["smooth", "workspace", "none such"]), st.booleans()),
    st.builds(SwitchFeedforward, st.just("arm"), st.booleans()),
    st.builds(Generate, st.just("arm"), st.sampled_from([None, Generator(0), Generator(50)])),
    st.builds(Teach, st.just("arm"), st.sampled_from(["point", "discard"])),
    st.just(Reset()),
    st.just(Stop()),
)


@pytest.fixture(scope="module")
def cell() -> Cell:
    """Return a cell whose arm is being driven; each test leaves it as it was."""
    made = Cell.load("irb120")
    for k in range(30):
        made.step(Inputs({"hand": Reading(sequence=k, deadman=k > 3, axes=(0.0, 0.5))}))
    assert made.memory["arm"].mode.mode == "teleoperation"
    return made


@contextmanager
def as_it_was(cell: Cell) -> Iterator[None]:
    before = cell.snapshot()
    try:
        yield
    finally:
        cell.restore(before)


def broken(cell: Cell, stage: str, *events: Event) -> LaneReport:
    """Return what the lane reports of a tick in which a stage breaks, once."""
    with patch.object(cell.lanes["arm"], stage, side_effect=[RuntimeError("worn out")] + 9 * [RuntimeError("again")]):
        return cell.step(Inputs(events=events)).lanes["arm"]


def chosen(report: LaneReport) -> tuple[object, ...]:
    refused = [note for note in report.notes if note.code == "lane.refused"]
    told = (report.mapping, report.speed_level, report.scale, report.off, report.generating, report.lesson)
    return (*told, refused)


@settings(max_examples=60)
@given(events=st.lists(st.one_of(CHOICES), max_size=5), stage=st.sampled_from(STAGES))
def test_choices_count_in_the_very_tick_in_which_a_stage_breaks(cell: Cell, events: list[Event], stage: str) -> None:
    with as_it_was(cell):
        sound = cell.step(Inputs(events=tuple(events))).lanes["arm"]
    with as_it_was(cell):
        report = broken(cell, stage, *events)
        assert chosen(report) == chosen(sound)
        assert report.mode == "fault"
        after = cell.step().lanes["arm"]
        assert (after.mode, *chosen(after)[:-1]) == ("fault", *chosen(report)[:-1])
        assert cell.step(Inputs(events=(Reset(),))).lanes["arm"].mode == "idle"


def test_what_was_taught_is_handed_out_though_a_stage_breaks_then(cell: Cell) -> None:
    with as_it_was(cell):
        for _ in range(2):
            cell.step(Inputs(events=(Teach("arm", "point"),)))
        report = broken(cell, "_ask", Teach("arm", "finish", "there"))
        assert isinstance(report.taught, Trajectory)
        assert report.taught.name == "there"
        assert cell.step().lanes["arm"].taught is None


def test_a_choice_that_breaks_itself_still_lets_the_robot_brake(cell: Cell) -> None:
    with as_it_was(cell), patch("farhand.lane.lane.take_choices", side_effect=RuntimeError("worn out")):
        report = cell.step(Inputs(events=(SetSpeed("arm", 2),))).lanes["arm"]
        assert report.mode == "fault"
        assert "Fault: a stage of arm failed (RuntimeError: worn out)." in [worded(note) for note in report.notes]
        assert report.speed_level == cell.spec.speed_level


def test_a_robot_that_breaks_while_it_is_switched_off_is_off_after_reset() -> None:
    spec = Cell.load("irb120")
    arm = replace(spec.spec.robots["arm"], power=PowerSpec(0.0))
    cell = Cell(replace(spec.spec, robots={"arm": arm}), spec.path)
    cell.step(Inputs(events=(Power("arm", on=True),)))
    cell.step()
    assert cell.step().lanes["arm"].mode == "idle"
    assert broken(cell, "_ask", Power("arm", on=False)).mode == "fault"
    assert cell.step(Inputs(events=(Reset(),))).lanes["arm"].mode == "off"
