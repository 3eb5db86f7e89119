"""Remote masters: masters on other machines, which connect over Zenoh.

A remote master is treated as a page without pictures: it greets with the token, watches a cell, asks for control and
sends readings. It gets the leases, and force feedback every tick. Remote masters use a Zenoh session of their own,
through which the fabric between gateway and cells cannot be reached; the gateway opens it for the first of them. Each
gets a login and a secret of its own, and can neither read nor write the messages of another one. A trainee drives from
the page and cannot connect a master.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import zenoh

from farhand import __version__
from farhand.server.fabric import sessions
from farhand.server.fabric.sessions import Pass
from farhand.server.fabric.typed_channel import TypedChannel
from farhand.server.gateway import decoding
from farhand.server.gateway.exam import FROM_THE_PAGE
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.master_queue import MasterQueue
from farhand.server.gateway.message_limit import RATE_PER_S
from farhand.server.gateway.viewer import TooSlowError, Viewer
from farhand.server.protocol import close_codes
from farhand.server.protocol.messages import Ask, Hello, Refused, Welcome
from farhand.types import Feedback

__all__ = ["RemoteMasters"]

SILENT_S = 1.0  # without a message, after which a master counts as gone
MAX_MASTERS = 64
NAMES = 4 * MAX_MASTERS  # logins: Zenoh reads them once, so they are given out in turn and then again
CHANNEL = "remote master"
FULL = Refused(reason="Too many masters are connected.", retry=True, code=close_codes.FULL)
FORGOTTEN = Refused(
    reason="The server has had no message from this master for too long.", retry=True, code=close_codes.NO_GREETING
)
FLOOD = Refused(
    reason=f"This master sent more than {RATE_PER_S:.0f} messages a second for over a second.",
    code=close_codes.TOO_MANY_MESSAGES,
)
REFUSAL_EVERY_S = 0.1  # between two refusals of one master: it may send many messages before it reads the first
_encode = msgspec.msgpack.Encoder().encode


class _GuestLine:
    """Sends a master's messages, reliably: waits for a slow master on another thread."""

    def __init__(self, publisher: Any) -> None:
        self._publisher = publisher

    async def send_bytes(self, data: bytes) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self._publisher.put, data)


class _Unpictured(Viewer):
    """A viewer that gets no updates."""

    def refresh(self) -> None:
        return


class _Guest:
    """A master that was admitted: its viewer and its connection."""

    def __init__(self, viewer: Viewer, refusal: asyncio.Future[Refused], clock: Callable[[], float]) -> None:
        self.viewer, self.refusal = viewer, refusal
        self.heard = clock()
        self.feeling: Any = None  # subscription to the force feedback
        self.feels = ("", "")  # key of the force feedback, and robot
        self.pump = asyncio.ensure_future(viewer.pump())


