"""The gateway between pages and a cell: each viewer's messages and rights, and that nothing is lost in between."""

import asyncio
import struct
from random import Random

import msgspec
import pytest
from frames import EVENTS, HELLO, READING, TOKEN
from gateways import (
    CELL,
    Gateway,
    Page,
    Table,
    a_robot,
    a_scene,
    entries,
    frame,
    in_loop,
    settle,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from worded import near, plain

from farhand.server.fabric.typed_channel import TypedChannel
from farhand.server.gateway import page_socket
from farhand.server.gateway.client_identity import MAX_CLIENTS
from farhand.server.gateway.decoding import LinkTokens
from farhand.server.gateway.hub.cell_hub import SILENT_S
from farhand.server.gateway.hub.journal import RECENT_ENTRIES
from farhand.server.gateway.hub.orders import GIVE_UP_S, RESEND_S
from farhand.server.gateway.lease import ANSWER_S, KEEP_S
from farhand.server.gateway.pose_changes import PoseTable
from farhand.server.gateway.terminal_log import silent
from farhand.server.gateway.viewer import MAX_BYTES, SAMPLES_BYTES, TooSlowError, Viewer
from farhand.server.protocol.internal_messages import Done, Entries, Entry, Frame, Listening
from farhand.server.protocol.messages import (
    ActiveNotes,
    Answer,
    Ask,
    Cells,
    Command,
    Hand,
    Leases,
    Listen,
    NoteText,
    Ping,
    Refuse,
    Release,
    Scene,
    Signals,
    TakeOver,
    Update,
    Watch,
    Yield,
)
from farhand.types import AddObject, Event, ObjectSpec, PlanFound, Reset, ResetObjects, SetSpeed, Stop
from farhand.types.events.declaration import time_out_of

replace = msgspec.structs.replace

NEAR_TEXT = NoteText(
    code="avoid.near",
    text="The gripper is 3 mm from the crate and must not touch it.",
    level="slow",
    free="You can slide along it or back away.",
)


def bodies(*values: int) -> bytes:
    """Return poses that differ where the values do."""
    return b"".join(struct.pack("<3f4h", value, 0.0, 0.0, 32767, 0, 0, 0) for value in values)


# ── Updates: the newest one wins, for each viewer ────────────────────────────────────────────────────────────────


@in_loop
async def test_a_viewer_that_takes_nothing_gets_one_update_with_all_that_moved() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    await settle()
    page.sticks()
    gateway.hub.take_frame(frame(16, bodies=bodies(1, 0, 0)))
    await settle()  # this one is on its way already
    for i in range(100):
        gateway.hub.take_frame(frame(24 + 8 * i, bodies=bodies(1, i, 0)))
        await settle()
    before = len(page.all(Update))
    page.flows()
    await settle()
    caught_up = page.all(Update)[before:]
    assert [update.tick for update in caught_up] == [16, 24 + 8 * 99]
    assert Table().take(caught_up[1]) == {1}
    gateway.hub.take_frame(frame(1000, bodies=bodies(1, 99, 5)))
    await settle()
    assert Table().take(page.last(Update)) == {2}
    assert page.last(Update).tick == 1000


@in_loop
async def test_who_comes_late_gets_the_whole_scene_and_all_poses() -> None:
    gateway = Gateway()
    gateway.start()
    note, text = near("gripper", "crate", 0.003), NEAR_TEXT
    gateway.hub.take_frame(frame(16, bodies=bodies(4, 5, 6), why={"arm": (note,)}, entries=entries(1), said=1))
    gateway.hub.take_frame(frame(24, bodies=bodies(4, 5, 7), why={"arm": (note,)}, said=1))
    _, page = gateway.enter()
    await settle()
    assert isinstance(page.got[0], Scene)
    table = Table()
    assert table.take(page.last(Update)) == {0, 1, 2}
    assert table.whole == bodies(4, 5, 7)
    assert page.last(ActiveNotes).robots == {"arm": (text,)}
    assert [entry.text for entry in page.said()] == ["Entry 1."]
    assert page.last(Leases).viewers == 1


@in_loop
async def test_who_came_before_the_scene_is_told_who_controls_what() -> None:
    gateway = Gateway()
    _, page = gateway.enter()
    gateway.start()
    await settle()
    assert (page.lease().holder, page.lease().epoch) == (None, 0)


@in_loop
async def test_no_update_goes_out_for_a_scene_that_the_page_does_not_have() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    await settle()
    seen = len(page.all(Update))
    gateway.clock.now += 1.0
    gateway.hub.take_frame(frame(16, scene=2, bodies=bodies(1, 2)))
    await settle()
    assert gateway.link.scenes_asked == 2  # one at the start
    assert len(page.all(Update)) == seen
    gateway.hub.take_scene(a_scene(number=2, bodies=2))
    await settle()
    assert [type(m) for m in page.got if isinstance(m, Scene | Update)][-2:] == [Scene, Update]
    assert Table().take(page.last(Update)) == {0, 1}


class Theatre:
    """A cell whose bodies move at random, before viewers who look away at random, come and go."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.gateway = Gateway()
        self.gateway.start(a_scene(bodies=3))
        self.scene, self.tick, self.poses = 1, 8, [0, 0, 0]
        self.seats: list[tuple[Viewer, Page]] = []

    def act(self) -> None:
        choice = self.random.random()
        if choice < 0.6:
            self.move()
        elif choice < 0.9 and self.seats:
            page = self.random.choice(self.seats)[1]
            self.random.choice((page.sticks, page.flows))()
        elif choice < 0.94:
            self.seats.append(self.gateway.enter())
        elif choice < 0.97 and self.seats:
            viewer, _ = self.seats.pop(self.random.randrange(len(self.seats)))
            self.gateway.state.left(viewer)
        else:
            self.scene += 1
            self.poses = [0] * self.random.randint(1, 6)
            self.move()
            self.gateway.hub.take_scene(a_scene(number=self.scene, bodies=len(self.poses)))

    def move(self) -> None:
        self.tick += 8
        for i in range(len(self.poses)):
            if self.random.random() < 0.3:
                self.poses[i] = self.random.randint(0, 3)
        self.gateway.hub.take_frame(frame(self.tick, scene=self.scene, bodies=bodies(*self.poses)))

    def check(self, page: Page) -> None:
        table, number, ticks = Table(), 0, [0]
        for message in page.got:
            if isinstance(message, Scene):
                table, number = Table(), message.number
            elif isinstance(message, Update):
                assert message.scene == number
                table.take(message)
                ticks.append(message.tick)
        assert table.whole == bodies(*self.poses)
        assert ticks[-1] == self.tick
        assert ticks == sorted(ticks)


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_every_viewer_ends_up_with_the_newest_poses(seed: int) -> None:
    @in_loop
    async def show() -> None:
        theatre = Theatre(seed)
        theatre.seats = [theatre.gateway.enter() for _ in range(3)]
        for _ in range(60):
            theatre.act()
            if theatre.random.random() < 0.5:
                await settle()
        for _, page in theatre.seats:
            page.flows()
        await settle()
        for _, page in theatre.seats:
            theatre.check(page)

    show()


tables = st.lists(st.integers(0, 2), min_size=4, max_size=4)


@given(st.lists(st.tuples(tables, st.booleans()), max_size=30))
def test_pose_rows_hold_what_changed_and_nothing_else(steps: list[tuple[list[int], bool]]) -> None:
    table, seen, known, before = PoseTable(), 0, Table(), [-1] * 4
    for now, looks in steps:
        table.take(bodies(*now))
        if looks:
            moved = known.take_rows(table.since(seen))
            assert known.whole == bodies(*now)
            assert moved >= {i for i in range(4) if now[i] != before[i]}
            seen, before = table.frame, now
            assert table.since(seen) == b""


# ── The log: nothing left out, nothing twice, in order ───────────────────────────────────────────────────────────


class Chronicle:
    """A cell that writes a log, over a link that loses and delays messages; the page must still get all of it."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.gateway = Gateway()
        self.run, self.tick = 1, 8
        self.log: list[Entry] = []
        self.sent = 0
        self.written: list[str] = []
        self.gateway.start()

    def write(self) -> None:
        text = f"Run {self.run}, entry {len(self.log) + 1}."
        self.log.append(Entry(number=len(self.log) + 1, time=self.tick * 0.002, robot="", note=plain(text)))
        self.written.append(text)

    def frame(self, *, lost: bool) -> None:
        self.tick += 8
        self.gateway.clock.now += 0.016
        fresh, self.sent = tuple(self.log[self.sent :]), len(self.log)
        if not lost:
            self.gateway.hub.take_frame(frame(self.tick, run=self.run, said=self.sent, entries=fresh))

    def answer(self, times: int = 1) -> None:
        """Answer all questions for the log, perhaps more than once."""
        for since in self.gateway.link.logs_asked:
            for _ in range(times):
                self.gateway.hub.take_log(Entries(tuple(self.log[since:])))
        self.gateway.link.logs_asked.clear()

    def catch_up(self) -> None:
        for _ in range(20):
            self.frame(lost=False)
            self.answer()

    def restart(self) -> None:
        self.catch_up()
        self.gateway.hub.process_ended("It ended.", failed=False, life=self.run + 1)
        self.written.append("It ended.")
        self.run, self.log, self.sent = self.run + 1, [], 0
        self.gateway.link.logs_asked.clear()
        self.frame(lost=False)
        self.gateway.hub.take_scene(a_scene())

    def act(self) -> None:
        choice = self.random.random()
        if choice < 0.4:
            self.write()
        elif choice < 0.85:
            self.frame(lost=self.random.random() < 0.5)
        elif choice < 0.93:
            self.answer(self.random.randint(0, 2))
        elif choice < 0.97:
            self.gateway.hub.journal.write(plain("The gateway says something."))
            self.written.append("The gateway says something.")
        else:
            self.restart()


@given(st.integers(0, 10**6))
@settings(max_examples=80)
def test_log_entries_arrive_once_and_in_order_whatever_is_lost(seed: int) -> None:
    @in_loop
    async def read() -> None:
        chronicle = Chronicle(seed)
        _, page = chronicle.gateway.enter()
        for _ in range(100):
            chronicle.act()
            await asyncio.sleep(0)
        chronicle.catch_up()
        await settle()
        said = page.said()
        assert [entry.number for entry in said] == list(range(1, len(said) + 1))
        for run in range(1, chronicle.run + 1):  # within a run in order; the gateway's own are put in between
            of_run = [text for text in chronicle.written if text.startswith(f"Run {run},")]
            assert [entry.text for entry in said if entry.text.startswith(f"Run {run},")] == of_run
        assert sorted(entry.text for entry in said) == sorted(chronicle.written)

    read()


@in_loop
async def test_missing_entries_are_asked_for_until_they_come() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    gateway.hub.take_frame(frame(24, said=3, entries=entries(3)))  # the frame with 1 and 2 was lost
    assert gateway.link.logs_asked == [0]
    gateway.hub.take_frame(frame(32, said=3))
    assert gateway.link.logs_asked == [0]  # not again at once
    gateway.clock.now += RESEND_S + 0.01
    gateway.hub.take_frame(frame(40, said=3))
    assert gateway.link.logs_asked == [0, 0]
    gateway.hub.take_log(Entries(entries(1, 2, 3)))
    gateway.hub.take_log(Entries(entries(1, 2, 3)))
    await settle()
    assert [entry.text for entry in page.said()] == ["Entry 1.", "Entry 2.", "Entry 3."]


@in_loop
async def test_a_new_viewer_gets_the_recent_log_and_then_what_is_new() -> None:
    gateway = Gateway()
    gateway.start()
    gateway.hub.take_frame(frame(16, said=150, entries=entries(*range(1, 151))))
    _, page = gateway.enter()
    gateway.hub.take_frame(frame(24, said=151, entries=entries(151)))
    await settle()
    assert [entry.number for entry in page.said()] == list(range(151 - RECENT_ENTRIES, 152))


@in_loop
async def test_what_holds_back_a_robot_is_told_when_it_changes() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    await settle()
    note, text = near("gripper", "crate", 0.003), NEAR_TEXT
    for tick, why in ((16, {"arm": (note,)}), (24, {"arm": (note,)}), (32, {})):
        gateway.hub.take_frame(frame(tick, why=why))
        await settle()
    assert [message.robots for message in page.all(ActiveNotes)] == [{}, {"arm": (text,)}, {}]


# ── Slow viewers ─────────────────────────────────────────────────────────────────────────────────────────────────


@in_loop
async def test_a_slow_viewer_does_not_slow_others_and_is_ended_when_too_much_waits() -> None:
    gateway = Gateway()
    gateway.start()
    (slow, stuck), (_, quick) = gateway.enter(), gateway.enter()
    await settle()
    stuck.sticks()
    _, refusal = gateway.state._viewers[slow.number]
    told = 0
    while not slow.too_slow:
        gateway.hub.journal.write(plain("x" * 100_000))
        told += 1
        gateway.hub.take_frame(frame(16 + 8 * told))
        await settle()
        assert quick.last(Update).tick == 16 + 8 * told
        assert len(quick.said()) == told
        assert told < 100
    assert told * 100_000 > MAX_BYTES * 0.95
    gateway.state.sweep()
    assert refusal.result().reason == "Your connection is too slow for the updates."
    stuck.flows()
    await settle()
    with pytest.raises(TooSlowError):
        await gateway.pump_of(0)


class Deaf:
    """A page that greets, and then neither sends nor reads."""

    client = None

    def __init__(self) -> None:
        self.stuck = asyncio.Event()
        self._greeted = False

    async def receive(self) -> dict[str, object]:
        if self._greeted:
            await asyncio.Event().wait()
        self._greeted = True
        return {"type": "websocket.receive", "bytes": msgspec.msgpack.encode(HELLO)}

    async def send_bytes(self, *content: object) -> None:
        del content
        self.stuck.set()
        await asyncio.Event().wait()

    close = send_bytes


@in_loop
async def test_a_page_that_takes_nothing_at_all_is_let_go() -> None:
    gateway, deaf = Gateway(), Deaf()
    gateway.start()
    admission = page_socket.Admission(gateway.clock, silent)
    served = asyncio.create_task(page_socket.serve(deaf, gateway.state, LinkTokens(TOKEN), admission))  # type: ignore[arg-type] # as much of a socket as is used
    await deaf.stuck.wait()
    (viewer, _) = next(iter(gateway.state._viewers.values()))
    viewer.tell_bytes(bytes(MAX_BYTES + 1))
    gateway.state.sweep()
    await asyncio.wait_for(served, 10.0 * page_socket.GOODBYE_S)
    assert not gateway.state._viewers


@in_loop
async def test_signals_are_left_out_for_a_crowded_viewer_but_not_for_others() -> None:
    gateway = Gateway()
    gateway.start()
    (slow, stuck), (quick, page) = gateway.enter(), gateway.enter()
    await settle()
    stuck.sticks()
    for viewer in (slow, quick):
        gateway.state.take(viewer, Listen(signals=("a",)))
    slow.tell_bytes(msgspec.msgpack.encode(Answer(id=0, ok=True, text="x" * SAMPLES_BYTES)))
    slow.tell_bytes(msgspec.msgpack.encode(Answer(id=0, ok=True, text="x" * SAMPLES_BYTES)))
    await settle()
    gateway.hub.take_frame(frame(16, signals=("a",), samples=struct.pack("<f", 1.0), first=9))
    await settle()
    stuck.flows()
    await settle()
    assert (len(page.all(Signals)), len(stuck.all(Signals))) == (1, 0)


# ── Signals ──────────────────────────────────────────────────────────────────────────────────────────────────────


@in_loop
async def test_each_viewer_gets_its_own_signals() -> None:
    gateway = Gateway()
    gateway.start()
    (one, first), (two, second), (_, third) = (gateway.enter() for _ in range(3))
    gateway.state.take(one, Listen(signals=("a", "b")))
    gateway.state.take(two, Listen(signals=("c", "b")))
    assert gateway.link.events == [Listening(("a", "b")), Listening(("a", "b", "c"))]
    samples = struct.pack("<6f", 1, 2, 3, 4, 5, 6)
    gateway.hub.take_frame(frame(16, signals=("a", "b", "c"), samples=samples, first=15))
    await settle()
    assert first.all(Signals) == [Signals(tick=15, names=("a", "b"), values=struct.pack("<4f", 1, 2, 4, 5))]
    assert second.all(Signals) == [Signals(tick=15, names=("b", "c"), values=struct.pack("<4f", 2, 3, 5, 6))]
    assert third.all(Signals) == []


@in_loop
async def test_nobody_listens_on_when_the_last_listener_has_gone() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, _ = gateway.enter()
    gateway.state.take(viewer, Listen(signals=("a",)))
    gateway.state.left(viewer)
    assert gateway.link.events == [Listening(("a",)), Listening(())]


@in_loop
async def test_a_cell_that_was_started_anew_is_told_what_to_sample() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, _ = gateway.enter()
    gateway.state.take(viewer, Listen(signals=("a",)))
    gateway.hub.take_frame(frame(8, run=2))
    assert gateway.link.events == [Listening(("a",))] * 2


# ── Control ──────────────────────────────────────────────────────────────────────────────────────────────────────


def hand(epoch: int = 1, **fields: object) -> Hand:
    return Hand(robot="arm", reading=replace(READING, epoch=epoch, **fields))


@in_loop
async def test_only_the_holder_s_readings_of_this_epoch_pass() -> None:
    gateway = Gateway()
    gateway.start()
    (one, page), (two, other) = gateway.enter(), gateway.enter()
    state, wire = gateway.state, gateway.link
    state.take(one, hand())
    state.take(one, Ask(robot="arm"))
    state.take(two, Ask(robot="arm"))
    await settle()
    assert (page.lease().holder, page.lease().epoch) == (one.number, 1)
    assert [asker.viewer for asker in page.lease().askers] == [two.number]
    state.take(two, hand())
    for epoch in (0, 2, -1):
        state.take(one, hand(epoch))
    state.take(one, Hand(robot="leg", reading=READING))
    assert wire.hands == []
    state.take(one, hand())
    assert wire.hands == [("hand of arm", READING)]
    state.take(one, Yield(robot="arm", viewer=two.number))
    state.take(one, hand())
    state.take(one, hand(2))
    state.take(two, hand(1))
    assert len(wire.hands) == 1
    state.take(two, hand(2))
    await settle()
    assert len(wire.hands) == 2
    assert (other.lease().holder, other.lease().epoch) == (two.number, 2)


@in_loop
async def test_readings_for_a_robot_that_a_script_drives_go_nowhere() -> None:
    gateway = Gateway()
    gateway.start(a_scene(a_robot(by_hand=False)))
    viewer, _ = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.state.take(viewer, hand())
    assert gateway.link.hands == []


@in_loop
async def test_a_holder_may_refuse_and_nobody_else_may_yield_for_him() -> None:
    gateway = Gateway()
    gateway.start()
    (one, page), (two, _), (three, _) = (gateway.enter() for _ in range(3))
    for viewer in (one, two):
        gateway.state.take(viewer, Ask(robot="arm"))
    gateway.state.take(three, Yield(robot="arm", viewer=two.number))
    gateway.state.take(two, Yield(robot="arm", viewer=two.number))
    gateway.state.take(three, Refuse(robot="arm", viewer=two.number))
    gateway.state.take(three, Release(robot="arm"))
    await settle()
    assert page.lease().holder == one.number
    assert len(page.lease().askers) == 1
    gateway.state.take(one, Refuse(robot="arm", viewer=two.number))
    await settle()
    assert page.lease().askers == ()


@in_loop
async def test_taking_over_waits_for_patience_and_for_a_hand_that_rests() -> None:
    gateway = Gateway()
    gateway.start()
    (one, _), (two, page) = gateway.enter(), gateway.enter()
    for viewer in (one, two):
        gateway.state.take(viewer, Ask(robot="arm"))
    gateway.state.take(two, TakeOver(robot="arm"))
    gateway.passes(ANSWER_S)
    gateway.state.take(one, hand(deadman=True))
    gateway.state.take(two, TakeOver(robot="arm"))
    await settle()
    assert (page.lease().holder, page.lease().may_take) == (one.number, False)
    gateway.passes(1.1)
    await settle()
    assert page.lease().may_take
    gateway.state.take(two, TakeOver(robot="arm"))
    await settle()
    assert (page.lease().holder, page.lease().epoch) == (two.number, 2)


@in_loop
async def test_a_page_that_comes_again_keeps_its_control_and_its_older_connection_ends() -> None:
    gateway = Gateway()
    gateway.start()
    one, _ = gateway.enter("Ada", "the-same-client-secret")
    gateway.state.take(one, Ask(robot="arm"))
    _, refusal = gateway.state._viewers[one.number]
    again, page = gateway.enter("Ada", "the-same-client-secret")
    await settle()
    assert refusal.result().reason == "You opened this page a second time. Continue in the newer window."
    assert again.number == one.number
    assert (page.lease().holder, page.lease().epoch, page.lease().present) == (one.number, 1, True)
    gateway.state.left(one)  # the older connection's own end, later
    gateway.passes(KEEP_S + 1)
    await settle()
    assert (page.lease().holder, page.lease().epoch) == (one.number, 1)
    assert page.last(Leases).viewers == 1


@in_loop
async def test_control_of_a_lost_page_is_kept_then_free() -> None:
    gateway = Gateway()
    gateway.start()
    one, _ = gateway.enter("Ada")
    _, page = gateway.enter("Ben")
    gateway.state.take(one, Ask(robot="arm"))
    gateway.state.left(one)
    gateway.passes(KEEP_S - 0.1)
    await settle()
    assert (page.lease().holder, page.lease().present, page.lease().name) == (one.number, False, "Ada")
    gateway.passes(0.2)
    await settle()
    assert page.lease().holder is None
    assert [entry.text for entry in page.said()] == ["Ada controls arm.", "Nobody controls arm."]


@in_loop
async def test_however_many_come_and_go_nobody_who_is_here_or_in_control_is_forgotten() -> None:
    gateway = Gateway()
    gateway.start()
    one, _ = gateway.enter("Ada", "the-same-client-secret")
    two, _ = gateway.enter("Ben", "another-client-secret")
    gateway.state.take(one, Ask(robot="arm"))
    gateway.state.left(one)
    for i in range(2 * MAX_CLIENTS):
        gateway.state.guest(f"passer-by-{i:010}", "")
    assert len(gateway.state._clients) == MAX_CLIENTS
    again, page = gateway.enter("Ada", "the-same-client-secret")
    await settle()
    assert (again.number, page.lease().holder, page.lease().present) == (one.number, one.number, True)
    assert gateway.state.guest("another-client-secret", "Ben") == (two.number, "Ben")
    assert [(held.name, held.epoch) for held in gateway.state.new_holders()] == [("Ada", 1)]


@in_loop
async def test_a_gateway_that_was_started_anew_goes_on_above_the_epochs_the_cell_has_heard() -> None:
    gateway = Gateway()
    gateway.hub.take_frame(frame(epochs=(41,)))
    gateway.hub.take_scene(a_scene())
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    await settle()
    assert page.lease().epoch == 42
    assert page.last(Update).epochs == (41,)  # until it hears the new one the cell counts no press


# ── Commands ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("event", [event for event in EVENTS if not isinstance(event, Stop)], ids=repr)
def test_a_command_without_control_is_refused(event: Event) -> None:
    @in_loop
    async def refused() -> None:
        gateway = Gateway()
        gateway.start()
        (one, _), (two, page) = gateway.enter(), gateway.enter()
        gateway.state.take(one, Ask(robot="arm"))
        gateway.state.take(two, Ask(robot="arm"))  # asking is not having
        gateway.state.take(two, Command(id=4, event=event))
        await settle()
        assert gateway.link.orders == []
        assert not page.answer(4).ok
        words = "Only Farhand itself may send that." if isinstance(event, PlanFound) else " Ask for control first."
        assert page.answer(4).text.endswith(words)

    refused()


@in_loop
async def test_before_anything_is_known_of_a_cell_only_stop_passes() -> None:
    gateway = Gateway()
    viewer, page = gateway.enter()
    for i, event in enumerate(EVENTS[1:], 1):
        gateway.state.take(viewer, Command(id=i, event=event))
    assert gateway.link.orders == []
    gateway.state.take(viewer, Command(id=99, event=Stop()))
    await settle()
    assert gateway.link.events == [Stop(by="Guest 1")]
    assert not any(answer.ok for answer in page.all(Answer))


@in_loop
async def test_anybody_may_stop_and_is_named() -> None:
    gateway = Gateway()
    gateway.start()
    one, _ = gateway.enter("Ada")
    two, page = gateway.enter("Ben")
    gateway.state.take(one, Ask(robot="arm"))
    gateway.state.take(two, Command(id=1, event=Stop(by="Ada")))
    gateway.done()
    await settle()
    assert gateway.link.events == [Stop(by="Ben")]
    assert page.answer(1) == Answer(id=1, ok=True)


@in_loop
async def test_reset_is_for_who_holds_all_that_it_resets() -> None:
    gateway = Gateway()
    gateway.hub.take_frame(frame(epochs=(-1, -1)))
    gateway.hub.take_scene(a_scene(a_robot("arm"), a_robot("leg")))
    (one, page), (two, other) = gateway.enter(), gateway.enter()
    gateway.state.take(one, Ask(robot="arm"))
    gateway.state.take(two, Ask(robot="leg"))
    for viewer in (one, two):
        gateway.state.take(viewer, Command(id=1, event=Reset()))
        gateway.state.take(viewer, Command(id=2, event=Reset("arm")))
        gateway.state.take(viewer, Command(id=3, event=ResetObjects()))
        gateway.state.take(viewer, Command(id=4, event=SetSpeed("leg", 1)))
    await settle()
    assert gateway.link.events == [Reset("arm"), ResetObjects(), ResetObjects(), SetSpeed("leg", 1)]
    assert [page.answer(1).ok, other.answer(1).ok, other.answer(2).ok, page.answer(4).ok] == [False] * 4
    gateway.state.take(two, Release(robot="leg"))
    gateway.state.take(one, Ask(robot="leg"))
    gateway.state.take(one, Command(id=5, event=Reset()))
    assert gateway.link.events[-1] == Reset()


@in_loop
async def test_an_order_is_sent_again_until_it_is_answered_and_answered_once() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.state.take(viewer, Command(id=7, event=SetSpeed("arm", 9)))
    gateway.passes(RESEND_S / 2)
    assert len(gateway.link.orders) == 1
    for _ in range(3):
        gateway.passes(RESEND_S + 0.01)
    assert gateway.link.orders == [gateway.link.orders[0]] * 4  # the same number, so that it is done once
    for _ in range(2):
        gateway.done(ok=False, text="Speed 9 is not one of 1 to 5.")
    gateway.passes(GIVE_UP_S)
    gateway.passes(GIVE_UP_S)
    await settle()
    assert len(gateway.link.orders) == 4
    assert page.answer(7) == Answer(id=7, ok=False, text="Speed 9 is not one of 1 to 5.")


@in_loop
async def test_an_order_to_a_cell_that_is_silent_is_given_up_with_a_sentence() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ping(id=8))
    gateway.passes(GIVE_UP_S + 0.01)
    gateway.done()  # too late
    await settle()
    assert page.answer(8) == Answer(id=8, ok=False, text="The cell does not answer.")
    sent = len(gateway.link.orders)
    gateway.passes(1.0)
    assert len(gateway.link.orders) == sent


