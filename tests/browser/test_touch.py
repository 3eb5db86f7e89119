"""Driving by fingers on a tablet."""

from typing import Any

import pytest
from browser.desk import Desk, OpenDesk
from playwright.sync_api import CDPSession, Locator, expect

TABLET = {"viewport": {"width": 1180, "height": 820}, "has_touch": True, "is_mobile": True}


class Finger:
    """One finger on the glass."""

    def __init__(self, desk: Desk) -> None:
        self._glass: CDPSession = desk.page.context.new_cdp_session(desk.page)

    def touch(self, x: float, y: float) -> None:
        self._send("touchStart", [{"x": x, "y": y}])

    def slide(self, x: float, y: float) -> None:
        self._send("touchMove", [{"x": x, "y": y}])

    def lift(self) -> None:
        self._send("touchEnd", [])

    def cancel(self) -> None:
        """The system takes the touch away, for a gesture of its own."""
        self._send("touchCancel", [])

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        event: dict[str, Any] = {"type": kind, "touchPoints": points}
        self._glass.send("Input.dispatchTouchEvent", event)


def box_of(place: Locator) -> tuple[float, float, float]:
    """Return the middle and half the width of an element."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] / 2


@pytest.fixture
def desk(visit: OpenDesk) -> Desk:
    desk = visit(**TABLET).ready()
    desk.button("Got it").click()
    desk.settle().choose_mode("base axes")
    return desk


@pytest.fixture
def finger(desk: Desk) -> Finger:
    return Finger(desk)


def stick(desk: Desk, side: str) -> Locator:
    return desk.page.get_by_role("application", name=f"{side} stick")


def test_a_touched_stick_drives_and_a_lifted_finger_stops(desk: Desk, finger: Finger) -> None:
    start = desk.state()["tip"]
    x, y, radius = box_of(stick(desk, "left"))
    desk.engage(lambda: finger.touch(x, y), finger.lift)
    finger.slide(x, y - radius)
    desk.until(f"s.tip[0] > {start[0] + 0.02}")
    finger.slide(x - radius, y)
    desk.until(f"s.tip[1] > {start[1] + 0.02}")
    finger.lift()
    desk.until("s.mode === 'idle'")
    assert desk.stays()


def test_the_right_stick_lifts(desk: Desk, finger: Finger) -> None:
    start = desk.state()["tip"]
    x, y, radius = box_of(stick(desk, "right"))
    desk.engage(lambda: finger.touch(x, y), finger.lift)
    finger.slide(x, y - radius)
    desk.until(f"s.tip[2] > {start[2] + 0.02}")
    finger.cancel()
    desk.until("s.mode === 'idle'")
    assert desk.stays()


def test_the_gripper_closes_while_its_button_is_touched(desk: Desk, finger: Finger) -> None:
    x, y, _ = box_of(desk.page.locator(".sticks").get_by_role("button", name="Close"))
    desk.engage(lambda: finger.touch(x, y), finger.lift)
    desk.until("s.grip < 0.08")
    finger.lift()
    desk.until("s.mode === 'idle'")
    grip = desk.state()["grip"]
    assert desk.stays()
    assert abs(desk.state()["grip"] - grip) < 0.005


def test_stop_is_a_large_target_and_stops_while_a_stick_is_held(desk: Desk, finger: Finger) -> None:
    box = desk.stop_button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44  # pixels: a finger's width
    x, y, radius = box_of(stick(desk, "left"))
    desk.engage(lambda: finger.touch(x, y), finger.lift)
    finger.slide(x, y - radius)
    desk.until("s.mode === 'teleoperation'")
    desk.press("Space")
    desk.until("s.mode === 'stopped'")
    finger.slide(x - radius, y)
    assert desk.stays()
    finger.lift()
    desk.stop_button.tap()
    assert desk.state()["mode"] == "stopped"
    expect(desk.page.locator(".stopbar")).to_be_visible()
    desk.reset_if_stopped()
