"""Stop, and that nothing moves after it without a reset and a fresh press."""

import re

from browser.desk import Desk
from playwright.sync_api import expect


def drive(desk: Desk, key: str = "q", joint: int = 0) -> None:
    """Press a key, and leave it held, until the arm moves."""
    start = desk.state()["joints"][joint]
    desk.engage(lambda: desk.down(key), lambda: desk.up(key))
    desk.until(f"s.mode === 'teleoperation' && Math.abs(s.joints[{joint}] - {start}) > 0.03")


def test_space_stops_and_only_reset_and_a_fresh_press_lead_out(desk: Desk) -> None:
    drive(desk)
    desk.press("Space")
    desk.until("s.mode === 'stopped'")
    expect(desk.pill).to_have_class(re.compile("stop"))
    expect(desk.pill).to_contain_text("pressed Stop")
    bar = desk.page.locator(".stopbar")
    expect(bar).to_contain_text("Press Enter to reset, then drive on.")
    assert desk.stays()  # the key is still held
    desk.down("q")  # as a held key repeats
    assert desk.stays()
    assert desk.state()["mode"] == "stopped"
    desk.press("Enter")
    desk.until("s.mode === 'idle'")
    expect(bar).to_be_hidden()
    desk.down("q")
    assert desk.stays()
    assert desk.state()["mode"] == "idle"
    desk.up("q")
    drive(desk)
    desk.up("q")
    desk.until("s.mode === 'idle'")


def test_a_fresh_press_without_a_reset_moves_nothing(desk: Desk) -> None:
    desk.press("Space")
    desk.until("s.mode === 'stopped'")
    with desk.holding("q"):
        assert desk.stays()
        assert desk.state()["mode"] == "stopped"


def test_the_stop_button_stops_a_driven_arm(desk: Desk) -> None:
    drive(desk)
    desk.stop_button.click()
    desk.until("s.mode === 'stopped'")
    assert desk.stays()
    desk.up("q")


def test_space_stops_a_move_also_on_a_focused_button(desk: Desk) -> None:
    drive(desk)
    desk.up("q")
    desk.until("s.mode === 'idle'")
    desk.speed(1)
    desk.action("Home").focus()
    desk.press("Enter")
    desk.until("s.mode === 'autonomous'")
    desk.action("Reset robot").focus()
    desk.press("Space")
    state = desk.until("s.mode === 'stopped'")
    assert state["joints"][0] > 0.01  # and the button was not pressed by it
    assert desk.stays()


def test_space_stops_from_a_dialog(desk: Desk) -> None:
    desk.press("Shift+?")
    expect(desk.page.get_by_role("dialog")).to_be_visible()
    desk.press("Space")
    desk.until("s.mode === 'stopped'")
    expect(desk.page.get_by_role("dialog")).to_be_visible()


def test_keys_typed_into_a_field_drive_nothing(desk: Desk) -> None:
    fold = desk.page.get_by_role("button", name="Fault finding")
    fold.click()
    field = desk.page.get_by_label("Amplitude")
    field.focus()
    heard = desk.state()["heard"]
    with desk.holding("q"):
        desk.until(f"s.heard > {heard + 20}")
        assert desk.state()["mode"] == "idle"
        assert desk.stays()
    desk.press("Space")  # while nothing moves, a space is a space
    desk.press("m")
    assert desk.stays()
    assert (desk.state()["mode"], desk.state()["mapping"]) == ("idle", "joints")
    field.blur()
    fold.click()


def test_space_stops_a_moving_arm_even_while_somebody_types(desk: Desk) -> None:
    drive(desk)
    desk.up("q")
    desk.until("s.mode === 'idle'")
    fold = desk.page.get_by_role("button", name="Fault finding")
    fold.click()
    desk.speed(1)
    desk.action("Home").click()
    desk.until("s.mode === 'autonomous'")
    desk.page.get_by_label("Amplitude").focus()
    desk.press("Space")
    desk.until("s.mode === 'stopped'")
    desk.page.get_by_label("Amplitude").blur()
    fold.click()


def test_keys_under_ctrl_drive_nothing(desk: Desk) -> None:
    heard = desk.state()["heard"]
    desk.down("Control")
    with desk.holding("q"):
        desk.until(f"s.heard > {heard + 20}")
        assert desk.state()["mode"] == "idle"
    desk.up("Control")


def test_a_press_before_control_is_there_does_not_start_a_motion_later(desk: Desk) -> None:
    desk.button("Release").click()
    desk.until("!s.mine")
    desk.down("q")
    desk.button("Ask for control").click()
    desk.until("s.mine")
    assert desk.stays()
    assert desk.state()["mode"] == "idle"
    desk.up("q")
    drive(desk)
    desk.up("q")
