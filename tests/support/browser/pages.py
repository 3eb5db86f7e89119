"""Windows of the browser, each with its own storage."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from browser.complaints import Complaints
from playwright.sync_api import Browser, BrowserContext

from farhand_bench.chromium import DRAWN

__all__ = ["FLAGS", "SMALL", "opened"]

# The processor draws, the same on every machine, and nothing talks to the network by itself.
FLAGS = (*DRAWN, "--disable-quic")
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
