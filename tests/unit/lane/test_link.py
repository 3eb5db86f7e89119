"""A link has a baseline: distant operators can drive, growing queues still stop the robot, blind pages do not drive."""

from collections.abc import Iterator

import pytest
from distant import DT, Distant
from hands import rough_cell
from worded import worded

from farhand.cell import Cell
from farhand.lane.intake import ages
from farhand.lane.intake.ages import NO_LEAD, Link, measure_link
from farhand.lane.modes.mode_machine import WatchdogSpec
from farhand.lane.motion.overrun import bound_demand
from farhand.types import (
    Arrival,
    Demand,
    DriveRate,
    Inputs,
    Reconfigure,
)


def test_constants_are_those_of_the_docs() -> None:
    assert (ages.IDLE_S, ages.OLDEST_S, ages.MEASURED_READINGS, ages.MEASURED_OVER_S) == (5.0, 60.0, 10, 0.5)
    assert (ages.DRAWN_S, ages.DISTANT_S) == (0.5, 0.1)
    assert ages.HISTORY_S > 1.0 + ages.DRAWN_S  # the greatest baseline that a cell file may allow
    watchdog = WatchdogSpec()
    assert (watchdog.pause, watchdog.stop, watchdog.baseline) == (0.1, 1.0, 0.5)
    assert (watchdog.tip_overrun, watchdog.base_overrun, watchdog.bounded) == (0.05, 0.1, True)


# ── The baseline itself ──────────────────────────────────────────────────────────────────────────────────────────


def heard(link: Link, *readings: tuple[float, float], allowed: float = 0.5, **how: bool) -> Link:
    """Return a link after readings at some seconds, with these ages."""
    kind = {"idle": True, "engaged": False} | how
    for at, age in readings:
        link = measure_link(link, age, round(at / DT), NO_LEAD, DT, allowed=allowed, **kind)
    return link


def steady(begin: float, end: float, age: float, every: float = 0.05) -> list[tuple[float, float]]:
    return [(begin + i * every, age) for i in range(round((end - begin) / every) + 1)]


def test_ten_readings_over_half_a_second_make_a_baseline() -> None:
    assert not heard(Link(), *steady(0.0, 0.45, 0.2)).measured  # ten, over less
    assert not heard(Link(), *[(i * 0.1, 0.2) for i in range(9)]).measured  # nine, over more
    link = heard(Link(), *steady(0.0, 0.5, 0.2))
    assert (link.measured, link.baseline) == (True, 0.2)
    assert heard(Link(), *[(i * 0.056, 0.2) for i in range(10)]).baseline == 0.2


def test_the_smallest_age_of_the_last_five_seconds_counts() -> None:
    link = heard(Link(), (0.0, 0.1), *steady(0.3, 4.9, 0.3))
    assert link.baseline == 0.1
    assert heard(link, *steady(4.95, 5.05, 0.3)).baseline == 0.3


def test_no_baseline_is_greater_than_the_cell_file_allows() -> None:
    assert heard(Link(), *steady(0.0, 1.0, 0.8)).baseline == 0.5
    assert heard(Link(), *steady(0.0, 1.0, 0.8), allowed=0.0).baseline == 0.0


def test_driving_is_skipped_and_loosens_nothing() -> None:
    link = heard(Link(), *steady(0.0, 1.0, 0.2))
    driven = heard(link, *steady(1.0, 20.0, 0.4), idle=False, engaged=True)
    assert driven.baseline == 0.2
    fallen = heard(driven, (20.0, 0.15), (20.1, 0.3), idle=False, engaged=True)
    assert fallen.baseline == 0.15
    # The second of idle time before counts still: driving is no time.
    assert heard(fallen, *steady(21.0, 22.0, 0.3)).baseline == 0.2


def test_nothing_older_than_a_minute_counts() -> None:
    link = heard(Link(), *steady(0.0, 1.0, 0.2))
    link = heard(link, *steady(1.0, 59.0, 0.4), idle=False, engaged=True)
    assert heard(link, (59.5, 0.3), idle=False).baseline == 0.2
    later = heard(link, (61.1, 0.3), idle=False)
    assert (later.measured, later.baseline) == (False, 0.0)


