"""A modelled master on the page: shown in its own view, moved by keys, sliders, typed values and the pointer."""

import math
from collections.abc import Iterator
from contextlib import suppress

import pytest
from browser.complaints import Complaints
from browser.desk import PATIENCE, Desk
from browser.fitting import CONTRAST, fits
from browser.pages import opened
from paths import CELLS
from playwright.sync_api import Browser, Error, Locator, expect

from farhand.client.servers import RunningServer, running_server
from farhand.devices import DEVICES

WAIST = 0  # the Touch's first joint
TOUCH = DEVICES["touch"]({})
MIDDLE = [(low + high) / 2 for low, high in zip(TOUCH.lower, TOUCH.upper, strict=True)]
IN_THE_MIDDLE = f"Math.hypot(...{MIDDLE}.map((x, i) => x - s.master.tip[i])) < 0.001"
# Where the handle at the master's tip is in its picture: the pointer is led over it, and the handle lights up.
FIND_HANDLE = """(view) => {
  const box = view.getBoundingClientRect();
  const hot = [];
  for (let x = box.left; x < box.right; x += 8) {
    for (let y = box.top; y < box.bottom; y += 8) {
      view.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, pointerType: "mouse" }));
      if (view.style.cursor === "grab") hot.push([x, y]);
    }
  }
  const middle = (axis) => hot.reduce((sum, point) => sum + point[axis], 0) / hot.length;
  return hot.length === 0 ? null : [middle(0), middle(1)];
}"""


@pytest.fixture(scope="module")
def touch_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A Geomagic Touch that drives an arm in front of a block."""
    text = (CELLS / "irb120-touch.toml").read_text()
    path = tmp_path_factory.mktemp("cells") / "irb120-touch.toml"
    path.write_text(text.replace('master = "touch"\n', 'master = "touch"\nwatchdog = { pause = 0.2, stop = 1.0 }\n'))
    with running_server(str(path)) as running:
        yield running


@pytest.fixture(scope="module")
def _page(browser: Browser, touch_server: RunningServer, heard: Complaints) -> Iterator[Desk]:
    with opened(browser, heard, viewport={"width": 1366, "height": 768}) as context:
        desk = Desk(context.new_page())
        desk.page.goto(touch_server.address)
        desk.ready()
        # A demonstration runs until somebody presses; nobody is stopped by taking it over.
        desk.until("s.master.demonstrating && s.mode === 'teleoperation' && s.appliedTick >= 0")
        expect(panel(desk)).to_contain_text("Demonstration: hold to take over")
        desk.says("Demonstration · clutch")
        with desk.holding("a"):
            desk.until("!s.master.demonstrating")
        state = desk.until("s.mode === 'idle' || s.mode === 'stopped'")
        assert state["mode"] == "idle", state["why"]
        desk.button("Got it").click()
        desk.page.locator(".masterbox .fold").click()
        yield desk
        desk.leave()


@pytest.fixture
def desk(_page: Desk) -> Iterator[Desk]:
    """The page, in control, with the arm at home and the hand in the middle of its travel."""
    _page.reset_if_stopped()
    alone = panel(_page).get_by_role("button", name="Move master only")
    if alone.get_attribute("aria-pressed") == "true":
        alone.click()
    _page.action("Reset robot").click()
    bring_back(_page)
    yield _page
    _page.let_go()
    _page.page.mouse.up()


def panel(desk: Desk) -> Locator:
    return desk.page.get_by_role("region", name="Master")


def bring_back(desk: Desk) -> None:
    """Hold the button until the hand is in the middle; a page that was held up releases it, and it is pressed again."""
    for _ in range(5):
        press(desk, desk.button("Hold to centre"))
        there = False
        with suppress(Error):
            there = bool(desk.until(IN_THE_MIDDLE, PATIENCE / 3))
        desk.page.mouse.up()
        if there:
            return
        desk.reset_if_stopped()
    raise AssertionError("the hand does not come to the middle")


def press(desk: Desk, button: Locator) -> None:
    """Hold the mouse on a button."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    desk.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.page.mouse.down()


def test_keys_move_the_master_and_the_robot_follows(desk: Desk) -> None:
    expect(panel(desk)).to_contain_text("Geomagic Touch")
    expect(desk.page.locator(".masterbox")).to_contain_text("Geomagic Touch, normal hand")
    expect(panel(desk)).to_contain_text("Released: hold to engage")
    start = desk.state()
    with desk.driving("a"):
        expect(panel(desk)).to_contain_text("Engaged")
        desk.until(f"s.master.intended[1] > {start['master']['intended'][1] + 0.01}")
        state = desk.until(f"s.tip[1] > {start['tip'][1] + 0.015}")
    assert state["master"]["tip"][1] > start["master"]["tip"][1] + 0.003
    desk.until("s.mode === 'idle'")
    assert desk.stays()


def test_the_gripper_closes_by_its_key(desk: Desk) -> None:
    with desk.driving("z"):
        desk.until("s.grip < 0.09")
    desk.until("s.mode === 'idle'")


