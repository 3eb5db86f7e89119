"""Tests in this folder drive a real Chromium against real server processes."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browser.complaints import Complaints
from browser.desk import PATIENCE, Desk, OpenDesk
from browser.pages import FLAGS, opened
from paths import CELLS
from playwright.sync_api import Browser, expect

from farhand.client.servers import RunningServer, running_server

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def chromium() -> str:
    path = os.environ.get("FARHAND_CHROMIUM")
    if not path:
        pytest.fail("Name a Chromium: FARHAND_CHROMIUM=$(sh scripts/chromium.sh) .venv/bin/pytest -m browser")
    return path


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], chromium: str) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium, "args": list(FLAGS)}


# ── Servers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def patient_cell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default cell with the longest pause that is allowed: a busy machine must not look like a lost operator."""
    text = (CELLS / "irb120.toml").read_text()
    master = 'master = "hand"\n'
    assert text.count(master) == 1
    path = tmp_path_factory.mktemp("cells") / "irb120.toml"
    path.write_text(text.replace(master, master + "watchdog = { pause = 0.2 }\n"))
    return path


@pytest.fixture(scope="session")
def server(patient_cell: Path) -> Iterator[RunningServer]:
    """A server for every test that leaves it as it was."""
    with running_server(str(patient_cell)) as running:
        yield running


# ── Pages ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def heard() -> Complaints:
    return Complaints()


@pytest.fixture(autouse=True)
def complaints(heard: Complaints) -> Iterator[Complaints]:
    """Fail a test in which a page logged an error or did not catch one."""
    yield heard
    said = heard.collect()
    assert not said, "the page complained:\n" + "\n".join(said)


@pytest.fixture
def visit(browser: Browser, server: RunningServer, heard: Complaints) -> Iterator[OpenDesk]:
    """Open the operator page in a window of its own; control is released in the end."""
    with ExitStack() as ending:

        def open_page(address: str = "", script: str = "", **options: Any) -> Desk:
            context = ending.enter_context(opened(browser, heard, **options))
            if script:
                context.add_init_script(script)
            desk = Desk(context.new_page())
            desk.page.goto(address or server.address)
            ending.callback(desk.leave)
            return desk

        yield open_page


@pytest.fixture(scope="module")
def _lasting(browser: Browser, server: RunningServer, heard: Complaints) -> Iterator[Desk]:
    with opened(browser, heard, accept_downloads=True) as context:
        desk = Desk(context.new_page())
        desk.page.goto(server.address)
        desk.ready().reset_if_stopped()
        desk.button("Got it").click()
        yield desk
        desk.leave()


@pytest.fixture
def desk(_lasting: Desk) -> Iterator[Desk]:
    """The page of this module, in control, with the robot at home and at rest."""
    yield _lasting.settle()
    _lasting.let_go()
