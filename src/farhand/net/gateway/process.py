"""``python -m farhand.net.gateway.process``: the gateway, until its parent ends."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
import zenoh
from starlette.applications import Starlette

from farhand.cell.checkpoint import Checkpoint
from farhand.cell.library import Library
from farhand.net import fabric
from farhand.net.gateway import edge
from farhand.net.gateway.app import make_app
from farhand.net.gateway.door import Door
from farhand.net.gateway.ear import Ear
from farhand.net.gateway.house import House
from farhand.net.gateway.order import TOKEN, TRAINEE, CellNews, GatewayOrder
from farhand.net.gateway.pictures import Pictures
from farhand.net.gateway.shelf import Aside, problem_of
from farhand.net.gateway.studio import Studio
from farhand.net.inside import Done, Frame, Greeting, Order
from farhand.net.letters import Letters
from farhand.net.lifeline import lines_from_parent
from farhand.net.messages import Said, Scene
from farhand.net.urgency import come_first
from farhand.types import Reading

__all__ = ["main"]

SWEEP = 0.05  # seconds
FETCH = 5.0  # seconds to wait for a mesh


class ZenohWire:
    """How hubs reach their cells.

    Args:
        session: The fabric.
        loop: Where answers are taken.
    """

    def __init__(self, session: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._session, self._loop = session, loop
        self._encode = msgspec.msgpack.Encoder().encode
        self._publishers: dict[str, tuple[Any, Letters[Any]]] = {}
        self.house: House

    def _put(self, key: str, message: Order | Reading) -> None:
        if key not in self._publishers:
            publisher = self._session.declare_publisher(
                key,
                congestion_control=zenoh.CongestionControl.DROP,
                priority=zenoh.Priority.REAL_TIME,
                express=True,
            )
            self._publishers[key] = publisher, Letters(key, type(message))
        publisher, letters = self._publishers[key]
        publisher.put(letters.written(message))

    def order(self, cell: str, order: Order) -> None:
        """Send an order."""
        self._put(fabric.orders(cell), order)

    def hand(self, cell: str, master: str, reading: Reading) -> None:
        """Send a reading."""
        self._put(fabric.hands(cell, master), reading)

    def ask_scene(self, cell: str) -> None:
        """Have the scene told."""
        self._get(fabric.scene(cell), None, Scene, self.house.hubs[cell].take_scene)

    def ask_log(self, cell: str, since: int) -> None:
        """Have the log told."""
        self._get(fabric.log(cell), str(since).encode(), Said, self.house.hubs[cell].take_log)

    def _get(self, key: str, payload: bytes | None, kind: Any, take: Callable[[Any], None]) -> None:
        def answered(reply: Any) -> None:
            if reply.ok is None:
                return
            try:
                message = msgspec.msgpack.decode(reply.ok.payload.to_bytes(), type=kind)
            except msgspec.MsgspecError:
                return  # what is missing is asked for again
            self._loop.call_soon_threadsafe(take, message)

        self._session.get(key, answered, payload=payload, timeout=FETCH)

    def fetch(self, cell: str, name: str) -> asyncio.Future[bytes | None]:
        """Return a cell's mesh, as it will come."""
        future: asyncio.Future[bytes | None] = self._loop.create_future()

        def settle(content: bytes | None) -> None:
            if not future.done():
                future.set_result(content)

        def answered(reply: Any) -> None:
            content = reply.ok.payload.to_bytes() if reply.ok is not None else None
            self._loop.call_soon_threadsafe(settle, content)

        self._session.get(fabric.mesh(cell, name), answered, timeout=FETCH)
        self._loop.call_later(FETCH + 1.0, settle, None)
        return future

    def subscribe(self, cell: str) -> list[Any]:
        """Take what a cell says, and answer its greeting."""
        hub = self.house.hubs[cell]

        def heard(key: str, kind: Any, into: Callable[[Any], None]) -> Any:
            letters = Letters(key, kind)

            def taken(sample: Any) -> None:
                message = letters.read(sample.payload.to_bytes())
                if message is not None:
                    self._loop.call_soon_threadsafe(into, message)
                else:
                    self._loop.call_soon_threadsafe(hub.misheard, letters.dropped)

            return self._session.declare_subscriber(key, taken)

        def keep(checkpoint: Checkpoint) -> None:
            hub.checkpoint = checkpoint

        def greet(query: Any) -> None:
            query.reply(query.key_expr, self._encode(Greeting(checkpoint=hub.checkpoint)))

        return [
            heard(fabric.frames(cell), Frame, hub.take_frame),
            heard(fabric.answers(cell), Done, hub.take_done),
            heard(fabric.checkpoint(cell), Checkpoint, keep),
            self._session.declare_queryable(fabric.greeting(cell), greet),
        ]


