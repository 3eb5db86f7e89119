"""A Chromium of our own, spoken to over its developer socket.

Playwright keeps every page focused and shown, whatever lies in front of it. Here tabs are hidden as on anybody's
desk, and all processes of the browser can be frozen.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser.desk import PATIENCE, until_code
from websockets.sync.client import ClientConnection, connect

__all__ = ["PlainChromium", "Tab", "plain_chromium"]

KEYS = {"q": ("KeyQ", 81), "Enter": ("Enter", 13)}


class PlainChromium:
    """A running browser.

    Args:
        process: Of the browser, the leader of a process group.
        socket: Its developer socket.
    """

    def __init__(self, process: subprocess.Popen[str], socket: ClientConnection) -> None:
        self._process, self._socket, self._count = process, socket, 0

    def call(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Run a command in the page and return its result."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        self._socket.send(json.dumps({**message, "sessionId": session} if session else message))
        while True:
            answer = json.loads(self._socket.recv(PATIENCE + 5))
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, address: str) -> Tab:
        """Open a tab, in front of the others."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.navigate", session, url=address)
        return Tab(self, target, session)

    def freeze(self) -> None:
        """Stop all processes of the browser where they are."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them go on."""
        os.killpg(self._process.pid, signal.SIGCONT)


class Tab:
    """A tab of the browser."""

    def __init__(self, browser: PlainChromium, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session

    def evaluate(self, code: str) -> Any:
        """Return the value of an expression."""
        result = self._browser.call(
            "Runtime.evaluate", self._session, expression=code, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def until(self, condition: str, timeout: float = PATIENCE) -> dict[str, Any]:
        """Wait until the page's snapshot `s` meets a condition, and return it."""
        state: dict[str, Any] = self.evaluate(f"({until_code(condition, timeout)})()")
        return state

    def key(self, kind: str, key: str, *, again: bool = False) -> None:
        """Press ("keyDown") or let go of ("keyUp") a key; `again`: it is held and repeats."""
        code, number = KEYS[key]
        self._browser.call(
            "Input.dispatchKeyEvent",
            self._session,
            type=kind,
            key=key,
            code=code,
            windowsVirtualKeyCode=number,
            autoRepeat=again,
        )

    def show(self) -> None:
        """Bring the tab to the front; hides the others."""
        self._browser.call("Target.activateTarget", targetId=self._target)

    def close(self) -> None:
        """Close the tab."""
        self._browser.call("Target.closeTarget", targetId=self._target)


@contextmanager
def plain_chromium(path: str, flags: Sequence[str], profile: Path) -> Iterator[PlainChromium]:
    """Start a browser and end it with the block, frozen or not."""
    arguments = [path, "--headless", "--remote-debugging-port=0", f"--user-data-dir={profile}", *flags, "about:blank"]
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert process.stderr
        place = next(found[0] for line in process.stderr if (found := re.search(r"ws://\S+", line)))
        with connect(place, max_size=None, compression=None, ping_interval=None) as socket:
            assert isinstance(socket, ClientConnection)
            yield PlainChromium(process, socket)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
