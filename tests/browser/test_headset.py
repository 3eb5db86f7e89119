"""Driving the tip with a headset's controller: the emulator ``iwer`` plays WebXR, the rest is real."""

import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from browser.complaints import Complaints
from browser.desk import DISTRUSTED, Desk
from browser.pages import opened
from paths import CELLS, ROOT
from playwright.sync_api import Browser, Locator, expect

from farhand.client.servers import RunningServer, running_server

EMULATOR = ROOT / "web" / "node_modules" / "iwer" / "build" / "iwer.min.js"
# A headset whose controllers lie still, one arm's length away. Nothing is drawn in it: the processor would have to.
WORN = """
  const drawing = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...options) {
    const nothing = { canvas: this, getParameter: () => [0, 0, 0, 0] };
    const idle = (given, name) => (name in given ? given[name] : () => null);
    return kind === "webgl" ? new Proxy(nothing, { get: idle }) : drawing.call(this, kind, ...options);
  };
  // A headset has a clock of its own: its frames do not wait for the page's picture.
  window.requestAnimationFrame = (frame) => setTimeout(() => frame(performance.now()), 14);
  window.headset = new IWER.XRDevice(IWER.metaQuest3);
  window.headset.installRuntime({ forceInstall: true });
  window.headset.canvasContainer.style.display = "none";  // what is seen in the headset lies over the page
  Object.defineProperty(XRPose.prototype, "emulatedPosition", { get: () => window.guessed === true });
  window.place = (x, y, z) => window.headset.controllers.right.position.set(x, y, z);
  window.place(0.2, 1.2, -0.4);
  window.glide = async (from, to, steps) => {
    for (let step = 0; step <= steps; step++) {
      window.place(...from.map((start, axis) => start + ((to[axis] - start) * step) / steps));
      await new Promise((next) => setTimeout(next, 20));
    }
  };
"""
LET_GO = "document.querySelector('.headset').textContent.includes('Let go of the grip button')"
Place = tuple[float, float, float]
PATIENT = "watchdog = { pause = 0.2 }\n"


@pytest.fixture(scope="module")
def headset_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A cell whose robot can follow a tracked controller."""
    text = (CELLS / "irb120-headset.toml").read_text()
    path = tmp_path_factory.mktemp("cells") / "irb120-headset.toml"
    path.write_text(text.replace('master = "hand"\n', 'master = "hand"\n' + PATIENT))
    with running_server(str(path)) as running:
        yield running


class Controller:
    """The right controller, operated by a test; positions in the axes of WebXR: right, up, back (m)."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def do(self, script: str, *given: Any) -> None:
        self.desk.page.evaluate(
            f"(given) => {{ const {{ right, left }} = window.headset.controllers; {script} }}", given
        )

    def place(self, x: float, y: float, z: float) -> None:
        self.do("window.place(...given);", x, y, z)

    def squeeze(self, value: float = 1.0) -> None:
        self.do("right.updateButtonValue('squeeze', given[0]);", value)

    def trigger(self, value: float) -> None:
        self.do("right.updateButtonValue('trigger', given[0]);", value)

    def enable(self) -> None:
        """Squeeze until the robot follows; a press that the cell refuses is repeated."""
        for _ in range(5):
            self.squeeze(0.0)
            expect(self.card).to_contain_text("Hold the grip button")
            self.squeeze()
            expect(self.card).to_contain_text(re.compile("Moving the tip|Let go of the grip button"))
            if self.desk.until(f"s.mode === 'teleoperation' || {DISTRUSTED} || {LET_GO}")["mode"] == "teleoperation":
                return
        raise AssertionError("the robot does not follow")

    def grips(self) -> None:
        """Pull the trigger until the gripper closes."""
        for _ in range(5):
            self.trigger(0.0)
            self.enable()
            self.trigger(1.0)
            if self.desk.until("s.grip < 0.095 || s.mode === 'idle'")["grip"] < 0.095:
                return
        raise AssertionError("the gripper does not close")

    @property
    def card(self) -> Locator:
        """The page's card about the headset."""
        return self.desk.page.locator(".headset")

    def leads(self, start: Place, end: Place) -> tuple[float, Place]:
        """Take hold at a place, go to another one, let go; return how far the tip went (m), and which way.

        A page that was held up begins anew where it is, and loses some of the way: then that is done again.
        """
        for _ in range(5):
            self.place(*start)
            self.enable()
            before = self.desk.state()["tip"]
            self.desk.page.evaluate("(way) => window.glide(...way)", [start, end, 25])
            self.desk.until(f"s.tick > {self.desk.state()['tick'] + 150}")
            self.squeeze(0.0)
            after = self.desk.until("s.mode === 'idle'")["tip"]
            x, y, z = (there - here for there, here in zip(after[:3], before[:3], strict=True))
            if (far := math.hypot(x, y, z)) > 0.02:
                return far, (x / far, y / far, z / far)
        raise AssertionError("the tip does not follow")


