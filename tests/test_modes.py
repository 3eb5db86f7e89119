"""The state machine: what starts, what stops, what stays stopped."""

import math

from hypothesis import given
from hypothesis import strategies as st

from farhand.lane.modes import ModeMemory, Signals, WatchdogSpec, advance
from farhand.types import Mode

DT = 0.002
SPEC = WatchdogSpec()


def run(memory: ModeMemory, *signals: Signals) -> ModeMemory:
    for now in signals:
        memory = advance(memory, now, SPEC, DT)
    return memory


def held(*, pressed: bool = False, age: float = 0.0) -> Signals:
    return Signals(held=True, pressed=pressed, age=age)


RELEASED = Signals(held=False, pressed=False, age=0.0)
LOST = Signals(held=True, pressed=False, age=0.5)
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
    assert "100 ms" in memory.reason
    assert run(memory, held()).mode == "teleoperation"
    assert run(memory, RELEASED).mode == "idle"


def test_a_long_loss_latches() -> None:
    memory = run(DRIVING, *[LOST] * int(1.1 / DT))
    assert memory.mode == "stopped"
    assert run(memory, held()).mode == "stopped"
    assert run(memory, held(pressed=True)).mode == "stopped"


def test_reset_never_restarts() -> None:
    stopped = run(DRIVING, Signals(held=True, pressed=False, age=0.0, stop="Stop was pressed."))
    again = run(stopped, Signals(held=True, pressed=False, age=0.0, reset=True), held(), held())
    assert again.mode == "idle"
    assert run(again, held(pressed=True)).mode == "teleoperation"


def test_a_press_takes_over_from_an_autonomous_move() -> None:
    moving = run(ModeMemory(), Signals(held=False, pressed=False, age=math.inf, move=True))
    assert moving.mode == "autonomous"
    assert run(moving, held(pressed=True)).mode == "teleoperation"


def test_the_first_reason_of_a_stop_stays() -> None:
    first = Signals(held=False, pressed=False, age=0.0, stop="first")
    later = Signals(held=False, pressed=False, age=0.0, stop="later")
    assert run(DRIVING, first, later).reason == "first"


any_signals = st.builds(
    Signals,
    held=st.booleans(),
    pressed=st.booleans(),
    age=st.sampled_from([0.0, 0.05, 0.15, 2.0, math.inf]),
    stop=st.sampled_from(["", "", "", "Stop was pressed."]),
    fault=st.sampled_from(["", "", "", "", "broken"]),
    reset=st.booleans(),
    hold=st.booleans(),
    move=st.booleans(),
    arrived=st.booleans(),
)
modes: tuple[Mode, ...] = ("idle", "teleoperation", "autonomous", "paused", "stopped", "fault")


@given(st.sampled_from(modes), any_signals)
def test_laws_of_every_transition(mode: Mode, now: Signals) -> None:
    after = advance(ModeMemory(mode), now, SPEC, DT).mode
    if now.fault:
        assert after == "fault"
    elif now.stop:
        assert after == "stopped"
    elif mode in ("stopped", "fault"):
        assert after in (mode, "idle")
        assert after == mode or now.reset
    if after == "teleoperation":
        fresh = now.age <= SPEC.pause
        assert fresh
        assert now.pressed or (mode in ("teleoperation", "paused") and now.held)
    if after == "autonomous":
        assert mode == "autonomous" or now.move
