"""Tests in this folder drive a real Chromium; all of them carry the mark ``browser``."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
# Software drawing, the same on every machine, and nothing that talks to the network by itself.
FLAGS = (
    "--no-sandbox",
    "--no-first-run",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-unsafe-swiftshader",
    "--use-gl=angle",
    "--use-angle=swiftshader",
)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")
    yield
    # Last: playwright's event loop stays in the process, and other tests start one of their own.
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    path = os.environ.get("FARHAND_CHROMIUM")
    if not path:
        pytest.fail("Name a Chromium: FARHAND_CHROMIUM=$(sh scripts/chromium.sh) .venv/bin/pytest -m browser")
    return {**browser_type_launch_args, "executable_path": path, "args": list(FLAGS)}
