"""Sizes of screens: nothing is cut off, nothing scrolls sideways, Stop is always there, every text can be read."""

from collections.abc import Iterator
from typing import Any

import pytest
from browser.desk import Desk, OpenDesk
from playwright.sync_api import expect

from farhand.client.servers import RunningServer, running_server

SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "large": {"viewport": {"width": 2560, "height": 1440}},
    "tablet": {"viewport": {"width": 1180, "height": 820}, "has_touch": True, "is_mobile": True},
    "tablet upright": {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True},
}
# Elements with a text of their own that does not fit into them, or into whatever cuts them off.
CUT_OFF = """() => {
  const bad = [];
  for (const element of document.querySelectorAll("header *, .stage *, .side *, .foot *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    const style = getComputedStyle(element);
    if (!own || style.display === "inline" || element.closest(".unseen, .view, .uplot") !== null) continue;
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const whole = element.title !== "" && style.textOverflow === "ellipsis";  // pointing at it shows all of it
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && !whole) {
      bad.push(`${element.className || element.tagName}: ${element.textContent.trim().slice(0, 60)}`);
    }
  }
  return bad;
}"""
OUTSIDE = """() => {
  const bad = [];
  for (const element of document.querySelectorAll("header button, header .pill, .side button, .foot button, .joint")) {
    if (!element.checkVisibility()) continue;
    const box = element.getBoundingClientRect();
    const inside = box.left >= -1 && box.right <= innerWidth + 1;
    if (!inside) bad.push(`${element.textContent.trim().slice(0, 40)}: ${box.left} to ${box.right}`);
  }
  return bad;
}"""
ON_TOP = """(button) => {
  const box = button.getBoundingClientRect();
  const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.top >= 0 && box.bottom <= innerHeight && (found === button || button.contains(found));
}"""
# Controls that a message lies upon.
COVERED = """() => {
  const toasts = [...document.querySelectorAll(".toast")].map((toast) => toast.getBoundingClientRect());
  const bad = [];
  for (const control of document.querySelectorAll("button, select, input, textarea, [role=application]")) {
    if (!control.checkVisibility() || control.closest(".toast, .unseen") !== null) continue;
    const box = control.getBoundingClientRect();
    const on = toasts.some((t) => t.left < box.right && box.left < t.right && t.top < box.bottom && box.top < t.bottom);
    if (on) bad.push(control.textContent.trim().slice(0, 40) || control.getAttribute("aria-label"));
  }
  return [toasts.length, bad];
}"""
# Contrast of every visible text with what lies behind it, by the formula of WCAG 2.
CONTRAST = """() => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = text;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const light = ([r, g, b]) => {
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const layer = rgba(getComputedStyle(at).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), rgba("#12171b"));
  };
  const bad = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    if (!own || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    if (element.closest("option, .unseen, noscript, :disabled, [aria-disabled='true']") !== null) continue;
    const ground = behind(element);
    let opacity = 1;
    for (let at = element; at !== null; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const [r, g, b, a] = rgba(getComputedStyle(element).color);
    const [x, y] = [light(over([r, g, b, a * opacity], ground)), light(ground)].sort((p, q) => q - p);
    const ratio = (x + 0.05) / (y + 0.05);
    if (ratio < 4.5) bad.push(`${element.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return bad;
}"""


@pytest.fixture(params=list(SCREENS))
def desk(request: pytest.FixtureRequest, visit: OpenDesk) -> Desk:
    desk = visit(**SCREENS[request.param]).ready()
    desk.reset_if_stopped()
    return desk


def fits(desk: Desk) -> None:
    page = desk.page
    wide: list[Any] = page.evaluate("() => [document.scrollingElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(CUT_OFF) == []
    assert desk.stop_button.evaluate(ON_TOP)


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
