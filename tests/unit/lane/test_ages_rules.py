"""The one rule of time, number by number: ticks of a quarter of a second, whose sums are exact."""

from __future__ import annotations

import pytest

from farhand.lane.intake.ages import (
    HISTORY_S,
    NO_LEAD,
    ROUNDING,
    SPREAD_MS,
    Ages,
    Link,
    WallLead,
    add_lead,
    between,
    echo_age,
    elapsed,
    judge_gap,
    measure_link,
    seconds,
)
from farhand.types import Arrival

DT = 0.25
THREE = WallLead(20, ((0, 1, 3), (10, 5, 9), (20, 14, 18)))

# ── Ticks and wall time ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("ticks", "lead", "passed"), [(4, 0, 1.0), (4, -500, 1.0), (4, 500, 1.5), (0, 1, 0.001)])
def test_seconds_are_ticks_and_what_the_wall_gained(ticks: int, lead: int, passed: float) -> None:
    assert seconds(ticks, lead, DT) == passed


def test_no_lead_is_none() -> None:
    assert WallLead() == WallLead(0, ((0, 0, 0),)) == NO_LEAD
    assert (HISTORY_S, SPREAD_MS, ROUNDING) == (2.0, 2, 1e-9)


@pytest.mark.parametrize(("tick", "leads"), [(9, (1, 3)), (10, (5, 9)), (19, (5, 9)), (20, (14, 18)), (-1, (1, 3))])
def test_a_tick_had_the_lead_of_its_stretch(tick: int, leads: tuple[int, int]) -> None:
    assert THREE.around(tick) == leads


def test_a_tick_before_the_history_has_its_first_lead() -> None:
    assert WallLead(9, ((10, 5, 7), (20, 9, 9))).around(3) == (5, 7)


@pytest.mark.parametrize(
    ("lead", "stretches"),
    [
        (2, ((0, 0, 2),)),
        (-2, ((0, -2, 0),)),
        (3, ((0, 0, 0), (5, 3, 3))),
        (-3, ((0, 0, 0), (5, -3, -3))),
    ],
)
def test_a_stretch_holds_leads_that_differ_by_two_milliseconds(
    lead: int, stretches: tuple[tuple[int, int, int], ...]
) -> None:
    assert add_lead(NO_LEAD, lead, 5, DT) == WallLead(lead, stretches)


def test_a_lead_within_its_stretch_changes_the_total_only() -> None:
    wall = WallLead(2, ((0, 0, 0), (4, 5, 7)))
    assert add_lead(wall, 0, 5, DT) is wall
    wall = WallLead(7, wall.stretches)
    assert add_lead(wall, -1, 5, DT) == WallLead(6, wall.stretches)
    assert add_lead(WallLead(6, ((0, 0, 0), (4, 6, 6))), 1, 5, DT) == WallLead(7, ((0, 0, 0), (4, 6, 7)))


@pytest.mark.parametrize(
    ("stretches", "total", "lead", "tick", "kept"),
    [
        (((0, 0, 0), (100, 20, 20)), 20, -10, 108, 2),  # two seconds since the first ended
        (((0, 0, 0), (100, 20, 20)), 20, -10, 109, 1),
        (((0, 0, 0), (100, 10, 10)), 10, 1000, 104, 2),  # one by ticks, one by the wall
        (((0, 0, 0), (100, 10, 10)), 10, 1001, 104, 1),
        (((0, 0, 0), (1, 10, 10), (2, 20, 20)), 20, 10, 100, 1),
        (((0, 0, 0), (1, 10, 10), (100, 20, 20)), 20, -5, 101, 2),
    ],
)
def test_a_stretch_is_kept_for_two_seconds(
    stretches: tuple[tuple[int, int, int], ...], total: int, lead: int, tick: int, kept: int
) -> None:
    wall = add_lead(WallLead(total, stretches), lead, tick, DT)
    assert wall == WallLead(total + lead, (*stretches[-kept:], (tick, total + lead, total + lead)))


