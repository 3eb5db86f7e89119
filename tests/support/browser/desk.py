"""The page as a test uses it: its state, its texts, and the keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect

__all__ = ["AT_HOME", "DISTRUSTED", "PATIENCE", "Desk", "OpenDesk", "until_code"]

PATIENCE = 30.0  # seconds; software drawing on a busy machine
NOTICED = 5.0  # seconds in which a press that counts takes effect
TIMESTEP = 0.002  # seconds
BRAKING = 150  # ticks in which a driven arm comes to rest, with a margin
HOME = [0.0, 0.35, 0.1, 0.0, 1.1208, 0.0]  # of the IRB 120, rad
AT_HOME = f"(s.grip > 0.099 && {json.dumps(HOME)}.every((angle, joint) => Math.abs(s.joints[joint] - angle) < 0.003))"
DISTRUSTED = "s.why.some((text) => text.includes('press it again to start'))"
# The page's policy forbids `eval`, which playwright's own waiting needs: so the condition is part of the function.
UNTIL = """async () => {{
  const end = performance.now() + {milliseconds};
  for (;;) {{
    const s = window.farhand?.state();
    if (s !== undefined && ({condition})) return s;
    if (performance.now() > end) throw new Error("never true: " + {said} + ", now: " + JSON.stringify(s));
    await new Promise((next) => setTimeout(next, 10));
  }}
}}"""


# Pressed until it takes effect: the button may appear a moment after the mode, and another stop may follow.
RESET = f"""async () => {{
  const end = performance.now() + {PATIENCE * 1000};
  while (window.farhand.state().mode !== "idle") {{
    if (performance.now() > end) throw new Error("it stays stopped: " + JSON.stringify(window.farhand.state()));
    document.querySelector(".stopbar button")?.click();
    await new Promise((next) => setTimeout(next, 500));
  }}
}}"""


def until_code(condition: str, timeout: float) -> str:
    """Return a function, in JavaScript, that waits until the page's snapshot `s` meets a condition."""
    return UNTIL.format(condition=condition, said=json.dumps(condition), milliseconds=timeout * 1000)


