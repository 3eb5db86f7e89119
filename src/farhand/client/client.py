"""A client: a program that connects to a gateway as a page does, for scripts, tests and benchmarks."""

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
    Hello,
    KeptMove,
    LeaseInfo,
    Leases,
    Ping,
    RobotUpdate,
    Scene,
    Speech,
    SpeechResult,
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
TIMEOUT_S = 10.0
PIECE_BYTES = 8000  # of speech in one message
_encode = msgspec.msgpack.Encoder().encode
_decode: msgspec.msgpack.Decoder[ToPage] = msgspec.msgpack.Decoder(ToPage)


def _any(message: object) -> bool:
    del message
    return True


class Client:
    """A connected client, which keeps all messages except updates, and the newest update.

    Args:
        address: Link that Farhand printed, with its token.
        name: Name that others see; empty: the server gives one.
        client: Secret by which the server recognises the client; empty: a new one.
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
            close_timeout=1.0,  # with unread messages in the way, the server's close frame would not arrive
        )
        self._open = ExitStack()
        self._socket = self._open.enter_context(opening)
        self.messages: list[ToPage] = []
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
        """Send a frame that need not be a message."""
        self._socket.send(content)

    def receive(self, timeout: float = TIMEOUT_S) -> ToPage:
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
            self.messages.append(message)
        return message

    def wait(self, kind: type[M], true: Callable[[M], bool] = _any, timeout: float = TIMEOUT_S) -> M:
        """Return the next message of a kind that meets a condition.

        Raises:
            TimeoutError: If no such message comes within `timeout` (s).
        """
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            message = self.receive(left)
            if isinstance(message, kind) and true(message):
                return message
        raise TimeoutError(f"no matching {kind.__name__} within {timeout:g} s")

    def robot(self, name: str = "arm") -> RobotUpdate:
        """Return the newest state of a robot."""
        assert self.scene
        assert self.update
        return self.update.robots[[robot.name for robot in self.scene.robots].index(name)]

    def lease(self, robot: str = "arm") -> LeaseInfo:
        """Return the newest lease of a robot."""
        assert self.leases
        return next(lease for lease in self.leases.robots if lease.robot == robot)

    def take_control(self, robot: str = "arm") -> LeaseInfo:
        """Ask for control of a robot and wait until it is granted."""
        self.send(Ask(robot=robot))
        self.wait(Leases, lambda m: any(r.robot == robot and r.holder == self.number for r in m.robots))
        return self.lease(robot)

    def command(self, event: Event, timeout: float | None = None) -> Answer:
        """Send an event and return its answer; by default wait for the event's time-out and `TIMEOUT_S` more (s)."""
        self._id += 1
        self.send(Command(id=self._id, event=event))
        return self.wait(Answer, lambda m: m.id == self._id, timeout or time_out_of(event) + TIMEOUT_S)

    def kept_move(self, action: Literal["run", "rename", "delete"], name: str, to: str = "") -> Answer:
        """Run, rename or delete a taught move of the robot "arm" and return the answer."""
        self._id += 1
        self.send(KeptMove(id=self._id, robot="arm", name=name, action=action, to=to))
        return self.wait(Answer, lambda m: m.id == self._id)

    def speak(self, pcm: bytes, robot: str = "arm") -> SpeechResult:
        """Send speech, with samples as in `Speech`, and return the result.

        A phrase that starts a motion does nothing yet: its result has `confirm` above 0 and waits for `confirm`.
        """
        self._id += 1
        for at in range(0, max(len(pcm), 1), PIECE_BYTES):
            piece, last = pcm[at : at + PIECE_BYTES], at + PIECE_BYTES >= len(pcm)
            self.send(Speech(id=self._id, robot=robot, pcm=piece, last=last))
        return self.wait(SpeechResult, lambda m: m.id == self._id)

    def confirm(self, pending: SpeechResult) -> SpeechResult:
        """Confirm a spoken command, as the page's button does, and return the result."""
        self.send(Confirm(id=pending.id))
        return self.wait(SpeechResult, lambda m: m.id == pending.id)

    def ping(self) -> float:
        """Return the round-trip time to the cell, s."""
        self._id += 1
        start = time.perf_counter()
        self.send(Ping(id=self._id))
        self.wait(Answer, lambda m: m.id == self._id)
        return time.perf_counter() - start

    def echo(self) -> float:
        """Return the round-trip time to the gateway's socket, s."""
        start = time.perf_counter()
        self._socket.ping().wait(TIMEOUT_S)
        return time.perf_counter() - start

    def send_reading(self, robot: str = "arm", **reading: Any) -> None:
        """Send a reading, with the deadman released unless `reading` holds it; number it after the cell's newest."""
        assert self.update
        self._sequence = max(self._sequence, self.robot(robot).heard) + 1
        fields = {"sequence": self._sequence, "epoch": self.lease(robot).epoch, "tick": self.update.tick, **reading}
        self.send(Hand(robot=robot, reading=Reading(presses={"deadman": self.presses}, **fields)))

    def release_deadman(self, robot: str = "arm", timeout: float = TIMEOUT_S) -> None:
        """Release the deadman until the cell has had such a reading: only then does a press count as fresh."""
        self.send_reading(robot)
        first, end = self._sequence, time.monotonic() + timeout
        while self.robot(robot).heard < first:
            self.wait(Update, timeout=end - time.monotonic())
            self.send_reading(robot)

    def drive(
        self, until: Callable[[Update], bool], timeout: float = TIMEOUT_S, robot: str = "arm", **reading: Any
    ) -> Update:
        """Press the deadman and hold it, with this reading, until an update meets a condition; return that update.

        Raises:
            TimeoutError: If no update does within `timeout` (s).
        """
        self.release_deadman(robot)
        self.presses += 1
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self.send_reading(robot, deadman=True, **reading)
            update = self.wait(Update)
            if until(update):
                return update
        raise TimeoutError(f"condition not met within {timeout:g} s of driving")

    def close(self) -> None:
        """End the connection."""
        self._open.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
