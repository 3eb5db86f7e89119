"""A gateway without sockets and cells: hubs with a link that only records, and viewers whose pages tests play."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import msgspec
from worded import plain

from farhand.poses import Pose
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.hub import CellHub
from farhand.server.gateway.viewer import Viewer
from farhand.server.lifecycle.child_messages import HeldLease
from farhand.server.protocol.internal_messages import Done, Entry, Frame, Order
from farhand.server.protocol.messages import (
    Answer,
    LeaseInfo,
    Leases,
    LogEntries,
    LogEntry,
    Place,
    RobotInfo,
    RobotUpdate,
    Scene,
    ToPage,
    Update,
    Watch,
)
from farhand.types import Reading, Stop
from farhand.world.visual_scene import BodyLook

CELL = "bench"
GATEWAY = 77
M = TypeVar("M", bound=ToPage)
_encode = msgspec.msgpack.Encoder().encode
_decode: msgspec.msgpack.Decoder[ToPage] = msgspec.msgpack.Decoder(ToPage)


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class RecordingLink:
    """Records the messages to the cells."""

    def __init__(self) -> None:
        self.cells: set[str] = set()
        self.orders: list[Order] = []
        self.hands: list[tuple[str, Reading]] = []
        self.scenes_asked = 0
        self.logs_asked: list[int] = []

    def send_order(self, cell: str, order: Order) -> None:
        self.cells.add(cell)
        self.orders.append(order)

    def send_reading(self, cell: str, master: str, reading: Reading) -> None:
        self.cells.add(cell)
        self.hands.append((master, reading))

    def query_scene(self, cell: str) -> None:
        self.cells.add(cell)
        self.scenes_asked += 1

    def query_log(self, cell: str, since: int) -> None:
        self.cells.add(cell)
        self.logs_asked.append(since)

    @property
    def events(self) -> list[Any]:
        return [order.content for order in self.orders]


class Page:
    """A page's end of its connection: takes messages while it is not `stuck`."""

    def __init__(self) -> None:
        self.got: list[ToPage] = []
        self._free = asyncio.Event()
        self._free.set()

    async def send_bytes(self, data: bytes) -> None:
        await self._free.wait()
        self.got.append(_decode.decode(data))

    def sticks(self) -> None:
        self._free.clear()

    def flows(self) -> None:
        self._free.set()

    def all(self, kind: type[M]) -> list[M]:
        return [message for message in self.got if isinstance(message, kind)]

    def last(self, kind: type[M]) -> M:
        return self.all(kind)[-1]

    def lease(self, robot: str = "arm") -> LeaseInfo:
        return next(lease for lease in self.last(Leases).robots if lease.robot == robot)

    def said(self) -> list[LogEntry]:
        return [entry for message in self.all(LogEntries) for entry in message.entries]

    def answer(self, id_: int) -> Answer:
        (found,) = [message for message in self.all(Answer) if message.id == id_]
        return found


class Nowhere:
    """A future for the end of a page that no test awaits."""

    async def send_bytes(self, data: bytes) -> None:
        del data


class Table:
    """The poses that a page knows from its updates."""

    def __init__(self) -> None:
        self.rows: dict[int, bytes] = {}

    def take(self, update: Update) -> set[int]:
        return self.take_rows(update.moved)

    def take_rows(self, content: bytes) -> set[int]:
        rows = [content[i : i + 22] for i in range(0, len(content), 22)]
        moved = {struct.unpack_from("<H", row)[0]: row[2:] for row in rows}
        self.rows.update(moved)
        return set(moved)

    @property
    def whole(self) -> bytes:
        return b"".join(self.rows[i] for i in sorted(self.rows))


def no_mesh(cell: str, name: str) -> asyncio.Future[bytes | None]:
    raise AssertionError(f"nobody asked for mesh {name} of {cell}")


