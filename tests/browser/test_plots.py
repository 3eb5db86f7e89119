"""Live plots: any signal, several at once, paused, saved."""

import csv
from itertools import pairwise
from pathlib import Path

import pytest
from browser.desk import Desk
from playwright.sync_api import Locator, expect

TIMESTEP = 0.002
CHANGED = """async (canvas, before) => {
  const end = performance.now() + 15000;
  while (canvas.toDataURL() === before) {
    if (performance.now() > end) throw new Error("the chart stays as it is");
    await new Promise((next) => setTimeout(next, 20));
  }
}"""


@pytest.fixture
def plots(desk: Desk) -> Locator:
    """The plots of a first visit: two."""
    panes = desk.page.locator(".plots .pane")
    while panes.count() > 2:
        panes.last.get_by_role("button", name="Remove the plot").click()
    expect(panes).to_have_count(2)
    return panes


def picture(pane: Locator) -> str:
    """Return the pixels of a chart."""
    data: str = pane.locator("canvas").evaluate("(canvas) => canvas.toDataURL()")
    return data


def runs_on(pane: Locator) -> None:
    """Wait until a chart changes."""
    pane.locator("canvas").evaluate(CHANGED, picture(pane))


def tool(desk: Desk, name: str) -> Locator:
    return desk.page.get_by_role("group", name="Plot tools").get_by_role("button", name=name, exact=True)


def saved(desk: Desk, button: str, folder: Path) -> Path:
    with desk.page.expect_download() as download:
        tool(desk, button).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def table(desk: Desk, folder: Path) -> tuple[list[str], list[list[float]]]:
    """Save the plots as a table, and return its header and its rows; missing samples are NaN."""
    with saved(desk, "CSV", folder).open(newline="") as file:
        header, *rows = list(csv.reader(file))
    return header, [[float(value) if value else float("nan") for value in row] for row in rows]


def test_force_and_place_of_the_tip_are_drawn_from_the_start(desk: Desk, plots: Locator) -> None:
    expect(plots.nth(0).get_by_role("heading")).to_contain_text("force")
    expect(plots.nth(1).get_by_role("heading")).to_have_text("Tip position")
    for index in range(2):
        runs_on(plots.nth(index))


def test_a_table_has_every_tick_and_says_what_was_measured(desk: Desk, plots: Locator, tmp_path: Path) -> None:
    with desk.driving("q"):
        turned = desk.until("s.tip[1] > 0.02")
    header, rows = table(desk, tmp_path)
    assert header[0] == "time (s)"
    assert all(name.endswith("(m)") for name in header[2:5])
    times = [row[0] for row in rows]
    assert len(times) > 100
    steps = [(b - a) / TIMESTEP for a, b in pairwise(times)]
    assert all(abs(step - round(step)) < 0.05 and step > 0.5 for step in steps)
    assert sum(step < 1.5 for step in steps) > 0.9 * len(steps)  # a page that cannot keep up is spared some of them
    nearest = min(rows, key=lambda row: abs(row[0] - turned["tick"] * TIMESTEP))
    assert abs(nearest[0] - turned["tick"] * TIMESTEP) < 0.1
    assert nearest[2:5] == pytest.approx(turned["tip"][:3], abs=2e-3)


def test_a_signal_is_picked_from_the_list_into_a_plot_of_its_own(desk: Desk, plots: Locator, tmp_path: Path) -> None:
    tool(desk, "Add plot").click()
    expect(plots).to_have_count(3)
    plots.last.get_by_role("button", name="Choose signals").click()
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("cube x")
    expect(dialog.get_by_role("switch")).to_have_count(1)
    dialog.get_by_role("switch").click()
    expect(dialog.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    desk.press("Escape")
    runs_on(plots.last)
    header, rows = table(desk, tmp_path)
    assert "cube" in header[-1].lower()
    assert rows[-1][-1] == pytest.approx(desk.body("cube")[0], abs=1e-3)
    plots.last.get_by_role("button", name="Remove the plot").click()
    expect(plots).to_have_count(2)


def test_a_search_for_nothing_says_so(desk: Desk, plots: Locator) -> None:
    plots.nth(0).get_by_role("button", name="Choose the signals").click()
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("no such thing")
    expect(dialog.get_by_text("No signal has “no such thing” in its name.")).to_be_visible()
    desk.press("Escape")
    expect(dialog).to_be_hidden()


def test_pause_freezes_the_picture_and_run_goes_on(desk: Desk, plots: Locator, tmp_path: Path) -> None:
    runs_on(plots.nth(1))
    tool(desk, "Pause").click()
    _, before = table(desk, tmp_path)
    shown = picture(plots.nth(1))
    assert desk.stays(0.5)
    _, after = table(desk, tmp_path)
    assert picture(plots.nth(1)) == shown
    assert after[-1][0] == before[-1][0]
    tool(desk, "Run").click()
    runs_on(plots.nth(1))


def test_a_picture_is_saved(desk: Desk, plots: Locator, tmp_path: Path) -> None:
    runs_on(plots.nth(0))
    content = saved(desk, "PNG", tmp_path).read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    shown = plots.nth(0).locator("canvas").evaluate("(canvas) => [canvas.width, canvas.height]")
    assert width >= shown[0]
    assert height >= 2 * shown[1]  # both plots, one below the other
    assert len(content) > 2000  # not an empty sheet


def test_larger_plots_by_key(desk: Desk, plots: Locator) -> None:
    def height() -> float:
        box = plots.nth(0).bounding_box()
        assert box is not None
        return box["height"]

    small = height()
    desk.press("p")
    expect(tool(desk, "Smaller")).to_be_visible()
    assert height() > 1.5 * small
    desk.press("p")
    expect(tool(desk, "Larger")).to_be_visible()


def test_the_choice_is_remembered(desk: Desk, plots: Locator) -> None:
    plots.nth(0).get_by_role("button", name="Remove the plot").click()
    expect(plots).to_have_count(1)
    desk.page.reload()
    desk.ready()
    expect(plots).to_have_count(1)
    expect(plots.nth(0).get_by_role("heading")).to_have_text("Tip position")
    runs_on(plots.nth(0))