def test_time_since_a_tick_is_in_doubt_the_longer() -> None:
    assert elapsed(THREE, 12, 30, DT) == 18 * DT + 0.015
    assert elapsed(THREE, 30, 30, DT) == 0.0
    assert elapsed(THREE, 31, 30, DT) == 0.0
    assert echo_age(THREE, 11, 30, DT) == 18 * DT + 0.015
    assert echo_age(THREE, 29, 30, DT) == 0.0
    assert elapsed(WallLead(9), 30, 30, DT) == 0.0


def test_time_between_ticks_is_in_doubt_the_shorter() -> None:
    assert between(THREE, 12, 25, DT) == 13 * DT + 0.005
    assert between(THREE, 12, 12, DT) == between(THREE, 25, 12, DT) == 0.0


@pytest.mark.parametrize(
    ("arrival", "verdict"),
    [
        (None, "there"),
        (Arrival(waited=500, steady=5000), "open"),
        (Arrival(waited=499, steady=500), "there"),
        (Arrival(waited=499, steady=499), "gone"),
        (Arrival(waited=0, steady=500), "there"),
        (Arrival(waited=-1, steady=5000), "gone"),
    ],
)
def test_a_gap_of_the_cell_is_judged_by_the_first_reading_after_it(arrival: Arrival | None, verdict: str) -> None:
    assert judge_gap(1000, arrival, 0.5) == verdict


# ── A link ───────────────────────────────────────────────────────────────────────────────────────────────────────


def heard(
    link: Link, *ticks: int, age: float = 0.2, wall: WallLead = NO_LEAD, idle: bool = True, engaged: bool = False
) -> Link:
    for tick in ticks:
        link = measure_link(link, age, tick, wall, DT, idle=idle, engaged=engaged, allowed=0.5)
    return link


def measured() -> Link:
    """Return a link that was measured in half a second of idle time, from tick 0 on."""
    return heard(heard(Link(), *[0] * 8), 1, 2)


def test_nothing_is_known_of_a_new_link() -> None:
    assert Link() == Link(0.0, measured=False, lag=0.0, idle=0.0, last=-1, idling=False, buckets=())


def test_ten_readings_over_half_a_second_are_enough() -> None:
    assert (measured().measured, measured().baseline) == (True, 0.2)
    fewer = heard(heard(Link(), *[0] * 7), 1, 2)
    sooner = heard(heard(Link(), *[0] * 9), 1)
    for link in (fewer, sooner):
        assert (link.measured, link.baseline) == (False, 0.0)


def test_half_a_second_is_between_the_readings_that_count() -> None:
    assert not heard(Link(), 0, *[24] * 10).measured  # the first is older than five seconds
    almost = 0.5 * (0.5 - ROUNDING)  # seconds per tick
    link = Link()
    for tick in (*[0] * 8, 1, 2):
        assert not link.measured
        link = measure_link(link, 0.2, tick, NO_LEAD, almost, idle=True, engaged=False, allowed=0.5)
    assert link.measured


def test_readings_of_a_quarter_of_a_second_are_kept_as_one() -> None:
    link = heard(heard(Link(), 0, age=0.3), 0, age=0.2)
    (bucket,) = heard(link, 0, age=0.4).buckets
    assert (bucket.begin, bucket.end, bucket.tick, bucket.lead, bucket.least, bucket.count) == (0, 0, 0, 0, 0.2, 3)
    first, second = heard(link, 1, age=0.4).buckets
    assert (first.count, second.begin, second.end, second.tick, second.least, second.count) == (2, DT, DT, 1, 0.4, 1)
    link = measure_link(Link(), 0.2, 0, NO_LEAD, 0.125, idle=True, engaged=False, allowed=0.5)
    (bucket,) = measure_link(link, 0.3, 1, NO_LEAD, 0.125, idle=True, engaged=False, allowed=0.5).buckets
    assert (bucket.begin, bucket.end, bucket.count) == (0.0, 0.125, 2)
    for tick in (1, 2, 3):
        link = measure_link(link, 0.2, tick, NO_LEAD, 0.125, idle=True, engaged=False, allowed=0.5)
    assert [(bucket.begin, bucket.end, bucket.count) for bucket in link.buckets] == [(0.0, 0.125, 2), (0.25, 0.375, 2)]


