"""A page without a browser: a program that connects to a gateway as a page does, for scripts, tests and benchmarks."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Literal, TypeVar

import msgspec
from websockets.sync.client import connect
from websockets.typing import Origin

from farhand.server.protocol.messages import (
    Answer,
    Ask,
    Command,
    Confirm,
    FromPage,
    Hand,
    Heard,
    Hello,
    KeptMove,
    LeaseInfo,
    Leases,
    Ping,
    RobotUpdate,
    Scene,
    Speech,
    ToPage,
    Update,
    Watch,
    Welcome,
)
from farhand.server.protocol.typescript import wire
from farhand.types import Event, Reading
from farhand.types.events.declaration import time_out_of

__all__ = ["Client"]

M = TypeVar("M", bound=ToPage)
PATIENCE = 10.0  # seconds
PIECE = 8000  # bytes of speech in one message
_encode = msgspec.msgpack.Encoder().encode
_decode: msgspec.msgpack.Decoder[ToPage] = msgspec.msgpack.Decoder(ToPage)


def _any(message: object) -> bool:
    del message
    return True


class Client:
    """A connected page; keeps what it was told, updates apart.

    Args:
        address: As Farhand printed it, with its token.
        name: What others see; empty: one is given.
        client: A secret by which it is known again; empty: a new one.
        watch: Name of the cell to watch; empty: none yet.
    """

    def __init__(self, address: str, *, name: str = "", client: str = "", watch: str = "irb120") -> None:
        base, _, token = address.partition("#token=")
        self.client = client or secrets.token_urlsafe(18)
        opening = connect(
            base.replace("http", "ws") + "socket",
            origin=Origin(base.rstrip("/")),
            max_size=None,
            compression=None,
            ping_interval=None,
            close_timeout=1.0,  # one who has not read for a while cannot hear the other's goodbye
        )
        self._open = ExitStack()
        self._socket = self._open.enter_context(opening)
        self.heard: list[ToPage] = []
        self.scene: Scene | None = None
        self.update: Update | None = None
        self.leases: Leases | None = None
        self._id = 0
        self._sequence = 0
        self.received = 0  # bytes
        self.presses = 0
        self.send(Hello(wire=wire(), token=token, client=self.client, name=name))
        self.number = self.wait(Welcome).viewer
        if watch:
            self.send(Watch(cell=watch))
            self.wait(Update)

    def send(self, message: FromPage) -> None:
        """Send a message."""
        self._socket.send(_encode(message))

    def send_raw(self, content: bytes | str) -> None:
        """Send what may be no message."""
        self._socket.send(content)

    def receive(self, timeout: float = PATIENCE) -> ToPage:
        """Return the next message."""
        content = self._socket.recv(timeout)
        assert isinstance(content, bytes)
        self.received += len(content)
        message = _decode.decode(content)
        if isinstance(message, Scene):
            self.scene = message
        elif isinstance(message, Update):
            self.update = message
        elif isinstance(message, Leases):
            self.leases = message
        if not isinstance(message, Update):
            self.heard.append(message)
        return message

    def wait(self, kind: type[M], true: Callable[[M], bool] = _any, timeout: float = PATIENCE) -> M:
        """Return the next message of a kind for which something is true."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            message = self.receive(left)
            if isinstance(message, kind) and true(message):
                return message
        raise TimeoutError(f"no such {kind.__name__} came")

    def robot(self, name: str = "arm") -> RobotUpdate:
        """Return a robot as last heard."""
        assert self.scene
        assert self.update
        return self.update.robots[[robot.name for robot in self.scene.robots].index(name)]

    def lease(self, robot: str = "arm") -> LeaseInfo:
        """Return who controls a robot, as last heard."""
        assert self.leases
        return next(lease for lease in self.leases.robots if lease.robot == robot)

    def take_control(self, robot: str = "arm") -> LeaseInfo:
        """Ask for control and wait until it is given."""
        self.send(Ask(robot=robot))
        self.wait(Leases, lambda m: any(r.robot == robot and r.holder == self.number for r in m.robots))
        return self.lease(robot)

    def command(self, event: Event, timeout: float | None = None) -> Answer:
        """Send an event and return its answer; the server gives it the time that the event has declared."""
        self._id += 1
        self.send(Command(id=self._id, event=event))
        return self.wait(Answer, lambda m: m.id == self._id, timeout or time_out_of(event) + PATIENCE)

    def kept_move(self, action: Literal["run", "rename", "delete"], name: str, to: str = "") -> Answer:
        """Do something with a taught move of the robot "arm" and return the answer."""
        self._id += 1
        self.send(KeptMove(id=self._id, robot="arm", name=name, action=action, to=to))
        return self.wait(Answer, lambda m: m.id == self._id)

    def say(self, pcm: bytes, robot: str = "arm") -> Heard:
        """Speak, samples as in `Speech`, and return what was heard and what came of it.

        A phrase that starts a motion comes back with `confirm` above 0, and does nothing until it is confirmed.
        """
        self._id += 1
        for at in range(0, max(len(pcm), 1), PIECE):
            piece, last = pcm[at : at + PIECE], at + PIECE >= len(pcm)
            self.send(Speech(id=self._id, robot=robot, pcm=piece, last=last))
        return self.wait(Heard, lambda m: m.id == self._id)

    def confirm(self, pending: Heard) -> Heard:
        """Confirm what was said and heard, as the page's button does, and return what came of it."""
        self.send(Confirm(id=pending.id))
        return self.wait(Heard, lambda m: m.id == pending.id)

    def ping(self) -> float:
        """Return the seconds to the cell and back."""
        self._id += 1
        start = time.perf_counter()
        self.send(Ping(id=self._id))
        self.wait(Answer, lambda m: m.id == self._id)
        return time.perf_counter() - start

    def echo(self) -> float:
        """Return the seconds to the gateway's socket and back."""
        start = time.perf_counter()
        self._socket.ping().wait(PATIENCE)
        return time.perf_counter() - start

    def hand(self, robot: str = "arm", **reading: Any) -> None:
        """Send a reading; nothing is held unless it says so. Counts on from what the cell has heard, as a page does."""
        assert self.update
        self._sequence = max(self._sequence, self.robot(robot).heard) + 1
        fields = {"sequence": self._sequence, "epoch": self.lease(robot).epoch, "tick": self.update.tick, **reading}
        self.send(Hand(robot=robot, reading=Reading(presses={"deadman": self.presses}, **fields)))

    def let_go(self, robot: str = "arm", timeout: float = PATIENCE) -> None:
        """Hold nothing until the cell has heard it: only after that a press is a fresh one."""
        self.hand(robot)
        first, end = self._sequence, time.monotonic() + timeout
        while self.robot(robot).heard < first:
            self.wait(Update, timeout=end - time.monotonic())
            self.hand(robot)

    def drive(
        self, until: Callable[[Update], bool], timeout: float = PATIENCE, robot: str = "arm", **reading: Any
    ) -> Update:
        """Press the deadman afresh and hold it, with these axes, until something is true of an update."""
        self.let_go(robot)
        self.presses += 1
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self.hand(robot, deadman=True, **reading)
            update = self.wait(Update)
            if until(update):
                return update
        raise TimeoutError("that did not come true while driving")

    def close(self) -> None:
        """End the connection."""
        self._open.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