@in_loop
async def test_a_cell_that_lives_gets_its_time_for_an_order_that_is_work() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.state.take(viewer, Command(id=9, event=AddObject(ObjectSpec(name="box", size=(0.1, 0.1, 0.1)))))
    for i in range(round(2 * GIVE_UP_S / 0.1)):
        gateway.hub.take_frame(frame(16 + 8 * i))
        gateway.passes(0.1)
    await settle()
    assert page.all(Answer) == []
    gateway.done(1)
    await settle()
    assert page.answer(9).ok
    gateway.state.take(viewer, Command(id=10, event=SetSpeed("arm", 1)))
    for i in range(round(time_out_of(SetSpeed("arm", 1)) / 0.1) + 2):
        gateway.hub.take_frame(frame(1000 + 8 * i))
        gateway.passes(0.1)
    await settle()
    assert page.answer(10).text == "The cell does not answer."


@in_loop
async def test_a_cell_that_hesitates_while_it_works_is_not_given_up() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.state.take(viewer, Command(id=9, event=AddObject(ObjectSpec(name="box", size=(0.1, 0.1, 0.1)))))
    for i in range(3):
        gateway.passes(GIVE_UP_S - 0.1)
        gateway.hub.take_frame(frame(16 + 8 * i))
    await settle()
    assert page.all(Answer) == []
    gateway.passes(GIVE_UP_S + 0.1)
    await settle()
    assert page.answer(9).text == "The cell does not answer."


