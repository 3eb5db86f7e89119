"""Processes that crash or freeze: the page shows it and recovers by itself."""

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.complaints import Complaints
from browser.desk import Desk, OpenDesk
from playwright.sync_api import Locator, expect
from servers import LiveServer

SAID_WITHIN = 1.0  # seconds
BACK_WITHIN = 5.0  # seconds; or, where this machine is slow, the time in which a whole server starts on it
# No server is there for a moment: the browser itself writes that down.
NO_SERVER = ("WebSocket connection to", "ERR_CONNECTION_REFUSED")


@pytest.fixture(scope="module")
def mortal(patient_cell: Path) -> Iterator[LiveServer]:
    """A server whose processes may be killed."""
    with LiveServer(str(patient_cell), "--no-spare") as running:  # with one, nobody would see it gone
        yield running


@pytest.fixture
def desk(mortal: LiveServer, visit: OpenDesk) -> Desk:
    desk = visit(mortal.address).ready()
    desk.reset_if_stopped()
    return desk


def card(desk: Desk) -> Locator:
    """The card over an outdated picture."""
    return desk.page.locator(".stalled")


def said_after(desk: Desk, pid: int, number: signal.Signals, words: str) -> float:
    """Send a signal to a process; return the seconds until the page shows these words."""
    begin = time.time()
    os.kill(pid, number)
    desk.until(f"/{words}/.test(document.querySelector('.stalled')?.textContent ?? '')")
    return float(desk.page.evaluate("() => Date.now()")) / 1000 - begin


def goes_on(desk: Desk, mortal: LiveServer, tick: int) -> None:
    """Expect fresh pictures and no message about outdated ones."""
    patience = max(BACK_WITHIN, 2 * mortal.seconds)
    desk.until(f"s.connected && s.stalled === null && s.tick > {tick}", timeout=patience)
    expect(card(desk)).to_be_hidden()
    expect(desk.stop_button).to_have_attribute("aria-disabled", "false")


def test_a_killed_cell_is_said_at_once_and_comes_back_stopped(desk: Desk, mortal: LiveServer) -> None:
    with desk.driving("q"):
        before = desk.until("s.mode === 'teleoperation' && s.joints[0] > 0.1")
        gateway, cell = mortal.gateway, mortal.cell()
        assert said_after(desk, cell, signal.SIGKILL, "not responding|crashed") < SAID_WITHIN
        expect(card(desk)).to_contain_text("The cell has crashed")
        expect(card(desk)).to_contain_text("restart")
        goes_on(desk, mortal, before["tick"])
        state = desk.until("s.mode === 'stopped'")
        assert abs(state["joints"][0] - before["joints"][0]) < 0.3  # rad: about where it was
        expect(desk.pill).to_have_text(re.compile(r"Stopped: .+"))
        assert desk.stays()  # though the key is still held
    assert mortal.gateway == gateway
    assert state["mine"]
    desk.press("Enter")
    desk.until("s.mode === 'idle'")
    with desk.driving("q"):
        desk.until("s.mode === 'teleoperation'")


def test_plots_go_on_after_a_killed_cell(desk: Desk, mortal: LiveServer) -> None:
    chart = desk.page.locator(".plots canvas").first
    os.kill(mortal.cell(), signal.SIGKILL)
    expect(card(desk)).to_be_visible()
    goes_on(desk, mortal, desk.state()["tick"])
    shown = chart.evaluate("(canvas) => canvas.toDataURL()")
    desk.until(f"document.querySelector('.plots canvas').toDataURL() !== {shown!r}")


def test_a_killed_gateway_is_a_lost_connection_and_the_page_comes_back(
    desk: Desk, mortal: LiveServer, complaints: Complaints
) -> None:
    complaints.forgive(*NO_SERVER)
    with desk.driving("q"):
        before = desk.until("s.mode === 'teleoperation' && s.joints[0] > 0.05")
        assert said_after(desk, mortal.gateway, signal.SIGKILL, "Connection lost") < SAID_WITHIN
        expect(desk.pill).to_have_text("Not connected")
        expect(desk.stop_button).to_have_text("Stop: no link")
        expect(desk.stop_button).to_have_attribute("aria-disabled", "true")
        expect(card(desk)).to_contain_text("Stop cannot be sent: not connected.")
        goes_on(desk, mortal, before["tick"])
        state = desk.until("s.mine && s.mode === 'stopped'")
        assert desk.stays()
    assert state["tick"] > before["tick"]  # the cell itself never ended


def test_a_frozen_gateway_is_noticed_too(desk: Desk, mortal: LiveServer, complaints: Complaints) -> None:
    complaints.forgive(*NO_SERVER)
    gateway = mortal.gateway
    with desk.driving("q"):
        before = desk.until("s.mode === 'teleoperation' && s.joints[0] > 0.05")
        try:
            assert said_after(desk, gateway, signal.SIGSTOP, "not responding") < SAID_WITHIN
            desk.until("!s.connected")  # the page gives up a connection on which nothing comes any more
            expect(desk.stop_button).to_have_text("Stop: no link")
            desk.press("Space")
            expect(desk.page.locator(".toaster")).to_contain_text("Stop cannot be sent")
        finally:
            os.kill(gateway, signal.SIGCONT)
        goes_on(desk, mortal, before["tick"])
        desk.until("s.mine && s.mode === 'stopped'")
        assert desk.stays()
    assert mortal.gateway == gateway


def test_an_old_picture_looks_old(desk: Desk, mortal: LiveServer) -> None:
    look = "() => getComputedStyle(document.querySelector('.view')).filter"
    assert desk.page.evaluate(look) == "none"
    os.kill(mortal.cell(), signal.SIGSTOP)
    try:
        expect(card(desk)).to_contain_text("Cell not responding")
        assert "brightness" in desk.page.evaluate(look)
        expect(desk.page.locator(".why")).to_contain_text("The values below are out of date.")
        expect(desk.page.locator(".why")).not_to_contain_text("Moving freely")
    finally:
        os.kill(mortal.cell(), signal.SIGCONT)
    goes_on(desk, mortal, desk.state()["tick"])
    assert desk.page.evaluate(look) == "none"


def test_a_key_held_over_a_frozen_cell_goes_on_or_is_stopped_and_ends_with_the_key(
    desk: Desk, mortal: LiveServer
) -> None:
    """It goes on if the page sent readings all along; on a busy machine the page may have had a gap of its own."""
    with desk.driving("q"):
        os.kill(mortal.cell(), signal.SIGSTOP)
        try:
            expect(card(desk)).to_contain_text("Cell not responding · 2 s")
        finally:
            os.kill(mortal.cell(), signal.SIGCONT)
        desk.until("s.stalled === null && ['teleoperation', 'stopped'].includes(s.mode)")
    desk.until("s.mode === 'idle' || s.mode === 'stopped'")
    assert desk.stays()
