"""The intake of a live cell: the newest reading counts; orders enter once, in sequence, and a stop before all."""

import math
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import msgspec
import pytest
from frames import EVENTS, Spoiler, messages
from gateways import Clock, Nowhere, frame, no_mesh
from worded import all_worded

from farhand.cell import Cell
from farhand.cell.signals import Signal, signals_of
from farhand.loop import Run
from farhand.server.cell_process.describe import describe
from farhand.server.cell_process.intake import MAX_WAITING, QUEUE, Intake
from farhand.server.fabric import sessions
from farhand.server.fabric.machine_clock import boot_id
from farhand.server.fabric.typed_channel import TypedChannel
from farhand.server.gateway.decoding import BadMessageError, decode
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Done, ForwardedReading, Listening, Order
from farhand.server.protocol.messages import Ask, Command, Hand, Watch
from farhand.types import (
    AddObject,
    Arrival,
    Event,
    Inputs,
    ObjectSpec,
    PlanFound,
    Reading,
    Reset,
    SelectMapping,
    SetSpeed,
    Stop,
    Tick,
)
from farhand.world import Blueprint, CellWorker, compile_world
from farhand.world.compiled import to_bytes

encode = msgspec.msgpack.Encoder().encode
NAME = "bench / 1"
NOW = 5000  # milliseconds


def handed(reading: Reading) -> ForwardedReading:
    """Return a reading as the gateway passes it on now."""
    return ForwardedReading(reading, NOW, boot_id())


class Sample:
    """A received message, as Zenoh returns it."""

    def __init__(self, content: bytes) -> None:
        self.payload = self
        self.to_bytes = lambda: content


class Session:
    """A fabric of one process."""

    def __init__(self) -> None:
        self.queues: dict[str, deque[Sample]] = {}

    def declare_subscriber(self, key: str, handler: object) -> Any:
        del handler
        self.queues[key] = deque()
        return self.Subscriber(self.queues[key])

    class Subscriber:
        def __init__(self, queue: deque[Sample]) -> None:
            self._queue = queue

        def try_recv(self) -> Sample | None:
            return self._queue.popleft() if self._queue else None


class Bench:
    """A cell in virtual time behind an intake."""

    def __init__(self, cell: Cell) -> None:
        self.session, self.done, self.listened = Session(), list[Done](), list[tuple[str, ...]]()
        self.entered: list[tuple[Event, ...]] = []
        self.intake = Intake(
            self.session, cell, NAME, self.done.append, self._listen, lambda: signals_of(cell), clock=lambda: NOW
        )
        listeners: list[Callable[[Inputs, Tick], None]] = [self.intake.answered, self._note]
        self.run = Run(cell, self.intake.masters, listeners=listeners)
        self.tick()

    def _listen(self, signals: tuple[Signal, ...]) -> None:
        self.listened.append(tuple(signal.name for signal in signals))

    def _note(self, inputs: Inputs, tick: Tick) -> None:
        del tick
        self.entered.append(inputs.events)

    def order(self, number: int, what: Event | Listening | None = None, gateway: int = 1) -> None:
        order = Order(gateway=gateway, number=number, content=what)
        key = sessions.order_key(NAME)
        self.session.queues[key].append(Sample(TypedChannel(key, Order).written(order)))

    def hand(self, **fields: Any) -> None:
        key = sessions.reading_key(NAME, "hand")
        self.session.queues[key].append(Sample(TypedChannel(key, ForwardedReading).written(handed(Reading(**fields)))))

    def tick(self, times: int = 1) -> Tick:
        for _ in range(times):
            self.intake.take(self.run)
            tick = self.run.tick()
        return tick

    @property
    def events(self) -> list[Event]:
        return [event for events in self.entered for event in events]

    @property
    def answers(self) -> list[tuple[int, bool]]:
        return [(done.number, done.ok) for done in self.done]


@pytest.fixture(scope="module")
def loaded() -> Cell:
    return Cell.load("irb120")


@pytest.fixture
def bench(loaded: Cell) -> Iterator[Bench]:
    before = loaded.snapshot()
    yield Bench(loaded)
    loaded.restore(before)


