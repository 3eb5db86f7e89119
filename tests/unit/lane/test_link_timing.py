"""Gaps of the cell itself and what a reading tells of its link, case by case."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from worded import reason

from farhand.lane.intake.ages import NO_LEAD, Link, WallLead, add_lead
from farhand.lane.intake.inbox import Inbox
from farhand.lane.intake.link_timing import pass_time, update_link
from farhand.lane.memory import LaneMemory
from farhand.lane.modes.mode_machine import ModeMemory, WatchdogSpec
from farhand.lane.motion.servo_stage import ServoMemory
from farhand.types import Arrival, Mode, Reading

DT = 0.25
TICK = 10
SPEC = WatchdogSpec()
GONE, THERE, OLD = Arrival(waited=-1), Arrival(waited=0, steady=9999), Arrival(waited=100, steady=9999)


def memory(mode: Mode = "teleoperation", **fields: Any) -> LaneMemory:
    kept = LaneMemory(ModeMemory(mode), Inbox(), "jog", None, 1, None, (), ServoMemory(), {})
    return replace(kept, **fields)


def passed(lead: int, arrival: Arrival | None, before: LaneMemory, received: int = TICK) -> tuple[LaneMemory, int, str]:
    inbox = Inbox(Reading(arrival=arrival), received)
    after, counted, stop = pass_time(lead, inbox, TICK, before, SPEC, DT)
    return after, counted, reason(stop)


def test_time_passes_without_a_gap() -> None:
    before = memory()
    assert passed(0, GONE, before) == (before, 0, "")
    for lead in (1, -1, 100):
        assert passed(lead, GONE, before) == (memory(wall=add_lead(NO_LEAD, lead, TICK, DT)), lead, "")


@pytest.mark.parametrize("mode", ["teleoperation", "autonomous", "paused"])
def test_a_gap_stays_open_until_a_fresh_reading(mode: Mode) -> None:
    wall = add_lead(NO_LEAD, 101, TICK, DT)
    for arrival, received in ((OLD, TICK), (THERE, TICK - 1), (GONE, TICK - 1)):
        assert passed(101, arrival, memory(mode), received) == (memory(mode, wall=wall, gap=101), 101, "")


def test_gaps_add_up_and_other_leads_do_not() -> None:
    assert passed(150, OLD, memory(gap=200))[0].gap == 350
    assert passed(100, OLD, memory(gap=200))[0].gap == 200
    assert passed(0, OLD, memory(gap=200)) == (memory(gap=200), 0, "")


def test_a_gap_is_forgiven_where_the_operator_was_there() -> None:
    wall = WallLead(3000, ((0, 0, 0), (TICK, 3000, 3000)))
    after, lead, stop = passed(0, THERE, memory(gap=3000, wall=wall))
    assert (after.gap, after.wall.total, lead, stop) == (0, 0, 0, "")
    after, lead, stop = passed(3000, None, memory())
    assert (after.gap, after.wall.total, lead, stop) == (0, 0, 0, "")


@pytest.mark.parametrize(("gap", "stop"), [(1100, ""), (1101, "this computer was too busy for 1.1 s.")])
def test_a_gap_counts_where_nobody_was_there(gap: int, stop: str) -> None:
    wall = add_lead(NO_LEAD, gap, TICK, DT)
    assert passed(gap, GONE, memory()) == (memory(wall=wall), gap, stop)
    assert passed(0, GONE, memory(gap=gap)) == (memory(), 0, stop)


@pytest.mark.parametrize("mode", ["idle", "stopped", "fault", "off", "powering"])
def test_a_gap_of_a_robot_that_stands_is_forgotten(mode: Mode) -> None:
    wall = add_lead(NO_LEAD, 3000, TICK, DT)
    assert passed(3000, GONE, memory(mode)) == (memory(mode, wall=wall), 3000, "")
    assert passed(0, GONE, memory(mode, gap=200)) == (memory(mode), 0, "")


# ── The link ─────────────────────────────────────────────────────────────────────────────────────────────────────


def heard(before: LaneMemory, **fields: Any) -> Link:
    reading = Reading(**{"tick": 7} | fields.pop("reading", {}))
    return update_link(Inbox(reading, **{"received": TICK} | fields), TICK, before, SPEC, DT)


def test_a_new_reading_is_heard_with_the_age_of_its_echo() -> None:
    link = heard(memory("idle"))
    assert (link.lag, link.last, link.idling, len(link.buckets)) == (0.5, TICK, True, 1)
    assert not heard(memory("idle"), reading={"deadman": True}).idling
    assert heard(memory("idle"), reading={"tick": 0}).lag == 2.25


def test_other_readings_tell_nothing() -> None:
    known = Link(0.2, measured=True)
    for fields in ({"received": TICK - 1}, {"reading": {"tick": -1}}, {"reading": {"arrival": Arrival(taken=3)}}):
        assert heard(memory("idle", link=known), **fields) == known
        assert heard(memory("idle", link=known), epoch_changed=True, **fields) == Link()


@pytest.mark.parametrize("mode", ["teleoperation", "autonomous", "paused"])
def test_while_a_robot_moves_its_baseline_does_not_rise(mode: Mode) -> None:
    known = Link(0.2, measured=True)
    assert (heard(memory(mode, link=known)).baseline, heard(memory("idle", link=known)).baseline) == (0.2, 0.0)
    assert heard(memory(mode, link=known), epoch_changed=True).last == TICK


def test_a_baseline_is_at_most_what_the_cell_file_allows() -> None:
    link = Link()
    for tick in (*[TICK] * 8, TICK + 1, TICK + 2):
        inbox = Inbox(Reading(tick=tick - 4), tick)
        link = update_link(inbox, tick, memory("idle", link=link), SPEC, DT)
    assert (link.measured, link.baseline) == (True, 0.5)
