"""Driving by keyboard, and the buttons under Actions."""

from itertools import pairwise

import pytest
from browser.desk import AT_HOME, Desk
from playwright.sync_api import expect


def test_a_held_key_turns_a_joint_in_bars_and_scene(desk: Desk) -> None:
    shown, start, wrist = desk.joints_shown(), desk.state()["joints"], desk.body("arm/link_6")
    with desk.driving("q"):
        desk.until(f"s.mode === 'teleoperation' && s.joints[0] > {start[0] + 0.1}")
        desk.says("Driving · joints")
    desk.until("s.mode === 'idle'")
    desk.says("Holding")
    assert desk.stays()
    moved, now = desk.body("arm/link_6"), desk.joints_shown()
    assert moved[1] - wrist[1] > 0.02  # metres to the left
    assert now[0] != shown[0]
    assert now[1:] == shown[1:]
    assert desk.page.get_by_role("meter", name="Turn").get_attribute("aria-valuetext") == now[0]


@pytest.mark.parametrize(
    ("mode", "key", "axis", "sign"),
    [
        ("base axes", "w", 0, 1),
        ("base axes", "a", 1, 1),
        ("base axes", "f", 2, -1),
        ("tool axes", "w", 0, -1),  # at home the tool looks down, so its x axis points back
        ("tool axes", "f", 2, 1),
    ],
)
def test_the_tip_moves_straight_along_the_axes_of_base_and_tool(
    desk: Desk, mode: str, key: str, axis: int, sign: int
) -> None:
    desk.choose_mode(mode)
    start = desk.state()["tip"]
    with desk.driving(key):
        desk.until(f"s.mode === 'teleoperation' && {sign} * (s.tip[{axis}] - {start[axis]}) > 0.02")
        desk.says(f"Driving · {mode}")
    desk.until("s.mode === 'idle'")
    moved = [b - a for a, b in zip(start[:3], desk.state()["tip"][:3], strict=True)]
    assert max(abs(d) for i, d in enumerate(moved) if i != axis) < 0.002


def test_the_next_control_mode_by_key(desk: Desk) -> None:
    for mode in ("base axes", "tool axes", "joints"):  # dragging by pointer has no keys, and is left out
        desk.press("m")
        desk.until(f"s.mapping === '{mode}'")
        expect(desk.page.get_by_role("button", name=mode.capitalize())).to_have_attribute("aria-pressed", "true")


def test_speed_keys_slow_the_arm_down(desk: Desk) -> None:
    def rate() -> float:
        """Hold a key and return how fast the joint turns at its fastest, rad per tick: a busy machine may pause it."""
        seen = []
        with desk.driving("q"):
            seen.append(desk.until("s.mode === 'teleoperation'"))
            for _ in range(30):
                seen.append(desk.until(f"s.tick > {seen[-1]['tick'] + 10}"))
        desk.until("s.mode === 'idle'")
        steps = [(b["joints"][0] - a["joints"][0]) / (b["tick"] - a["tick"]) for a, b in pairwise(seen)]
        return float(max(steps))

    quick = rate()
    desk.press("[")
    desk.until("s.level === 2")
    expect(desk.page.locator(".speed")).to_contain_text("Speed 2 of 5")
    assert rate() < 0.6 * quick  # a tenth of full speed instead of a quarter
    desk.press("]")
    desk.until("s.level === 3")


def test_gripper_keys_close_and_open(desk: Desk) -> None:
    with desk.driving("z"):
        closed = desk.until("s.grip < 0.07")
    expect(desk.page.get_by_role("meter", name="Gripper")).not_to_have_attribute("aria-valuetext", "100 mm")
    desk.until("s.mode === 'idle'")
    with desk.driving("x"):
        desk.until(f"s.grip > {closed['grip'] + 0.02}")


def test_a_held_key_does_not_carry_over_to_another_control_mode(desk: Desk) -> None:
    with desk.driving("s"):
        desk.press("m")
        desk.until("s.mapping !== 'joints' && s.mode === 'idle'")
        desk.down("s")  # it repeats
        assert desk.stays()
    desk.choose_mode("joints")


def test_quick_presses_add_up(desk: Desk) -> None:
    for _ in range(4):
        desk.press("[")
    desk.until("s.level === 1")
    for _ in range(2):
        desk.press("]")
    desk.until("s.level === 3")


def test_home_moves_back_by_itself(desk: Desk) -> None:
    with desk.driving("q"):
        desk.until("s.joints[0] > 0.2")
    desk.until("s.mode === 'idle'")
    desk.press("Home")
    desk.until("s.mode === 'autonomous'")
    desk.says("Moving by itself")
    desk.arrive_home()


def test_a_key_takes_over_from_a_move_and_continue_takes_it_up_again(desk: Desk) -> None:
    with desk.driving("q"):
        desk.until("s.joints[0] > 0.4")
    desk.until("s.mode === 'idle'")
    desk.speed(2)
    desk.action("Home").click()
    desk.until("s.mode === 'autonomous'")
    with desk.driving("w"):
        desk.until("s.mode === 'teleoperation'")
    desk.until("s.mode === 'idle'")
    assert desk.stays()
    desk.action("Continue").click()
    desk.until("s.mode === 'autonomous'")
    desk.arrive_home()


def test_hold_ends_a_move(desk: Desk) -> None:
    with desk.driving("q"):
        desk.until("s.joints[0] > 0.3")
    desk.until("s.mode === 'idle'")
    desk.speed(1)
    desk.press("Home")
    desk.until("s.mode === 'autonomous'")
    desk.action("Hold").click()
    assert desk.until("s.mode === 'idle'")["joints"][0] > 0.2
    assert desk.stays()


def test_reset_robot_puts_it_home_at_once(desk: Desk) -> None:
    with desk.driving("q"):
        desk.until("s.joints[0] > 0.2")
    start = desk.until("s.mode === 'idle'")["joints"][0]
    desk.speed(1)  # a move would take its time, and be seen on its way
    desk.action("Reset robot").click()
    assert abs(desk.until(f"s.joints[0] < {start} - 0.01")["joints"][0]) < 0.003
    desk.until(f"s.mode === 'idle' && {AT_HOME}")


def test_a_pushed_object_is_seen_to_move_and_reset_objects_puts_it_back(desk: Desk) -> None:
    start = desk.body("cube")
    desk.choose_mode("base axes")
    desk.speed(5)
    with desk.driving("f"):  # down, the open fingers left and right of the cube
        desk.until("s.tip[2] < 0.05")
    with desk.driving("a"):
        desk.until(f"window.farhand.view.bodyPose('cube').position[1] > {start[1] + 0.03}")
    desk.until("s.mode === 'idle'")
    desk.action("Reset robot").click()
    desk.until(AT_HOME)
    assert desk.body("cube")[1] - start[1] > 0.02
    desk.action("Reset objects").click()
    desk.until(f"Math.abs(window.farhand.view.bodyPose('cube').position[1] - {start[1]}) < 0.001")
