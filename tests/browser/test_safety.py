"""An operator who is lost while driving: the arm brakes by itself, and moves again only after a fresh press.

Real processes on both ends, watched by a third party; every time is the cell's own.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.desk import DISTRUSTED
from browser.pages import FLAGS
from browser.plain import PlainChromium, Tab, plain_chromium
from browser.witness import Moment, Witness
from cable import Cable

from farhand.client.servers import RunningServer, running_server

PAUSE, STOP = 0.1, 1.0  # seconds; the default watchdog
FRAME = 0.1  # seconds that may lie between two moments that the witness sees
BRAKING = 0.5  # seconds in which an arm has come to rest, with a margin
TRIES = 4  # of a scene that a busy machine can spoil


@pytest.fixture(scope="module")
def strict() -> Iterator[RunningServer]:
    """A server with the default watchdog."""
    with running_server() as running:
        yield running


@pytest.fixture
def witness(strict: RunningServer) -> Iterator[Witness]:
    with Witness(strict.address) as watching:
        yield watching


@pytest.fixture
def plain(chromium: str, tmp_path: Path) -> Iterator[PlainChromium]:
    with plain_chromium(chromium, FLAGS, tmp_path) as running:
        yield running


def drive(tab: Tab, witness: Witness) -> Moment:
    """Reset the arm if need be, press a key and leave it held; return a moment at which the arm is driven."""
    tab.until("s.mine && s.mode !== null")
    if witness.now.mode == "stopped":
        tab.key("keyDown", "Enter")
        tab.key("keyUp", "Enter")
        witness.until(lambda moment: moment.mode == "idle")
    start = witness.now.joints[0]
    for _ in range(5):
        tab.key("keyDown", "q")
        moving = f"s.mode === 'teleoperation' && Math.abs(s.joints[0] - {start}) > 0.02"
        if tab.until(f"({moving}) || {DISTRUSTED}")["mode"] == "teleoperation":
            return witness.until(lambda moment: moment.mode == "teleoperation")
        tab.key("keyUp", "q")
        tab.until(f"!{DISTRUSTED}")
    raise AssertionError("the robot does not follow")


def silence(moments: list[Moment]) -> float:
    """Return when the last good reading came, in the cell's time, of moments that reach beyond it."""
    return next(moment.since for moment in moments if moment.heard == moments[-1].heard)


def left(moments: list[Moment]) -> Moment:
    """Return the first moment from which on the arm was driven no more: a busy machine may have paused it before."""
    last = max(index for index, moment in enumerate(moments) if moment.mode == "teleoperation")
    return moments[last + 1]


def at_rest(moments: list[Moment]) -> bool:
    """Return whether the arm rested from a while after the first of these moments on."""
    resting = [moment.joints for moment in moments if moment.time > moments[0].time + BRAKING]
    assert len(resting) > 3
    return all(max(column) - min(column) < 1e-3 for column in zip(*resting, strict=True))


def brakes_and_latches(witness: Witness, driven: Moment) -> None:
    """Expect a pause in time after the last good reading, and a stop that stays a second later."""
    stopped = witness.until(lambda moment: moment.mode == "stopped")
    witness.until(lambda moment: moment.time > stopped.time + 0.5)
    moments = witness.since(driven)
    lost = silence(moments)
    paused = left(moments)
    assert paused.mode == "paused"
    assert paused.time - lost <= PAUSE + FRAME
    # by the cell's own time; where the wall's is ahead of that, it counts, and the stop comes that much sooner
    assert PAUSE + STOP - FRAME <= stopped.time - lost <= PAUSE + STOP + FRAME
    after = [moment for moment in moments if moment.time >= paused.time]
    assert {moment.mode for moment in after} == {"paused", "stopped"}
    assert at_rest(after)


def stays_stopped(witness: Witness) -> None:
    """Expect that nothing changes for a while."""
    start = witness.now
    witness.until(lambda moment: moment.time > start.time + 0.5)
    moments = witness.since(start)
    assert {moment.mode for moment in moments} == {start.mode}
    assert max(abs(a - b) for a, b in zip(start.joints, moments[-1].joints, strict=True)) < 1e-3