def main() -> int:
    """Serve until the parent ends."""
    order = msgspec.json.decode(sys.argv[1], type=GatewayOrder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it ends us by closing its pipe
    come_first()  # before the fabric's threads start
    uvloop_run(_serve(order, edge.Keys(os.environ.pop(TOKEN), os.environ.pop(TRAINEE, ""))))
    return 0


async def _serve(order: GatewayOrder, keys: edge.Keys) -> None:
    loop = asyncio.get_running_loop()
    session = fabric.open_fabric(Path(order.folder), listen=True)
    wire = ZenohWire(session, loop)
    disk = ThreadPoolExecutor(1)
    ear = Ear(loop.time)
    wire.house = House(order.cells, wire, secrets.randbits(48), wire.fetch, loop.time, Library, _aside(disk, loop), ear)
    subscriptions = [entry for cell in order.cells for entry in wire.subscribe(cell)]
    wire.house.exam = bool(keys.trainee)
    studio = Studio(loop.time)
    pictures = Pictures(wire.house.source, wire.house.mesh, studio, loop.time)
    door = Door(wire.house, session, keys, order.host, order.door, Path(order.folder))
    sweeper = asyncio.create_task(_sweep(wire.house, door, studio, ear))

    def heard(line: str) -> None:
        loop.call_soon_threadsafe(_news, wire.house, line)

    lines_from_parent(heard)
    server = uvicorn.Server(_config(make_app(wire.house, keys, door.open, pictures, loopback=order.loopback)))
    try:
        await server.serve(sockets=[socket.socket(fileno=order.listener)])
    finally:
        sweeper.cancel()
        await studio.close()
        await ear.close()
        disk.shutdown()  # what is being written is written
        del subscriptions
        door.close()
        session.close()


def _aside(disk: ThreadPoolExecutor, loop: asyncio.AbstractEventLoop) -> Aside:
    """Return how hubs wait for the disk: one thing after the other, on a thread of its own."""

    def aside(work: Callable[[], None], answer: Callable[[str], None]) -> None:
        disk.submit(lambda: loop.call_soon_threadsafe(answer, problem_of(work)))

    return aside


def _config(app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=edge.LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=5.0,
        ws_ping_timeout=10.0,
        timeout_graceful_shutdown=1,
        server_header=False,
    )


async def _sweep(house: House, door: Door, studio: Studio, ear: Ear) -> None:
    """Look every moment at what time alone changes, and tell the parent once every cell runs."""
    told = False
    while True:
        house.sweep()
        door.sweep()
        await studio.sweep()
        await ear.sweep()
        if not told and all(hub.scene is not None for hub in house.hubs.values()):
            told = True
            sys.stderr.writelines(f"{sentence}\n" for sentence in house.blind())
            sys.stderr.flush()
            sys.stdout.write("ready\n")
            sys.stdout.flush()
        await asyncio.sleep(SWEEP)


def _news(house: House, line: str) -> None:
    """Take what the parent says about a cell's process."""
    news = msgspec.json.decode(line, type=CellNews)
    house.hubs[news.cell].process_ended(news.reason, failed=news.failed)


def uvloop_run(work: Coroutine[Any, Any, None]) -> None:
    """Run on uvloop, where there is one."""
    try:
        import uvloop
    except ImportError:  # not made for Windows
        asyncio.run(work)
    else:
        uvloop.run(work)


if __name__ == "__main__":
    sys.exit(main())
