"""Dragging the tip with the mouse, in the picture."""

import math

import pytest
from browser.desk import Desk
from playwright.sync_api import expect


@pytest.fixture
def handle(desk: Desk) -> tuple[float, float]:
    """The handle at the tip in the window: in the middle of the view from the tip."""
    desk.page.get_by_role("group", name="View from").get_by_role("button", name="Tip").click()
    view = desk.page.locator(".view")
    box = view.bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    # The camera takes a moment to get there; the handle lights up once the pointer is on it.
    for step in range(200):
        desk.page.mouse.move(middle[0] + step % 2, middle[1])
        if view.evaluate("(view) => view.style.cursor") == "grab":
            return middle
        desk.until(f"s.tick > {desk.state()['tick'] + 5}")
    pytest.fail("there is no handle at the tip")


def test_the_tip_follows_the_pointer_and_holds_where_it_is_let_go(desk: Desk, handle: tuple[float, float]) -> None:
    x, y = handle
    start = desk.state()["tip"]
    desk.page.mouse.down()
    desk.until("s.mapping === 'pointer'")
    for step in range(1, 6):
        desk.page.mouse.move(x, y - 8 * step)
    desk.until(f"s.mode === 'teleoperation' && s.tip[2] > {start[2] + 0.01}")
    desk.says("Driving · pointer")
    assert desk.page.locator(".view").evaluate("(view) => view.style.cursor") == "grabbing"
    desk.page.mouse.up()
    state = desk.until("s.mode === 'idle' && s.mapping === 'joints'")  # as it was driven before
    assert desk.stays()
    turned = abs(sum(a * b for a, b in zip(start[3:], state["tip"][3:], strict=True)))
    assert 2 * math.acos(min(1.0, turned)) < 0.05  # rad: it keeps its direction


def test_a_drag_beside_the_handle_turns_the_camera_and_moves_nothing(desk: Desk, handle: tuple[float, float]) -> None:
    x, y = handle
    desk.page.mouse.move(x + 150, y + 60)
    desk.page.mouse.down()
    desk.page.mouse.move(x + 100, y + 40)
    assert desk.stays()
    desk.page.mouse.up()
    assert (desk.state()["mapping"], desk.state()["mode"]) == ("joints", "idle")


def test_stop_ends_a_drag(desk: Desk, handle: tuple[float, float]) -> None:
    x, y = handle
    desk.page.mouse.down()
    desk.page.mouse.move(x, y - 60)
    desk.until("s.mode === 'teleoperation'")
    desk.press("Space")
    desk.until("s.mode === 'stopped'")
    desk.page.mouse.move(x, y - 90)
    assert desk.stays()
    desk.page.mouse.up()
    desk.until("s.mapping === 'joints'")
    expect(desk.page.locator(".stopbar")).to_be_visible()
