"""The replay of a record in the page: unmistakably not live, and played by mouse and keys."""

from collections.abc import Iterator

import pytest
from browser.complaints import Complaints
from browser.desk import Desk
from browser.pages import opened
from playwright.sync_api import Browser, expect
from recorded import record_two_seconds

from farhand.client.servers import RunningServer, running_replay

LENGTH_S = 2.0


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    path = tmp_path_factory.mktemp("runs") / "two-seconds.mcap"
    record_two_seconds(path)
    with running_replay(path) as server:
        yield server


@pytest.fixture
def replay(browser: Browser, replayed: RunningServer, heard: Complaints) -> Iterator[Desk]:
    with opened(browser, heard) as context:
        desk = Desk(context.new_page())
        desk.page.goto(f"{replayed.address}&t=0.5")
        desk.until("s.replay !== null && Math.abs(s.replay.moment - 0.5) < 0.01")
        yield desk
        desk.until("s.replay !== null")
        if desk.state()["replay"]["playing"]:
            desk.page.keyboard.press("Space")
            desk.until("!s.replay.playing")


def test_the_page_says_replay_and_offers_nothing_that_drives(replay: Desk) -> None:
    expect(replay.page.locator(".replayplate")).to_contain_text("Replay")
    expect(replay.stop_button).to_have_count(0)
    expect(replay.page.locator(".actions, .lease, .stopbar")).to_have_count(0)
    assert not replay.state()["mine"]


def test_scrubbing_goes_to_the_moment_under_the_pointer(replay: Desk) -> None:
    box = replay.page.locator(".track").bounding_box()
    assert box
    y = box["y"] + box["height"] - 4
    replay.page.mouse.move(box["x"] + 0.25 * box["width"], y)
    replay.page.mouse.down()
    replay.page.mouse.move(box["x"] + 0.75 * box["width"], y, steps=5)
    replay.page.mouse.up()
    state = replay.until(f"Math.abs(s.replay.moment - {0.75 * LENGTH_S}) < 0.02 && !s.replay.playing")
    assert abs(state["tick"] * 0.002 - 0.75 * LENGTH_S) < 0.05


def test_play_lets_the_clock_run_and_space_pauses(replay: Desk) -> None:
    entry = replay.page.get_by_label("Go to a time")
    before = entry.input_value()
    replay.button("Play").click()
    replay.until("s.replay.playing && s.replay.moment > 0.7")
    expect(entry).not_to_have_value(before)
    replay.page.keyboard.press("Space")
    replay.until("!s.replay.playing")
    expect(replay.button("Play")).to_be_visible()


def test_marks_steps_and_a_time_are_reached_by_keys(replay: Desk) -> None:
    replay.page.keyboard.press("n")
    replay.until("Math.abs(s.replay.moment - 0.6) < 0.005")  # the bookmark
    replay.page.keyboard.press("p")
    replay.until("Math.abs(s.replay.moment - 0.2) < 0.005")  # the begin of the episode
    tick = replay.state()["tick"]
    replay.page.keyboard.press("ArrowRight")
    replay.until(f"s.tick > {tick}")
    entry = replay.page.get_by_label("Go to a time")
    entry.fill("0:01.25")
    entry.press("Enter")
    replay.until("Math.abs(s.replay.moment - 1.25) < 0.005")
    replay.page.keyboard.press("l")
    replay.until("!s.replay.loop")
    replay.page.keyboard.press("Home")
    replay.until("s.replay.moment < 0.01")


def test_text_of_a_record_is_shown_as_text(replay: Desk) -> None:
    expect(replay.page.locator(".mark.bookmark")).to_have_attribute("title", "0:00.60 · Bookmark: Look <here>")


def test_a_click_into_a_plot_goes_there(replay: Desk) -> None:
    replay.page.keyboard.press("End")
    replay.until("s.replay.moment > 1.99")
    chart = replay.page.locator(".plots .u-over").first
    box = chart.bounding_box()
    assert box
    chart.click(position={"x": box["width"] * 0.9, "y": box["height"] / 2})
    replay.until("Math.abs(s.replay.moment - 1.0) < 0.1")  # a plot shows ten seconds