def test_what_is_for_others_or_no_message_is_dropped(bench: Bench) -> None:
    orders, hands = sessions.order_key(NAME), sessions.reading_key(NAME, "hand")
    stop, reading = Order(gateway=1, number=1, content=Stop()), Reading(sequence=5)
    for queue, content in (
        (orders, TypedChannel(sessions.order_key("another"), Order).written(stop)),
        (orders, TypedChannel(hands, Reading).written(reading)),
        (orders, encode(stop)),
        (orders, b""),
        (orders, TypedChannel(orders, Order).written(stop)[:-3]),
        (hands, TypedChannel(orders, Order).written(stop)),
        (hands, TypedChannel(sessions.reading_key("another", "hand"), ForwardedReading).written(handed(reading))),
        (hands, b"\xc1"),
    ):
        bench.session.queues[queue].append(Sample(content))
    tick = bench.tick(2)
    assert bench.events == []
    assert bench.done == []
    assert tick.lanes["arm"].heard == -1
    assert tick.lanes["arm"].mode == "idle"


def test_an_order_that_comes_again_is_done_once_and_answered_again(bench: Bench) -> None:
    for _ in range(3):
        bench.order(1, SetSpeed("arm", 2))
    bench.tick(3)
    assert bench.events == [SetSpeed("arm", 2)]
    assert bench.answers == [(1, True)]
    bench.order(1, SetSpeed("arm", 2))  # the answer was lost
    bench.tick(3)
    assert bench.events == [SetSpeed("arm", 2)]
    assert bench.answers == [(1, True), (1, True)]


def test_each_refusal_goes_to_its_own_order(bench: Bench) -> None:
    bench.order(1, SetSpeed("arm", 99))
    bench.order(2, SetSpeed("arm", 3))
    bench.order(3, SelectMapping("leg", "joints"))
    tick = bench.tick(4)
    assert bench.answers == [(1, False), (2, True), (3, False)]
    assert all_worded(bench.done[0].refused) == "Speed 99 is not one of 1 to 5."
    assert "No robot is called 'leg'" in all_worded(bench.done[2].refused)
    assert tick.lanes["arm"].speed_level == 3


def test_a_stop_does_not_wait_for_others(bench: Bench) -> None:
    for number in range(1, 11):
        bench.order(number, SetSpeed("arm", 1))
    bench.order(11, Stop(by="Ada"))
    tick = bench.tick()
    assert tick.lanes["arm"].mode == "stopped"
    assert (11, True) in bench.answers
    assert bench.tick(20).lanes["arm"].mode == "stopped"
    assert sorted(bench.answers) == [(number, True) for number in range(1, 12)]


def test_a_stop_that_was_lost_on_its_way_counts_when_it_comes_again(bench: Bench) -> None:
    bench.order(2)  # a ping that was sent after the stop
    bench.order(3, SetSpeed("arm", 2))
    bench.tick(2)
    bench.order(1, Stop(by="Ada"))
    assert bench.tick().lanes["arm"].mode == "stopped"
    assert bench.answers == [(2, True), (3, True), (1, True)]


def test_a_reset_that_a_stop_has_overtaken_is_refused(bench: Bench) -> None:
    bench.order(2, Stop(by="Ada"))
    bench.tick()
    bench.order(1, Reset())
    assert bench.tick(3).lanes["arm"].mode == "stopped"
    assert bench.answers == [(2, True), (1, False)]
    assert all_worded(bench.done[1].refused).startswith("The command was delayed, and later ones came first.")
    bench.order(1, Reset())
    bench.tick()
    assert bench.done[2] == bench.done[1]
    bench.order(3, Reset())
    assert bench.tick().lanes["arm"].mode == "idle"


def test_an_order_that_only_questions_have_overtaken_is_done(bench: Bench) -> None:
    bench.order(2)
    bench.order(3, Listening(("cube/x",)))
    bench.tick()
    bench.order(1, SetSpeed("arm", 2))
    assert bench.tick().lanes["arm"].speed_level == 2


def test_an_older_choice_of_signals_does_not_undo_a_newer_one(bench: Bench) -> None:
    bench.order(2, Listening(("cube/x", "no such signal")))
    bench.order(1, Listening(("cube/y",)))
    bench.tick()
    assert bench.listened == [("cube/x",)]
    assert bench.answers == [(2, True), (1, True)]