@in_loop
async def test_a_scene_that_is_left_behind_is_not_shown() -> None:
    """It was asked for when the world changed, and answered just before the new one lay ready."""
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    await settle()
    before, asked = len(page.all(Scene)), gateway.link.scenes_asked
    gateway.passes(RESEND_S + 0.01)
    gateway.hub.take_frame(frame(16, scene=2))
    gateway.hub.take_scene(a_scene(number=1))
    await settle()
    assert len(page.all(Scene)) == before
    gateway.passes(RESEND_S + 0.01)
    gateway.hub.take_frame(frame(24, scene=2))
    assert gateway.link.scenes_asked == asked + 2
    gateway.hub.take_scene(a_scene(number=2))
    await settle()
    assert [scene.number for scene in page.all(Scene)[before:]] == [2]


@in_loop
async def test_a_stop_is_never_given_up() -> None:
    """Nor answered twice; a restarted cell is stopped anyway, so the stop is not sent again."""
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Command(id=8, event=Stop()))
    for _ in range(100):
        gateway.passes(RESEND_S + 0.01)
    await settle()
    assert page.answer(8) == Answer(id=8, ok=False, text="The cell does not answer.")
    assert len(gateway.link.orders) > 90
    gateway.done()
    sent = len(gateway.link.orders)
    gateway.passes(1.0)
    await settle()
    assert len(gateway.link.orders) == sent
    assert not page.answer(8).ok
    gateway.state.take(viewer, Command(id=9, event=Stop()))
    gateway.passes(GIVE_UP_S + 0.1)
    gateway.hub.process_ended("It ended.", failed=False, life=2)
    sent = len(gateway.link.orders)
    gateway.passes(1.0)
    assert len(gateway.link.orders) == sent


