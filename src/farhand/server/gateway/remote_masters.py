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
from farhand.server.fabric.sessions import MasterCredentials
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
LOGINS = 4 * MAX_MASTERS  # logins: Zenoh reads them once, so they are given out in turn and then again
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


class _MasterSocket:
    """Sends a master's messages, reliably: waits for a slow master on another thread."""

    def __init__(self, publisher: Any) -> None:
        self._publisher = publisher

    async def send_bytes(self, data: bytes) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self._publisher.put, data)


class _MasterViewer(Viewer):
    """A viewer that gets no updates."""

    def refresh(self) -> None:
        return


class _RemoteMaster:
    """A master that was admitted: its viewer and its connection."""

    def __init__(self, viewer: Viewer, refusal: asyncio.Future[Refused], clock: Callable[[], float]) -> None:
        self.viewer, self.refusal = viewer, refusal
        self.heard = clock()
        self.subscription: Any = None  # subscription to the force feedback
        self.feedback_of = ("", "")  # key of the force feedback, and robot
        self.pump = asyncio.ensure_future(viewer.pump())


class RemoteMasters:
    """The remote masters of a gateway.

    Args:
        state: The gateway's state.
        fabric: Session of the fabric.
        keys: Tokens that admit a master.
        host: Address to listen at.
        port: Port to listen at; 0: any free one.
        folder: Private folder for logins and secrets.
        most: Most masters at a time.
    """

    def __init__(
        self,
        state: GatewayState,
        fabric: Any,
        keys: decoding.LinkTokens,
        host: str,
        port: int,
        folder: Path,
        most: int = MAX_MASTERS,
    ) -> None:
        self._state, self._fabric, self._keys = state, fabric, keys
        self._host, self._port, self._folder, self._most = host, port, folder, most
        self._loop = asyncio.get_running_loop()
        self._masters: dict[str, _RemoteMaster] = {}
        self._session: Any = None
        self._queues: dict[str, MasterQueue] = {}
        self._refused: dict[str, float] = {}
        self._logins = {secrets.token_hex(16): secrets.token_urlsafe(18) for _ in range(LOGINS)}

    def open(self) -> MasterCredentials:
        """Open the port for masters, if it is not open yet, and return the credentials of one master.

        Raises:
            OSError: If the port is taken.
        """
        if self._session is None:
            self._port = self._port or _free_port(self._host)
            try:
                self._session = sessions.open_master_port(
                    self._host, self._port, self._logins, self._folder, 2 * self._most
                )
            except zenoh.ZError as error:
                raise OSError(f"cannot listen at port {self._port}") from error
            self._subscriber = self._session.declare_subscriber(sessions.from_master_key("*"), self._taken)
        login = next(name for name in self._logins if name not in self._masters)
        secret = self._logins[login] = self._logins.pop(login)  # moves to the end of the queue
        self._queues[login] = MasterQueue(time.monotonic)
        return MasterCredentials(self._port, login, secret)

    def close(self) -> None:
        """Disconnect all masters."""
        for name in list(self._masters):
            self._disconnect(name)
        if self._session is not None:
            self._session.close()

    def sweep(self) -> None:
        """Disconnect masters that are silent or refused."""
        now = self._loop.time()
        for name, remote in list(self._masters.items()):
            if remote.refusal.done():
                self._refuse(name, remote.refusal.result())
                self._disconnect(name)
            elif now - remote.heard > SILENT_S:
                self._disconnect(name)

    # ── Incoming ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _taken(self, sample: Any) -> None:
        """Queue a message of a master, on Zenoh's thread; wake the loop once for all queued messages."""
        name = str(sample.key_expr).split("/")[-2]
        queue = self._queues.get(name)
        if queue is not None and queue.put(sample.payload.to_bytes()):
            self._loop.call_soon_threadsafe(self._hear, name, queue)

    def _hear(self, name: str, queue: MasterQueue) -> None:
        for content in queue.take():
            self._take(name, content)
        if queue.flooded and name in self._masters:
            self._refuse(name, FLOOD)
            self._disconnect(name)

    def _take(self, name: str, content: bytes | str) -> None:
        remote = self._masters.get(name)
        if remote is None:
            self._greet(name, content)
            return
        remote.heard = self._loop.time()
        try:
            message = decoding.decode(content)
        except decoding.BadMessageError as error:
            self._state.misunderstood(remote.viewer, str(error), CHANNEL)
            return
        if isinstance(message, Hello):
            return  # sent before it had our answer
        self._state.take(remote.viewer, message)
        if isinstance(message, Ask):
            self._forward_feedback(name, remote, message.robot)

    def _greet(self, name: str, content: bytes | str) -> None:
        if _is_disconnected(content):
            self._refuse(name, FORGOTTEN)
            return
        hello = decoding.decode_greeting(content, self._keys)
        if isinstance(hello, str):
            self._state.log_refusal(CHANNEL, hello)
            self._refuse(name, Refused(reason=hello))
            return
        if self._keys.is_trainee(hello.token):
            self._refuse(name, Refused(reason=FROM_THE_PAGE))
            return
        if len(self._masters) >= self._most:
            self._refuse(name, FULL)
            return
        number, called = self._state.guest(hello.client, hello.name)
        if barred := self._state.barred(number):
            self._refuse(name, barred)
            return
        wait = zenoh.CongestionControl.BLOCK
        line = _MasterSocket(
            self._session.declare_publisher(sessions.to_master_key(name), congestion_control=wait, express=True)
        )
        viewer = _MasterViewer(
            number, called, line, _encode, role=self._keys.role_of(hello.token), language=hello.language
        )
        refusal: asyncio.Future[Refused] = self._loop.create_future()
        self._state.enter(viewer, refusal)
        self._masters[name] = remote = _RemoteMaster(viewer, refusal, self._loop.time)
        remote.pump.add_done_callback(_retrieve_exception)
        cells = self._state.cells()
        viewer.tell(Welcome(viewer=number, name=called, version=__version__, cells=cells, role=viewer.role))

    # ── Outgoing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _refuse(self, name: str, refused: Refused) -> None:
        """Send a refusal, at most once per `REFUSAL_EVERY_S`."""
        now = self._loop.time()
        if now - self._refused.get(name, -1e9) >= REFUSAL_EVERY_S:
            self._refused[name] = now
            self._session.put(sessions.to_master_key(name), _encode(refused))

    def _forward_feedback(self, name: str, remote: _RemoteMaster, robot: str) -> None:
        """Forward the force feedback of a robot to a master, while the master controls that robot."""
        hub = self._state.hubs.get(remote.viewer.cell)
        robots = hub.scene.robots if hub and hub.scene else ()
        master = next((r.master for r in robots if r.name == robot and r.by_hand), None)
        if hub is None or master is None:
            return
        key, encode = sessions.feedback_key(remote.viewer.cell, master), msgspec.msgpack.Encoder().encode
        if remote.feedback_of == (key, robot):  # forwarded already
            return
        channel = TypedChannel(key, Feedback, hub.life)
        out = self._session.declare_publisher(
            sessions.master_feedback_key(name),
            congestion_control=zenoh.CongestionControl.DROP,
            priority=zenoh.Priority.REAL_TIME,
            express=True,
        )

        def passed(sample: Any) -> None:  # on Zenoh's thread; the lease that it reads is one immutable value
            before = channel.dropped
            feedback = channel.read(sample.payload.to_bytes())
            if channel.dropped > before:
                self._loop.call_soon_threadsafe(hub.log_drop, channel.complaint())
            if feedback is not None and hub.control.holds(remote.viewer, robot):
                out.put(encode(feedback))

        if remote.subscription is not None:
            remote.subscription.undeclare()
        remote.subscription, remote.feedback_of = self._fabric.declare_subscriber(key, passed), (key, robot)

    def _disconnect(self, name: str) -> None:
        remote = self._masters.pop(name)
        remote.pump.cancel()
        if remote.subscription is not None:
            remote.subscription.undeclare()
        self._state.left(remote.viewer)


def _is_disconnected(content: bytes | str) -> bool:
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
