"""Clocks and the loop, without measuring real time."""

from pathlib import Path

import pytest

from farhand.cell import Cell, CellSpec, RobotSpec
from farhand.errors import CommandError, UnknownNameError
from farhand.loop import Pace, Run, VirtualClock, WallClock, clock
from farhand.loop.run import total_wrench
from farhand.masters import Manual
from farhand.types import Inputs, Stop, Tick, Wrench


class FakeTime:
    """Stands in for the machine's clock: sleeping moves it exactly, looking at it a little."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, 0.0

    def perf_counter(self) -> float:
        self.now += 1e-7
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(clock, "time", fake)
    return fake


def run(wall: WallClock, fake: FakeTime, work: list[float]) -> Pace:
    for seconds in work:
        wall.wait()
        fake.now += seconds
    wall.rest()
    return wall.pace()


def test_a_wall_clock_keeps_the_rate_whatever_the_work(fake: FakeTime) -> None:
    pace = run(WallClock(0.002), fake, [0.0005, 0.0015] * 500)
    assert pace.ticks == 1000
    assert pace.real_time_factor == pytest.approx(1.0, rel=1e-3)
    assert pace.work_median == pytest.approx(0.001, abs=6e-4)
    assert pace.late_p99 < 1e-5
    assert pace.on_time == 1.0
    assert pace.lost == 0


def test_the_lead_of_wall_time_enters_the_tick_in_whole_milliseconds(fake: FakeTime) -> None:
    cell, seen = Cell.load("irb120"), []
    wall, begun = WallClock(cell.dt), fake.now
    run = Run(cell, {}, wall, [lambda inputs, _: seen.append(inputs.wall_lead)])
    for slept in (0.0, 0.0125, 3.0, 0.0):
        wall.wait()
        run.tick()
        fake.now += slept
    wall.wait()
    run.tick()
    # Late by 10.5 ms, then on time again: the clock catches up. Time lost for good is not caught up; no part is lost.
    assert seen[:3] == [0, 0, 10]
    assert seen[3] == pytest.approx(2998, abs=2)
    assert sum(seen) == pytest.approx(round((fake.now - begun) * 1e3 - 4 * 2), abs=1)


def test_a_short_hiccup_is_caught_up(fake: FakeTime) -> None:
    pace = run(WallClock(0.002), fake, [0.0005] * 100 + [0.02] + [0.0005] * 100)
    assert pace.lost == 0
    assert pace.real_time_factor == pytest.approx(1.0, rel=0.01)
    assert pace.on_time < 1.0


def test_a_long_stall_is_given_up_not_run_after_in_fast_motion(fake: FakeTime) -> None:
    pace = run(WallClock(0.002), fake, [0.0005] * 100 + [1.0] + [0.0005] * 100)
    assert pace.lost == pytest.approx(499, abs=2)
    assert pace.real_time_factor < 0.5


def test_half_speed_takes_twice_as_long(fake: FakeTime) -> None:
    assert run(WallClock(0.002, factor=0.5), fake, [0.0] * 100).real_time_factor == pytest.approx(0.5, rel=0.02)


def test_virtual_time_never_waits(fake: FakeTime) -> None:
    virtual = VirtualClock(0.002)
    for _ in range(50):
        virtual.wait()
    assert fake.slept == 0.0
    assert virtual.pace().ticks == 49
    virtual.rest()
    assert virtual.pace().ticks == 50


def test_a_rest_is_no_lateness(fake: FakeTime) -> None:
    wall = WallClock(0.002)
    run(wall, fake, [0.0005] * 100)
    fake.now += 60.0
    pace = run(wall, fake, [0.0005] * 100)
    assert pace.ticks == 200
    assert pace.lost == 0
    assert pace.real_time_factor == pytest.approx(1.0, rel=0.02)


def test_a_pace_of_nothing_is_empty() -> None:
    assert VirtualClock(0.002).pace().ticks == 0


def test_the_loop_hands_inputs_and_ticks_to_listeners() -> None:
    seen: list[tuple[Inputs, Tick]] = []

    def listen(inputs: Inputs, tick: Tick) -> None:
        seen.append((inputs, tick))

    loop = Run(Cell.load("irb120"), {"hand": Manual()}, listeners=[listen])
    loop.send(Stop(reason="because"))
    last = loop.run(0.02)
    assert [tick.number for _, tick in seen] == list(range(1, 11))
    assert last is seen[-1][1]
    assert seen[0][0].events == (Stop(reason="because"),)
    assert all("hand" in inputs.readings for inputs, _ in seen)
    # Masters echo the newest tick they could have seen.
    assert [inputs.readings["hand"].tick for inputs, _ in seen] == list(range(10))


def test_replaying_recorded_inputs_gives_the_same_ticks() -> None:
    seen: list[tuple[Inputs, Tick]] = []
    hand = Manual()
    loop = Run(Cell.load("irb120"), {"hand": hand}, listeners=[lambda i, t: seen.append((i, t))])
    loop.run(0.1)
    hand.set(deadman=True, axes=(0.5, -0.5))
    loop.run(0.3)
    again = Cell.load("irb120")
    assert [again.step(inputs) for inputs, _ in seen] == [tick for _, tick in seen]


def test_a_master_of_two_robots_drives_and_feels_both() -> None:
    robots = {name: RobotSpec(model="irb120", position=(0.0, y, 0.0)) for name, y in (("left", 0.0), ("right", 2.0))}
    hand = Manual()
    loop = Run(Cell(CellSpec(name="two", robots=robots), Path("two.toml")), {"hand": hand})
    loop.run(0.05)
    hand.set(deadman=True, axes=(1.0,))
    state = loop.run(0.5).state
    turned = [robot.groups["arm"].positions[0] for robot in state.robots.values()]
    assert min(turned) > 0.05
    assert turned[0] == pytest.approx(turned[1], abs=1e-9)
    one, other = Wrench((1.0, 0.0, 0.0), (0.5, 0.0, 0.0)), Wrench((0.0, 2.0, 0.0), (0.5, 0.0, 1.0))
    assert total_wrench([one, other]) == Wrench((1.0, 2.0, 0.0), (1.0, 0.0, 1.0))
    assert total_wrench([]) == Wrench()


def test_what_is_no_event_or_no_master_is_refused_at_once() -> None:
    cell = Cell.load("irb120")
    with pytest.raises(UnknownNameError, match=r"no master is called 'hnad' \(did you mean 'hand'\?\)"):
        Run(cell, {"hnad": Manual()})
    loop = Run(cell, {"hand": Manual()})
    for nothing in (Stop, "stop", None):
        with pytest.raises(CommandError, match="is not an event"):
            loop.send(nothing)  # type: ignore[arg-type] # on purpose


def test_a_new_hand_takes_over_from_an_older_one() -> None:
    cell = Cell.load("irb120")
    Run(cell, {"hand": Manual()}).run(0.5)
    hand = Manual()
    loop = Run(cell, {"hand": hand})
    loop.tick()
    hand.set(deadman=True, axes=(0.5,))
    assert loop.run(0.2).lanes["arm"].mode == "teleoperation"


def test_a_run_may_end_on_a_condition() -> None:
    tick = Run(Cell.load("irb120"), {}).run(5.0, until=lambda t: t.number == 7)
    assert tick.number == 7
