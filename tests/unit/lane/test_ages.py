"""The one rule of time: what guards a robot counts the greater of ticks and wall time, and a record repeats it."""

from typing import Any

import msgspec
import pytest
from hands import rough_cell
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell
from farhand.lane.intake import ages
from farhand.lane.intake.ages import HISTORY_S, NO_LEAD, SPREAD_MS, add_lead, between, echo_age, elapsed, judge_gap
from farhand.types import Arrival, Inputs, Note, Reading, Tick

DT = 0.002
SLOW = 0.3
MASTER = "hand"


def test_constants_are_those_of_the_docs() -> None:
    assert HISTORY_S == 2.0


# ── Leads ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_seconds_are_the_greater_of_ticks_and_wall_time() -> None:
    assert ages.seconds(50, 0, DT) == pytest.approx(0.1)
    assert ages.seconds(50, 300, DT) == pytest.approx(0.4)
    assert ages.seconds(50, -300, DT) == pytest.approx(0.1)


@given(st.lists(st.sampled_from([0, 0, 0, 1, -1, 4, 5, -2, 30, 700]), min_size=1, max_size=400), st.data())
def test_no_age_is_too_young_and_none_is_much_too_old(leads: list[int], data: st.DataObject) -> None:
    wall, totals = NO_LEAD, [0]
    for tick, lead in enumerate(leads, 1):
        wall = add_lead(wall, lead, tick, DT)
        totals.append(totals[-1] + lead)
    now = len(leads)
    since = data.draw(st.integers(0, now))
    true = ages.seconds(now - since, totals[now] - totals[since], DT)
    counted = elapsed(wall, since, now, DT)
    if true <= HISTORY_S:
        assert true - 1e-9 <= counted <= true + SPREAD_MS * 1e-3 + 1e-9
    else:
        assert counted >= HISTORY_S
    last = data.draw(st.integers(since, now))
    true = ages.seconds(last - since, totals[last] - totals[since], DT)
    assert between(wall, since, last, DT) <= true + 1e-9 or elapsed(wall, since, now, DT) >= HISTORY_S


def test_the_history_of_a_slow_cell_stays_small() -> None:
    wall = NO_LEAD
    for tick in range(1, 5000):
        wall = add_lead(wall, 5, tick, DT)
    assert len(wall.stretches) <= HISTORY_S / 0.007 + 2


def test_a_cell_in_virtual_time_has_no_history() -> None:
    assert add_lead(NO_LEAD, 0, 1, DT) is NO_LEAD
    assert echo_age(NO_LEAD, 10, 11, DT) == 0.0
    assert echo_age(NO_LEAD, 10, 61, DT) == pytest.approx(0.1)


JUDGED = [
    (3000, None, "there"),  # made in the cell's own process
    (3000, Arrival(99, 2900), "there"),
    (3000, Arrival(100, 2900), "open"),  # it is from during the gap: a newer one may follow
    (3000, Arrival(99, 2899), "gone"),  # its page had a gap of its own
    (3000, Arrival(-1, 9000), "gone"),
]


@pytest.mark.parametrize(("gap", "arrival", "verdict"), JUDGED)
def test_a_gap_of_the_cell_is_forgiven_if_its_operator_was_there_all_along(
    gap: int, arrival: Arrival | None, verdict: str
) -> None:
    assert judge_gap(gap, arrival, 0.1) == verdict


# ── A cell whose time is told ────────────────────────────────────────────────────────────────────────────────────


class Slow:
    """A driven cell at a share of real time, with a master that reads 60 times a second of the wall."""

    def __init__(self, cell: Cell, factor: float = SLOW, phase: float = 0.0) -> None:
        self.cell, self.factor, self.log = cell, factor, list[Inputs]()
        self.lead_exact, self.phase, self.due, self.sequence = phase, phase, 0.0, cell.number
        self.wall = 0.0  # seconds
        self.tick = self.step(held=False)
        self.tick = self.step(held=True)

    def step(self, *, held: bool | None = True, lead: int = 0, time_factor: float = 1.0) -> Tick:
        """Do a tick, with a reading if one is due and somebody is there."""
        passed = self.cell.dt / self.factor
        self.wall += passed + lead * 1e-3
        self.lead_exact += (passed - self.cell.dt) * 1e3
        whole = int(self.lead_exact)
        self.lead_exact -= whole
        readings = {}
        if held is not None and (self.wall >= self.due or self.sequence < self.cell.number + 2 or lead):
            self.due = self.wall + 1 / 60
            self.sequence += 1
            fields: dict[str, Any] = {"sequence": self.sequence, "tick": self.cell.number, "deadman": held}
            readings[MASTER] = Reading(axes=(0.2,) + (0.0,) * 5, **fields)
        inputs = Inputs(readings, wall_lead=whole + lead, time_factor=time_factor)
        self.log.append(inputs)
        self.tick = self.cell.step(inputs)
        return self.tick

    def until(self, seconds: float, *, held: bool | None) -> str:
        end = self.wall + seconds
        while self.wall < end:
            self.step(held=held)
        return self.mode

    @property
    def mode(self) -> str:
        return self.tick.lanes["arm"].mode

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.tick.lanes["arm"].notes


@pytest.fixture(scope="module")
def loaded() -> Cell:
    return rough_cell()


@pytest.fixture
def cell(loaded: Cell) -> Any:
    before = loaded.snapshot()
    yield loaded
    loaded.restore(before)


