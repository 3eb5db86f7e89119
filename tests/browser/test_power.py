"""A robot that must be powered up: the page says that it is off, and switches it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.desk import OpenDesk
from playwright.sync_api import expect

from farhand.client.servers import RunningServer, running_server


@pytest.fixture(scope="module")
def cell_with_switch(patient_cell: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    path = tmp_path_factory.mktemp("power") / "cell.toml"
    text = patient_cell.read_text().replace("watchdog =", "power = { seconds = 1.0 }\nwatchdog =")
    path.write_text(text)
    with running_server(str(path)) as running:
        yield running


def test_a_robot_is_powered_up_driven_and_powered_down(visit: OpenDesk, cell_with_switch: RunningServer) -> None:
    desk = visit(cell_with_switch.address).ready()
    desk.button("Got it").click()
    desk.until("s.mode === 'off'")
    expect(desk.pill).to_have_text("Off")
    expect(desk.page.get_by_text("The robot is off.")).to_be_visible()
    for name in ("Home", "Close grip", "Open grip"):
        expect(desk.action(name)).to_be_disabled()
        expect(desk.action(name)).to_have_attribute("title", "The robot is off: power it up first.")
    with desk.holding("q"):
        assert desk.stays()
    desk.action("Power up").click()
    desk.until("s.mode === 'powering'")
    desk.until("s.mode === 'idle'")
    for name in ("Home", "Close grip", "Open grip"):
        expect(desk.action(name)).to_be_enabled()
    start = desk.state()["joints"][0]
    desk.engage(lambda: desk.down("q"), lambda: desk.up("q"))
    desk.until(f"Math.abs(s.joints[0] - {start}) > 0.03")
    desk.up("q")
    desk.until("s.mode === 'idle'")
    desk.action("Power down").click()
    desk.until("s.mode === 'off'")
    desk.page.keyboard.press("Space")
    desk.until("s.mode === 'stopped'")
    expect(desk.page.locator(".stopbar")).to_contain_text("then power it up")  # a stop does not hide that it is off
    expect(desk.action("Power up")).to_be_disabled()
    desk.page.locator(".stopbar").get_by_role("button", name="Reset").click()
    desk.until("s.mode === 'off'")