class Gateway:
    """A gateway state with one cell, to be used in a running event loop."""

    def __init__(self, held: Sequence[HeldLease] = ()) -> None:
        self.link, self.clock = RecordingLink(), Clock()
        self.state = GatewayState([CELL], self.link, GATEWAY, no_mesh, self.clock, held=held)
        self._pumps: list[asyncio.Task[None]] = []

    @property
    def hub(self) -> CellHub:
        return self.state.hubs[CELL]

    def start(self, scene: Scene | None = None) -> None:
        """Let the cell tell its first frame and its scene."""
        self.hub.take_frame(frame())
        self.hub.take_scene(scene or a_scene())

    def enter(self, name: str = "", client: str = "", *, watch: bool = True) -> tuple[Viewer, Page]:
        """Let a page in."""
        page = Page()
        number, known = self.state.guest(client or f"client-{len(self._pumps):010}", name)
        viewer = Viewer(number, known, page, _encode)
        self.state.enter(viewer, asyncio.get_running_loop().create_future())
        self._pumps.append(asyncio.create_task(viewer.pump()))
        if watch:
            self.state.take(viewer, Watch(cell=CELL))
        return viewer, page

    def keep(self, pump: asyncio.Task[None]) -> None:
        """Keep the task that sends to a page which a test admitted itself."""
        self._pumps.append(pump)

    def pump_of(self, index: int) -> asyncio.Task[None]:
        return self._pumps[index]

    def done(self, number: int | None = None, *, ok: bool = True, text: str = "") -> None:
        """Let the cell answer an order, the newest one if none is named."""
        number = self.link.orders[-1].number if number is None else number
        refused = (plain(text),) if text else ()
        self.hub.take_done(Done(gateway=GATEWAY, number=number, ok=ok, refused=refused))

    def passes(self, seconds: float) -> None:
        self.clock.now += seconds
        self.state.sweep()


async def settle() -> None:
    """Let every task run until it waits."""
    for _ in range(20):
        await asyncio.sleep(0)


def in_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test in an event loop of its own."""

    def run() -> None:
        asyncio.run(_until_done(test))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


async def _until_done(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test, then end the tasks that it left running."""
    try:
        await test()
    finally:
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


def a_robot(name: str = "arm", *, by_hand: bool = True) -> RobotInfo:
    place = Place(body=-1, pose=Pose((0.0, 0.0, 0.0)))
    return RobotInfo(
        name=name,
        model="toy",
        joints=(),
        gripper=None,
        base=place,
        tip=place,
        frames=(),
        mappings=(),
        filters=(),
        master=f"hand of {name}",
        by_hand=by_hand,
    )


def a_scene(*robots: RobotInfo, number: int = 1, bodies: int = 3) -> Scene:
    return Scene(
        cell=CELL,
        summary="A bench.",
        number=number,
        timestep=0.002,
        bodies=tuple(BodyLook(name=f"body {i}", robot="") for i in range(bodies)),
        geoms=(),
        robots=robots or (a_robot(),),
        signals=(),
    )


STILL = RobotUpdate(
    mode="idle", level=1, mapping=0, age=-1, heard=-1, joints=b"", grip=-1.0, tip=b"", force=b"", waiting=False
)


def frame(tick: int = 8, **fields: Any) -> Frame:
    """Return a frame of a cell with three bodies that are where they were, unless it says otherwise."""
    plain = {
        "run": 1,
        "scene": 1,
        "time": tick * 0.002,
        "factor": 1.0,
        "late": 0,
        "bodies": bytes(3 * 20),
        "asleep": b"\0",
        "robots": (STILL,),
        "contacts": b"",
        "epochs": (-1,),
        "said": 0,
    }
    return Frame(tick=tick, **{**plain, **fields})


def entries(*numbers: int) -> tuple[Entry, ...]:
    return tuple(Entry(number=n, time=float(n), robot="", note=plain(f"Entry {n}.")) for n in numbers)


def is_anybodys(what: object) -> bool:
    """Return whether an order is one that a page without control may cause."""
    return what is None or isinstance(what, Stop) or type(what).__name__ == "Listening"
