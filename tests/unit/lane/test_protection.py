"""Campaigns: lost operators are noticed in time, and nothing moves without fresh enabling, however events fall."""

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from farhand.cell import Cell, CellSnapshot
from farhand.lane.motion.guard_stage import at_rest
from farhand.poses import Pose
from farhand.types import (
    Continue,
    Event,
    FollowPath,
    FreeMe,
    Generate,
    Generator,
    HoldHere,
    Inputs,
    Load,
    MoveJoints,
    MoveObject,
    Reading,
    Reconfigure,
    Reset,
    ResetObjects,
    ResetRobot,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    SwitchFeedforward,
    SwitchFilter,
    Teach,
    Trajectory,
)
from farhand_bench.enabling import Oracle, Seen, sequences
from farhand_bench.losses import KINDS, losses
from farhand_bench.rehearsal import Rehearsal


@pytest.fixture(scope="module")
def cell() -> Cell:
    return Cell.load("irb120")


def _lost(cell: Cell, count: int) -> None:
    pause, dt, kinds = cell.lanes["arm"].watchdog.pause, cell.dt, set()
    for loss in losses(cell, count):
        assert loss.began * dt <= pause + dt * (1.0 + 1e-9)
        assert loss.took <= loss.needed + 2.0 * dt
        kinds.add(loss.kind)
    assert kinds == set(KINDS)


def test_after_every_loss_it_brakes_in_time_and_comes_to_rest(cell: Cell) -> None:
    _lost(cell, 60)


@pytest.mark.slow
def test_after_ten_thousand_losses_too(cell: Cell) -> None:
    _lost(cell, 10_000)


def test_nothing_moves_that_nobody_enabled(cell: Cell) -> None:
    assert sequences(cell, 400, seed=1) == []


@pytest.mark.slow
def test_nothing_moves_that_nobody_enabled_in_a_hundred_thousand_stories(cell: Cell) -> None:
    assert sequences(cell, 100_000, seed=2) == []


def test_what_is_asked_while_a_stop_is_carried_out_moves_nothing_after_it(cell: Cell) -> None:
    """Who resets and presses while the arm still brakes, and lets go as it comes to rest, has moved nothing."""
    stage = Rehearsal(cell)
    stage.step(Reading(sequence=1), (SelectMapping("arm", "base axes"), SetSpeed("arm", 5)))
    for sequence in range(2, 300):
        stage.step(Reading(sequence=sequence, deadman=True, axes=(0.0, 0.0, 1.0)))
    stage.step(Reading(sequence=300), (Stop(),))
    stage.step(Reading(sequence=301), (Reset("arm"),))
    sequence, pressed = 302, 0
    while not at_rest(stage.arm):
        report = stage.step(Reading(sequence=sequence, deadman=True, axes=(0.0, 1.0, 0.0)))
        sequence, pressed = sequence + 1, pressed + (report.mode == "teleoperation")
    assert pressed > 3
    for later in range(50):
        report = stage.step(Reading(sequence=sequence + later))
        assert report.mode == "idle"
        assert at_rest(stage.arm)


# ── The whole cell, with every event there is ────────────────────────────────────────────────────────────────────

WAY = Trajectory("way", ((0.1,) * 6, (0.3,) * 6))
EVENTS: list[Event] = [
    Stop(),
    *(Reset("arm"), Reset()),
    MoveJoints("arm", (0.2,) * 6),
    FollowPath("arm", WAY),
    FreeMe("arm"),
    *(Continue("arm"),) * 2,
    HoldHere("arm"),
    SetSpeed("arm", 5),
    SetScale("arm", 0.2),
    SelectMapping("arm", "joints"),
    SelectMapping("arm", "pointer"),
    Reconfigure("arm", "filter", "smooth", {"speed": 0.2}),
    Reconfigure("arm", "filter", "smooth", {"speed": 0.9}),
    Reconfigure("arm", "filter", "workspace"),
    Reconfigure("arm", "speeds", settings={"values": [0.1, 0.5]}),
    Reconfigure("arm", "speeds"),
    Reconfigure("arm", "mapping", "joints", {"share": 0.9}),
    Teach("arm", "record"),
    Teach("arm", "point"),
    Teach("arm", "finish", "way"),
    Teach("arm", "discard"),
    ResetRobot("arm"),
    ResetObjects(),
    MoveObject("cube", Pose((0.4, 0.1, 0.8))),
    Load("arm", (0.0, 5.0, -10.0)),
    SwitchFilter("arm", "smooth", on=False),
    SwitchFeedforward("arm", on=False),
    Generate("arm", Generator(0, "constant", 1.0)),
]
ONCE: dict[str, tuple[Cell, CellSnapshot]] = {}


class Restless(RuleBasedStateMachine):
    """An operator, a line and a device that do whatever can be done, against an oracle that knows who may move."""

    @initialize()
    def begin(self) -> None:
        if not ONCE:
            fresh = Cell.load("irb120")
            ONCE["cell"] = fresh, fresh.snapshot()
        self.cell, start = ONCE["cell"]
        self.cell.restore(start)
        self.oracle = Oracle(self.cell.lanes["arm"].watchdog.pause, self.cell.dt)
        self.sequence = self.presses = self.epoch = 0

    def step(self, reading: Reading | None = None, *events: Event) -> None:
        tick = self.cell.number + 1
        report = self.cell.step(Inputs({"hand": reading} if reading else {}, events)).lanes["arm"]
        assert self.oracle.problem(tick, reading, events, Seen.of(report)) == ""

    def reading(self, **fields: Any) -> Reading:
        self.sequence += 1
        presses = {"deadman": self.presses}
        return Reading(sequence=self.sequence, epoch=self.epoch, tick=self.cell.number, presses=presses, **fields)

    @rule(held=st.booleans(), axis=st.sampled_from([0.0, 0.5, -1.0]), ticks=st.integers(1, 6))
    def hold(self, held: bool, axis: float, ticks: int) -> None:
        for _ in range(ticks):
            self.step(self.reading(deadman=held, axes=(axis, axis)))

    @rule()
    def press_again(self) -> None:
        self.presses += 1
        self.step(self.reading(deadman=True, axes=(1.0,)))

    @rule(event=st.sampled_from(EVENTS), held=st.booleans())
    def happen(self, event: Event, held: bool) -> None:
        self.step(self.reading(deadman=held, axes=(1.0,)), event)

    @rule(ticks=st.sampled_from([1, 20, 60]), event=st.sampled_from([None, *EVENTS[:8]]))
    def lose(self, ticks: int, event: Event | None) -> None:
        for _ in range(ticks):
            self.step()
        self.step(None, *([event] if event else []))

    @rule()
    def change_hands(self) -> None:
        self.epoch += 1
        self.step(self.reading(deadman=True, axes=(1.0,)))

    @rule(back=st.integers(0, 3), echo=st.integers(0, 80))
    def repeat(self, back: int, echo: int) -> None:
        tick = max(0, self.cell.number - echo)
        reading = Reading(sequence=self.sequence - back, epoch=self.epoch, tick=tick, deadman=True, axes=(1.0,))
        self.step(reading)

    @rule()
    def break_down(self) -> None:
        self.step(self.reading(deadman=True, axes=(float("nan"),)))


TestRestless = Restless.TestCase
TestRestless.settings = settings(max_examples=150, stateful_step_count=25, deadline=None)
