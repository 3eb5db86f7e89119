"""An independent viewer that records the cell's state, tick by tick, by the cell's own clock."""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Callable

from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.server.protocol.messages import Update

__all__ = ["Moment", "Witness"]

PATIENCE = 30.0  # seconds
LOOK = 0.1  # seconds between two looks at whether to end


class Moment(Struct, frozen=True):
    """The robot at one tick.

    Args:
        tick: Number of the tick.
        time: Seconds of the cell's time.
        mode: Who is in charge.
        heard: Number of the newest good reading.
        since: When that reading was good, in the cell's time.
        joints: Where the arm is.
    """

    tick: int
    time: float
    mode: str
    heard: int
    since: float
    joints: tuple[float, ...]


class Witness:
    """A page without a browser that only watches; a thread of its own takes all that comes.

    Args:
        address: As Farhand printed it.
    """

    def __init__(self, address: str) -> None:
        self._visitor = Client(address, name="Witness")
        self._moments: list[Moment] = []
        self._news = threading.Condition()
        self._ending = False
        self._thread = threading.Thread(target=self._watch, name="witness")
        self._thread.start()

    def _watch(self) -> None:
        while not self._ending:
            try:
                message = self._visitor.receive(LOOK)
            except TimeoutError:
                continue
            except ConnectionClosed:
                return
            if isinstance(message, Update):
                with self._news:
                    self._moments.append(_moment(message))
                    self._news.notify_all()

    @property
    def now(self) -> Moment:
        """The newest moment."""
        return self.until(lambda moment: moment.tick >= 0)

    def until(self, true: Callable[[Moment], bool], timeout: float = PATIENCE) -> Moment:
        """Wait until the newest moment meets a condition."""
        end = time.monotonic() + timeout
        with self._news:
            while not (self._moments and true(self._moments[-1])):
                if not self._news.wait(end - time.monotonic()):
                    raise TimeoutError(f"that never came true; the last moment: {self._moments[-1:]}")
            return self._moments[-1]

    def since(self, moment: Moment) -> list[Moment]:
        """Return all moments from one on."""
        with self._news:
            return [each for each in self._moments if each.tick >= moment.tick]

    def __enter__(self) -> Witness:
        return self

    def __exit__(self, *error: object) -> None:
        self._ending = True
        self._thread.join()
        self._visitor.close()


def _moment(update: Update) -> Moment:
    robot = update.robots[0]
    joints = struct.unpack(f"<{len(robot.joints) // 4}f", robot.joints)
    return Moment(update.tick, update.time, robot.mode, robot.heard, update.time - robot.age / 1000, joints)