@pytest.fixture(scope="module")
def _worn(browser: Browser, headset_server: RunningServer, heard: Complaints) -> Iterator[Desk]:
    with opened(browser, heard) as context:
        context.add_init_script(EMULATOR.read_text() + WORN)
        desk = Desk(context.new_page())
        desk.page.goto(headset_server.address)
        desk.ready().reset_if_stopped()
        desk.button("Got it").click()
        expect(desk.page.get_by_text("Drawing the first picture")).to_have_count(0)  # until then the processor is busy
        yield desk
        desk.leave()


@pytest.fixture
def desk(_worn: Desk) -> Desk:
    """The page of a headset, in control, with the arm at home and in a control mode that follows the hand."""
    _worn.reset_if_stopped()
    if _worn.state()["mapping"] != "clutch":
        _worn.choose_mode("clutch")
    _worn.action("Reset robot").click()
    return _worn


@pytest.fixture
def controller(desk: Desk) -> Iterator[Controller]:
    desk.button("Devices").click()
    desk.button("Use headset or phone").click()
    controller = Controller(desk)
    expect(controller.card).to_contain_text("Hold the grip button")
    yield controller
    controller.squeeze(0.0)
    if controller.card.is_visible():
        desk.button("End").click()
    expect(controller.card).to_be_hidden()


def test_the_tip_goes_the_way_the_hand_goes_and_the_trigger_grips(desk: Desk, controller: Controller) -> None:
    controller.place(0.5, 1.5, 0.1)
    assert desk.stays()  # nothing enables it
    far, way = controller.leads((0.5, 1.5, 0.1), (0.5, 1.6, 0.1))
    assert far < 0.055  # half the way of the hand, as the cell has it
    assert way == pytest.approx((0.0, 0.0, 1.0), abs=0.1)  # up
    far, way = controller.leads((0.5, 1.5, 0.1), (0.44, 1.5, 0.02))
    assert far < 0.055
    assert way == pytest.approx((0.8, 0.6, 0.0), abs=0.1)  # forward and left
    controller.grips()
    controller.squeeze(0.0)
    desk.until("s.mode === 'idle'")
    controller.place(0.2, 1.2, 0.3)
    assert desk.stays()


def test_lost_tracking_and_the_end_of_the_session_let_go(desk: Desk, controller: Controller) -> None:
    controller.enable()
    controller.do("right.connected = false; left.connected = false;")
    desk.until("s.mode === 'idle'")
    expect(controller.card).to_contain_text("No controller is tracked")
    controller.do("right.connected = true;")
    expect(controller.card).to_contain_text("Let go of the grip button")
    assert desk.stays()  # though it is still squeezed
    controller.enable()
    controller.do("window.guessed = true;")
    desk.until("s.mode === 'idle'")
    controller.do("window.guessed = false;")
    controller.enable()
    desk.button("End").click()
    desk.until("s.mode === 'idle'")
    expect(controller.card).to_be_hidden()
    desk.choose_mode("base axes")
    with desk.driving("w"):  # the page goes on without it
        pass


def test_a_control_mode_that_follows_no_controller_is_named(desk: Desk, controller: Controller) -> None:
    desk.choose_mode("base axes")
    card = controller.card
    expect(card).to_contain_text("“Base axes” does not follow a controller; “Clutch” does.")
    controller.squeeze()
    assert desk.stays()
    assert desk.state()["mode"] == "idle"
    card.get_by_role("button", name="Clutch").click()
    desk.until("s.mapping === 'clutch'")
    assert desk.stays()  # a squeeze from before starts nothing
    controller.enable()
    controller.squeeze(0.0)
