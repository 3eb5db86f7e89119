"""A SpaceMouse by WebHID: the browser's part is played by a script that sends recorded reports."""

import json

import pytest
from browser.desk import Desk, OpenDesk
from paths import DATA
from playwright.sync_api import expect

# What `navigator.hid` gives: one device, which the operator has allowed once he asked for it.
PLAYED = """
  class Device extends EventTarget {
    productName = "SpaceMouse Compact";
    opened = false;
    collections = [{ usagePage: 1, usage: 8 }];
    async open() { this.opened = true; }
  }
  class Port extends EventTarget {
    async getDevices() { return []; }
    async requestDevice({ filters }) { this.asked = filters; return [window.mouse]; }
  }
  window.mouse = new Device();
  Object.defineProperty(Navigator.prototype, "hid", { value: new Port(), configurable: true });
  window.report = (text) => {
    const [reportId, ...bytes] = text.split(" ").map((part) => parseInt(part, 16));
    const data = new DataView(new Uint8Array(bytes).buffer);
    window.mouse.dispatchEvent(Object.assign(new Event("inputreport"), { reportId, data }));
  };
  window.plug = (what) => navigator.hid.dispatchEvent(Object.assign(new Event(what), { device: window.mouse }));
"""
RECORDED = json.loads((DATA / "spacemouse.json").read_text())["reports"]


class Mouse:
    """A SpaceMouse that a test operates."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def say(self, what: str) -> None:
        """Send a recorded report, by its name."""
        report = next(each["report"] for each in RECORDED if each["what"] == what)
        self.desk.page.evaluate("(text) => window.report(text)", report)

    def enable(self) -> None:
        self.desk.engage(lambda: self.say("left button"), lambda: self.say("buttons let go"))

    def rest(self) -> None:
        self.say("nothing is pushed")
        self.say("let go")
        self.say("buttons let go")


@pytest.fixture
def desk(visit: OpenDesk) -> Desk:
    return visit(script=PLAYED).ready().settle()


@pytest.fixture
def mouse(desk: Desk) -> Mouse:
    desk.choose_mode("base axes")
    desk.button("Devices").click()
    desk.button("Connect SpaceMouse").click()
    expect(desk.page.get_by_role("dialog")).to_contain_text("Hold its left button to move; the right one stops.")
    asked = desk.page.evaluate("() => navigator.hid.asked.map((filter) => filter.vendorId)")
    assert asked == [0x046D, 0x256F]
    desk.press("Escape")
    desk.until(f"s.heard > {desk.state()['heard'] + 5}")  # the page has seen that nothing is pressed
    return Mouse(desk)


def test_the_cap_drives_while_the_left_button_is_held_until_it_is_unplugged(desk: Desk, mouse: Mouse) -> None:
    start = desk.state()["tip"]
    mouse.say("pushed away in full")
    assert desk.stays()  # nothing enables it
    mouse.enable()
    desk.until(f"s.tip[0] > {start[0] + 0.02}")
    mouse.say("to the right and down")
    desk.until(f"s.tip[1] < {start[1] - 0.02}")
    desk.page.evaluate("() => window.plug('disconnect')")
    desk.until("s.mode === 'idle' && s.pads.length === 0")
    assert desk.stays()
    desk.page.evaluate("() => window.plug('connect')")
    desk.until("s.pads.includes('SpaceMouse Compact')")
    mouse.say("pushed away in full")
    assert desk.stays()  # it is back, and takes a fresh press
    mouse.enable()
    mouse.rest()
    desk.until("s.mode === 'idle'")


def test_the_right_button_stops(desk: Desk, mouse: Mouse) -> None:
    mouse.enable()
    mouse.say("both buttons")
    desk.until("s.mode === 'stopped'")
    mouse.rest()


def test_a_browser_that_reads_no_such_devices_says_so_or_offers_nothing(visit: OpenDesk) -> None:
    gone = """for (const name of ["hid", "xr"]) {
      Object.defineProperty(Navigator.prototype, name, { value: undefined, configurable: true });
    }"""
    desk = visit(script=gone).ready()
    desk.button("Devices").click()
    dialog = desk.page.get_by_role("dialog")
    expect(dialog).to_contain_text("A SpaceMouse needs Chrome or Edge")
    expect(dialog.get_by_role("button", name="Connect SpaceMouse")).to_have_count(0)
    expect(dialog.get_by_role("button", name="Use headset or phone")).to_have_count(0)
