"""Push to talk in a real browser, whose microphone plays a recorded command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser.complaints import Complaints
from browser.desk import Desk
from browser.pages import FLAGS, opened
from paths import DATA
from playwright.sync_api import Browser, BrowserType, expect

from farhand.client.servers import RunningServer, running_server

RECORDING = DATA / "voice" / "power-up.wav"
MICROPHONE = "--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={RECORDING}%noloop"
SAID = 1.5  # seconds of sound; the recording is a little shorter
SPEAKS = "s.talk.phase === 'opening' || s.talk.phase === 'listening'"


@pytest.fixture(scope="module")
def unpowered(patient_cell: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    path = tmp_path_factory.mktemp("voice") / "cell.toml"
    path.write_text(patient_cell.read_text().replace("watchdog =", "power = { seconds = 0.5 }\nwatchdog ="))
    with running_server(str(path)) as running:
        yield running


@pytest.fixture(scope="module")
def speaking(browser_type: BrowserType, chromium: str) -> Iterator[Browser]:
    browser = browser_type.launch(executable_path=chromium, args=[*FLAGS, *MICROPHONE])
    yield browser
    browser.close()


def shown(text: str) -> str:
    """Return the condition that the page shows a text about speech, which it does for some seconds only."""
    return f"document.querySelector('[aria-label=Speech]').textContent.includes({json.dumps(text)})"


def say(desk: Desk, outcome: str) -> None:
    """Hold the talk key until the recording was heard, and let go, until that has an outcome.

    On a busy machine sound gets lost before the page has it, and is not understood: the operator says it again. The
    recording begins anew with every page.
    """
    for _ in range(5):
        before = desk.state()["heard"]
        with desk.holding("v"):
            desk.until(f"({SPEAKS}) && {shown('Listening')} || !({SPEAKS})")
            desk.until(f"s.talk.seconds > {SAID} || !({SPEAKS})")
            desk.until(f"s.heard > {before}")  # readings go on
        if desk.until(f"{shown(outcome)} || s.talk.phase === 'refused'")["talk"]["phase"] != "refused":
            return
        desk.page.reload()
        desk.ready()
    raise AssertionError("it is never understood")


def test_a_robot_is_powered_up_by_voice_and_nothing_else_moves(
    speaking: Browser, unpowered: RunningServer, heard: Complaints
) -> None:
    with ExitStack() as ending:
        context = ending.enter_context(opened(speaking, heard, permissions=["microphone"]))
        desk = Desk(context.new_page())
        ending.callback(desk.leave)
        desk.page.goto(unpowered.address)
        desk.ready().button("Got it").click()
        desk.until("s.mode === 'off'")
        expect(desk.page.get_by_role("status", name="Speech")).to_be_empty()
        confirmed = "“power up the robot” Powering up."
        for _ in range(5):  # on a busy machine the three seconds may pass before the test presses
            say(desk, "arm will power up. Say “authorize robot power” or press Confirm.")
            assert desk.state()["mode"] == "off"
            desk.page.evaluate("() => document.querySelector('.caption .pending button')?.click()")
            if desk.until(f"{shown(confirmed)} || {shown('Cancelled')}")["talk"]["phase"] == "done":
                break
            desk.page.reload()
            desk.ready()
        desk.until("s.mode === 'idle'")
        assert desk.stays()


def test_a_spoken_command_that_nobody_confirms_does_nothing(
    speaking: Browser, unpowered: RunningServer, heard: Complaints
) -> None:
    with ExitStack() as ending:
        context = ending.enter_context(opened(speaking, heard, permissions=["microphone"]))
        desk = Desk(context.new_page())
        ending.callback(desk.leave)
        desk.page.goto(unpowered.address)
        desk.ready().button("Got it").click()
        mode = desk.state()["mode"]
        say(desk, "Say “authorize robot power” or press Confirm.")
        desk.until(f"s.talk.pending === '' && {shown('Cancelled: not confirmed within 3 s.')}")
        assert desk.state()["mode"] == mode


def test_leaving_the_page_says_nothing(speaking: Browser, unpowered: RunningServer, heard: Complaints) -> None:
    with ExitStack() as ending:
        context = ending.enter_context(opened(speaking, heard, permissions=["microphone"]))
        desk = Desk(context.new_page())
        ending.callback(desk.leave)
        desk.page.goto(unpowered.address)
        desk.ready().button("Got it").click()
        desk.down("v")
        # In one go: the page listens for some seconds only.
        desk.until("s.talk.phase === 'listening' && window.dispatchEvent(new Event('blur'))")
        desk.until("s.talk.phase === 'idle'")


def test_without_a_microphone_it_says_so(browser: Browser, unpowered: RunningServer, heard: Complaints) -> None:
    with ExitStack() as ending:
        context = ending.enter_context(opened(browser, heard))
        desk = Desk(context.new_page())
        ending.callback(desk.leave)
        desk.page.goto(unpowered.address)
        desk.ready().button("Got it").click()
        desk.down("v")
        desk.until(f"s.talk.phase === 'refused' && {shown('microphone')}")
