"""The numbers of lanes that the docs promise, one by one: docs/time.md, docs/modes.md, docs/cells.md.

| number | of |
|---|---|
| 100 ms, at most 200 ms | silence until a driven robot pauses |
| 1 s, at most 1 s | in a pause until it is a latched stop |
| 0.1 s | that the cell itself stood still until it pauses |
| 1.1 s | of that until it stops, unless its operator was there |
| 0.5 s, at most 1 s | of delay of a link that the watchdog makes allowance for |
| 10 readings over 0.5 s of the last 5 s of idle time, none older than 60 s | to measure that delay |
| 0.5 s | by which the picture may be older than that |
| 100 ms, 50 mm, 100 mm | of age, above which tip and base may overrun so far |
| 100 ms | of delay, above which a cell that runs slow is not driven |
| 3 s, at most 60 s | to power up |
| 20 m/s | of a hand, above which its tracking is lost |
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec.structs import replace

from farhand.config import ConfigError, convert
from farhand.lane.intake import ages
from farhand.lane.intake.inbox import Inbox, receive
from farhand.lane.intake.link_notes import why_slow
from farhand.lane.intake.link_timing import pass_time
from farhand.lane.intake.presence import MAX_HAND_SPEED_MPS, presence
from farhand.lane.memory import LaneMemory
from farhand.lane.modes.mode_machine import ModeMemory, ModeSignals, PowerSpec, WatchdogSpec, advance, may_move
from farhand.lane.motion.overrun import is_bounded
from farhand.lane.motion.servo_stage import ServoMemory
from farhand.poses import Pose
from farhand.types import Arrival, Mode, Note, Reading

DT = 0.002
DRIVING = ModeMemory("teleoperation")
JUST = 1e-9  # a little more, or less


def driven() -> LaneMemory:
    """Return the memory of a lane that is driven."""
    return LaneMemory(DRIVING, Inbox(), "jog", None, 1, None, (), ServoMemory(), {})


def after(memory: ModeMemory, **signals: Any) -> Mode:
    """Return the mode one tick on, of a hand that holds on and is heard."""
    now = ModeSignals(**{"held": True, "pressed": False, "age": 0.0, **signals})
    return advance(memory, now, WatchdogSpec(), DT).mode


# ── Watchdog ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("age", "mode"), [(0.1, "teleoperation"), (0.1 + JUST, "paused")])
def test_a_driven_robot_pauses_after_100_ms_of_silence(age: float, mode: Mode) -> None:
    assert after(DRIVING, age=age) == mode


@pytest.mark.parametrize(("age", "mode"), [(0.1, "autonomous"), (0.1 + JUST, "paused")])
def test_so_does_one_that_moves_by_itself(age: float, mode: Mode) -> None:
    assert after(ModeMemory("autonomous"), age=age) == mode


@pytest.mark.parametrize(("age", "mode"), [(0.1, "teleoperation"), (0.1 + JUST, "idle")])
def test_a_press_counts_while_its_reading_is_at_most_100_ms_old(age: float, mode: Mode) -> None:
    assert after(ModeMemory(), pressed=True, age=age) == mode


@pytest.mark.parametrize(("age", "why"), [(0.1, None), (0.1 + JUST, Note("move.absent"))])
def test_a_move_starts_for_an_operator_who_was_heard_100_ms_ago(age: float, why: Note | None) -> None:
    assert may_move(ModeMemory(), ModeSignals(held=False, pressed=False, age=age), WatchdogSpec()) == why


def test_a_pause_becomes_a_latched_stop_after_one_second() -> None:
    memory, ticks = ModeMemory("paused", paused="teleoperation"), 0
    while memory.mode == "paused" and ticks < 1000:
        memory = advance(memory, ModeSignals(held=True, pressed=False, age=0.5), WatchdogSpec(), DT)
        ticks += 1
    assert memory.mode == "stopped"
    assert ticks * DT == pytest.approx(1.0, abs=2 * DT)


def test_the_pauses_second_counts_by_the_wall_too() -> None:
    lost = ModeSignals(held=True, pressed=False, age=0.5)
    for lead, mode in ((999, "paused"), (1000, "stopped")):
        memory = ModeMemory("paused", paused="teleoperation", lead=lead)
        assert advance(memory, lost, WatchdogSpec(), DT).mode == mode


@pytest.mark.parametrize(("seconds", "mode"), [(0.1, "teleoperation"), (0.1 + JUST, "paused")])
def test_a_cell_that_stood_still_for_100_ms_pauses(seconds: float, mode: Mode) -> None:
    assert after(DRIVING, held_up=seconds) == mode


@pytest.mark.parametrize(("milliseconds", "stops"), [(1100, False), (1101, True)])
def test_a_cell_that_stood_still_for_1_1_s_stops_unless_its_operator_was_there(
    milliseconds: int, *, stops: bool
) -> None:
    memory = driven()
    for arrival, stopped in ((Arrival(waited=-1), stops), (Arrival(0, milliseconds), False)):
        inbox = receive(Inbox(), Reading(deadman=True, arrival=arrival), 10)
        assert (pass_time(milliseconds, inbox, 10, memory, WatchdogSpec(), DT)[2] is not None) == stopped


@pytest.mark.parametrize(
    "given",
    [
        {"pause": 0.2},
        {"pause": 0.01},
        {"stop": 1.0},
        {"stop": 0.0},
        {"baseline": 1.0},
        {"baseline": 0.0},
        {"tip_overrun": 1.0},
        {"tip_overrun": JUST},
        {"base_overrun": 1.0},
        {"base_overrun": JUST},
    ],
)
def test_a_watchdog_may_be_stricter_and_wait_for_200_ms_at_most(given: dict[str, Any]) -> None:
    assert convert(given, WatchdogSpec) == WatchdogSpec(**given)


@pytest.mark.parametrize(
    "given",
    [
        {"pause": 0.2 + JUST},
        {"pause": 0.01 - JUST},
        {"stop": 1.0 + JUST},
        {"stop": -JUST},
        {"baseline": 1.0 + JUST},
        {"baseline": -JUST},
        {"tip_overrun": 1.0 + JUST},
        {"tip_overrun": 0.0},
        {"base_overrun": 1.0 + JUST},
        {"base_overrun": 0.0},
    ],
)
def test_a_watchdog_cannot_be_slower_or_switched_off(given: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        convert(given, WatchdogSpec)


def test_power_takes_three_seconds_to_come() -> None:
    assert PowerSpec().seconds == 3.0
    assert convert({"seconds": 60.0}, PowerSpec).seconds == 60.0
    assert convert({"seconds": 0.0}, PowerSpec).seconds == 0.0
    for seconds in (60.1, -0.1):
        with pytest.raises(ConfigError):
            convert({"seconds": seconds}, PowerSpec)


def test_a_link_is_allowed_for_as_documented() -> None:
    spec = WatchdogSpec()
    assert (spec.baseline, spec.tip_overrun, spec.base_overrun, spec.bounded) == (0.5, 0.05, 0.1, True)
    assert (ages.MEASURED_READINGS, ages.MEASURED_OVER_S, ages.IDLE_S, ages.OLDEST_S) == (10, 0.5, 5.0, 60.0)
    assert (ages.DISTANT_S, ages.DRAWN_S, ages.LAG_FALL) == (0.1, 0.5, 0.1)


@pytest.mark.parametrize(("seconds", "distant"), [(0.1, False), (0.1 + JUST, True)])
def test_a_link_is_distant_above_100_ms(seconds: float, *, distant: bool) -> None:
    memory = replace(driven(), link=ages.Link(lag=seconds))
    assert is_bounded(memory, WatchdogSpec()) == distant
    assert bool(why_slow(0.99, ages.Link(baseline=seconds))) == distant


# ── Readings ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("step", "jumps"), [(20.0 * DT, False), (20.0 * DT + JUST, True)])
def test_no_hand_is_faster_than_20_metres_a_second(step: float, *, jumps: bool) -> None:
    assert MAX_HAND_SPEED_MPS == 20.0
    readings = [Reading(sequence=i, deadman=True, pose=Pose((i * step, 0.0, 0.0))) for i in (0, 1)]
    before = receive(Inbox(), readings[0], 10)
    now = receive(before, readings[1], 11)
    assert (presence("hand", None, before, now, 11, DT) is not None) == jumps


@pytest.mark.parametrize("axis", [1.0, -1.0])
def test_a_deflection_is_at_most_one(axis: float) -> None:
    assert receive(Inbox(), Reading(axes=(axis,)), 1).bad is None
    assert receive(Inbox(), Reading(axes=(math.nextafter(axis, 2 * axis),)), 1).bad


@pytest.mark.parametrize(("grip", "beyond"), [(0.0, -JUST), (1.0, 1.0 + JUST)])
def test_a_grip_is_from_0_to_1(grip: float, beyond: float) -> None:
    assert receive(Inbox(), Reading(grip=grip), 1).bad is None
    assert receive(Inbox(), Reading(grip=beyond), 1).bad