@in_loop
async def test_what_is_not_understood_is_said_now_and_then() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    channel = TypedChannel("farhand/cell/bench/frame", Frame, gateway.hub.life)
    for content in (b"nonsense", *[channel._mark + bytes(4) + b"\xc1"] * 99):
        assert channel.read(content) is None
        gateway.hub.log_drop(channel.complaint())
    await settle()
    said = [entry.text for entry in page.said() if "was dropped" in entry.text]
    assert len(said) == 7
    start = "A message on the channel farhand/cell/bench/frame was dropped: "
    assert said[0] == f"{start}it was sent on another channel (1 so far)."
    assert said[-1].startswith(f"{start}it is not a message of this kind: ")
    assert said[-1].endswith(" (64 so far).")


@in_loop
async def test_the_answer_to_an_older_gateway_s_order_is_not_taken_for_ours() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ping(id=8))
    gateway.hub.take_done(Done(gateway=1234, number=1))
    await settle()
    assert page.all(Answer) == []


# ── The cell's life ──────────────────────────────────────────────────────────────────────────────────────────────


@in_loop
async def test_silence_loss_and_return_are_told() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    gateway.passes(SILENT_S + 0.01)
    gateway.hub.process_ended("The process of bench was ended by signal SIGKILL.", failed=False, life=2)
    late = frame(16)
    gateway.hub.take_frame(late)  # was on its way when the process ended
    await settle()
    states = [(message.cells[0].state, message.cells[0].reason) for message in page.all(Cells)]
    assert states == [
        ("silent", "The cell has stopped answering."),
        ("lost", "The process of bench was ended by signal SIGKILL."),
    ]
    assert page.said()[-1].level == "fault"
    before = len(page.all(Scene))
    gateway.hub.take_frame(frame(8, run=2, bodies=bodies(1, 2, 3)))
    gateway.hub.take_scene(a_scene())
    await settle()
    assert page.last(Cells).cells[0].state == "running"
    assert len(page.all(Scene)) == before + 1
    assert Table().take(page.last(Update)) == {0, 1, 2}


