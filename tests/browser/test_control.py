"""One operator at a time: two windows share a robot."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from browser.complaints import Complaints
from browser.desk import Desk, OpenDesk
from browser.pages import SMALL, opened
from playwright.sync_api import Browser, expect

from farhand.client.servers import RunningServer


class Pair(NamedTuple):
    first: Desk
    second: Desk


@pytest.fixture(scope="module")
def _two(browser: Browser, server: RunningServer, heard: Complaints) -> Iterator[Pair]:
    with opened(browser, heard) as one, opened(browser, heard) as other:
        pair = Pair(Desk(one.new_page()), Desk(other.new_page()))
        for desk in pair:
            desk.page.goto(server.address)
            desk.until("s.mode !== null && s.holder !== null")
        yield pair
        for desk in pair:
            desk.leave()


@pytest.fixture
def pair(_two: Pair) -> Pair:
    """Two pages; the first one is in control, the second one watches."""
    first, second = _two
    first.let_go()
    second.leave()
    second.until("!s.mine")
    first.settle()
    second.until(f"s.holder === {first.state()['viewer']}")
    return _two


def words(desk: Desk) -> str:
    return desk.page.locator(".lease .words").inner_text()


def test_the_second_page_watches_and_its_keys_move_nothing(pair: Pair) -> None:
    first, second = pair
    expect(second.page.locator(".lease .words")).to_contain_text("holds control")
    expect(first.page.locator(".lease .words")).to_have_text("You hold control · 1 watching")
    with second.holding("q"):
        expect(second.page.locator(".toaster")).to_contain_text("The keys do nothing: you do not hold control.")
        assert second.stays()
    assert second.state()["mode"] == "idle"
    assert second.action("Reset robot").is_disabled()


def test_the_watcher_sees_the_arm_move_and_who_drives_it(pair: Pair) -> None:
    first, second = pair
    name = words(second).removeprefix("Watching · ").removesuffix(" holds control")
    with first.driving("q"):
        second.until("s.mode === 'teleoperation' && s.joints[0] > 0.05")
        expect(second.pill).to_have_text(f"{name} drives · joints")
        expect(second.page.locator(".lease .words")).to_have_text(f"Watching · {name} drives")
        first.says("Driving · joints")


def test_asked_and_handed_over(pair: Pair) -> None:
    first, second = pair
    second.button("Ask for control").click()
    banner = first.page.get_by_role("alertdialog")
    expect(banner).to_contain_text("asks for control.")
    second.until("!s.mine")
    banner.get_by_role("button", name="Hand over").click()
    second.until("s.mine")
    first.until("!s.mine")
    expect(banner).to_be_hidden()
    with first.holding("q"):
        assert first.stays()
    with second.driving("q"):
        first.until("s.mode === 'teleoperation' && s.joints[0] > 0.03")


def test_a_key_held_over_a_change_of_hands_moves_nothing(pair: Pair) -> None:
    first, second = pair
    second.down("q")
    second.button("Ask for control").click()
    first.button("Hand over").click()
    second.until("s.mine")
    assert second.stays()
    assert second.state()["mode"] == "idle"
    second.up("q")


def test_asked_and_refused(pair: Pair) -> None:
    first, second = pair
    second.button("Ask for control").click()
    first.button("Keep control").click()
    expect(first.page.get_by_role("alertdialog")).to_be_hidden()
    expect(second.button("Ask for control")).to_be_visible()
    assert (first.state()["mine"], second.state()["mine"]) == (True, False)


def test_asking_can_be_taken_back(pair: Pair) -> None:
    first, second = pair
    second.button("Ask for control").click()
    second.button("Asked · cancel").click()
    expect(first.page.get_by_role("alertdialog")).to_be_hidden()
    expect(second.button("Ask for control")).to_be_visible()


def test_released_control_is_free_for_the_other_and_not_grabbed_again(pair: Pair) -> None:
    first, second = pair
    first.button("Release").click()
    first.until("s.holder === null")
    expect(second.page.locator(".lease .words")).to_contain_text("Nobody holds control")
    second.button("Ask for control").click()
    second.until("s.mine")
    assert not first.state()["mine"]


def test_a_watcher_may_stop_and_only_the_holder_may_reset(pair: Pair) -> None:
    first, second = pair
    first.engage(lambda: first.down("q"), lambda: first.up("q"))
    second.until("s.mode === 'teleoperation'")
    second.press("Space")
    first.until("s.mode === 'stopped'")
    expect(first.page.locator(".stopbar")).to_contain_text("pressed Stop")
    expect(second.page.locator(".stopbar")).to_contain_text("Only the operator in control can reset the robot.")
    limits = second.page.locator(".why")
    expect(limits).to_contain_text("Only the operator in control can reset the robot.")
    expect(limits).not_to_contain_text("Press Enter")
    second.press("Enter")
    assert second.stays()
    assert second.state()["mode"] == "stopped"
    first.up("q")
    first.press("Enter")
    second.until("s.mode === 'idle'")


def test_stop_is_in_reach_for_both_at_any_width(pair: Pair) -> None:
    """With every text in the header."""

    def in_sight(desk: Desk) -> None:
        for width in (1000, 1024, 1180, 1366):
            desk.page.set_viewport_size({"width": width, "height": 600})
            box = desk.stop_button.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width
            desk.stop_button.click(trial=True)

    first, second = pair
    try:
        in_sight(first)
        in_sight(second)
        with first.driving("q"):
            second.until("s.mode === 'teleoperation'")
            in_sight(second)
        second.press("Space")
        first.until("s.mode === 'stopped'")
        in_sight(first)
        in_sight(second)
    finally:
        for desk in pair:
            desk.page.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
        first.reset_if_stopped()


def test_a_lost_holder_can_be_taken_over(pair: Pair, visit: OpenDesk) -> None:
    """The first page hands over to a third, whose window is then closed."""
    first, second = pair
    third = visit()
    third.until("s.holder !== null")
    third.button("Ask for control").click()
    first.button("Hand over").click()
    third.until("s.mine")
    third.page.close()
    expect(second.page.locator(".lease .words")).to_contain_text("lost the connection")
    second.button("Ask for control").click()
    second.button("Take over").click()
    second.until("s.mine")
    with second.driving("q"):
        first.until("s.mode === 'teleoperation' && s.joints[0] > 0.03")


def test_a_viewer_is_sent_away_and_told_who_did_it(pair: Pair, visit: OpenDesk, complaints: Complaints) -> None:
    first, _ = pair
    third = visit()
    number = third.until("s.holder !== null && s.viewer !== null")["viewer"]
    first.page.locator(".people summary").click()
    first.button(f"Send Guest {number} away").click()
    first.button(f"Send Guest {number} away? Press again.").click()
    expect(third.page.get_by_role("heading", name="You were sent away")).to_be_visible()
    expect(third.page.locator(".refused")).to_contain_text("sent you away. You can come back in 10 minutes.")
    first.until("s.viewers === 2")
    first.press("Escape")
    expect(first.page.locator(".people ul")).to_be_hidden()
    assert not complaints.collect()