class RemoteMasters:
    """The remote masters of a gateway.

    Args:
        state: The gateway's state.
        inside: Session of the fabric.
        keys: Tokens that admit a master.
        host: Address to listen at.
        port: Port to listen at; 0: any free one.
        folder: Private folder for logins and secrets.
        most: Most masters at a time.
    """

    def __init__(
        self,
        state: GatewayState,
        inside: Any,
        keys: decoding.Keys,
        host: str,
        port: int,
        folder: Path,
        most: int = MAX_MASTERS,
    ) -> None:
        self._state, self._inside, self._keys = state, inside, keys
        self._host, self._port, self._folder, self._most = host, port, folder, most
        self._loop = asyncio.get_running_loop()
        self._guests: dict[str, _Guest] = {}
        self._session: Any = None
        self._arrivals: dict[str, MasterQueue] = {}
        self._refused: dict[str, float] = {}
        self._names = {secrets.token_hex(16): secrets.token_urlsafe(18) for _ in range(NAMES)}

    def open(self) -> Pass:
        """Open the port for masters, if it is not open yet, and return the credentials of one master.

        Raises:
            OSError: If the port is taken.
        """
        if self._session is None:
            self._port = self._port or _free_port(self._host)
            try:
                self._session = sessions.open_door(self._host, self._port, self._names, self._folder, 2 * self._most)
            except zenoh.ZError as error:
                raise OSError(f"cannot listen at port {self._port}") from error
            self._subscriber = self._session.declare_subscriber(sessions.up("*"), self._taken)
        guest = next(name for name in self._names if name not in self._guests)
        secret = self._names[guest] = self._names.pop(guest)  # moves to the end of the queue
        self._arrivals[guest] = MasterQueue(time.monotonic)
        return Pass(self._port, guest, secret)

    def close(self) -> None:
        """Disconnect all masters."""
        for name in list(self._guests):
            self._let_go(name)
        if self._session is not None:
            self._session.close()

    def sweep(self) -> None:
        """Disconnect masters that are silent or refused."""
        now = self._loop.time()
        for name, guest in list(self._guests.items()):
            if guest.refusal.done():
                self._refuse(name, guest.refusal.result())
                self._let_go(name)
            elif now - guest.heard > SILENT_S:
                self._let_go(name)

    # ── Incoming ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _taken(self, sample: Any) -> None:
        """Queue a message of a master, on Zenoh's thread; wake the loop once for all queued messages."""
        name = str(sample.key_expr).split("/")[-2]
        arrivals = self._arrivals.get(name)
        if arrivals is not None and arrivals.put(sample.payload.to_bytes()):
            self._loop.call_soon_threadsafe(self._hear, name, arrivals)

    def _hear(self, name: str, arrivals: MasterQueue) -> None:
        for content in arrivals.take():
            self._take(name, content)
        if arrivals.flooded and name in self._guests:
            self._refuse(name, FLOOD)
            self._let_go(name)

    def _take(self, name: str, content: bytes | str) -> None:
        guest = self._guests.get(name)
        if guest is None:
            self._greet(name, content)
            return
        guest.heard = self._loop.time()
        try:
            message = decoding.decode(content)
        except decoding.BadMessageError as error:
            self._state.misunderstood(guest.viewer, str(error), CHANNEL)
            return
        if isinstance(message, Hello):
            return  # sent before it had our answer
        self._state.take(guest.viewer, message)
        if isinstance(message, Ask):
            self._let_feel(name, guest, message.robot)

    def _greet(self, name: str, content: bytes | str) -> None:
        if _goes_on(content):
            self._refuse(name, FORGOTTEN)
            return
        hello = decoding.first(content, self._keys)
        if isinstance(hello, str):
            self._state.log_refusal(CHANNEL, hello)
            self._refuse(name, Refused(reason=hello))
            return
        if self._keys.is_trainee(hello.token):
            self._refuse(name, Refused(reason=FROM_THE_PAGE))
            return
        if len(self._guests) >= self._most:
            self._refuse(name, FULL)
            return
        number, called = self._state.guest(hello.client, hello.name)
        if barred := self._state.barred(number):
            self._refuse(name, barred)
            return
        wait = zenoh.CongestionControl.BLOCK
        line = _GuestLine(self._session.declare_publisher(sessions.down(name), congestion_control=wait, express=True))
        viewer = _Unpictured(
            number, called, line, _encode, role=self._keys.role_of(hello.token), language=hello.language
        )
        refusal: asyncio.Future[Refused] = self._loop.create_future()
        self._state.enter(viewer, refusal)
        self._guests[name] = guest = _Guest(viewer, refusal, self._loop.time)
        guest.pump.add_done_callback(_retrieve_exception)
        cells = self._state.cells()
        viewer.tell(Welcome(viewer=number, name=called, version=__version__, cells=cells, role=viewer.role))

    # ── Outgoing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _refuse(self, name: str, refused: Refused) -> None:
        """Send a refusal, at most once per `REFUSAL_EVERY_S`."""
        now = self._loop.time()
        if now - self._refused.get(name, -1e9) >= REFUSAL_EVERY_S:
            self._refused[name] = now
            self._session.put(sessions.down(name), _encode(refused))

    def _let_feel(self, name: str, guest: _Guest, robot: str) -> None:
        """Forward the force feedback of a robot to a master, while the master controls that robot."""
        hub = self._state.hubs.get(guest.viewer.cell)
        robots = hub.scene.robots if hub and hub.scene else ()
        master = next((r.master for r in robots if r.name == robot and r.by_hand), None)
        if hub is None or master is None:
            return
        key, encode = sessions.feel(guest.viewer.cell, master), msgspec.msgpack.Encoder().encode
        if guest.feels == (key, robot):  # forwarded already
            return
        channel = TypedChannel(key, Feedback, hub.life)
        out = self._session.declare_publisher(
            sessions.felt(name),
            congestion_control=zenoh.CongestionControl.DROP,
            priority=zenoh.Priority.REAL_TIME,
            express=True,
        )

        def passed(sample: Any) -> None:  # on Zenoh's thread; the lease that it reads is one immutable value
            before = channel.dropped
            feedback = channel.read(sample.payload.to_bytes())
            if channel.dropped > before:
                self._loop.call_soon_threadsafe(hub.log_drop, channel.complaint())
            if feedback is not None and hub.control.holds(guest.viewer, robot):
                out.put(encode(feedback))

        if guest.feeling is not None:
            guest.feeling.undeclare()
        guest.feeling, guest.feels = self._inside.declare_subscriber(key, passed), (key, robot)

    def _let_go(self, name: str) -> None:
        guest = self._guests.pop(name)
        guest.pump.cancel()
        if guest.feeling is not None:
            guest.feeling.undeclare()
        self._state.left(guest.viewer)


def _goes_on(content: bytes | str) -> bool:
    """Return whether a message is from a master that was disconnected while frozen and does not know it yet."""
    try:
        return not isinstance(decoding.decode(content), Hello)
    except decoding.BadMessageError:
        return False


def _retrieve_exception(pump: asyncio.Future[None]) -> None:
    """Retrieve a pump's exception, which asyncio would log; the sweep disconnects a master that is too slow."""
    if not pump.cancelled() and not isinstance(pump.exception(), TooSlowError):
        pump.result()


def _free_port(host: str) -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as sock:
        sock.bind((host, 0))
        return int(sock.getsockname()[1])
