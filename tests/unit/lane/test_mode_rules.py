"""The rules of the state machine, case by case."""

from __future__ import annotations

from typing import Any

import pytest
from worded import because, reason

from farhand.lane.modes.mode_machine import (
    HANDED_OVER,
    ModeMemory,
    ModeSignals,
    PowerSpec,
    WatchdogSpec,
    advance,
    may_move,
    mode_note,
)
from farhand.notes import render
from farhand.types import Mode, Note, Quantity

DT = 0.25
SPEC = WatchdogSpec()
POWER = PowerSpec(3.0)
HEARD: dict[str, Any] = {"held": False, "pressed": False, "age": 0.0}
SLOW = Note("cell.busy")
NO_INPUT = Note("input.none", quantities=(Quantity("time", 0.1, "s"),))
BUSY = "this computer is too busy to keep up."


def then(memory: ModeMemory | Mode, power: PowerSpec | None = None, **signals: Any) -> ModeMemory:
    """Return the mode one tick on, for an operator who is heard and holds nothing."""
    memory = memory if isinstance(memory, ModeMemory) else ModeMemory(memory)
    return advance(memory, ModeSignals(**HEARD | signals), SPEC, DT, power)


def test_a_robot_begins_idle_with_power() -> None:
    assert ModeMemory() == ModeMemory("idle", 0.0, None, "idle", powered=True, lead=0)
    assert HANDED_OVER == ("teleoperation", "autonomous", "paused")
    assert ModeSignals(held=False, pressed=False, age=None) == ModeSignals(
        **HEARD | {"age": None}, stop=None, fault=None, reset=False, hold=False, move=False, resume=False,
        arrived=False, lead=0, held_up=0.0, late=None, slow=None, power=None,
    )  # fmt: skip


def test_a_mode_lasts_as_long_as_ticks_and_wall_say() -> None:
    assert ModeMemory(since=1.0, lead=500).lasted == 1.5
    assert ModeMemory(since=1.0, lead=-500).lasted == 1.0
    memory = then(ModeMemory("teleoperation", 1.0, lead=20), held=True, lead=30)
    assert (memory.since, memory.lead) == (1.25, 50)
    memory = then(memory)
    assert (memory.mode, memory.since, memory.lead, memory.paused) == ("idle", 0.0, 0, "idle")


@pytest.mark.parametrize("mode", ["teleoperation", "autonomous"])
def test_a_pause_knows_what_it_interrupted(mode: Mode) -> None:
    memory = then(mode, held=True, age=0.5)
    assert memory == ModeMemory("paused", 0.0, NO_INPUT, mode)
    assert then(memory, held=True, age=0.6).paused == mode
    assert then(memory, held=True, age=0.6).since == DT


def test_a_robot_without_a_switch_always_has_power() -> None:
    for mode in ("stopped", "idle"):
        memory = advance(ModeMemory(mode), ModeSignals(**HEARD, power=False), SPEC, DT)
        assert (memory.mode, memory.powered) == (mode, True)


@pytest.mark.parametrize(
    ("before", "signals", "powered"),
    [
        (ModeMemory("idle"), {"stop": because("x")}, True),
        (ModeMemory("powering"), {"stop": because("x")}, False),
        (ModeMemory("off", powered=False), {"stop": because("x")}, False),
        (ModeMemory("stopped"), {"power": False}, False),
        (ModeMemory("stopped"), {"power": True}, True),
        (ModeMemory("stopped", powered=False), {"power": True}, False),
        (ModeMemory("idle"), {"fault": because("x")}, True),
        (ModeMemory("powering"), {"fault": because("x")}, False),
        (ModeMemory("off", powered=False), {"power": True}, True),
        (ModeMemory("idle"), {"power": False}, False),
        (ModeMemory("idle"), {}, True),
    ],
)
def test_power_goes_with_its_switch_and_with_a_stop_while_it_comes(
    before: ModeMemory, signals: dict[str, Any], *, powered: bool
) -> None:
    assert advance(before, ModeSignals(**HEARD | signals), SPEC, DT, POWER).powered == powered


@pytest.mark.parametrize(
    ("before", "signals", "mode"),
    [
        (ModeMemory("off"), {}, "off"),
        (ModeMemory("off"), {"power": False}, "off"),
        (ModeMemory("off"), {"power": True}, "powering"),
        (ModeMemory("off"), {"held": True, "pressed": True}, "off"),
        (ModeMemory("off"), {"hold": True}, "off"),
        (ModeMemory("powering", 2.75), {}, "powering"),
        (ModeMemory("powering", 3.0), {}, "idle"),
        (ModeMemory("powering", 3.0), {"power": False}, "off"),
        (ModeMemory("powering", 2.75), {"hold": True}, "powering"),
        (ModeMemory("idle", 3.0), {"power": False}, "off"),
        (ModeMemory("idle", 3.0), {"power": True}, "idle"),
        (ModeMemory("idle", 1.0), {}, "idle"),
        (ModeMemory("teleoperation", 5.0), {"held": True}, "teleoperation"),
        (ModeMemory("autonomous", 1.0), {}, "autonomous"),
        (ModeMemory("stopped"), {"reset": True}, "idle"),
        (ModeMemory("stopped", powered=False), {"reset": True}, "off"),
        (ModeMemory("fault", powered=False), {"reset": True}, "off"),
        (ModeMemory("fault"), {"reset": True}, "idle"),
    ],
)
def test_power_comes_within_its_seconds(before: ModeMemory, signals: dict[str, Any], mode: Mode) -> None:
    assert advance(before, ModeSignals(**HEARD | signals), SPEC, DT, POWER).mode == mode


