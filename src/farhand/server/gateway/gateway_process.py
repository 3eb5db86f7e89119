"""``python -m farhand.server.gateway.gateway_process``: run the gateway, until the parent process ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
import zenoh
from starlette.applications import Starlette

from farhand.cell.checkpoint import Checkpoint
from farhand.cell.path_library import PathLibrary
from farhand.server.fabric import sessions
from farhand.server.fabric.machine_clock import boot_id, monotonic_ms
from farhand.server.fabric.typed_channel import TypedChannel
from farhand.server.gateway import decoding
from farhand.server.gateway.app import make_app
from farhand.server.gateway.camera_pictures import Pictures
from farhand.server.gateway.descriptor_budget import USUAL, DescriptorBudget, allow_descriptors, places_for
from farhand.server.gateway.gateway_order import OWNER, TOKEN, TRAINEE, CellNews, GatewayOrder
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.http_protocols import make_protocols
from farhand.server.gateway.move_store import Background, problem_of
from farhand.server.gateway.picture_worker import PictureWorker
from farhand.server.gateway.remote_masters import RemoteMasters
from farhand.server.gateway.speech_worker import SpeechWorker
from farhand.server.gateway.terminal_log import Terminal, silent
from farhand.server.lifecycle.child_messages import ChildReady, GoLive, Retry, report
from farhand.server.lifecycle.listening import listening_socket
from farhand.server.lifecycle.parent_watch import follow_parent
from farhand.server.lifecycle.priority import raise_priority
from farhand.server.lifecycle.standby import Heartbeat, go_live
from farhand.server.protocol.internal_messages import (
    Done,
    Entries,
    ForwardedReading,
    Frame,
    Greeting,
    Order,
    RecorderNews,
)
from farhand.server.protocol.messages import Scene
from farhand.types import Reading

__all__ = ["main"]

SWEEP_S = 0.05
BREAK_MS = 100  # without a reading, which count as a gap of its sender
FETCH_S = 5.0  # to wait for the answer to a query
RECEIVE_BYTES = 32 * 1024  # that may wait in the kernel for one connection: more would be old when it is read
FEW = "This system allows Farhand {descriptors} open files: at most {pages} pages can connect at a time."


class ZenohCellLink:
    """The link from hubs to their cells, over Zenoh.

    Args:
        session: Session of the fabric.
        loop: Event loop in which answers are taken.
    """

    def __init__(self, session: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._session, self._loop = session, loop
        self._publishers: dict[str, tuple[Any, TypedChannel[Any]]] = {}
        self._heard: dict[tuple[str, str], tuple[int, int]] = {}  # ms of the last receipt, and of the last gap's end
        self.state: GatewayState

    def _put(self, cell: str, key: str, message: Order | ForwardedReading) -> None:
        if key not in self._publishers:
            publisher = self._session.declare_publisher(
                key,
                congestion_control=zenoh.CongestionControl.DROP,
                priority=zenoh.Priority.REAL_TIME,
                express=True,
            )
            self._publishers[key] = publisher, TypedChannel(key, type(message), self.state.hubs[cell].life)
        publisher, channel = self._publishers[key]
        publisher.put(channel.written(message))

    def send_order(self, cell: str, order: Order) -> None:
        """Send an order."""
        self._put(cell, sessions.order_key(cell), order)

    def send_reading(self, cell: str, master: str, reading: Reading) -> None:
        """Send a reading, with the time of its receipt and the time since the last gap."""
        now = monotonic_ms()
        last, since = self._heard.get((cell, master), (now, now))
        since = now if now - last > BREAK_MS else since
        self._heard[cell, master] = now, since
        self._put(cell, sessions.reading_key(cell, master), ForwardedReading(reading, now, boot_id(), now - since))

    def query_scene(self, cell: str) -> None:
        """Query a cell for its scene."""
        hub = self.state.hubs[cell]
        self._get(TypedChannel(sessions.scene_key(cell), Scene, hub.life), None, hub.take_scene, hub.log_drop)

    def query_log(self, cell: str, since: int) -> None:
        """Query a cell for its log from a number on."""
        hub = self.state.hubs[cell]
        self._get(
            TypedChannel(sessions.log_key(cell), Entries, hub.life), str(since).encode(), hub.take_log, hub.log_drop
        )

    def _get(
        self,
        channel: TypedChannel[Any],
        payload: bytes | None,
        take: Callable[[Any], None],
        log_drop: Callable[[str], None],
    ) -> None:
        def answered(reply: Any) -> None:
            before = channel.dropped
            message = channel.read(reply.ok.payload.to_bytes()) if reply.ok is not None else None
            if message is not None:  # otherwise the hub queries again
                self._loop.call_soon_threadsafe(take, message)
            elif channel.dropped > before:
                self._loop.call_soon_threadsafe(log_drop, channel.complaint())

        self._session.get(channel.key, answered, payload=payload, timeout=FETCH_S)

    def fetch(self, cell: str, name: str) -> asyncio.Future[bytes | None]:
        """Query a cell for a mesh; the future's result is None if it does not come."""
        future: asyncio.Future[bytes | None] = self._loop.create_future()

        def settle(content: bytes | None) -> None:
            if not future.done():
                future.set_result(content)

        def answered(reply: Any) -> None:
            content = reply.ok.payload.to_bytes() if reply.ok is not None else None
            self._loop.call_soon_threadsafe(settle, content)

        self._session.get(sessions.mesh_key(cell, name), answered, timeout=FETCH_S)
        self._loop.call_later(FETCH_S + 1.0, settle, None)
        return future

    def subscribe(self, cell: str) -> list[Any]:
        """Subscribe to a cell's messages, and answer its greeting."""
        hub = self.state.hubs[cell]

        def heard(key: str, kind: Any, into: Callable[[Any], None]) -> Any:
            channel = TypedChannel(key, kind, hub.life)

            def taken(sample: Any) -> None:
                before = channel.dropped
                message = channel.read(sample.payload.to_bytes())
                if message is not None:
                    self._loop.call_soon_threadsafe(into, message)
                elif channel.dropped > before:
                    self._loop.call_soon_threadsafe(hub.log_drop, channel.complaint())

            return self._session.declare_subscriber(key, taken)

        def keep(checkpoint: Checkpoint) -> None:
            hub.checkpoint = checkpoint

        greetings = TypedChannel(sessions.greeting_key(cell), Greeting, hub.life)

        def greet(query: Any) -> None:
            # An earlier incarnation gets no answer, and so never starts.
            if query.payload is not None and greetings.read(query.payload.to_bytes()) is not None:
                query.reply(query.key_expr, greetings.written(Greeting(checkpoint=hub.checkpoint)))

        return [
            heard(sessions.frame_key(cell), Frame, hub.take_frame),
            heard(sessions.answer_key(cell), Done, hub.take_done),
            heard(sessions.checkpoint_key(cell), Checkpoint, keep),
            self._session.declare_queryable(sessions.greeting_key(cell), greet),
        ]


