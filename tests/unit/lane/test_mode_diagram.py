"""The state machine: what starts, what stops, what stays stopped."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from paths import ROOT
from worded import because, reason

from farhand.cell import Cell
from farhand.lane.modes.diagram import PAGE, edges, page
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
from farhand.types import Inputs, Mode, Note, Quantity, Reading

DT = 0.002
SPEC = WatchdogSpec()
STOP = because("Stop was pressed.")
NO_INPUT = Note("input.none", quantities=(Quantity("time", 0.1, "s"),))


def run(memory: ModeMemory, *signals: ModeSignals) -> ModeMemory:
    for now in signals:
        memory = advance(memory, now, SPEC, DT)
    return memory


def held(*, pressed: bool = False, age: float = 0.0) -> ModeSignals:
    return ModeSignals(held=True, pressed=pressed, age=age)


RELEASED = ModeSignals(held=False, pressed=False, age=0.0)
LOST = ModeSignals(held=True, pressed=False, age=0.5)
DRIVING = ModeMemory("teleoperation")


def test_a_fresh_press_starts_and_a_release_holds() -> None:
    memory = run(ModeMemory(), held(pressed=True), held())
    assert memory.mode == "teleoperation"
    assert run(memory, RELEASED).mode == "idle"


def test_holding_without_a_fresh_press_starts_nothing() -> None:
    assert run(ModeMemory(), held(), held()).mode == "idle"


def test_a_press_on_old_news_starts_nothing() -> None:
    assert run(ModeMemory(), held(pressed=True, age=0.3)).mode == "idle"


def test_a_short_loss_pauses_and_goes_on() -> None:
    memory = run(DRIVING, LOST)
    assert memory.mode == "paused"
    assert reason(memory.reason) == "no input for 0.1 s."
    assert run(memory, held()).mode == "teleoperation"
    assert run(memory, RELEASED).mode == "idle"


def test_a_long_loss_latches() -> None:
    memory = run(DRIVING, *[LOST] * int(1.1 / DT))
    assert memory.mode == "stopped"
    assert run(memory, held()).mode == "stopped"
    assert run(memory, held(pressed=True)).mode == "stopped"


def test_a_cell_that_stood_still_pauses() -> None:
    def after(seconds: float) -> ModeSignals:
        return ModeSignals(held=True, pressed=False, age=0.0, held_up=seconds)

    assert run(DRIVING, after(0.05)).mode == "teleoperation"
    paused = run(DRIVING, after(0.5))
    assert (paused.mode, reason(paused.reason)) == ("paused", "this computer was too busy for 0.5 s.")
    assert run(paused, held()).mode == "teleoperation"
    assert (
        run(DRIVING, after(4.0)).mode == "paused"
    )  # what follows is for the lane to judge, by its first fresh reading
    assert run(ModeMemory(), after(4.0)).mode == "idle"


@pytest.mark.parametrize("factor", [1.0, 0.29, 0.25])
def test_the_second_of_a_pause_is_one_of_the_wall_too(factor: float) -> None:
    memory, lead, ticks = run(DRIVING, LOST), round(DT * 1e3 * (1.0 / factor - 1.0) * 100), 0
    while memory.mode == "paused":
        ticks += 1
        memory = run(memory, replace(LOST, lead=lead * ticks // 100 - lead * (ticks - 1) // 100))
    assert memory.mode == "stopped"
    assert ticks * DT / factor == pytest.approx(SPEC.stop, abs=0.02)


def test_ticks_that_catch_up_do_not_shorten_a_pause() -> None:
    memory, ticks = run(DRIVING, LOST), 0
    while memory.mode == "paused":
        ticks += 1
        memory = run(memory, replace(LOST, lead=-1))
    assert ticks * DT == pytest.approx(SPEC.stop, abs=0.01)


def test_reset_never_restarts() -> None:
    stopped = run(DRIVING, ModeSignals(held=True, pressed=False, age=0.0, stop=because("Stop was pressed.")))
    again = run(stopped, ModeSignals(held=True, pressed=False, age=0.0, reset=True), held(), held())
    assert again.mode == "idle"
    assert run(again, held(pressed=True)).mode == "teleoperation"


def test_a_press_takes_over_from_an_autonomous_move() -> None:
    moving = run(ModeMemory(), ModeSignals(held=False, pressed=False, age=0.0, move=True))
    assert moving.mode == "autonomous"
    assert run(moving, held(pressed=True)).mode == "teleoperation"


def test_the_first_reason_of_a_stop_stays() -> None:
    first = ModeSignals(held=False, pressed=False, age=0.0, stop=because("first"))
    later = ModeSignals(held=False, pressed=False, age=0.0, stop=because("later"))
    assert reason(run(DRIVING, first, later).reason) == "first"


any_signals = st.builds(
    ModeSignals,
    held=st.booleans(),
    pressed=st.booleans(),
    age=st.sampled_from([0.0, 0.05, 0.15, 2.0, None]),
    stop=st.sampled_from([None, None, None, STOP]),
    fault=st.sampled_from([None, None, None, None, STOP]),
    reset=st.booleans(),
    hold=st.booleans(),
    move=st.booleans(),
    resume=st.booleans(),
    arrived=st.booleans(),
    held_up=st.sampled_from([0.0, 0.0, 0.05, 0.5, 3.0]),
    lead=st.sampled_from([0, 0, -1, 5, 500]),
)
modes: tuple[Mode, ...] = ("idle", "teleoperation", "autonomous", "paused", "stopped", "fault")


@given(st.sampled_from(modes), st.sampled_from(modes), any_signals)
def test_laws_of_every_transition(mode: Mode, paused: Mode, now: ModeSignals) -> None:
    after = advance(ModeMemory(mode, paused=paused), now, SPEC, DT).mode
    fresh = now.age is not None and now.age <= SPEC.pause
    if now.fault is not None:
        assert after == "fault"
    elif now.stop is not None:
        assert after == ("fault" if mode == "fault" else "stopped")
    elif mode in ("stopped", "fault"):
        assert after in (mode, "idle")
        assert after == mode or now.reset
    if after == "teleoperation":
        assert fresh
        assert now.pressed or (mode in ("teleoperation", "paused") and now.held)
    if after == "autonomous":
        assert fresh or now.age is None  # an operator who was there must still be
        assert mode == "autonomous" or now.move or now.resume
        assert mode != "teleoperation"  # whoever drives is never overruled
        assert mode != "paused" or (now.resume and paused == "autonomous")
    if mode in ("teleoperation", "autonomous") and not fresh and now.age is not None:
        assert after in ("paused", "stopped", "fault", "idle")
    if now.held_up > SPEC.pause and mode in ("teleoperation", "autonomous", "paused"):
        assert after in ("paused", "stopped", "fault", "idle")


@pytest.mark.parametrize("mode", ["stopped", "fault"])
def test_a_stop_wins_over_a_reset_in_the_same_tick(mode: Mode) -> None:
    now = ModeSignals(held=False, pressed=False, age=0.0, stop=because("Stop was pressed."), reset=True)
    assert advance(ModeMemory(mode, reason=because("before")), now, SPEC, DT).mode == mode


def test_a_lost_operator_pauses_a_move_and_only_continue_resumes_it() -> None:
    lost, back = ModeSignals(held=False, pressed=False, age=0.5), ModeSignals(held=False, pressed=False, age=0.0)
    paused = run(ModeMemory("autonomous"), lost)
    assert paused.mode == "paused"
    assert run(paused, back).mode == "idle"
    assert run(paused, ModeSignals(held=False, pressed=False, age=0.0, resume=True)).mode == "autonomous"
    assert run(paused, *[lost] * 600).mode == "stopped"


def test_a_cell_without_a_master_may_move_by_itself() -> None:
    nobody = ModeSignals(held=False, pressed=False, age=None)
    moving = run(ModeMemory(), ModeSignals(held=False, pressed=False, age=None, move=True), nobody, nobody)
    assert moving.mode == "autonomous"


def test_a_move_does_not_overrule_who_drives() -> None:
    assert run(DRIVING, ModeSignals(held=True, pressed=False, age=0.0, move=True)).mode == "teleoperation"
    assert may_move(DRIVING, held(), SPEC) == Note("move.driven")
    assert may_move(ModeMemory("stopped"), held(), SPEC) == Note("move.stopped")
    assert may_move(ModeMemory(), LOST, SPEC) == Note("move.absent")
    assert may_move(ModeMemory(), RELEASED, SPEC) is None


def test_a_stop_without_a_reason_is_a_stop() -> None:
    assert run(DRIVING, ModeSignals(held=True, pressed=False, age=0.0, stop=because(""))).mode == "stopped"


# ── Power ────────────────────────────────────────────────────────────────────────────────────────────────────────

SWITCH = PowerSpec(seconds=0.1)
OFF = ModeMemory("off", powered=False)
ON, DOWN = replace(RELEASED, power=True), replace(RELEASED, power=False)


def with_switch(memory: ModeMemory, *signals: ModeSignals) -> ModeMemory:
    for now in signals:
        memory = advance(memory, now, SPEC, DT, SWITCH)
    return memory


def test_a_robot_that_is_off_does_nothing_until_it_has_been_powered_up() -> None:
    assert with_switch(OFF, held(pressed=True), replace(RELEASED, move=True)).mode == "off"
    rising = with_switch(OFF, ON)
    assert rising.mode == "powering"
    assert with_switch(rising, held(pressed=True)).mode == "powering"
    assert may_move(rising, RELEASED, SPEC) == Note("move.unpowered")
    up = with_switch(rising, *[RELEASED] * 51)
    assert up.mode == "idle"
    assert with_switch(up, held(pressed=True)).mode == "teleoperation"


def test_power_off_ends_whatever_moves() -> None:
    for mode in ("idle", "teleoperation", "autonomous", "paused", "powering"):
        assert with_switch(ModeMemory(mode), DOWN).mode == "off"


def test_a_stop_while_powering_up_takes_the_power_away() -> None:
    stopped = with_switch(OFF, ON, replace(RELEASED, stop=because("Stop was pressed.")))
    assert stopped.mode == "stopped"
    assert with_switch(stopped, replace(RELEASED, reset=True)).mode == "off"
    driving = with_switch(ModeMemory("teleoperation"), replace(held(), stop=because("Stop was pressed.")))
    assert with_switch(driving, replace(RELEASED, reset=True)).mode == "idle"
    cut = with_switch(driving, DOWN)  # a stopped robot can be switched off, and stays stopped
    assert cut.mode == "stopped"
    assert with_switch(cut, replace(RELEASED, reset=True)).mode == "off"


def test_what_leads_out_of_a_stop_knows_whether_there_is_power() -> None:
    hints = [render(mode_note(ModeMemory("stopped", powered=powered))[0]).free for powered in (True, False)]
    assert hints == ["Press Enter to reset, then drive on.", "Press Enter to reset, then power it up."]


def test_a_stop_does_not_hide_a_fault() -> None:
    broken = run(DRIVING, replace(RELEASED, fault=because("The physics broke.")))
    assert run(broken, replace(RELEASED, stop=because("Stop was pressed."))) == replace(broken, since=DT)


EVENTS = st.builds(
    ModeSignals,
    held=st.booleans(),
    pressed=st.booleans(),
    age=st.sampled_from([None, 0.0, 0.05, 0.3, 2.0]),
    stop=st.sampled_from([None, None, None, STOP]),
    fault=st.sampled_from([None] * 9 + [STOP]),
    reset=st.booleans(),
    hold=st.booleans(),
    move=st.booleans(),
    resume=st.booleans(),
    arrived=st.booleans(),
    held_up=st.sampled_from([0.0, 0.0, 0.0, 0.3, 3.0]),
    lead=st.sampled_from([0, 0, -1, 5, 500]),
    power=st.sampled_from([None, None, True, False]),
)


@given(st.sampled_from([None, SWITCH]), st.lists(EVENTS, max_size=60))
def test_nothing_moves_without_fresh_enabling(switch: PowerSpec | None, story: list[ModeSignals]) -> None:
    """Whatever happens in whatever order: driving begins with a fresh press, or goes on after a pause of it."""
    memory = OFF if switch else ModeMemory()
    for now in story:
        before, memory = memory, advance(memory, now, SPEC, DT, switch)
        if memory.mode == "teleoperation" and before.mode != "teleoperation":
            resumed = before.mode == "paused" and before.paused == "teleoperation" and now.held
            assert now.pressed or resumed
            assert now.age is not None
            assert now.age <= SPEC.pause
        if memory.mode == "autonomous" and before.mode != "autonomous":
            assert now.move or now.resume
        if before.mode in ("stopped", "fault", "off", "powering"):
            assert memory.mode not in ("teleoperation", "autonomous", "paused")
        if memory.mode in ("teleoperation", "autonomous"):
            assert memory.powered


def test_the_diagram_in_the_docs_is_the_machine_s_own() -> None:
    text = (ROOT / PAGE).read_text()
    assert text == page(), "docs/modes.md is out of date: run make notes"
    assert {a for a, _, _ in edges()} == set(get_args(Mode))


def test_a_new_lease_stops_only_what_moves() -> None:
    stopped = {(a, b) for a, label, b in edges() if label.startswith("new lease")}
    assert stopped == {(mode, "stopped") for mode in HANDED_OVER}
    cell = Cell.load("irb120")
    for sequence, held in ((1, False), (2, False)):
        cell.step(Inputs({"hand": Reading(sequence=sequence, deadman=held, epoch=1)}))
    assert cell.step(Inputs({"hand": Reading(sequence=3, epoch=2)})).lanes["arm"].mode == "idle"
    driving = cell.step(Inputs({"hand": Reading(sequence=4, epoch=2, deadman=True)}))
    assert driving.lanes["arm"].mode == "teleoperation"
    assert cell.step(Inputs({"hand": Reading(sequence=5, epoch=3)})).lanes["arm"].mode == "stopped"