@pytest.mark.parametrize("factor", [1.0, SLOW])
def test_a_silent_master_pauses_the_arm_within_a_tenth_of_a_second_of_the_wall(cell: Cell, factor: float) -> None:
    slow = Slow(cell, factor)
    assert slow.until(0.5, held=True) == "teleoperation"
    last = slow.wall
    while slow.mode == "teleoperation":
        slow.step(held=None)
    assert slow.wall - last <= 0.1 + 2 * cell.dt / factor + SPREAD_MS * 1e-3
    paused = slow.wall
    while slow.mode == "paused":
        slow.step(held=None)
    assert slow.mode == "stopped"
    assert slow.wall - paused == pytest.approx(1.0, abs=2 * cell.dt / factor)


def test_a_silence_of_1_6_s_at_0_3_of_real_time_ends_latched_100_of_100(cell: Cell) -> None:
    before, latched = cell.snapshot(), 0
    for phase in range(100):
        cell.restore(before)
        slow = Slow(cell, phase=phase / 100)
        slow.until(0.02 + phase * 0.0003, held=True)
        assert slow.mode == "teleoperation"
        while slow.mode in ("teleoperation", "paused"):
            slow.step(held=None)
        silent = slow.mode
        latched += silent == slow.step(held=True).lanes["arm"].mode == "stopped" and slow.wall < 1.6
    assert latched == 100


def test_an_echo_is_aged_by_the_wall(cell: Cell) -> None:
    """Ten ticks of a cell at 0.1 of real time are 0.2 s: a reading that echoes a tick before them is not fresh."""
    slow = Slow(cell, 1.0)
    slow.until(0.1, held=True)
    seen = cell.number
    for i in range(10):
        reading = Reading(sequence=10_000 + i, tick=seen, deadman=True, axes=(0.2,) + (0.0,) * 5)
        tick = cell.step(Inputs({MASTER: reading}, wall_lead=18))
    assert tick.lanes["arm"].mode == "paused"
    assert tick.lanes["arm"].age == pytest.approx(0.18, abs=0.003)


def test_a_gap_of_the_cell_whose_operator_was_there_goes_on_and_another_does_not(cell: Cell) -> None:
    before = cell.snapshot()
    for lead, arrivals, modes in (
        (3000, (Arrival(20, 2990), Arrival(0, 3000)), ("paused", "teleoperation")),
        (3000, (Arrival(2000, 500), Arrival(0, 3000)), ("paused", "teleoperation")),
        (3000, (Arrival(0, 500), Arrival(0, 502)), ("stopped", "stopped")),
        (3000, (Arrival(-1), Arrival(-1)), ("stopped", "stopped")),
        (500, (Arrival(0, 200), Arrival(0, 202)), ("paused", "paused")),
        (500, (None, None), ("paused", "teleoperation")),
    ):
        cell.restore(before)
        slow = Slow(cell, 1.0)
        slow.until(0.1, held=True)
        seen = cell.number - 5  # what it echoes is from before the gap
        reading = Reading(sequence=10_000, tick=seen, deadman=True, axes=(0.2,) + (0.0,) * 5, arrival=arrivals[0])
        first = cell.step(Inputs({MASTER: reading}, wall_lead=lead)).lanes["arm"]
        again = replace(reading, sequence=10_001, tick=seen + 1, arrival=arrivals[1])
        second = cell.step(Inputs({MASTER: again})).lanes["arm"]
        assert (first.mode, second.mode) == modes, (lead, arrivals)
        text = f"this computer was too busy for {lead * 1e-3:.1f} s."
        assert any(text in worded(note) for note in first.notes)


def test_a_gap_of_the_page_is_always_a_pause(cell: Cell) -> None:
    slow = Slow(cell, 1.0)
    slow.until(0.1, held=True)
    tick = cell.step(Inputs(wall_lead=150))
    assert tick.lanes["arm"].mode == "paused"


def repeated(cell: Cell, before: Any, record: list[bytes]) -> list[Tick]:
    """Return the ticks that a record makes."""
    cell.restore(before)
    return [cell.step(msgspec.msgpack.decode(each, type=Inputs)) for each in record]


def modes(ticks: list[Tick]) -> list[str]:
    return [tick.lanes["arm"].mode for tick in ticks]


def test_a_record_of_inputs_repeats_the_ticks_to_the_bit(cell: Cell) -> None:
    before = cell.snapshot()
    slow = Slow(cell)
    ticks = [slow.step(lead=(i == 30) * 150) for i in range(80)]
    ticks += [slow.step(time_factor=0.9 - 0.01 * i) for i in range(60)]
    ticks += [slow.step(time_factor=0.0) for _ in range(30)]
    ticks += [slow.step() for _ in range(40)]
    ticks += [slow.step(held=None) for _ in range(60)]
    record = [msgspec.msgpack.encode(inputs) for inputs in slow.log]
    again = repeated(cell, before, record)
    assert again[2:] == ticks
    for left_out in (b"wall_lead", b"time_factor"):
        assert left_out not in msgspec.msgpack.encode(Inputs())
    # Each of the two is needed: without it the same readings make other ticks.
    for bare in (
        [replace(inputs, wall_lead=0) for inputs in slow.log],
        [replace(i, time_factor=1.0) for i in slow.log],
    ):
        assert modes(repeated(cell, before, [msgspec.msgpack.encode(inputs) for inputs in bare])) != modes(again)
