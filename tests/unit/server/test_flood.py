"""A page or master that sends too much: letting go and Stop count at once, nothing is delayed, and it is closed.

One clock, set by the tests, is the gateway's, the event loop's and the cell's: ticks are counted, no time is measured.
"""

import asyncio
import contextlib
from typing import Any

import msgspec
import pytest
from gateways import Clock, Gateway, in_loop
from hypothesis import given
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

from farhand.cell import Cell
from farhand.loop import Run
from farhand.masters import attach_remote
from farhand.server.gateway import page_socket
from farhand.server.gateway.master_queue import MasterQueue
from farhand.server.gateway.message_limit import (
    BURST,
    CLOSE_AFTER_S,
    MAX_ROBOTS,
    RATE_PER_S,
    FloodError,
    LimitedReceiver,
    MessageLimit,
)
from farhand.server.gateway.message_limit import is_stop as looks_like_stop
from farhand.server.protocol.messages import Answer, Ask, Command, FromPage, Hand, Ping, Release
from farhand.types import Reading, SelectMapping, SetSpeed, Stop, Tick

encode = msgspec.msgpack.Encoder().encode
DT = 0.002
FLOOD_PER_S = 5000
REST = 125  # ticks from letting go to standing still
AXES = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
STOP = encode(Command(id=1, event=Stop()))


# ── The limit ────────────────────────────────────────────────────────────────────────────────────────────────────


def sent(limit: MessageLimit, clock: Clock, rate: float, seconds: float) -> list[bool]:
    """Send at a steady rate; return for each message whether it was over the limit."""
    over = []
    for _ in range(round(rate * seconds)):
        clock.now += 1.0 / rate
        over.append(limit.count(100))
    return over


def test_the_limit_is_as_documented() -> None:
    assert (RATE_PER_S, BURST, CLOSE_AFTER_S) == (1000.0, 1000.0, 1.0)


def test_a_hand_and_the_fastest_master_are_never_over() -> None:
    clock = Clock()
    limit = MessageLimit(clock)
    assert not any(sent(limit, clock, 500.0, 20.0))
    assert not any(sent(limit, clock, RATE_PER_S - 1.0, 5.0))


def test_who_stays_above_is_closed_after_a_second_and_who_does_not_is_not() -> None:
    clock = Clock()
    limit = MessageLimit(clock)
    burst = BURST / (FLOOD_PER_S - RATE_PER_S)  # seconds until the burst is spent
    over = sent(limit, clock, FLOOD_PER_S, burst + CLOSE_AFTER_S - 0.01)
    assert over.index(True) == pytest.approx(burst * FLOOD_PER_S, abs=2)
    assert all(over[over.index(True) :])
    assert not sent(limit, clock, 60.0, 1.0)[-1]
    sent(limit, clock, FLOOD_PER_S, 0.9 * CLOSE_AFTER_S)  # counted from zero
    with pytest.raises(FloodError):
        sent(limit, clock, FLOOD_PER_S, 0.4)