def test_a_gateway_that_was_started_anew_counts_from_one(bench: Bench) -> None:
    bench.order(1, SetSpeed("arm", 2), gateway=1)
    bench.order(2, SetSpeed("arm", 3), gateway=1)
    bench.tick(2)
    bench.order(1, SetSpeed("arm", 4), gateway=2)
    assert bench.tick().lanes["arm"].speed_level == 4
    assert [done.gateway for done in bench.done] == [1, 1, 2]


def test_an_edit_in_work_is_not_answered_before_it_is_done(bench: Bench) -> None:
    with CellWorker.open() as worker:
        worker.warm_up()
        run = Run(bench.run.cell, bench.run.masters, listeners=bench.run.listeners, worker=worker)
        bench.run = run
        bench.order(1, AddObject(ObjectSpec(name="new", size=(0.1, 0.1, 0.1), position=(0.5, 0.5, 0.8))))
        bench.order(2, SetSpeed("arm", 2))
        bench.tick()
        bench.order(1, AddObject(ObjectSpec(name="new", size=(0.1, 0.1, 0.1), position=(0.5, 0.5, 0.8))))
        while (1, True) not in bench.answers:
            tick = bench.tick()
            assert tick.number < 10**6
    assert bench.answers == [(2, True), (1, True)]
    assert [type(event) for event in bench.events] == [SetSpeed, AddObject]
    assert "new" in tick.state.objects


class AtOnce(CellWorker):
    """A worker that is done at once, so that an edit enters a known tick."""

    def __init__(self) -> None:
        """Start no process."""

    def compile(self, blueprint: Blueprint) -> "Future[bytes]":
        future: Future[bytes] = Future()
        future.set_result(to_bytes(compile_world(blueprint)))
        return future


def test_an_edit_that_succeeds_is_not_answered_with_what_refuses_another_order(bench: Bench) -> None:
    bench.run = Run(bench.run.cell, bench.run.masters, listeners=bench.run.listeners, worker=AtOnce())
    new = ObjectSpec(name="new", size=(0.1, 0.1, 0.1), position=(0.5, 0.5, 0.8))
    bench.order(1, AddObject(new))
    for number in range(2, 8):  # one of them enters the tick of the edit
        bench.order(number, SetSpeed("arm", 99))
    tick = bench.tick(8)
    assert {AddObject, SetSpeed} in [{type(event) for event in events} for events in bench.entered]
    assert "new" in tick.state.objects
    assert sorted(bench.answers) == [(1, True), *[(number, False) for number in range(2, 8)]]
    assert {all_worded(done.refused) for done in bench.done} == {"", "Speed 99 is not one of 1 to 5."}


def test_a_flood_of_orders_is_bounded_and_said(bench: Bench) -> None:
    for number in range(1, 2 * MAX_WAITING + 1):
        bench.order(number, SetSpeed("arm", 2))
    bench.tick()
    refused = [done for done in bench.done if not done.ok]
    assert len(refused) == MAX_WAITING
    assert {all_worded(done.refused) for done in refused} == {"Too many commands are waiting: try again in a moment."}
    bench.tick(MAX_WAITING)
    assert len(bench.done) == 2 * MAX_WAITING


def test_answers_are_not_kept_for_ever(bench: Bench) -> None:
    for number in range(1, QUEUE + 100):
        bench.order(number)
    bench.tick()
    assert len(bench.done) == QUEUE + 99
    assert len(bench.intake._done) == QUEUE
    assert not bench.intake._open


def test_the_newest_reading_wins_and_is_said_once(bench: Bench) -> None:
    for sequence in (1, 2, 3):
        bench.hand(sequence=sequence, epoch=4, tick=-1)
    tick = bench.tick()
    assert (tick.lanes["arm"].heard, tick.lanes["arm"].age) == (3, 0.0)
    assert bench.tick().lanes["arm"].age == bench.run.cell.dt
    assert bench.intake.epochs == {"arm": 4}
    bench.hand(sequence=4, epoch=2)
    bench.tick()
    assert bench.intake.epochs == {"arm": 4}