def main() -> int:
    """Serve until the parent process ends."""
    order = msgspec.json.decode(sys.argv[1], type=GatewayOrder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process by its pipe
    keys = decoding.LinkTokens(os.environ.pop(TOKEN), os.environ.pop(TRAINEE, ""), os.environ.pop(OWNER, ""))
    _warm_up()
    return go_live(lambda word, heartbeat: _live(order, keys, word, heartbeat), spare=order.spare)


def _warm_up() -> None:
    """Import the modules that uvicorn would import when it starts."""
    config = _config(Starlette(), silent)
    config.load()
    with suppress(ImportError):  # not made for Windows
        import uvloop  # noqa: F401


def _live(order: GatewayOrder, keys: decoding.LinkTokens, word: GoLive, heartbeat: Heartbeat) -> int:
    raise_priority()  # before the fabric's threads start
    uvloop_run(_serve(order, keys, word, heartbeat))
    return 0


async def _serve(order: GatewayOrder, keys: decoding.LinkTokens, word: GoLive, heartbeat: Heartbeat) -> None:
    loop = asyncio.get_running_loop()
    session = sessions.open_fabric(Path(order.folder), listen=True)
    link = ZenohCellLink(session, loop)
    disk = ThreadPoolExecutor(1)
    recogniser = SpeechWorker(loop.time)
    link.state = GatewayState(
        order.cells, link, word.life, link.fetch, loop.time, PathLibrary, _background(disk, loop), recogniser, word.held
    )
    subscriptions = [entry for cell in order.cells for entry in link.subscribe(cell)]
    subscriptions.append(_hear_recorder(session, link.state, loop))
    link.state.exam = bool(keys.trainee)
    renderer = PictureWorker(loop.time)
    pictures = Pictures(link.state.source, link.state.mesh, renderer, loop.time)
    places = places_for(descriptors := allow_descriptors())
    masters = RemoteMasters(
        link.state, session, keys, order.host, order.master_port, Path(order.folder), places.masters
    )
    sweeper = asyncio.create_task(_sweep(link.state, masters, renderer, recogniser, heartbeat))

    def heard(line: str) -> None:
        loop.call_soon_threadsafe(_news, link.state, line)

    follow_parent(heard)
    terminal = Terminal(loop.time, sys.stderr.write)
    terminal.take_logs()
    link.state.say = terminal.say
    if places.few:
        terminal.say("descriptors", FEW.format(descriptors=descriptors, pages=places.pages))
    app = make_app(link.state, keys, masters.open, pictures, loopback=order.loopback, say=terminal.say, places=places)
    server = uvicorn.Server(_config(app, terminal.say, places))
    listener = socket.socket(fileno=order.listener) if order.listener >= 0 else listening_socket(order.host, order.port)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
    try:
        await server.serve(sockets=[listener])
    finally:
        sweeper.cancel()
        await renderer.close()
        await recogniser.close()
        disk.shutdown()  # after finishing what it is writing
        del subscriptions
        masters.close()
        session.close()


def _hear_recorder(session: Any, state: GatewayState, loop: asyncio.AbstractEventLoop) -> Any:
    """Return the subscription to the news of the recorder."""
    channel = TypedChannel(sessions.recorder_news_key(), RecorderNews)

    def heard(sample: Any) -> None:
        news = channel.read(sample.payload.to_bytes())
        if news is not None:
            loop.call_soon_threadsafe(state.take_recorder, news)

    return session.declare_subscriber(channel.key, heard)


def _background(disk: ThreadPoolExecutor, loop: asyncio.AbstractEventLoop) -> Background:
    """Return a function that runs disk work on one thread, in sequence, and answers in the event loop."""

    def background(work: Callable[[], None], answer: Callable[[str], None]) -> None:
        disk.submit(lambda: loop.call_soon_threadsafe(answer, problem_of(work)))

    return background


def _config(app: Starlette, say: Callable[[str, str], None], places: DescriptorBudget = USUAL) -> uvicorn.Config:
    http, websocket = make_protocols(say, places)
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        backlog=places.backlog,
        http=http,
        ws=websocket,
        ws_max_size=decoding.MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=5.0,
        ws_ping_timeout=10.0,
        timeout_graceful_shutdown=1,
        server_header=False,
    )


