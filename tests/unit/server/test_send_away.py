"""Repeated Stops, and viewers who are sent away: a Stop always counts, in a flood and from a viewer who must leave."""

import asyncio

import msgspec
from frames import HELLO, TOKEN
from gateways import CELL, STILL, Gateway, a_robot, a_scene, frame, in_loop, settle

from farhand.server.gateway import page_socket
from farhand.server.gateway.decoding import LinkTokens
from farhand.server.gateway.terminal_log import silent
from farhand.server.protocol import close_codes
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import Ask, Command, SendAway, Viewers, Watch
from farhand.types import Reset, Stop


def stopped(tick: int) -> Frame:
    return frame(tick, robots=(msgspec.structs.replace(STILL, mode="stopped"),))


def stops(gateway: Gateway) -> int:
    return sum(isinstance(what, Stop) for what in gateway.link.events)


@in_loop
async def test_the_same_viewer_stops_once_a_second_while_latched() -> None:
    gateway = Gateway()
    gateway.start()
    (noisy, page), (other, _) = gateway.enter("x" * 400), gateway.enter()
    for i in range(1, 51):
        gateway.state.take(noisy, Command(id=i, event=Stop(reason="y" * 10_000)))
    assert stops(gateway) == 1  # under way
    reason = gateway.link.events[-1].reason
    assert len(reason) <= 200
    gateway.done()
    gateway.hub.take_frame(stopped(16))
    for i in range(51, 100):
        gateway.state.take(noisy, Command(id=i, event=Stop()))
    assert stops(gateway) == 1
    gateway.state.take(other, Command(id=1, event=Stop()))
    assert stops(gateway) == 2
    gateway.done()
    gateway.passes(1.01)
    gateway.state.take(noisy, Command(id=100, event=Stop()))
    assert stops(gateway) == 3
    await settle()
    assert page.answer(1).ok
    assert page.answer(99).ok


@in_loop
async def test_a_first_stop_always_counts_at_once() -> None:
    gateway = Gateway()
    gateway.start()
    (holder, _), (viewer, _) = gateway.enter(), gateway.enter()
    gateway.state.take(holder, Ask(robot="arm"))
    gateway.state.take(viewer, Command(id=1, event=Stop()))
    # A reset that was ordered since, though neither an answer nor a frame has come.
    gateway.state.take(holder, Command(id=1, event=Reset("arm")))
    gateway.state.take(viewer, Command(id=2, event=Stop()))
    assert stops(gateway) == 2
    gateway.done()
    gateway.hub.take_frame(stopped(16))
    gateway.state.take(holder, Command(id=2, event=Reset("arm")))
    gateway.state.take(viewer, Command(id=3, event=Stop()))
    assert stops(gateway) == 3
    gateway.done()
    gateway.hub.take_frame(frame(24))  # it moves again
    gateway.state.take(viewer, Command(id=4, event=Stop()))
    assert stops(gateway) == 4
    gateway.done(ok=False, text="The cell does not answer.")
    gateway.hub.take_frame(stopped(32))
    gateway.state.take(viewer, Command(id=5, event=Stop()))
    assert stops(gateway) == 5


@in_loop
async def test_a_holder_sends_a_viewer_away_but_no_instructor_no_owner_and_no_holder() -> None:
    gateway = Gateway()
    gateway.start(a_scene(a_robot("arm"), a_robot("cart")))
    (holder, page), (viewer, other_page), (owner, _), (second, _) = [gateway.enter(name) for name in "HVOS"]
    owner.role = "owner"
    gateway.state.take(holder, Ask(robot="arm"))
    gateway.state.take(second, Ask(robot="cart"))
    gateway.passes(0.1)
    await settle()
    assert [person.name for person in page.last(Viewers).people] == ["H", "V", "O", "S"]
    assert not other_page.all(Viewers)
    _, refusal = gateway.state._viewers[viewer.number]
    gateway.state.take(viewer, SendAway(id=1, viewer=holder.number))
    gateway.state.take(holder, SendAway(id=1, viewer=owner.number))
    gateway.state.take(holder, SendAway(id=2, viewer=second.number))
    gateway.state.take(holder, SendAway(id=3, viewer=holder.number))
    gateway.state.take(holder, SendAway(id=4, viewer=999))
    assert not any(future.done() for _, future in gateway.state._viewers.values())
    gateway.state.take(holder, SendAway(id=5, viewer=viewer.number))
    assert refusal.result().code == close_codes.SENT_AWAY
    assert refusal.result().reason.startswith("H sent you away.")
    await settle()
    assert "You need control" in other_page.answer(1).text
    assert [page.answer(i).ok for i in range(1, 6)] == [False, False, False, False, True]
    assert gateway.state.barred(viewer.number)
    gateway.clock.now += 601.0
    assert gateway.state.barred(viewer.number) is None


class Leaving:
    """A page that is sent away, and whose Stop was on its way by then."""

    client = None

    def __init__(self) -> None:
        self.frames: asyncio.Queue[bytes] = asyncio.Queue()
        self.closed = 0
        self.got: list[bytes] = []

    async def receive(self) -> dict[str, object]:
        return {"type": "websocket.receive", "bytes": await self.frames.get()}

    async def send_bytes(self, data: bytes) -> None:
        self.got.append(data)
        if len(self.got) == 2:
            self.frames.put_nowait(msgspec.msgpack.encode(Command(id=6, event=Stop())))

    async def close(self, code: int) -> None:
        self.closed = code


@in_loop
async def test_a_stop_that_was_sent_before_still_counts() -> None:
    gateway, page = Gateway(), Leaving()
    gateway.start()
    holder, _ = gateway.enter("H")
    gateway.state.take(holder, Ask(robot="arm"))
    admission = page_socket.Admission(gateway.clock, silent)
    page.frames.put_nowait(msgspec.msgpack.encode(HELLO))
    served = asyncio.create_task(page_socket.serve(page, gateway.state, LinkTokens(TOKEN), admission))  # type: ignore[arg-type] # as much of a socket as is used
    await settle()
    (viewer, _) = list(gateway.state._viewers.values())[-1]
    gateway.state.take(viewer, Watch(cell=CELL))
    page.got.clear()
    page.got.append(b"")
    gateway.state.take(holder, SendAway(id=1, viewer=viewer.number))
    page.frames.put_nowait(msgspec.msgpack.encode(Command(id=7, event=Reset())))
    await served
    assert stops(gateway) >= 1
    assert not any(isinstance(what, Reset) for what in gateway.link.events)
    assert page.closed == close_codes.SENT_AWAY
