"""Fault finding: switches for parts of the control, and the signal generator."""

from collections.abc import Iterator

import pytest
from browser.desk import Desk
from playwright.sync_api import Locator, expect


@pytest.fixture
def faults(desk: Desk) -> Iterator[Locator]:
    """The open section Fault finding; all parts are on again in the end."""
    box = desk.page.locator(".faults")
    fold = box.get_by_role("button", name="Fault finding")
    if fold.get_attribute("aria-expanded") == "false":
        fold.click()
    yield box
    switch_off = box.get_by_role("button", name="Switch off")
    if switch_off.is_visible():
        switch_off.click()
    for switch in box.get_by_role("switch", checked=False).all():
        switch.click()
    expect(box.get_by_role("switch", checked=False)).to_have_count(0)


def test_a_filter_that_is_off_is_marked_and_said_until_it_is_on_again(desk: Desk, faults: Locator) -> None:
    switch = faults.get_by_role("switch", name="Filter: workspace")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(faults.locator(".badge")).to_have_text("1 off")
    expect(desk.page.locator(".readout")).to_contain_text("Off: workspace")
    expect(desk.page.locator(".why")).to_contain_text("workspace")
    desk.until("s.why.some((text) => text.includes('workspace'))")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(faults.locator(".badge")).to_be_hidden()
    desk.until("s.why.length === 0")
    expect(desk.page.locator(".why")).not_to_contain_text("workspace")


def test_an_arm_without_its_work_space_filter_goes_beyond_it(desk: Desk, faults: Locator) -> None:
    desk.choose_mode("base axes")
    desk.speed(5)
    with desk.driving("d"):  # beside the cube
        desk.until("s.tip[1] < -0.08")
    with desk.driving("f"):
        desk.until("s.why.some((text) => text.includes('work area')) && s.tip[2] < 0.022")
        assert desk.stays()
    lowest = desk.state()["tip"][2]
    assert lowest > 0.019  # metres above the table: where the work space ends
    faults.get_by_role("switch", name="Filter: workspace").click()
    desk.until("s.why.some((text) => text.includes('workspace'))")
    with desk.driving("f"):
        desk.until(f"s.tip[2] < {lowest - 0.005}")


def test_the_feed_forward_can_be_off_and_the_arm_sags(desk: Desk, faults: Locator) -> None:
    held = desk.state()["joints"][1]
    faults.get_by_role("switch", name="Feed-forward").click()
    desk.until(f"Math.abs(s.joints[1] - {held}) > 0.0005")
    expect(faults.locator(".badge")).to_have_text("1 off")
    faults.get_by_role("switch", name="Feed-forward").click()
    desk.until(f"Math.abs(s.joints[1] - {held}) < 0.0005")


def test_the_speed_level_cannot_be_switched_off(faults: Locator) -> None:
    assert not any("scale" in name for name in faults.get_by_role("switch").all_inner_texts())


def test_a_signal_generator_drives_while_a_motion_key_is_held(desk: Desk, faults: Locator) -> None:
    faults.get_by_label("Axis").select_option(index=0)
    faults.get_by_label("Wave").select_option("square")
    faults.get_by_label("Amplitude").fill("0.5")
    faults.get_by_role("button", name="Start").click()
    expect(faults.locator(".badge")).to_have_text("Signal generator on")
    start = desk.state()["joints"]
    assert desk.stays()  # nobody holds a key
    with desk.driving("e"):  # of the third joint, which the generator leaves alone
        state = desk.until(f"s.mode === 'teleoperation' && Math.abs(s.joints[0] - {start[0]}) > 0.03")
        desk.says("Driving · signal generator")
        assert abs(state["joints"][2] - start[2]) < 0.002
    desk.until("s.mode === 'idle'")
    assert desk.stays()
    faults.get_by_role("button", name="Switch off").click()
    expect(faults.locator(".badge")).to_be_hidden()
    with desk.driving("e"):
        desk.until(f"s.joints[2] > {start[2] + 0.02}")