def reaches_the_block(desk: Desk) -> bool:
    """Push towards the block; where travel runs out before, bring the hand back, so that it can push on from there."""
    with desk.driving("w"):
        state = desk.until(f"s.master.felt[0] < -0.3 || s.master.tip[0] > {TOUCH.upper[0] - 0.0005}")
        felt: bool = state["master"]["felt"][0] < -0.3
        if felt:
            expect(panel(desk)).to_contain_text("N, towards you")
    if not felt:
        bring_back(desk)
    return felt


def test_a_block_is_felt_and_travel_runs_out(desk: Desk) -> None:
    assert any(reaches_the_block(desk) for _ in range(4))
    with desk.driving("d"):
        desk.until(f"s.master.tip[1] < {TOUCH.lower[1] + 0.0005}")
    expect(panel(desk).locator(".number.warn")).to_contain_text("End of travel")
    travel = desk.page.locator(".masterbox .joint").filter(has_text="Travel y")
    expect(travel).to_have_text("Travel y0 mm left")


def test_alone_the_master_moves_and_the_robot_stays(desk: Desk) -> None:
    panel(desk).get_by_role("button", name="Move master only").click()
    expect(panel(desk)).to_contain_text("Released: bring your hand back")
    start = desk.state()
    with desk.holding("a"):
        desk.until("s.master.tip[1] > 0.02")
        assert desk.state()["mode"] == "idle"
    after = desk.state()
    assert math.dist(start["tip"][:3], after["tip"][:3]) < 1e-4
    bring_back(desk)
    assert math.dist(start["tip"][:3], desk.state()["tip"][:3]) < 1e-4
    panel(desk).get_by_role("button", name="Move master only").click()
    expect(panel(desk)).to_contain_text("Released: hold to engage")


def test_a_slider_leads_a_joint_while_it_is_held(desk: Desk) -> None:
    slider = desk.page.locator(".masterjoint input[type=range]").first
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    desk.page.mouse.move(x, y)
    desk.engage(desk.page.mouse.down, desk.page.mouse.up)
    desk.page.mouse.move(x + box["width"] / 12, y, steps=4)
    desk.until(f"Math.abs(s.master.joints[{WAIST}]) > 0.08 && Math.abs(s.tip[1]) > 0.005")
    desk.page.mouse.up()
    desk.until("s.mode === 'idle'")
    assert desk.stays()


def test_typed_values_are_gone_to_while_go_is_held(desk: Desk) -> None:
    field = desk.page.locator(".masterjoint input[type=number]").first
    go = desk.button("Hold to go there")
    expect(go).to_be_disabled()
    field.fill("5")
    press(desk, go)
    desk.until(f"Math.abs(s.master.joints[{WAIST}] - {math.radians(5)}) < 0.01")
    desk.page.mouse.up()
    desk.until("s.mode === 'idle'")
    field.fill("")
    expect(go).to_be_disabled()


def test_the_tip_is_dragged_in_the_masters_own_picture(desk: Desk) -> None:
    panel(desk).get_by_role("button", name="Larger").click()
    view = desk.page.locator(".masterview .view")
    expect(view).to_be_visible()
    handle: list[float] | None = None
    for _ in range(50):  # the picture takes a moment to be framed anew
        found = view.evaluate(FIND_HANDLE)
        if found is not None and found == handle:
            break
        handle = found
        desk.until(f"s.tick > {desk.state()['tick'] + 50}")
    assert handle is not None
    x, y = handle
    start = desk.state()
    desk.page.mouse.move(x, y)
    desk.engage(desk.page.mouse.down, desk.page.mouse.up)
    desk.page.mouse.move(x, y - 50, steps=5)
    desk.until(f"s.master.tip[2] > {start['master']['tip'][2] + 0.01} && s.tip[2] > {start['tip'][2] + 0.01}")
    desk.page.mouse.up()
    desk.until("s.mode === 'idle'")
    panel(desk).get_by_role("button", name="Smaller").click()


@pytest.mark.parametrize("size", [(1366, 768), (820, 1180)], ids=["laptop", "upright"])
def test_nothing_of_it_is_cut_off_and_every_text_can_be_read(desk: Desk, size: tuple[int, int]) -> None:
    desk.page.set_viewport_size({"width": size[0], "height": size[1]})
    fits(desk)
    assert desk.page.evaluate(CONTRAST) == []
    desk.page.set_viewport_size({"width": 1366, "height": 768})


def test_the_picture_can_be_closed_and_comes_back(desk: Desk) -> None:
    panel(desk).get_by_role("button", name="Close the view of the master").click()
    expect(panel(desk)).to_have_count(0)
    desk.page.reload()
    desk.ready()
    expect(panel(desk)).to_have_count(0)
    desk.button("Master").first.click()
    expect(panel(desk)).to_contain_text("Geomagic Touch")
    desk.page.locator(".masterbox .fold").click()