def test_the_age_that_bounds_speed_rises_at_once_and_falls_slowly() -> None:
    link = heard(Link(), (0.0, 0.1), (0.1, 0.4))
    assert link.lag == 0.4
    assert heard(link, (1.1, 0.1)).lag == pytest.approx(0.3)


# ── A cell at the other end ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def loaded() -> Cell:
    return rough_cell()


@pytest.fixture
def cell(loaded: Cell) -> Iterator[Cell]:
    before = loaded.snapshot()
    yield loaded
    loaded.restore(before)


SIDEWAYS = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("one_way", [0.0, 0.06, 0.15])
def test_an_operator_some_way_off_can_drive(cell: Cell, one_way: float) -> None:
    distant = Distant(cell, one_way)
    assert distant.go(1.0) == "idle"
    assert distant.tick.lanes["arm"].baseline == pytest.approx(2 * one_way, abs=0.01)
    assert distant.go(2.0, *SIDEWAYS) == "teleoperation"
    assert not any(code.startswith(("mode.paused", "link.press")) for code in distant.notes)
    assert distant.go(0.5 + 2 * one_way) == "idle"


def test_a_press_beside_the_robot_counts_at_once(cell: Cell) -> None:
    distant = Distant(cell, 0.0)
    distant.go(0.02)
    assert distant.go(0.1, *SIDEWAYS) == "teleoperation"


def test_a_press_while_the_link_is_being_measured_is_told_so(cell: Cell) -> None:
    distant = Distant(cell, 0.15)
    distant.go(0.4)
    assert distant.go(0.5, *SIDEWAYS) == "idle"
    assert worded(distant.notes["link.press.measuring"]) == "The delay of the link is still being measured."
    assert "lane.press" not in distant.notes
    distant.go(1.0)
    assert distant.go(0.5, *SIDEWAYS) == "teleoperation"


def test_a_link_that_is_too_slow_is_named_with_both_figures(cell: Cell) -> None:
    distant = Distant(cell, 0.4)
    distant.go(2.0)
    assert distant.go(1.0, *SIDEWAYS) == "idle"
    assert worded(distant.notes["link.press.slow"]) == (
        "The link is too slow: your input is 0.80 s old, this cell allows 0.60 s."
    )


def test_a_queue_that_grows_still_stops_the_robot(cell: Cell) -> None:
    distant = Distant(cell, 0.15)
    distant.go(1.0)
    assert distant.go(1.0, *SIDEWAYS) == "teleoperation"
    stopped = 0
    for _ in range(round(2.0 / DT)):
        distant.delay += distant.cell.number % 10 == 0  # a tenth slower than real time, each way
        distant.step(SIDEWAYS, {})
        stopped += distant.mode == "stopped"
    assert stopped
    assert worded(distant.notes["mode.paused"]).startswith("Paused: your input is 0.4")


def test_a_distant_master_that_falls_silent_is_lost_after_a_tenth_of_a_second(cell: Cell) -> None:
    distant = Distant(cell, 0.15)
    distant.go(1.0)
    distant.go(1.0, *SIDEWAYS)
    distant.under_way.clear()
    received = cell.memory["arm"].inbox.received
    while distant.mode == "teleoperation":
        distant.tick = cell.step(Inputs())
    assert (distant.tick.number - received) * DT == pytest.approx(0.1, abs=2 * DT)


def test_readings_from_outside_that_echo_no_tick_never_drive(cell: Cell) -> None:
    distant = Distant(cell, 0.0, tick=-1, arrival=Arrival(0, 1000))
    distant.go(1.0)
    assert distant.go(0.5, *SIDEWAYS) == "idle"
    assert "link.unechoed" in distant.notes
    inside = Distant(cell, 0.0, tick=-1)
    inside.sequence = distant.sequence
    inside.go(0.1)
    assert inside.go(0.5, *SIDEWAYS) == "teleoperation"


@pytest.mark.parametrize(("drawn", "mode"), [(0.4, "teleoperation"), (0.6, "idle"), (None, "teleoperation")])
def test_a_page_whose_picture_is_old_does_not_drive(cell: Cell, drawn: float | None, mode: str) -> None:
    distant = Distant(cell, 0.0)

    def go(seconds: float, *axes: float) -> None:
        for _ in range(round(seconds / DT)):
            behind = -1 if drawn is None else max(0, cell.number - round(drawn / DT))
            distant.step(axes, {"drawn": behind})

    go(2.0)
    go(0.5, *SIDEWAYS)
    assert distant.mode == mode
    assert any(code.startswith("link.press") for code in distant.notes) == (mode == "idle")