def test_idle_time_is_between_idle_readings() -> None:
    link = heard(Link(), 0)
    assert heard(link, 4).idle == 1.0
    assert heard(link, 4, idle=False).idle == 0.0
    assert heard(heard(link, 4, idle=False), 8).idle == 0.0
    assert (heard(link, 4).idling, heard(link, 4, idle=False).idling, heard(link, 4).last) == (True, False, 4)
    assert len(heard(link, 4, idle=False).buckets) == 1


def test_five_seconds_of_idle_time_count() -> None:
    link = heard(heard(Link(), 0, age=0.1), *range(1, 20))
    assert heard(link, 20).baseline == 0.1
    assert heard(link, 20, 21).baseline == 0.2


def test_those_five_seconds_allow_for_rounding() -> None:
    for dt, least in ((5.0 + ROUNDING, 0.1), (5.0 + 3.0 * ROUNDING, 0.2)):
        link = measure_link(Link(), 0.1, 0, NO_LEAD, dt, idle=True, engaged=False, allowed=0.5)
        link = measure_link(link, 0.2, 1, NO_LEAD, dt, idle=True, engaged=False, allowed=0.5)
        assert link.buckets[0].least == least


@pytest.mark.parametrize(("tick", "total", "known"), [(240, 0, True), (241, 0, False), (236, 1000, True)])
def test_nothing_older_than_a_minute_counts(tick: int, total: int, *, known: bool) -> None:
    link = heard(heard(Link(), *[0] * 10), 0, idle=False)
    assert bool(heard(link, tick, wall=WallLead(total), idle=False).buckets) == known


@pytest.mark.parametrize(("total", "known"), [(2000, True), (2001, False)])
@pytest.mark.parametrize("first", [0, 100])
def test_that_minute_is_of_the_wall_since_the_reading(first: int, total: int, *, known: bool) -> None:
    link = heard(Link(), first, wall=WallLead(1000))
    assert bool(heard(link, first + 236, wall=WallLead(total), idle=False).buckets) == known


def test_no_baseline_is_greater_than_allowed() -> None:
    link = heard(heard(Link(), *[0] * 8, age=0.7), 1, 2, age=0.8)
    assert (link.measured, link.baseline) == (True, 0.5)


def test_while_engaged_a_baseline_only_falls() -> None:
    link = measured()
    for age, baseline in ((0.3, 0.2), (0.1, 0.1)):
        driven = heard(link, 6, age=age, engaged=True)
        assert (driven.baseline, driven.measured, driven.idle, driven.last) == (baseline, True, 0.5, 6)
        assert (driven.idling, driven.buckets) == (False, link.buckets)


@pytest.mark.parametrize(("last", "age", "lag"), [(0, 0.0, 0.4), (-1, 0.0, 0.5), (0, 0.45, 0.45), (0, 0.9, 0.9)])
def test_the_age_that_bounds_speed_rises_at_once_and_falls_by_a_tenth(last: int, age: float, lag: float) -> None:
    assert heard(Link(lag=0.5, last=last), 4, age=age).lag == pytest.approx(lag)


# ── Ages ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_ages_are_the_greater_of_gap_and_echo() -> None:
    assert Ages(0.1, 0.2) == Ages(0.1, 0.2, 0.0, 0.0)
    assert (Ages(0.1, 0.2).age, Ages(0.3, 0.2).age) == (0.2, 0.3)
    assert (Ages(0.25, 0.75, baseline=0.25).beyond, Ages(0.3, 0.5, baseline=0.25).beyond) == (0.5, 0.3)


def test_a_picture_may_be_half_a_second_older_than_the_link() -> None:
    assert not Ages(0.0, 0.0, 0.75, 0.25).blind
    assert Ages(0.0, 0.0, 0.7501, 0.25).blind
