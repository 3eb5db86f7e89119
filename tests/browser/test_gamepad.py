"""A gamepad, or any other console: the browser's part is played by a script, everything behind it is real."""

import json
from typing import Any

import pytest
from browser.desk import Desk, OpenDesk
from playwright.sync_api import Locator, expect

# What `navigator.getGamepads` gives, for as long as the tab lives; `plug` and `feel` are the hands of the test.
PLAYED = """
  const kept = location.protocol === "http:" ? sessionStorage.getItem("pads") : null;
  const pads = JSON.parse(kept ?? "[]");
  const button = (value) => ({ pressed: value > 0.5, touched: value > 0, value });
  navigator.getGamepads = () => pads.map((pad) => ({ ...pad, buttons: pad.buttons.map(button), timestamp: 0 }));
  window.plug = (id, mapping, axes, buttons) => {
    pads[0] = { id, index: 0, connected: true, mapping, axes: Array(axes).fill(0), buttons: Array(buttons).fill(0) };
    sessionStorage.setItem("pads", JSON.stringify(pads));
  };
  window.feel = (kind, number, value) => { pads[0][kind][number] = value; };
"""
RIGHT_BUMPER, B, START = 5, 1, 9
LEFT_X, LEFT_Y, RIGHT_Y = 0, 1, 3


class Pad:
    """A device that a test operates."""

    def __init__(self, desk: Desk, name: str, mapping: str, axes: int, buttons: int) -> None:
        self.desk = desk
        desk.page.evaluate("(pad) => window.plug(...pad)", [name, mapping, axes, buttons])
        desk.until(f"s.pads.includes({json.dumps(name)})")  # one that appears with a button held must be let go first

    def axis(self, number: int, value: float) -> None:
        self._feel("axes", number, value)

    def button(self, number: int, value: float = 1.0) -> None:
        self._feel("buttons", number, value)

    def enable(self, number: int) -> None:
        """Press the button that enables, until the robot follows."""
        self.desk.engage(lambda: self.button(number), lambda: self.button(number, 0.0))

    def _feel(self, *what: Any) -> None:
        self.desk.page.evaluate("(what) => window.feel(...what)", list(what))


@pytest.fixture
def desk(visit: OpenDesk) -> Desk:
    return visit(script=PLAYED).ready().settle()


@pytest.fixture
def pad(desk: Desk) -> Pad:
    """A gamepad that the browser knows, driving the tip."""
    desk.choose_mode("base axes")
    return Pad(desk, "Known pad", "standard", 4, 17)


def test_the_stick_drives_while_the_bumper_is_held(desk: Desk, pad: Pad) -> None:
    start = desk.state()["tip"]
    pad.axis(LEFT_Y, -1.0)
    assert desk.stays()  # nothing enables it
    pad.axis(LEFT_Y, 0.0)
    pad.enable(RIGHT_BUMPER)
    pad.axis(LEFT_Y, -1.0)  # forward
    desk.until(f"s.tip[0] > {start[0] + 0.02}")
    pad.axis(LEFT_Y, 0.0)
    pad.axis(LEFT_X, -1.0)  # left
    desk.until(f"s.tip[1] > {start[1] + 0.02}")
    pad.axis(LEFT_X, 0.0)
    raised = desk.state()["tip"]
    pad.axis(RIGHT_Y, -1.0)  # up
    desk.until(f"s.tip[2] > {raised[2] + 0.02}")
    pad.button(RIGHT_BUMPER, 0.0)
    desk.until("s.mode === 'idle'")
    assert desk.stays()  # though the stick is still deflected


def test_a_wandering_stick_moves_nothing(desk: Desk, pad: Pad) -> None:
    pad.axis(LEFT_Y, -0.1)
    pad.enable(RIGHT_BUMPER)
    assert desk.stays()
    pad.button(RIGHT_BUMPER, 0.0)


def test_stop_and_reset_by_button_and_a_held_bumper_starts_nothing(desk: Desk, pad: Pad) -> None:
    pad.enable(RIGHT_BUMPER)
    pad.axis(LEFT_X, -1.0)
    desk.until("s.tip[1] > 0.01")
    pad.button(B)
    desk.until("s.mode === 'stopped'")
    pad.button(B, 0.0)
    pad.button(START)
    desk.until("s.mode === 'idle'")
    assert desk.stays()
    pad.button(RIGHT_BUMPER, 0.0)
    heard = desk.state()["heard"]
    desk.until(f"s.heard > {heard + 5}")
    pad.enable(RIGHT_BUMPER)


