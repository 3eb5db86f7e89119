"""The page in a real Chromium: from a key to the scene, and from a command to its answer.

Needs `playwright` (in the development environment) and a Chromium, named by FARHAND_CHROMIUM or found on the path.
Drawing itself is left out: the clock stops when the arm has moved in the scene that is drawn next. But for the camera
wall, which is counted: a robot on tracks drives to and fro, and the processor draws its six cameras.
"""

from __future__ import annotations

import os
import shutil
from typing import Any

from farhand.bench.rows import Row, row
from farhand.errors import CommandError
from farhand.net.started import started

__all__ = ["measure"]

KEYS, PINGS = 40, 300
WALL_TURNS, WALL_SECONDS = 4, 4
FRONT = "front"  # the camera that key 1 makes large
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-unsafe-swiftshader",
    "--use-gl=angle",
    "--use-angle=swiftshader",
)
# Resolves with the milliseconds from the key's own time stamp until the tick that shows the arm moved is in the scene;
# with null if the cell did not take it for a fresh press, because the page had been held up just then.
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
READY = "() => { const s = window.farhand?.state(); return s?.mine && s.mode === 'idle' && s.appliedTick > 0 }"
# Resolves with how often each view was drawn in each second, for some seconds, and how often the page itself was.
WATCH_WALL = """(seconds) => new Promise((done) => {
  const counts = []; let last = null, frames = 0;
  const count = () => { frames++; if (counts.length < seconds) requestAnimationFrame(count); };
  count();
  farhand.view.onStats(({ views }) => {
    if (views === last || counts.length === seconds) return;
    last = views; counts.push({ ...views, page: frames }); frames = 0;
    if (counts.length === seconds) done(counts);
  });
})"""
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
    with started() as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=_chromium(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 640, "height": 480})
        page.goto(server.address)
        page.wait_for_function(READY)
        pings = page.evaluate(f"async () => {{ const t = []; for (let i = 0; i < {PINGS}; i++) "
                              "t.push(await farhand.ping()); return t; }")  # fmt: skip
        sockets = page.evaluate(SOCKET)
        presses = [_key(page, "w" if i % 2 else "s") for i in range(KEYS)]
        page.close()
        wall, small = _wall(browser)
        browser.close()
    keys = [press for press in presses if press is not None]
    return [
        row("key pressed until the arm moves in the page's scene", keys, "ms", "≤ 50 ms"),
        row("  presses that had to be repeated", [100.0 * (1.0 - len(keys) / KEYS)], "%"),
        row("command from the page to the cell and back", [p for p in pings if p is not None], "ms", "≤ 5 ms"),
        row("  the same page opening a socket", sockets, "ms"),
        row(
            "camera wall, the processor draws: pictures of the large camera",
            [w.get(FRONT, 0) for w in wall],
            "1/s",
            "≥ 15",
        ),
        row("  of each of six small ones", [w.get(name, 0) for w in wall for name in small], "1/s"),
        row("  frames of the same page", [w["page"] for w in wall], "1/s"),
    ]


def _wall(browser: Any) -> tuple[list[dict[str, float]], list[str]]:
    """Return how often each view was drawn, second by second, and which of them are small."""
    with started("telemax") as server:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(server.address)
        page.wait_for_function(READY)
        page.keyboard.press("1")
        counts: list[dict[str, float]] = []
        for i in range(WALL_TURNS):
            key = "w" if i % 2 else "s"
            page.keyboard.down(key)
            counts += page.evaluate(WATCH_WALL, WALL_SECONDS)[1:]
            page.keyboard.up(key)
        small: list[str] = page.evaluate("() => farhand.state().wall.small")
        page.close()
    return counts, small


def _key(page: Any, key: str) -> float | None:
    """Return the milliseconds from one key press to what it does, or None if it did nothing."""
    page.wait_for_function(READY)
    page.evaluate(WATCH_KEY)
    page.keyboard.down(key)
    try:
        milliseconds: float | None = page.evaluate("() => window.bench")
        return milliseconds
    finally:
        page.keyboard.up(key)


def _chromium() -> str:
    found = os.environ.get("FARHAND_CHROMIUM") or next((p for p in map(shutil.which, BROWSERS) if p), None)
    if not found:
        raise CommandError("no Chromium was found; name one with FARHAND_CHROMIUM, or run `sh scripts/chromium.sh`")
    return found
