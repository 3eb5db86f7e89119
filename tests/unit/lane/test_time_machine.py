"""Whatever a machine, a link and a hand do in whatever order: the one rule of time holds, judged by true wall time."""

from typing import Any

from hands import rough_cell
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from farhand.cell import Cell
from farhand.lane.intake.ages import SPREAD_MS
from farhand.types import Arrival, Inputs, Reading, Reset, SelectMapping

AXES = (0.2, 0.0, 0.0, 0.0, 0.0, 0.0)
ENGAGED = ("teleoperation", "autonomous", "paused")
PAUSE, STOP, ALLOWED = 0.1, 1.0, 0.5
SLACK = SPREAD_MS * 1e-3 + 1e-3  # seconds: a stretch of the history, and a whole millisecond


class TimeMachine(RuleBasedStateMachine):
    """A cell at any pace, and an operator at any distance who holds a key, lets go, or falls silent."""

    cell: Cell

    def __init__(self) -> None:
        super().__init__()
        self.start = self.cell.snapshot()
        self.wall, self.ahead, self.excused = 0.0, 0.0, 0.0
        self.starts: dict[int, float] = {}  # true time of each tick, gaps with their operator there left out
        self.sequence, self.presses, self.held, self.delay, self.factor = 0, 0, False, 0, 1.0
        self.received, self.echoed, self.mode, self.baseline = -1.0, -1, "idle", 0.0
        self.pressed_at = -1.0
        self.lost_since = -1.0  # true time since which nothing was received while engaged
        self.pending: list[tuple[float, Reading]] = []

    def teardown(self) -> None:
        self.cell.restore(self.start)

    @initialize()
    def begin(self) -> None:
        self.tick(SelectMapping("arm", "joints"))

    @rule(seconds=st.sampled_from([0.02, 0.3, 0.8]))
    def go_on(self, seconds: float) -> None:
        end = self.wall + seconds
        while self.wall < end:
            self.say()
            self.tick()

    @rule(seconds=st.sampled_from([0.05, 0.12, 0.6, 1.2]))
    def fall_silent(self, seconds: float) -> None:
        end = self.wall + seconds
        while self.wall < end:
            self.tick()

    @rule(factor=st.sampled_from([1.0, 1.0, 0.7, 0.3]))
    def change_pace(self, factor: float) -> None:
        self.factor = factor

    @rule(delay=st.sampled_from([0, 0, 10, 60, 100, 250]))
    def change_distance(self, delay: int) -> None:
        self.delay = delay

    @rule()
    def press(self) -> None:
        if not self.held:
            self.held, self.presses = True, self.presses + 1

    @rule()
    def let_go(self) -> None:
        self.held = False

    @rule()
    def reset(self) -> None:
        self.say()
        self.tick(Reset("arm"))

    @rule(gap=st.sampled_from([0.06, 0.15, 0.7, 2.0]), there=st.booleans())
    def stand_still(self, gap: float, *, there: bool) -> None:
        """The cell's process is held up; its operator is there all along, or nobody can tell."""
        self.say(Arrival(5, round(gap * 1e3) + 50) if there else Arrival(-1))
        self.tick(gap=gap, there=there)

    # ── One tick ─────────────────────────────────────────────────────────────────────────────────────────────────

    def say(self, arrival: Arrival | None = None) -> None:
        seen = self.cell.number - self.delay
        if seen < 0:
            return
        self.sequence += 1
        fields: dict[str, Any] = {
            "sequence": self.sequence,
            "tick": seen,
            "deadman": self.held,
            "presses": {"deadman": self.presses},
        }
        self.pending.append((self.wall, Reading(axes=AXES, arrival=arrival or Arrival(0, 10_000), **fields)))

    def tick(self, event: Reset | SelectMapping | None = None, gap: float = 0.0, *, there: bool = False) -> None:
        dt = self.cell.dt
        passed = dt / self.factor + gap
        self.wall += passed
        self.ahead += (passed - dt) * 1e3
        lead = int(self.ahead)
        self.ahead -= lead
        readings = {"hand": self.pending[-1][1]} if self.pending else {}
        self.pending.clear()
        engaged = self.mode in ENGAGED
        if gap > PAUSE and there and readings and engaged:
            self.excused += lead * 1e-3
        time = self.wall - self.excused
        number = self.cell.number + 1
        self.starts[number] = time
        report = self.cell.step(Inputs(readings, (event,) if event else (), lead)).lanes["arm"]
        if readings:
            reading = readings["hand"]
            self.received, self.echoed = time, reading.tick
        self.was, self.mode = self.mode, report.mode
        self.before, self.baseline = self.baseline, report.baseline
        if engaged and self.mode in ENGAGED:
            assert self.baseline <= self.before + 1e-9, "a baseline rose while engaged"
        self.judge(time, number)

    def judge(self, time: float, number: int) -> None:
        assert 0.0 <= self.baseline <= ALLOWED
        if self.mode != "teleoperation":
            return
        assert time - self.received <= PAUSE + SLACK, "driven without input"
        seen = self.starts.get(self.echoed + 1, 0.0)
        ticks = (number - self.echoed - 1) * self.cell.dt
        assert max(time - seen, ticks) <= self.baseline + PAUSE + SLACK, "driven by old input"
        assert self.held or self.was == "teleoperation" or self.delay

    @invariant()
    def a_silence_of_longer_than_a_pause_is_latched(self) -> None:
        silent = self.wall - self.excused - self.received
        if self.received >= 0.0 and silent > PAUSE + STOP + 0.05:
            assert self.mode not in ("teleoperation", "paused")


def test_the_one_rule_of_time_holds_in_any_order() -> None:
    TimeMachine.cell = rough_cell()
    run_state_machine_as_test(TimeMachine, settings=settings(max_examples=12, stateful_step_count=20, deadline=None))