def drives_again(tab: Tab, witness: Witness) -> None:
    """Expect that a held key that repeats does nothing, a reset starts nothing, and a fresh press after it drives."""
    tab.key("keyDown", "q", again=True)
    stays_stopped(witness)
    if witness.now.mode == "stopped":
        tab.key("keyDown", "Enter")
        tab.key("keyUp", "Enter")
        witness.until(lambda moment: moment.mode == "idle")
        tab.key("keyDown", "q", again=True)
        stays_stopped(witness)
    tab.key("keyUp", "q")
    drive(tab, witness)
    tab.key("keyUp", "q")
    witness.until(lambda moment: moment.mode == "idle")
    tab.evaluate("[...document.querySelectorAll('.lease button')].find((b) => b.textContent === 'Release').click()")
    tab.until("!s.mine")


def test_a_hidden_tab_lets_go(strict: RunningServer, plain: PlainChromium, witness: Witness) -> None:
    tab = plain.open(strict.address)
    for _ in range(TRIES):
        drive(tab, witness)
        driven = witness.now
        plain.open("about:blank")
        assert tab.evaluate("document.visibilityState") == "hidden"
        witness.until(lambda moment: moment.mode in ("idle", "stopped"))
        if witness.now.mode == "idle":
            break
        # Opening a tab kept the page from sending for over a second: then a stop is right.
        tab.show()
        tab.until("!document.hidden")
        drives_again(tab, witness)
    else:
        pytest.fail(f"the page did not let go in {TRIES} tries")
    held = witness.now
    witness.until(lambda moment: moment.time > held.time + BRAKING + 1.0)
    moments = [moment for moment in witness.since(driven) if moment.time >= held.time]
    assert {moment.mode for moment in moments} == {"idle"}
    assert at_rest(moments)
    tab.show()
    tab.until("!document.hidden")
    drives_again(tab, witness)


def test_a_frozen_browser_is_noticed(strict: RunningServer, plain: PlainChromium, witness: Witness) -> None:
    tab = plain.open(strict.address)
    driven = drive(tab, witness)
    plain.freeze()
    brakes_and_latches(witness, driven)
    plain.thaw()
    tab.until("s.mode === 'stopped' && s.stalled === null")
    drives_again(tab, witness)


def test_a_closed_tab_is_noticed(strict: RunningServer, plain: PlainChromium, witness: Witness) -> None:
    tab = plain.open(strict.address)
    plain.open("about:blank")  # the browser ends with its last tab
    tab.show()
    driven = drive(tab, witness)
    tab.close()
    witness.until(lambda moment: moment.mode != "teleoperation")
    gone = witness.now
    witness.until(lambda moment: moment.time > gone.time + BRAKING + 0.5)
    moments = witness.since(driven)
    assert left(moments).time - silence(moments) <= PAUSE + FRAME
    after = [moment for moment in moments if moment.time >= left(moments).time]
    assert "teleoperation" not in {moment.mode for moment in after}
    assert at_rest(after)
    again = plain.open(strict.address)
    drive(again, witness)  # after control was reserved for the lost operator
    again.key("keyUp", "q")
    witness.until(lambda moment: moment.mode == "idle")
    again.evaluate("[...document.querySelectorAll('.lease button')].find((b) => b.textContent === 'Release').click()")
    again.until("!s.mine")


def test_a_cut_cable_is_noticed(strict: RunningServer, plain: PlainChromium, witness: Witness) -> None:
    with Cable(strict.address) as cable:
        tab = plain.open(cable.address)
        driven = drive(tab, witness)
        cable.cut()
        brakes_and_latches(witness, driven)
        tab.until("!s.connected")
        cable.mend()
        tab.until("s.connected && s.mine && s.mode === 'stopped'")
        drives_again(tab, witness)


def test_a_silent_cable_is_noticed_and_what_was_on_its_way_moves_nothing(
    strict: RunningServer, plain: PlainChromium, witness: Witness
) -> None:
    with Cable(strict.address) as cable:
        tab = plain.open(cable.address)
        driven = drive(tab, witness)
        cable.silence()
        brakes_and_latches(witness, driven)
        tab.until("s.stalled !== null")
        cable.mend()
        tab.until("s.connected && s.stalled === null && s.mine && s.mode === 'stopped'")
        drives_again(tab, witness)