def test_a_picture_that_freezes_pauses_and_goes_on_when_it_is_back(cell: Cell) -> None:
    distant = Distant(cell, 0.0)
    distant.go(0.5)
    frozen = cell.number
    assert distant.go(0.4, *SIDEWAYS, drawn=frozen) == "teleoperation"
    for _ in range(200):
        distant.step(SIDEWAYS, {"drawn": frozen})
    assert distant.mode == "paused"
    assert "picture" in worded(distant.notes["mode.paused"])
    distant.step(SIDEWAYS, {"drawn": cell.number})
    for _ in range(20):
        distant.step(SIDEWAYS, {"drawn": cell.number})
    assert distant.mode == "teleoperation"


# ── Overrun ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("mapping", "axes"), [("base axes", SIDEWAYS), ("joints", (1.0, 0.0, 0.0, 0.0, 0.0, 0.0))])
def test_over_a_distant_link_the_tip_goes_no_faster_than_its_overrun_allows(
    cell: Cell, mapping: str, axes: tuple[float, ...]
) -> None:
    distant = Distant(cell, 0.2, mapping)
    distant.go(1.0)
    assert distant.go(1.5, *axes) == "teleoperation"
    lag = cell.memory["arm"].link.lag
    assert lag == pytest.approx(0.4, abs=0.03)
    assert 0.8 * 0.05 / lag < distant.fastest < 1.1 * 0.05 / lag
    note = distant.notes["link.slow"]
    assert "in which the tip may move 50 mm" in worded(note)
    assert note.level == "slow"


def test_a_study_may_switch_the_bound_off_and_that_is_said(cell: Cell) -> None:
    cell.step(Inputs(events=(Reconfigure("arm", "watchdog", "", {"bounded": False}),)))
    distant = Distant(cell, 0.2)
    distant.go(1.0)
    assert distant.go(1.0, *SIDEWAYS) == "teleoperation"
    assert distant.fastest > 1.5 * 0.05 / 0.4
    assert "link.slow" not in distant.notes
    assert "speed limit of distant links is off" in worded(distant.notes["link.unbounded"])


# ── Slow cells ───────────────────────────────────────────────────────────────────────────────────────────────────


def slowed(distant: Distant, factor: float, seconds: float) -> None:
    """Drive on in a cell that runs at a share of real time."""
    distant.factor = factor
    for _ in range(round(seconds / DT)):
        distant.step(SIDEWAYS, {})
    distant.factor = 1.0


@pytest.mark.parametrize(
    ("one_way", "factor", "mode"), [(0.0, 0.5, "teleoperation"), (0.0, 0.0, "paused"), (0.06, 0.5, "paused")]
)
def test_a_slow_cell_is_driven_from_beside_and_never_from_afar(
    cell: Cell, one_way: float, factor: float, mode: str
) -> None:
    distant = Distant(cell, one_way)
    distant.go(1.0)
    assert distant.go(0.5, *SIDEWAYS) == "teleoperation"
    slowed(distant, factor, 3.0)
    assert distant.mode == mode  # a pause of this kind is no loss: it never latches
    assert [note.code for note in distant.tick.notes] == ["cell.slow" if factor else "cell.slow.paused"]
    for _ in range(10):
        distant.step(SIDEWAYS, {})
    assert distant.mode == "teleoperation"


def test_a_base_on_tracks_is_bounded_by_its_own_overrun() -> None:
    asked = Demand("drive", {"base": DriveRate(1.0, 2.0)})
    bounded, notes = bound_demand(asked, 0.4, WatchdogSpec(), gauge=0.5)
    drive = bounded.motions["base"]
    assert isinstance(drive, DriveRate)
    assert drive.forward + 0.25 * drive.turn == pytest.approx(0.1 / 0.4)
    assert drive.turn == pytest.approx(2.0 * drive.forward)
    assert "in which the base may move 100 mm" in worded(notes[0])
    assert bound_demand(asked, 0.05, WatchdogSpec(), gauge=0.5) == (asked, ())
