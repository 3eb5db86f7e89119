"""The page in a real Chromium: from a key to the scene, and from a command to its answer.

Needs `playwright` (in the development environment) and a Chromium, named by FARHAND_CHROMIUM or found on the path.
Drawing itself is excluded: the clock stops when the arm has moved in the scene of the next frame. The camera wall is
the exception, its pictures are counted: a tracked robot drives to and fro, and the processor draws its six cameras.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from farhand.client.servers import running_server
from farhand.errors import CommandError
from farhand_bench.chromium import DRAWN, FORCED, chromium
from farhand_bench.rows import Row, row
from farhand_bench.wall import READY, bare_picture, watch_wall

__all__ = ["measure"]

KEYS, PINGS = 40, 300
# Resolves with the milliseconds from the key's own time stamp until the tick that shows the arm moved is in the scene;
# with null if the cell did not count it as a fresh press, because the page had stalled just then.
WATCH_KEY = """() => { window.bench = new Promise((done) => {
  addEventListener("keydown", (event) => {
    const before = farhand.state().joints, channel = new MessageChannel();
    let moved = null;
    channel.port1.onmessage = () => {
      const now = farhand.state();
      if (moved === null && now.joints.some((q, i) => Math.abs(q - before[i]) > 1e-6)) moved = now.tick;
      if (moved !== null && now.appliedTick >= moved) done(performance.now() - event.timeStamp);
      else if (performance.now() - event.timeStamp > 2000) done(null);
      else channel.port2.postMessage(0);
    };
    channel.port2.postMessage(0);
  }, { capture: true, once: true });
}); }"""
SOCKET = """async () => { const times = [], url = location.origin.replace("http", "ws") + "/socket";
  for (let i = 0; i < 20; i++) {
    const start = performance.now(), socket = new WebSocket(url);
    await new Promise((done) => { socket.onopen = done; });
    times.push(performance.now() - start); socket.close();
  } return times; }"""


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise CommandError("this benchmark needs playwright: pip install playwright") from error
    with sync_playwright() as play:
        with _browser(play, DRAWN) as browser:
            rows = [*_desk(browser), *_wall(browser, "camera wall", "≥ 15")]
        with _browser(play, FORCED) as browser:
            return [*rows, *_wall(browser, "  camera wall, whole page drawn by SwiftShader", "")]


@contextmanager
def _browser(play: Any, flags: tuple[str, ...]) -> Iterator[Any]:
    browser = play.chromium.launch(executable_path=chromium(), args=list(flags))
    try:
        yield browser
    finally:
        browser.close()


def _desk(browser: Any) -> list[Row]:
    """Measure the latency of keys and commands."""
    with running_server() as server:
        page = browser.new_page(viewport={"width": 640, "height": 480})
        page.goto(server.address)
        page.wait_for_function(READY)
        pings = page.evaluate(f"async () => {{ const t = []; for (let i = 0; i < {PINGS}; i++) "
                              "t.push(await farhand.ping()); return t; }")  # fmt: skip
        sockets = page.evaluate(SOCKET)
        presses = [_key(page, "w" if i % 2 else "s") for i in range(KEYS)]
        page.close()
    keys = [press for press in presses if press is not None]
    return [
        row("key pressed until the arm moves in the page's scene", keys, "ms", "≤ 50 ms"),
        row("  presses that had to be repeated", [100.0 * (1.0 - len(keys) / KEYS)], "%"),
        row("command from the page to the cell and back", [p for p in pings if p is not None], "ms", "≤ 5 ms"),
        row("  the same page opening a socket", sockets, "ms"),
    ]


def _wall(browser: Any, name: str, bar: str) -> list[Row]:
    """Measure the rate of new camera pictures."""
    wall = watch_wall(browser)
    width, height = wall.size
    return [
        row(f"{name}: new pictures of the large camera", wall.large, "1/s", bar),
        row("  interval between them", wall.gaps, "ms"),
        row("  new pictures of each of five small cameras", wall.small, "1/s"),
        row("  frames of the same page", wall.page, "1/s"),
        row("  share of them while the robot was not driven", [wall.lost], "%"),
        row(f"  one triangle, {width} × {height}, shown in the same way", bare_picture(browser, wall.size), "ms"),
    ]


def _key(page: Any, key: str) -> float | None:
    """Return the milliseconds from a key press to its effect, or None if it had none."""
    page.wait_for_function(READY)
    page.evaluate(WATCH_KEY)
    page.keyboard.down(key)
    try:
        milliseconds: float | None = page.evaluate("() => window.bench")
        return milliseconds
    finally:
        page.keyboard.up(key)
