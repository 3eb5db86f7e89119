"""Windows of the browser, each with its own storage."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from browser.complaints import Complaints
from playwright.sync_api import Browser, BrowserContext

__all__ = ["FLAGS", "SMALL", "opened"]

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
    "--use-angle=swiftshader-webgl",
)
SMALL = {"width": 1000, "height": 640}  # few pixels: the processor draws them


@contextmanager
def opened(browser: Browser, heard: Complaints, **options: Any) -> Iterator[BrowserContext]:
    """Open a window whose errors are heard."""
    context = browser.new_context(**{"viewport": SMALL, **options})
    heard.listen_to(context)
    try:
        yield context
    finally:
        heard.hear_out(context)
        context.close()