def test_a_reading_that_was_overtaken_does_not_hide_the_newer_one(bench: Bench) -> None:
    bench.hand(sequence=1)
    bench.tick()
    bench.hand(sequence=3, deadman=False)
    bench.hand(sequence=2, deadman=True, presses={"deadman": 1})
    tick = bench.tick()
    assert (tick.lanes["arm"].heard, tick.lanes["arm"].mode) == (3, "idle")


def test_how_long_a_reading_waited_is_told_by_the_edge_alone(bench: Bench) -> None:
    key, said = sessions.reading_key(NAME, "hand"), []
    bench.run.listeners += (lambda inputs, _: said.append(inputs.readings["hand"].arrival),)
    ours = boot_id()
    for number, (at, boot) in enumerate([(NOW, ours), (NOW - 70, ours), (NOW + 5, ours), (NOW - 70, "x"), (NOW, "")]):
        reading = Reading(sequence=number, arrival=Arrival(-99, 99))  # the sender's own value does not count
        forwarded = ForwardedReading(reading, at, boot, 7)
        bench.session.queues[key].append(Sample(TypedChannel(key, ForwardedReading).written(forwarded)))
        bench.tick()
    assert said == [Arrival(waited, 7) for waited in (0, 70, 0, -1, -1)]


# ── A holder who sends whatever there is ─────────────────────────────────────────────────────────────────────────


class Straight:
    """A link to the intake of a cell in the same process."""

    def __init__(self, bench: Bench) -> None:
        self._queues = bench.session.queues

    def send_order(self, cell: str, order: Order) -> None:
        key = sessions.order_key(cell)
        self._queues[key].append(Sample(TypedChannel(key, Order).written(order)))

    def send_reading(self, cell: str, master: str, reading: Reading) -> None:
        key = sessions.reading_key(cell, master)
        self._queues[key].append(Sample(TypedChannel(key, ForwardedReading).written(handed(reading))))

    def query_scene(self, cell: str) -> None:
        raise AssertionError(f"{cell} has told its scene")

    def query_log(self, cell: str, since: int) -> None:
        raise AssertionError(f"{cell} has told its log from {since} on")


class Mad:
    """A viewer who holds control and sends spoiled frames."""

    def __init__(self, bench: Bench, seed: int) -> None:
        self.bench, self.clock = bench, Clock()
        self.state = GatewayState([NAME], Straight(bench), 1, no_mesh, self.clock)
        hub = self.state.hubs[NAME]
        hub.take_scene(describe(bench.run.cell, NAME, 1, (), bench.run.masters))
        hub.take_frame(frame(epochs=(-1,)))
        self.viewer = Viewer(1, "Mad", Nowhere(), encode)
        self.state.take(self.viewer, Watch(cell=NAME))
        self.state.take(self.viewer, Ask(robot="arm"))
        self.spoil = Spoiler(seed, tuple(m for m in messages(NAME) if isinstance(m, Hand | Command)))

    def act(self) -> None:
        content = self.spoil()
        try:
            message = decode(content)
        except BadMessageError:
            return
        if isinstance(message, Hand):
            reading = message.reading
            fresh = {"epoch": 1, "sequence": self.bench.run.cell.number, "tick": self.bench.run.cell.number - 1}
            good = self.spoil.random.random() < 0.8  # most of them get as far as the robot
            message = Hand(robot="arm", reading=msgspec.structs.replace(reading, **fresh)) if good else message
        self.state.take(self.viewer, message)


def test_whatever_a_holder_sends_the_cell_goes_on(bench: Bench) -> None:
    mad = Mad(bench, seed=5)
    for _ in range(6000):
        mad.act()
        tick = bench.tick()
        arm = tick.state.robots["arm"].groups["arm"]
        assert all(math.isfinite(x) for x in (*arm.positions, *arm.rates))
        assert tick.lanes["arm"].mode != "fault", tick.lanes["arm"].notes
        mad.viewer._waiting.clear()
    assert {type(event) for event in bench.events} == {type(event) for event in EVENTS} - {
        PlanFound
    }  # nobody is let through with that
    assert any(done.ok for done in bench.done)
    assert any(not done.ok for done in bench.done)
    bench.order(10**6, Stop(by="Ada"))
    assert bench.tick().lanes["arm"].mode == "stopped"
    bench.order(10**6 + 1, Reset())
    assert bench.tick().lanes["arm"].mode == "idle"