STOPPED, FAULT = ModeMemory("stopped", 1.0, because("why")), ModeMemory("fault", 1.0, because("broken"))


@pytest.mark.parametrize(
    ("before", "signals", "mode", "why"),
    [
        (STOPPED, {}, "stopped", "why"),
        (STOPPED, {"stop": because("again")}, "stopped", "why"),
        (STOPPED, {"fault": because("x")}, "fault", "x"),
        (STOPPED, {"reset": True}, "idle", ""),
        (STOPPED, {"reset": True, "stop": because("again")}, "stopped", "why"),
        (STOPPED, {"hold": True, "held": True, "pressed": True, "move": True}, "stopped", "why"),
        (FAULT, {"stop": because("x")}, "fault", "broken"),
        (FAULT, {}, "fault", "broken"),
        (ModeMemory("idle"), {"stop": because("x")}, "stopped", "x"),
        (ModeMemory("teleoperation"), {"hold": True, "held": True}, "idle", ""),
        (ModeMemory("autonomous"), {"hold": True}, "idle", ""),
        (ModeMemory("idle", reason=because("kept")), {}, "idle", "kept"),
        (ModeMemory("idle"), {"held_up": 0.5}, "idle", ""),
        (ModeMemory("autonomous"), {"held_up": 0.5}, "paused", "this computer was too busy for 0.5 s."),
        (ModeMemory("idle"), {"held": True, "pressed": True}, "teleoperation", ""),
        (ModeMemory("idle"), {"pressed": True}, "idle", ""),
        (ModeMemory("autonomous"), {"pressed": True}, "idle", ""),
        (ModeMemory("autonomous"), {"held": True, "pressed": True}, "teleoperation", ""),
        (ModeMemory("idle"), {"held": True, "pressed": True, "late": because("old.")}, "idle", ""),
        (ModeMemory("teleoperation"), {"held": True, "late": because("old.")}, "paused", "old."),
        (ModeMemory("teleoperation"), {"held": True, "age": None}, "paused", "no input for 0.1 s."),
        (ModeMemory("teleoperation"), {"move": True}, "autonomous", ""),
        (ModeMemory("teleoperation"), {"resume": True}, "autonomous", ""),
        (ModeMemory("teleoperation"), {"held": True, "move": True}, "teleoperation", ""),
        (ModeMemory("idle"), {"move": True}, "autonomous", ""),
        (ModeMemory("idle"), {"resume": True}, "autonomous", ""),
        (ModeMemory("idle"), {"move": True, "age": None}, "autonomous", ""),
        (ModeMemory("idle"), {"move": True, "age": 0.5}, "idle", ""),
        (ModeMemory("idle"), {"move": True, "age": None, "slow": SLOW}, "idle", ""),
        (ModeMemory("autonomous"), {"arrived": True}, "idle", ""),
        (ModeMemory("autonomous"), {}, "autonomous", ""),
        (ModeMemory("autonomous"), {"age": None}, "autonomous", ""),
        (ModeMemory("autonomous"), {"age": None, "slow": SLOW}, "paused", BUSY),
        (ModeMemory("autonomous"), {"age": 0.5, "arrived": True}, "idle", ""),
        (ModeMemory("idle"), {"arrived": True}, "idle", ""),
    ],
)
def test_what_follows(before: ModeMemory, signals: dict[str, Any], mode: Mode, why: str) -> None:
    memory = then(before, **signals)
    assert (memory.mode, reason(memory.reason)) == (mode, why)


PAUSED = ModeMemory("paused", 0.5, because("why"), "teleoperation")
MOVE_PAUSED = ModeMemory("paused", 0.5, because("why"), "autonomous")


@pytest.mark.parametrize(
    ("before", "signals", "mode", "why"),
    [
        (PAUSED, {"age": 0.5}, "paused", "why"),
        (ModeMemory("paused", 0.75), {"age": 0.5}, "paused", ""),
        (ModeMemory("paused", 1.0), {"age": 0.5}, "stopped", "no input for over 1 s."),
        (ModeMemory("paused", 1.0), {"late": because("old.")}, "stopped", "no fresh input for over 1 s."),
        (PAUSED, {"held": True}, "teleoperation", ""),
        (PAUSED, {}, "idle", ""),
        (PAUSED, {"move": True}, "autonomous", ""),
        (MOVE_PAUSED, {"held": True}, "idle", ""),
        (MOVE_PAUSED, {}, "idle", ""),
        (MOVE_PAUSED, {"resume": True}, "autonomous", ""),
    ],
)
def test_what_follows_a_pause(before: ModeMemory, signals: dict[str, Any], mode: Mode, why: str) -> None:
    memory = then(before, **signals)
    assert (memory.mode, reason(memory.reason)) == (mode, why)