def test_large_messages_count_for_more() -> None:
    limit = MessageLimit(Clock())
    assert not any(limit.count(64 * 1024) for _ in range(round(BURST) // 17))
    assert limit.count(64 * 1024)


# ── Messages above the limit ─────────────────────────────────────────────────────────────────────────────────────


def spent(clock: Clock) -> tuple[LimitedReceiver, list[Any], list[Any]]:
    """Return a receiver over its limit, the list of messages it forwards, and the functions that it schedules."""
    taken: list[Any] = []
    soon: list[Any] = []
    receiver = LimitedReceiver(clock, taken.append, soon.append)
    for _ in range(round(BURST)):
        receiver.put(encode(Ping(id=1)))
    taken.clear()
    return receiver, taken, soon


def reading(sequence: int, robot: str = "arm", **fields: Any) -> bytes:
    return encode(Hand(robot=robot, reading=Reading(sequence=sequence, **fields)))


def test_over_the_limit_stops_and_the_newest_readings_count_and_nothing_else() -> None:
    receiver, taken, soon = spent(Clock())
    other = encode(Command(id=2, event=SetSpeed("arm", 2)))
    for content in (
        reading(1),
        other,
        STOP,
        reading(2),
        "text",
        reading(9, "cart"),
        b"\xc1",
        encode(Release(robot="arm")),
    ):
        receiver.put(content)
    assert taken == [STOP]  # at once
    assert len(soon) == 1
    soon[0]()
    assert taken == [STOP, reading(2), reading(9, "cart")]
    assert receiver.dropped == 5


def test_what_comes_when_it_is_calm_again_follows_the_newest_reading() -> None:
    clock = Clock()
    receiver, taken, _ = spent(clock)
    receiver.put(reading(1))
    clock.now += 1.0
    receiver.put(reading(2))
    assert taken == [reading(1), reading(2)]


def test_names_of_robots_do_not_pile_up() -> None:
    receiver, taken, soon = spent(Clock())
    for i in range(10 * MAX_ROBOTS):
        receiver.put(reading(i, f"robot {i}"))
    soon[0]()
    assert len(taken) == MAX_ROBOTS


def test_the_message_for_which_a_sender_is_closed_may_be_a_stop() -> None:
    clock = Clock()
    receiver, taken, _ = spent(clock)
    tried = 0
    try:
        while True:
            clock.now += 1.0 / FLOOD_PER_S
            tried += 1
            receiver.put(STOP)
    except FloodError:
        assert len(taken) == tried > FLOOD_PER_S / 2


@given(st.permutations(["type", "id", "event"]), st.booleans())
def test_a_stop_is_seen_whatever_the_order_of_its_fields(order: list[str], reasoned: bool) -> None:
    event = {"reason": "x" * 1000, "type": "Stop"} if reasoned else {"type": "Stop"}
    fields = {"type": "Command", "id": 5, "event": event}
    assert looks_like_stop(encode({name: fields[name] for name in order}))


@given(st.binary(max_size=200))
def test_nothing_else_is_taken_for_a_stop(content: bytes) -> None:
    assert not looks_like_stop(content)
    assert not looks_like_stop(encode({"type": "Command", "event": content}))


def test_at_the_door_all_that_waits_is_bounded_and_wakes_the_loop_once() -> None:
    clock = Clock()
    arrivals = MasterQueue(clock)
    woken = []
    for i in range(3 * FLOOD_PER_S):
        clock.now += 1.0 / FLOOD_PER_S
        woken.append(arrivals.put(reading(i)))
        if i == FLOOD_PER_S // 2:
            arrivals.put(STOP)
    assert sum(woken) == 1
    assert arrivals.flooded
    taken = arrivals.take()
    assert len(taken) < 1.6 * BURST
    assert STOP in taken
    assert not arrivals.put(STOP)  # it is closed


# ── Over a socket, to a cell ─────────────────────────────────────────────────────────────────────────────────────


class Bench:
    """A real cell behind the gateway's own code; a page's socket on which a test lays frames, tick by tick."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.clock = self.gateway.clock
        loop = asyncio.get_running_loop()
        loop.time = self.clock  # type: ignore[method-assign] # whatever sleeps, sleeps by the tests' clock
        self.gateway.start()
        cell = Cell.load("irb120")
        (name, master), *_ = cell.masters.items()
        made, remote = attach_remote(master)
        assert remote is not None
        self._remote, self._run = remote, Run(cell, {name: made})
        self.viewer, self.page = self.gateway.enter("Flooder")
        self.other, _ = self.gateway.enter("Other")
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.listening = asyncio.create_task(page_socket.listen(self._receive, self.gateway.state, self.viewer))
        self.gateway.state.take(self.viewer, Ask(robot="arm"))
        self._run.send(SelectMapping("arm", "joints"))
        self.sequence = self._sent = 0
        self.entered: list[int] = []  # ticks at which a stop entered

    async def _receive(self) -> bytes:
        content = await self._frames.get()
        if content is None:
            raise WebSocketDisconnect(1000)
        return content

    def send(self, message: FromPage) -> None:
        self._frames.put_nowait(encode(message))

    def hand(self, *, held: bool) -> None:
        self.sequence += 1
        reading = Reading(
            sequence=self.sequence,
            epoch=1,
            tick=self._run.cell.number,
            deadman=held,
            axes=AXES if held else (),
            presses={"deadman": int(held)},
        )
        self.send(Hand(robot="arm", reading=reading))

    async def tick(self) -> Tick:
        """Forward all messages through the gateway and into a tick of the cell."""
        for _ in range(4):
            await asyncio.sleep(0)
        wire = self.gateway.link
        for _, received in wire.hands:
            self._remote.put(received)
        for order in wire.orders[self._sent :]:
            if isinstance(order.content, Stop):
                self.entered.append(self._run.cell.number)
                self._run.send(order.content)
                self.gateway.done(order.number)
        wire.hands.clear()
        self._sent = len(wire.orders)
        self.clock.now += DT
        return self._run.tick()

    async def moving(self) -> None:
        """Drive until the arm moves."""
        for held in (False, True):
            for _ in range(100):
                self.hand(held=held)
                last = await self.tick()
        assert last.lanes["arm"].mode == "teleoperation"
        assert not at_rest(last)

    async def flood(self, ticks: int) -> None:
        for _ in range(ticks):
            for _ in range(round(FLOOD_PER_S * DT)):
                self.hand(held=True)
            await self.tick()

    async def rests_after(self) -> int:
        """Return after how many ticks the arm rests, for good."""
        moved = 0
        for i in range(1, 400):
            if not at_rest(await self.tick()):
                moved = i
        return moved + 1


def at_rest(tick: Tick) -> bool:
    return max(abs(v) for v in tick.state.robots["arm"].groups["arm"].rates) < 0.01


@in_loop
async def test_after_a_flood_letting_go_counts_at_once() -> None:
    bench = Bench()
    await bench.moving()
    await bench.flood(450)
    assert not bench.listening.done()
    bench.hand(held=False)
    assert await bench.rests_after() <= REST


@in_loop
async def test_a_stop_inside_a_flood_takes_effect() -> None:
    bench = Bench()
    await bench.moving()
    await bench.flood(300)
    bench.send(Command(id=3, event=Stop()))
    await bench.flood(1)
    stop = bench.entered[0]
    await bench.flood(100)
    assert (await bench.tick()).lanes["arm"].mode == "stopped"
    assert bench.entered == [stop]
    assert {a.text[:27] for a in bench.page.all(Answer) if a.id == 0} == {"Over 1000 messages a second"}


@in_loop
async def test_who_floods_for_long_is_closed_and_another_pages_stop_takes_effect() -> None:
    bench = Bench()
    await bench.moving()
    closed = None
    for i in range(1500):
        await bench.flood(1)
        if closed is None and bench.listening.done():
            closed = i
        if i == 600:
            assert bench._run.cell.number  # the cell goes on
            before = len(bench.entered)
            bench.gateway.state.take(bench.other, Command(id=4, event=Stop()))
            await bench.flood(1)
            assert len(bench.entered) == before + 1
    assert closed is not None
    assert closed * DT == pytest.approx(BURST / (FLOOD_PER_S - RATE_PER_S) + CLOSE_AFTER_S, abs=0.1)
    assert isinstance(bench.listening.exception(), FloodError)


@in_loop
async def test_a_closed_flooders_robot_pauses() -> None:
    bench = Bench()
    await bench.moving()
    await bench.flood(round(1.5 / DT))
    assert bench.listening.done()
    modes = [(await bench.tick()).lanes["arm"].mode for _ in range(100)]
    assert modes[-1] == "paused"
    with contextlib.suppress(FloodError):
        bench.listening.result()
