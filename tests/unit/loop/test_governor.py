"""A computer that cannot keep up slows the cell's time, evenly and not for a hiccup; commands are never scaled."""

from itertools import pairwise

import pytest

from farhand.loop import clock
from farhand.loop.clock import WallClock
from farhand.loop.governor import LEAST_FACTOR, STRETCH_TICKS, Governor

DT = 0.002


class FakeTime:
    """Stands in for the machine's clock: sleeping moves it exactly, looking at it a little."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        self.now += 1e-7
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(clock, "time", fake)
    return fake


def run(fake: FakeTime, work: list[float], least: float = LEAST_FACTOR) -> tuple[WallClock, list[float], list[int]]:
    wall = WallClock(DT, governor=Governor(DT, least))
    factors, leads = [], []
    for seconds in work:
        wall.wait()
        factors.append(wall.time_factor)
        leads.append(wall.lead)
        fake.now += seconds
    return wall, factors, leads


def test_the_least_factor_is_that_of_the_docs() -> None:
    assert LEAST_FACTOR == 0.25


@pytest.mark.parametrize(("ticks", "factor"), [(127, 1.0), (128, 0.9), (191, 0.9), (192, 0.8)])
def test_the_factor_falls_by_a_tenth_after_two_stretches_of_64_ticks_and_with_each_one_more(
    ticks: int, factor: float
) -> None:
    governor = Governor(DT)
    for _ in range(ticks):
        governor.took(3.0 * DT)
    assert governor.factor == factor


def test_work_that_fits_changes_nothing(fake: FakeTime) -> None:
    _, factors, _ = run(fake, [0.0018] * 2000)
    assert set(factors) == {1.0}


def test_a_single_hiccup_changes_nothing(fake: FakeTime) -> None:
    _, factors, _ = run(fake, ([0.0012] * 500 + [0.3]) * 4)
    assert set(factors) == {1.0}


def test_work_that_does_not_fit_lowers_the_factor_smoothly_until_it_fits(fake: FakeTime) -> None:
    _, factors, leads = run(fake, [0.004] * 4000)
    steps = [before - after for before, after in pairwise(factors)]
    assert max(steps) <= 0.1 + 1e-9
    assert factors[-1] == pytest.approx(0.5 / 1.1, abs=0.02)
    assert set(factors[2000:]) == {factors[-1]}  # it does not waver
    assert sum(leads[2000:]) / 2000 == pytest.approx(DT * 1e3 * (1.0 / factors[-1] - 1.0), rel=0.02)


def test_the_factor_rises_slowly_again(fake: FakeTime) -> None:
    _, factors, _ = run(fake, [0.004] * 2000 + [0.0005] * 6000)
    low = factors[1999]
    risen = factors[2000:].index(1.0)
    assert risen >= STRETCH_TICKS * (1.0 - low) / 0.02 - STRETCH_TICKS
    assert factors[-1] == 1.0


def test_a_cell_that_needs_less_than_the_least_factor_pauses_and_goes_on_when_it_can(fake: FakeTime) -> None:
    _, factors, _ = run(fake, [0.012] * 2000 + [0.0005] * 500)
    assert factors[1999] == 0.0
    assert min(factor for factor in factors if factor) == LEAST_FACTOR
    assert factors[-1] >= LEAST_FACTOR


def test_a_cell_that_never_runs_slow_pauses_at_once(fake: FakeTime) -> None:
    _, factors, _ = run(fake, [0.0005] * 500 + [0.0025] * 500 + [0.0005] * 500, least=1.0)
    assert set(factors) == {1.0, 0.0}
    assert factors[999] == 0.0
    assert factors[-1] == 1.0


def test_a_clock_without_a_governor_keeps_its_factor(fake: FakeTime) -> None:
    wall = WallClock(DT)
    for _ in range(500):
        wall.wait()
        fake.now += 0.004
    assert wall.time_factor == 1.0