async def _sweep(
    state: GatewayState, masters: RemoteMasters, renderer: PictureWorker, recogniser: SpeechWorker, heartbeat: Heartbeat
) -> None:
    """Sweep all parts every `SWEEP_S`, and report to the parent once every cell runs."""
    told = False
    while True:
        heartbeat()
        state.sweep()
        for held in state.new_holders():
            report(held)
        while state.restarts:
            report(Retry(state.restarts.pop()))
        masters.sweep()
        await renderer.sweep()
        await recogniser.sweep()
        if not told and all(hub.scene is not None for hub in state.hubs.values()):
            told = True
            sys.stderr.writelines(f"{sentence}\n" for sentence in state.missing_cameras())
            sys.stderr.flush()
            report(ChildReady())
        await asyncio.sleep(SWEEP_S)


def _news(state: GatewayState, line: str) -> None:
    """Handle the parent's news about a cell's process."""
    news = msgspec.json.decode(line, type=CellNews)
    state.hubs[news.cell].process_ended(news.reason, failed=news.failed, life=news.life)


def uvloop_run(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on uvloop, where it is available."""
    try:
        import uvloop
    except ImportError:  # not made for Windows
        asyncio.run(work)
    else:
        uvloop.run(work)


if __name__ == "__main__":
    sys.exit(main())
