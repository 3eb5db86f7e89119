"""A real Chromium with software rendering, as on a machine without a graphics card.

By default on such a machine, Chromium draws the page by itself and gives WebGL to SwiftShader; `DRAWN` requests exactly
that, everywhere. `FORCED` uses SwiftShader as the graphics card: all of the page goes through it, text and buttons too,
which is many times slower. No browser does that unless told to.
"""

from __future__ import annotations

import os
import shutil

from farhand.errors import CommandError

__all__ = ["DRAWN", "FORCED", "chromium"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLAIN = (
    "--no-sandbox",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-unsafe-swiftshader",
    "--use-gl=angle",
)
DRAWN = (*PLAIN, "--use-angle=swiftshader-webgl")
FORCED = (*PLAIN, "--use-angle=swiftshader")


def chromium() -> str:
    """Return the path of a Chromium.

    Raises:
        CommandError: If there is none.
    """
    found = os.environ.get("FARHAND_CHROMIUM") or next((p for p in map(shutil.which, BROWSERS) if p), None)
    if not found:
        raise CommandError("no Chromium was found; name one with FARHAND_CHROMIUM, or run `sh scripts/chromium.sh`")
    return found