@pytest.mark.parametrize(
    ("before", "signals", "expected"),
    [
        (ModeMemory("idle", 1.0, because("kept")), {}, ModeMemory("idle", 1.25, because("kept"))),
        (ModeMemory("idle"), {"held": True, "pressed": True}, ModeMemory("paused", 0.0, SLOW, "teleoperation")),
        (ModeMemory("idle"), {"pressed": True}, ModeMemory("idle", DT)),
        (ModeMemory("teleoperation"), {"held": True}, ModeMemory("paused", 0.0, SLOW, "teleoperation")),
        (ModeMemory("teleoperation"), {}, ModeMemory("idle")),
        (ModeMemory("autonomous"), {}, ModeMemory("paused", 0.0, SLOW, "autonomous")),
        (PAUSED, {"held": True}, ModeMemory("paused", 0.0, SLOW, "teleoperation")),
        (PAUSED, {}, ModeMemory("idle")),
        (MOVE_PAUSED, {}, ModeMemory("paused", 0.0, SLOW, "autonomous")),
        (MOVE_PAUSED, {"held": True, "pressed": True}, ModeMemory("paused", 0.0, SLOW, "teleoperation")),
        (PAUSED, {"held": True, "age": 0.5}, ModeMemory("paused", 0.75, because("why"), "teleoperation")),
        (ModeMemory("teleoperation"), {"held": True, "age": 0.5}, ModeMemory("paused", 0.0, SLOW, "teleoperation")),
    ],
)
def test_a_robot_stands_while_its_cell_is_too_slow(
    before: ModeMemory, signals: dict[str, Any], expected: ModeMemory
) -> None:
    assert then(before, slow=SLOW, **signals) == expected


def test_a_pause_counts_on_while_the_cell_stands_still() -> None:
    busy = Note("cell.held-up", quantities=(Quantity("time", 0.5, "s"),))
    assert then(PAUSED, held=True, held_up=0.5) == ModeMemory("paused", 0.75, busy, "teleoperation")
    pressed = then("autonomous", held=True, pressed=True, held_up=0.5)
    assert pressed == ModeMemory("paused", 0.0, busy, "autonomous")


def test_a_robot_without_power_stays_so_in_a_slow_cell() -> None:
    assert advance(ModeMemory("off"), ModeSignals(**HEARD, slow=SLOW), SPEC, DT).mode == "off"


@pytest.mark.parametrize(
    ("mode", "signals", "why"),
    [
        ("stopped", {}, "the robot is stopped; reset it first."),
        ("fault", {}, "the robot is stopped; reset it first."),
        ("off", {}, "the robot has no power yet."),
        ("powering", {}, "the robot has no power yet."),
        ("teleoperation", {"held": True}, "it is being driven; let go first."),
        ("teleoperation", {}, ""),
        ("idle", {"held": True}, ""),
        ("idle", {"age": None}, ""),
        ("idle", {"age": 0.5}, "its operator sends no fresh input."),
        ("idle", {"late": because("old.")}, "its operator sends no fresh input."),
        ("idle", {"slow": SLOW}, BUSY),
    ],
)
def test_why_no_move_can_start(mode: Mode, signals: dict[str, Any], why: str) -> None:
    assert reason(may_move(ModeMemory(mode), ModeSignals(**HEARD | signals), SPEC)) == why


@pytest.mark.parametrize(
    ("memory", "code", "hint"),
    [
        (PAUSED, "mode.paused", "Keep holding; it resumes by itself."),
        (MOVE_PAUSED, "mode.paused", "Continue the move when input returns."),
        (STOPPED, "mode.stopped", "Press Enter to reset, then drive on."),
        (ModeMemory("stopped", powered=False), "mode.stopped", "Press Enter to reset, then power it up."),
        (FAULT, "mode.fault", "Fix the cause, then reset."),
        (ModeMemory("off"), "mode.off", "Power it up to drive it."),
        (ModeMemory("powering"), "mode.powering", "You can drive it in a moment."),
    ],
)
def test_a_robot_that_is_kept_from_moving_says_why(memory: ModeMemory, code: str, hint: str) -> None:
    (note,) = mode_note(memory)
    assert (note.code, render(note).free) == (code, hint)


@pytest.mark.parametrize("mode", ["idle", "teleoperation", "autonomous"])
def test_others_say_nothing(mode: Mode) -> None:
    assert mode_note(ModeMemory(mode)) == ()


@pytest.mark.parametrize("mode", ["paused", "stopped", "fault"])
def test_a_robot_that_is_kept_from_moving_says_its_own_cause(mode: Mode) -> None:
    (note,) = mode_note(ModeMemory(mode, 0.0, because("the rope is torn.")))
    assert note.cause == because("the rope is torn.")
