"""Taught paths, backing out of a corner, and settings that are changed while the robot runs."""

from collections.abc import Iterator

import pytest
from browser.desk import Desk
from playwright.sync_api import Locator, expect


@pytest.fixture
def moves(desk: Desk) -> Iterator[Locator]:
    """The open section Paths; taught paths are deleted in the end."""
    box = _opened(desk, ".moves", "Paths")
    yield box
    for _ in box.locator(".move").all():
        _delete(box)


def _delete(box: Locator) -> None:
    """Delete the first move: press, and press again when it asks."""
    left = box.locator(".move").count() - 1
    box.get_by_role("button", name="Delete").first.click()
    box.get_by_text("Delete?", exact=True).click()
    expect(box.locator(".move")).to_have_count(left)


def _opened(desk: Desk, place: str, name: str) -> Locator:
    box = desk.page.locator(place)
    fold = box.get_by_role("button", name=name)
    if fold.get_attribute("aria-expanded") == "false":
        fold.click()
    return box


def test_a_path_is_recorded_named_run_and_deleted(desk: Desk, moves: Locator) -> None:
    desk.choose_mode("joints")
    desk.speed(5)
    moves.get_by_role("button", name="Record a path").click()
    expect(moves.locator(".badge")).to_have_text("Recording")
    with desk.driving("q"):
        desk.until("s.joints[0] > 0.3")
    assert desk.stays()
    end = desk.state()["joints"][0]
    moves.get_by_role("textbox", name="Name of the path").fill("turn left")
    moves.get_by_role("button", name="Save").click()
    row = moves.locator(".move")
    expect(row).to_contain_text("turn left")
    desk.action("Home").click()
    desk.until("s.mode === 'idle' && Math.abs(s.joints[0]) < 0.003")
    row.get_by_role("button", name="Run path").click()
    desk.until("s.mode === 'autonomous'")
    desk.until(f"s.mode === 'idle' && Math.abs(s.joints[0] - {end}) < 0.005")
    row.get_by_role("button", name="Rename").click()
    moves.get_by_role("textbox", name="New name").fill("turned")
    moves.get_by_role("button", name="Rename", exact=True).click()
    expect(moves.locator(".move")).to_contain_text("turned")
    _delete(moves)
    desk.action("Back out").click()  # back along the way it came
    desk.until(f"s.mode === 'idle' && s.joints[0] < {end - 0.2}")


def test_a_taught_path_is_not_lost_by_a_slip(desk: Desk, moves: Locator) -> None:
    moves.get_by_role("button", name="Add point here").click()
    name = moves.get_by_role("textbox", name="Name of the path")
    name.fill("here")
    moves.get_by_role("button", name="Discard").click()
    expect(moves.get_by_text("Discard?", exact=True)).to_be_visible()
    name.click()  # thought better of it
    expect(moves.get_by_text("Discard", exact=True)).to_be_visible()
    moves.get_by_role("button", name="Save").click()
    row = moves.locator(".move")
    expect(row).to_contain_text("here")
    delete = row.get_by_role("button", name="Delete here")
    delete.dblclick()
    expect(delete).to_have_text("Delete?")
    desk.page.mouse.move(0, 0)
    expect(delete).to_have_text("✕")
    delete.press("Enter")
    expect(delete).to_have_accessible_name("Delete here? Press again.")
    expect(delete).to_have_text("✕")  # it asks for a while only
    delete.press("Enter")
    delete.press("Enter")
    expect(row).to_have_count(0)


def test_a_filter_is_tightened_and_wrong_settings_are_explained(desk: Desk) -> None:
    setup = _opened(desk, ".setup", "Set-up")
    setup.get_by_role("combobox", name="Part").select_option("Filter: smooth")
    settings = setup.get_by_role("textbox", name="Settings")
    settings.fill('kind = "smooth"\nspeed = 0')
    setup.get_by_role("button", name="Apply").click()
    expect(desk.page.locator(".toaster")).to_contain_text("expected a number of at least 0.001")
    settings.fill("speed=0.125")
    setup.get_by_role("button", name="Apply").click()
    expect(settings).to_have_value('kind = "smooth"\nspeed = 0.125')  # as the cell has it now
    expect(desk.page.locator(".toaster")).to_contain_text("Filter smooth: applied.")
    settings.fill("# as it was")
    setup.get_by_role("button", name="Apply").click()
    expect(settings).to_have_value('kind = "smooth"')
