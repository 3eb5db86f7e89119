"""Opening the printed link."""

from contextlib import suppress

from browser.desk import NOTICED, OpenDesk
from playwright.sync_api import Error, expect

from farhand.client.servers import RunningServer

# How many pixels of the picture, made small, are of a warm colour.
COLOURS = """() => {
  const picture = document.querySelector(".view canvas");
  const small = document.createElement("canvas");
  [small.width, small.height] = [200, 120];
  const pen = small.getContext("2d");
  pen.drawImage(picture, 0, 0, small.width, small.height);
  const { data } = pen.getImageData(0, 0, small.width, small.height);
  let warm = 0;
  for (let at = 0; at < data.length; at += 4) warm += data[at] > 120 && data[at] > 1.4 * data[at + 2] ? 1 : 0;
  return warm;
}"""

# A key goes down in the first moment in which this page controls the robot and knows its axes.
PRESS_WITH_CONTROL = """async () => {
  const ready = () => { const s = window.farhand?.state(); return s !== undefined && s.mine && s.mode !== null; };
  while (!ready()) await new Promise((next) => setTimeout(next, 1));
  window.dispatchEvent(new KeyboardEvent("keydown", { code: "KeyQ", key: "q" }));
}"""


def test_the_printed_link_opens_the_cell_and_gives_control(visit: OpenDesk, server: RunningServer) -> None:
    desk = visit()
    before = desk.ready().until("s.appliedTick > 0")["appliedTick"]
    desk.until(f"s.appliedTick > {before + 100}")
    assert desk.page.url == server.address.partition("#")[0]  # the token has left the address bar
    expect(desk.page.locator(".lease .words")).to_contain_text("You hold control")
    desk.says("Holding")
    expect(desk.page.get_by_text("No 3D view")).to_be_hidden()


def test_the_first_press_drives_though_it_comes_at_once(visit: OpenDesk) -> None:
    """Press in the moment in which control comes. A machine that holds that up for 0.2 s is forgiven twice."""
    modes = []
    for _ in range(3):
        desk = visit()
        desk.page.evaluate(PRESS_WITH_CONTROL)
        with suppress(Error):  # refused by the cell, or by the page itself: it tells in the end
            modes.append(desk.until("s.mode === 'teleoperation' || !s.mine", timeout=NOTICED)["mode"])
        desk.page.evaluate("() => window.dispatchEvent(new Event('blur'))")
        desk.until("s.mode !== 'teleoperation'")
        desk.leave()
        if "teleoperation" in modes:
            return
    raise AssertionError(f"the first press moves nothing: {modes}")


def test_the_cell_is_really_drawn(visit: OpenDesk) -> None:
    """The arm is orange, so is the cube, on a grey table; an empty picture has a handful of greys."""
    desk = visit().ready()
    desk.until(f"({COLOURS})() > 200", timeout=30)
    expect(desk.page.get_by_text("Drawing the first picture…")).to_have_count(0)


def test_three_hints_at_the_first_visit_and_never_again(visit: OpenDesk) -> None:
    desk = visit().ready()
    desk.reset_if_stopped()
    hints = desk.page.get_by_role("complementary", name="First steps")
    expect(hints.get_by_role("listitem")).to_have_count(3)
    desk.button("Got it").click()
    expect(hints).to_be_hidden()
    desk.page.reload()
    desk.ready()
    expect(hints).to_be_hidden()


def test_a_reload_needs_no_token_and_keeps_control(visit: OpenDesk) -> None:
    desk = visit().ready()
    viewer = desk.state()["viewer"]
    desk.page.reload()
    assert desk.ready().state()["viewer"] == viewer
