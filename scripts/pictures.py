"""Take the pictures of README and docs from the real page, in headless Chromium: `make pictures`.

    scripts/pictures.py [drive] [page] [CELL …]

Each take runs a server of its own on a free port. A take is repeated where a busy machine paused the robot.
"""

# ruff: noqa: T201  (it prints the files it wrote)

from __future__ import annotations

import base64
import io
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image, ImageOps
from playwright.sync_api import Page, sync_playwright

from farhand.client import running_server
from farhand_bench.chromium import DRAWN, chromium

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
PAGE = {"width": 1280, "height": 800}
SMALL = {"width": 1060, "height": 670}  # of the animation, pixels
TILE = (480, 262)  # of the gallery, pixels: the shape of the view
FRAME_MS = 125
MAX_BYTES = 2_500_000
TAKES = 6
LOWEST = 0.0202  # m: the tip has reached the bottom of its work area
GRASPED = 0.052  # m between the fingers that hold the cube
READING_TICKS = 700  # for which a note stays to be read

# The default cell with the longest pause that is allowed: recording the page takes much of the processor.
PATIENT = 'name = "irb120"\nbased_on = "irb120"\n[robots.arm.watchdog]\npause = 0.2\n'

State = dict[str, Any]

# A key cap in the view, so that a reader sees which key is held; the page's policy allows styles set from scripts.
CAP = """(text) => {
  let cap = document.getElementById("cap");
  if (cap === null) {
    cap = document.body.appendChild(document.createElement("div"));
    cap.id = "cap";
    Object.assign(cap.style, {position: "fixed", left: "24px", top: "96px", padding: "8px 14px", borderRadius: "8px",
      background: "#f4f6f8", color: "#161b22", font: "600 17px sans-serif", boxShadow: "0 3px 0 #8b98a5", zIndex: 99});
  }
  cap.textContent = text;
  cap.style.visibility = text === "" ? "hidden" : "visible";
}"""


class TakeError(Exception):
    """A take failed, mostly because the machine was too busy."""


class Console:
    """The operator's page in Chromium.

    Args:
        page: Playwright's page, at Farhand's address.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.is_recorded, self.is_picky = False, True

    def state(self) -> State:
        """Return the page's own snapshot of itself."""
        state: State = self.page.evaluate("() => window.farhand?.state() ?? {}")
        return state

    def until(self, true: Callable[[State], bool], seconds: float = 60.0) -> None:
        """Wait until a condition holds for the snapshot."""
        end = time.monotonic() + seconds
        while not true(state := self.state()):
            if time.monotonic() > end:
                raise TakeError(f"never true of {state}")
            if self.is_recorded:
                self.check_calm(state)
            self.page.wait_for_timeout(30)

    def check_calm(self, state: State) -> None:
        """Refuse a take in which the machine was too busy; in the first takes slow time counts as well."""
        paused = [text for text in state["why"] if text.startswith("Paused")]
        if paused or (self.is_picky and self.page.get_by_text("Time ×").count()):
            raise TakeError(f"the machine was too busy: {paused or 'slower than real time'}")

    def press(self, name: str) -> None:
        """Press a button if there is one of this name."""
        found = self.page.get_by_role("button", name=name, exact=True)
        if found.count():
            found.first.click()

    def hold(self, key: str, words: str, true: Callable[[State], bool], rest: float = 0.4) -> None:
        """Hold a key until a condition holds for the snapshot."""
        self.page.evaluate(CAP, words)
        self.page.keyboard.down(key)
        self.until(lambda state: state["mode"] == "teleoperation", 3.0)
        self.until(true, 20.0)
        self.page.keyboard.up(key)
        self.page.evaluate(CAP, "")
        self.rest(rest)

    def rest(self, seconds: float) -> None:
        """Let time pass."""
        self.page.wait_for_timeout(1000 * seconds)


@contextmanager
def opened(size: dict[str, int], *arguments: str) -> Iterator[Console]:
    """Start a server and open its page in control, with the first hints closed and everything drawn."""
    with running_server(*arguments) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(DRAWN))
        try:
            page = browser.new_context(viewport=size).new_page()  # type: ignore[arg-type]
            page.goto(server.owners_address)
            console = Console(page)
            console.until(lambda state: state.get("mine", False) and state["mode"] is not None)
            console.press("Got it")
            console.rest(4.0)  # the shaders are compiled, the first reading is heard
            yield console
        finally:
            browser.close()


def patient_cell(folder: Path) -> str:
    """Write the cell of the pictures that are taken while the robot moves, and return its path."""
    path = folder / "irb120.toml"
    path.write_text(PATIENT)
    return str(path)


# ── The animation ────────────────────────────────────────────────────────────────────────────────────────────────────


