"""Sizes of screens: nothing is cut off, nothing scrolls sideways, Stop is always there, every text can be read."""

from collections.abc import Iterator
from typing import Any

import pytest
from browser.desk import Desk, OpenDesk
from browser.fitting import CONTRAST, COVERED, ON_TOP, fits
from playwright.sync_api import expect

from farhand.client.servers import RunningServer, running_server

SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "large": {"viewport": {"width": 2560, "height": 1440}},
    "tablet": {"viewport": {"width": 1180, "height": 820}, "has_touch": True, "is_mobile": True},
    "tablet upright": {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(params=list(SCREENS))
def desk(request: pytest.FixtureRequest, visit: OpenDesk) -> Desk:
    desk = visit(**SCREENS[request.param]).ready()
    desk.reset_if_stopped()
    return desk


def test_nothing_is_cut_off_and_every_text_can_be_read(desk: Desk) -> None:
    fits(desk)
    assert desk.page.evaluate(CONTRAST) == []
    desk.button("Got it").click()
    desk.settle()
    with desk.driving("q"):
        fits(desk)
        assert desk.page.evaluate(CONTRAST) == []
    desk.press("Space")
    desk.until("s.mode === 'stopped'")
    expect(desk.page.locator(".stopbar")).to_be_visible()
    fits(desk)
    assert desk.page.evaluate(CONTRAST) == []
    desk.reset_if_stopped()
    desk.press("Shift+?")
    dialog = desk.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert desk.page.evaluate(CONTRAST) == []
    assert dialog.locator(".stopbutton").evaluate(ON_TOP)
    desk.press("Escape")


def test_a_laptop_shows_everything_without_scrolling(visit: OpenDesk) -> None:
    desk = visit(**SCREENS["laptop"]).ready()
    desk.reset_if_stopped()
    desk.button("Got it").click()
    tall: list[int] = desk.page.evaluate("() => [document.scrollingElement.scrollHeight, innerHeight]")
    assert tall[0] <= tall[1]
    for place in (".side", ".foot", ".stage"):
        inside = desk.page.locator(place).evaluate("(part) => [part.scrollHeight, part.clientHeight]")
        assert inside[0] <= inside[1] + 1, place


def test_a_low_narrow_window_shows_the_first_steps_whole_and_leads_to_the_devices(visit: OpenDesk) -> None:
    desk = visit(viewport={"width": 900, "height": 700}).ready()
    desk.reset_if_stopped()
    steps = desk.page.locator(".hints li")
    expect(steps).to_have_count(3)
    for step in steps.all():
        assert step.evaluate(ON_TOP), step.inner_text()
    assert desk.button("Got it").evaluate(ON_TOP)
    assert desk.button("Devices").evaluate(ON_TOP)


def complain(desk: Desk) -> None:
    """Have the page show two messages, by settings that it cannot read."""
    desk.button("Set-up").click()
    for settings in (
        "kind is what",
        "a far longer line, which is not a setting either, and takes more than one line to say so",
    ):
        desk.page.get_by_label("Settings").fill(settings)
        desk.button("Apply").click()
    expect(desk.page.locator(".toast")).to_have_count(2)


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1280, "height": 720}}, SCREENS["tablet"]])
def test_messages_cover_no_control(visit: OpenDesk, screen: dict[str, Any]) -> None:
    desk = visit(**screen).ready()
    desk.reset_if_stopped()
    desk.button("Got it").click()
    complain(desk)
    assert desk.page.evaluate(COVERED) == [2, []]
    desk.press("Escape")
    desk.stop_button.click()
    expect(desk.page.locator(".stopbar")).to_be_visible()
    assert desk.page.evaluate(COVERED)[1] == []


@pytest.fixture(scope="module")
def tracked() -> Iterator[RunningServer]:
    with running_server("telemax-things") as running:
        yield running


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768)])
def test_a_low_screen_keeps_in_sight_what_a_robot_on_tracks_can_do(
    visit: OpenDesk, tracked: RunningServer, width: int, height: int
) -> None:
    desk = visit(tracked.address, viewport={"width": width, "height": height}).ready()
    desk.button("Got it").click()
    desk.press("7")  # whatever was led before: asked again, the arm would be led in its next way
    desk.until("s.mapping === 'drive'")
    desk.press("9")  # the arm by its joints: the most keys, with the longest names
    desk.until("s.mapping === 'arm joints' && s.wall.small.length === 6")
    fits(desk)
    for name in ("Home", "Hold", "Close grip", "Open grip", "Reset robot", "Reset objects"):
        assert desk.action(name).evaluate(ON_TOP), name
    for key in desk.page.locator(".keys .key").all():
        assert key.evaluate(ON_TOP), key.inner_text()


def test_messages_cover_no_control_over_a_camera(visit: OpenDesk, tracked: RunningServer) -> None:
    desk = visit(tracked.address, viewport={"width": 1280, "height": 720}).ready()
    desk.button("Got it").click()
    desk.press("1")
    expect(desk.page.locator(".picturetools")).to_be_visible()
    complain(desk)
    assert desk.page.evaluate(COVERED) == [2, []]