def test_a_bumper_that_is_held_when_the_pad_appears_starts_nothing(desk: Desk) -> None:
    desk.page.evaluate(
        """() => {
          window.plug("Held pad", "standard", 4, 17);
          window.feel("buttons", 5, 1);
          window.feel("axes", 1, -1);
        }"""
    )
    assert desk.stays()
    assert desk.state()["mode"] == "idle"


def teach(dialog: Locator, name: str) -> Locator:
    """Start the lesson of a function and return its row."""
    row = dialog.locator(".padrow").filter(has=dialog.page.get_by_text(name, exact=True))
    row.get_by_role("button", name="Teach").click()
    expect(row).to_contain_text("now")
    return row


def test_any_console_can_be_taught_and_is_known_again(desk: Desk) -> None:
    console = Pad(desk, "Odd console (7 axes, 20 buttons)", "", 7, 20)
    desk.button("Devices").click()
    dialog = desk.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Unknown device")

    row = teach(dialog, "Enable: hold it to move")
    console.button(16)
    expect(row).to_contain_text("let go")
    console.button(16, 0.0)
    expect(row).to_contain_text("button 17")

    row = teach(dialog, "reach")
    console.axis(5, 0.9)
    expect(row).to_contain_text("let go")
    console.axis(5, 0.0)
    expect(row).to_contain_text("axis 6 +")

    console.button(16)  # while it is being set up it moves nothing
    console.axis(5, 1.0)
    assert desk.stays()
    console.button(16, 0.0)
    console.axis(5, 0.0)
    desk.press("Escape")
    expect(dialog).to_be_hidden()

    for again in (False, True):
        if again:
            desk.page.reload()
            desk.ready()
        desk.choose_mode("base axes")
        start = desk.state()["tip"][0]
        console.axis(5, 0.0)
        console.button(16, 0.0)
        heard = desk.state()["heard"]
        desk.until(f"s.heard > {heard + 5}")
        console.enable(16)
        console.axis(5, 1.0)
        desk.until(f"s.tip[0] > {start + 0.01}")
        console.button(16, 0.0)
        desk.until("s.mode === 'idle'")


ENABLE, CLOSE, RED = 0, 1, 3
LEFT_ALONG, ROCKER, HAT_ALONG = 1, 6, 8


def test_a_bomb_disposal_hand_controller_is_chosen_and_drives(desk: Desk) -> None:
    console = Pad(desk, "Hand controller (9 axes, 12 buttons)", "", 9, 12)
    desk.button("Devices").click()
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_label("Layout").select_option("Bomb-disposal hand controller")
    row = dialog.locator(".padrow").filter(has=desk.page.get_by_text("lift", exact=True))
    expect(row).to_contain_text("axis 7 −")
    desk.press("Escape")
    desk.choose_mode("base axes")
    start = desk.state()
    desk.until(f"s.heard > {start['heard'] + 5}")  # the page has seen that nothing is pressed
    console.enable(ENABLE)
    console.axis(ROCKER, -1.0)
    desk.until(f"s.tip[2] > {start['tip'][2] + 0.02}")
    console.axis(ROCKER, 0.0)
    console.axis(LEFT_ALONG, -1.0)
    desk.until(f"s.tip[0] > {start['tip'][0] + 0.02}")
    console.axis(LEFT_ALONG, 0.0)
    console.button(CLOSE)
    desk.until("s.grip < 0.08")
    console.button(CLOSE, 0.0)
    console.axis(HAT_ALONG, -1.0)
    desk.until(f"s.level === {start['level'] + 1}")
    console.axis(HAT_ALONG, 0.0)
    console.button(RED)
    desk.until("s.mode === 'stopped'")
    console.button(RED, 0.0)
    console.button(ENABLE, 0.0)


def test_a_device_with_too_few_inputs_for_a_layout_is_said_to(desk: Desk) -> None:
    Pad(desk, "Small pad", "standard", 4, 17)
    desk.button("Devices").click()
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_label("Layout").select_option("Bomb-disposal hand controller")
    expect(dialog).to_contain_text("This device has fewer inputs than the layout: 4 of 9 axes")
    dialog.get_by_label("Layout").select_option("Standard gamepad")
    expect(dialog).to_contain_text("Hold its right bumper to move")