def record(console: Console, story: Callable[[Console], None]) -> list[Image.Image]:
    """Return frames of the page at a steady rate while a story is played."""
    session = console.page.context.new_cdp_session(console.page)
    shots: list[tuple[float, str]] = []

    def keep(event: dict[str, Any]) -> None:
        shots.append((event["metadata"]["timestamp"], event["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "jpeg", "quality": 92, "everyNthFrame": 2})
    console.is_recorded = True
    try:
        story(console)
    finally:
        session.remove_listener("Page.screencastFrame", keep)
        session.send("Page.stopScreencast")
    times = [moment for moment, _ in shots]
    count = int(1000 * (times[-1] - times[0]) / FRAME_MS)
    wanted = [bisect_right(times, times[0] + n * FRAME_MS / 1000) - 1 for n in range(count + 1)]
    return [Image.open(io.BytesIO(base64.b64decode(shots[index][1]))).convert("RGB") for index in wanted]


def grasp(console: Console) -> None:
    """Lower the gripper fast onto a cube, be slowed before it, grasp it and lift it."""
    slowed: list[str] = []
    landed: list[int] = []

    def down(state: State) -> bool:
        slowed.extend(text for text in state["why"] if text.startswith("Slowing"))
        if state["tip"][2] < LOWEST:
            landed.append(state["tick"])
        return bool(landed) and state["tick"] > landed[0] + READING_TICKS

    console.rest(0.8)
    console.hold("f", "F  down", down)
    if not slowed:
        raise TakeError("nothing slowed the gripper")
    console.hold("z", "Z  close", lambda state: state["grip"] < GRASPED, 0.3)
    console.hold("r", "R  up", lambda state: state["tip"][2] > 0.2, 0.3)
    console.hold("a", "A  left", lambda state: state["tip"][1] > 0.12, 1.2)


def drive(*, is_picky: bool) -> None:
    """Make the animation of README: driven, slowed, and why."""
    with TemporaryDirectory() as folder, opened(SMALL, patient_cell(Path(folder))) as console:
        console.is_picky = is_picky
        console.press("Base axes")
        for _ in range(2):
            console.press("Faster")
        console.page.mouse.move(330, 250)
        console.page.mouse.wheel(0, -150)
        console.rest(1.0)
        frames = record(console, grasp)
    for quality in (80, 70, 60, 50, 40):
        buffer = io.BytesIO()
        more: dict[str, Any] = {"save_all": True, "append_images": frames[1:], "duration": FRAME_MS, "loop": 0}
        frames[0].save(buffer, "WEBP", quality=quality, method=4, minimize_size=True, **more)
        if len(buffer.getvalue()) <= MAX_BYTES:
            break
    (PICTURES / "drive.webp").write_bytes(buffer.getvalue())
    print(f"drive.webp: {len(frames)} frames, {len(buffer.getvalue()) / 1e6:.2f} MB, quality {quality}")


# ── Still pictures ───────────────────────────────────────────────────────────────────────────────────────────────────


def save(name: str, shot: bytes, size: tuple[int, int] | None = None) -> None:
    """Write a picture, cut and scaled to a size if one is given."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    if size is not None:
        image = ImageOps.fit(image, size, Image.Resampling.LANCZOS)
    image.save(PICTURES / name, "WEBP", quality=85, method=6)
    print(f"{name}: {(PICTURES / name).stat().st_size / 1e3:.0f} kB")


def page(*, is_picky: bool) -> None:
    """Take the whole page, while the gripper is slowed before a cube."""
    with TemporaryDirectory() as folder, opened(PAGE, patient_cell(Path(folder))) as console:
        console.is_picky = is_picky
        console.press("Base axes")
        for _ in range(2):
            console.press("Faster")
        console.rest(1.0)
        console.page.keyboard.down("f")
        console.until(lambda state: any(text.startswith("Slowing") for text in state["why"]), 20.0)
        console.rest(0.4)
        shot = console.page.screenshot()
        console.check_calm(console.state())
        console.page.keyboard.up("f")
        save("page.webp", shot)


# Cells of the gallery, and how far the view is moved back from the robot (steps of the mouse wheel).
GALLERY = {
    "irb120": 0,
    "irb120-touch": 3,
    "irb120-guides": 2,
    "titan3-cyberimpact": 1,
    "telemax-ground": 12,
    "telemax-things": 2,
    "telemax-irb120": 3,
    "delta-delta": 2,
}
EDGE = 44  # pixels of buttons and read-outs above and below the view


def tile(cell: str) -> None:
    """Take the view of a cell of the gallery."""
    with opened(PAGE, cell) as console:
        for button in ("Axes", "Clearance", "Home"):
            console.press(button)
        box = console.page.locator("canvas").first.bounding_box()
        assert box
        console.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for _ in range(GALLERY[cell]):
            console.page.mouse.wheel(0, 100)
            console.rest(0.2)
        console.page.mouse.move(2, 2)
        console.rest(4.0)
        box = {**box, "y": box["y"] + EDGE, "height": box["height"] - 2 * EDGE}
        save(f"cell-{cell}.webp", console.page.screenshot(clip=box), TILE)  # type: ignore[arg-type]


def take(name: str) -> None:
    """Take a picture, again where the machine was too busy."""
    for left in reversed(range(TAKES)):
        try:
            if name in GALLERY:
                tile(name)
            else:
                {"drive": drive, "page": page}[name](is_picky=left >= TAKES // 2)
        except TakeError as error:
            print(f"again: {error}"[:200], file=sys.stderr)
            if not left:
                raise
        else:
            return


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or ("drive", "page", *GALLERY):
        take(name)