class Desk:
    """An open page.

    Args:
        page: Playwright's, at Farhand's address.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self._down: set[str] = set()
        self._driven: str | None = None  # the key that the robot follows

    # ── State ────────────────────────────────────────────────────────────────────────────────────────────────────

    def state(self) -> dict[str, Any]:
        """Return the page's snapshot of its state."""
        state: dict[str, Any] = self.page.evaluate("() => window.farhand.state()")
        return state

    def until(self, condition: str, timeout: float = PATIENCE) -> dict[str, Any]:
        """Wait until the snapshot `s` meets a condition (in JavaScript), and return it.

        A page that was held up for long while somebody drives has let go by itself: the operator presses again.
        """
        left = timeout
        while self._driven is not None and left > NOTICED:
            with suppress(Error):
                return self._wait(condition, NOTICED)
            left -= NOTICED
            self._press_again(self._driven)
        return self._wait(condition, left)

    def _wait(self, condition: str, timeout: float) -> dict[str, Any]:
        state: dict[str, Any] = self.page.evaluate(until_code(condition, timeout))
        return state

    def _press_again(self, key: str) -> None:
        if self.state()["mode"] in ("teleoperation", "paused"):
            return
        self.up(key)
        self.reset_if_stopped()
        self.engage(lambda: self.down(key), lambda: self.up(key))

    def ready(self) -> Desk:
        """Wait until this page knows and controls the robot."""
        self.until("s.mine && s.mode !== null")
        return self

    def body(self, name: str) -> list[float]:
        """Return the position of a body in the view, in the world (m)."""
        pose = self.page.evaluate("(name) => window.farhand.view.bodyPose(name).position", name)
        return [float(value) for value in pose]

    def stays(self, seconds: float = 0.3) -> bool:
        """Return whether the arm stays at rest for a time, by the cell's clock, once it has braked."""
        before = self.until(f"s.tick > {self.state()['tick'] + BRAKING}")
        after = self.until(f"s.tick > {before['tick'] + round(seconds / TIMESTEP)}")
        moved = [abs(a - b) for a, b in zip(before["joints"], after["joints"], strict=True)]
        return all(way < 1e-3 for way in moved)

    # ── Texts ────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def pill(self) -> Locator:
        """The mode of the robot, as shown."""
        return self.page.locator("header .pill")

    @property
    def stop_button(self) -> Locator:
        """The stop button in the header."""
        return self.page.get_by_role("banner").get_by_role("button", name=re.compile("^Stop"))

    def button(self, name: str) -> Locator:
        """Return a button by its label."""
        return self.page.get_by_role("button", name=name, exact=True)

    def action(self, name: str) -> Locator:
        """Return a button of the robot's actions."""
        return self.page.locator(".actions").get_by_role("button", name=name, exact=True)

    def joints_shown(self) -> list[str]:
        """Return the texts of the joint bars."""
        return self.page.locator(".joints .value").all_inner_texts()

    # ── Keys and buttons ─────────────────────────────────────────────────────────────────────────────────────────

    def down(self, key: str) -> None:
        """Press a key and keep it down; a key that is down already repeats."""
        self._down.add(key)
        self.page.keyboard.down(key)

    def up(self, key: str) -> None:
        """Let go of a key."""
        self._down.discard(key)
        self.page.keyboard.up(key)

    @contextmanager
    def holding(self, key: str) -> Iterator[None]:
        """Hold a key."""
        self.down(key)
        try:
            yield
        finally:
            self.up(key)

    @contextmanager
    def driving(self, key: str) -> Iterator[None]:
        """Hold a key that the robot follows."""
        self.engage(lambda: self.down(key), lambda: self.up(key))
        self._driven = key
        try:
            yield
        finally:
            self._driven = None
            self.up(key)

    def engage(self, press: Callable[[], None], release: Callable[[], None]) -> None:
        """Press until the robot is driven.

        The cell refuses a press from a page that was held up for a moment and says so; the operator presses again. One
        that was held up for longer has released the key by itself and needs a fresh press without a message.
        """
        for _ in range(5):
            press()
            with suppress(Error):
                if self._wait(f"s.mode === 'teleoperation' || {DISTRUSTED}", NOTICED)["mode"] == "teleoperation":
                    return
            release()
            state = self._wait(f"!{DISTRUSTED}", PATIENCE)
            self._wait(f"s.heard > {state['heard'] + 10}", PATIENCE)
        raise AssertionError("the robot does not follow")

    def arrive_home(self) -> None:
        """Wait for the end of the move home.

        A page that was held up for a moment makes the robot pause; the operator is offered to continue, and does.
        """
        for _ in range(5):
            state = self.until("s.mode === 'idle' || s.mode === 'stopped'")
            assert state["mode"] == "idle"
            if self.page.evaluate(f"() => {{ const s = window.farhand.state(); return {AT_HOME}; }}"):
                return
            self.action("Continue").click()
            self.until(f"s.mode === 'autonomous' || {AT_HOME}")
        raise AssertionError("the robot does not come home")

    def let_go(self) -> None:
        """Let go of every key."""
        for key in list(self._down):
            self.up(key)

    def press(self, key: str) -> None:
        """Press and release a key."""
        self.page.keyboard.press(key)

    def choose_mode(self, name: str) -> None:
        """Choose a control mode."""
        self.button(name.capitalize()).click()
        self.until(f"s.mapping === {json.dumps(name)}")

    def settle(self) -> Desk:
        """Restore the state that a test expects: in control, at home and at rest, control mode "joints", middle speed.

        Only differences are changed: a command that is not awaited could interfere with the test.
        """
        self.close_dialogs()
        if not self.state()["mine"]:
            self.button("Ask for control").click()
        self.ready().reset_if_stopped()
        self.until("s.mode === 'idle'")
        if self.state()["mapping"] != "joints":
            self.choose_mode("joints")
        self.speed(3)
        if not self.page.evaluate(f"() => {{ const s = window.farhand.state(); return {AT_HOME}; }}"):
            self.action("Reset robot").click()
            self.until(AT_HOME)
        return self

    def close_dialogs(self) -> None:
        """Close open dialogs; a dialog that waits for a key takes the first Escape for an answer."""
        for _ in range(2):
            self.press("Escape")
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def reset_if_stopped(self) -> None:
        """Reset a latched stop, if there is one."""
        if self.state()["mode"] in ("stopped", "fault"):
            self.page.evaluate(RESET)

    def speed(self, level: int) -> None:
        """Choose a speed level."""
        while (now := self.state()["level"]) != level:
            step = 1 if level > now else -1
            self.button("Faster" if step > 0 else "Slower").click()
            self.until(f"s.level === {now + step}")

    def leave(self) -> None:
        """Release control, so that the next page need not wait for it."""
        if self.page.is_closed():
            return
        self.let_go()
        state = self.page.evaluate("() => window.farhand?.state() ?? null")
        if state is not None and state["connected"] and state["mine"]:
            self.close_dialogs()
            self.reset_if_stopped()
            self._release()

    def _release(self, tries: int = 3) -> None:
        """Press Release; on a page that was held up it may have moved away from the pointer."""
        for _ in range(tries):
            if self.state()["mine"]:
                self.page.locator(".lease button").first.click()  # "Release", in any language
            with suppress(Error):
                self._wait("!s.mine", NOTICED)
                return
        self.until("!s.mine")

    def says(self, text: str) -> None:
        """Expect these words in the robot's mode."""
        expect(self.pill).to_contain_text(text)


OpenDesk = Callable[..., Desk]