@in_loop
async def test_control_outlives_the_cell_s_process() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.hub.process_ended("It ended.", failed=False, life=2)
    gateway.hub.take_frame(frame(8, run=2))
    gateway.hub.take_scene(a_scene())
    gateway.state.take(viewer, hand(1))
    await settle()
    assert (page.lease().holder, page.lease().epoch) == (viewer.number, 1)
    assert len(gateway.link.hands) == 1


# ── Words ────────────────────────────────────────────────────────────────────────────────────────────────────────


@in_loop
async def test_messages_out_of_turn_are_answered_with_a_sentence() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter(watch=False)
    gateway.state.take(viewer, Ping(id=3))
    gateway.clock.now += 1.0
    gateway.state.take(viewer, Watch(cell="moon"))
    gateway.clock.now += 1.0
    gateway.state.take(viewer, Watch(cell=CELL))
    gateway.state.take(viewer, HELLO)
    await settle()
    assert [answer.text for answer in page.all(Answer)] == [
        "Message refused: watch a cell first.",
        "Message refused: there is no cell 'moon'; there are: bench.",
        "Message refused: only one greeting is allowed.",
    ]
    assert gateway.link.orders == []


@in_loop
async def test_names_are_one_line_and_never_empty() -> None:
    gateway = Gateway()
    assert gateway.state.guest("a" * 16, " Ada \n <b>Lovelace</b>\t")[1] == "Ada <b>Lovelace</b>"
    assert gateway.state.guest("b" * 16, " \n ")[1] == "Guest 2"
    assert gateway.state.guest("a" * 16, "Ada") == (1, "Ada")
