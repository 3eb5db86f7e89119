"""After a process has ended: who gets control back, which messages still count, who may have a cell tried again."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from gateways import CELL, GATEWAY, Gateway, a_scene, frame, in_loop, settle
from worded import all_worded

from farhand.cell.checkpoint import Checkpoint
from farhand.server.cell_process.cell_order import CellOrder
from farhand.server.fabric.typed_channel import Life, TypedChannel
from farhand.server.gateway.gateway_order import CellNews
from farhand.server.gateway.hub.cell_hub import FROM_THE_FILE
from farhand.server.gateway.hub.orders import RESTARTED
from farhand.server.gateway.lease import KEEP_S
from farhand.server.lifecycle.child_messages import ChildReady, FromChild, HeldLease, Retry
from farhand.server.protocol.internal_messages import Done, Order
from farhand.server.protocol.messages import Answer, Ask, Cells, Command, Restart, TakeOver
from farhand.server.protocol.permissions import INSTRUCTORS_ONLY
from farhand.server.supervisor import supervisor
from farhand.server.supervisor.supervisor import Server, listen
from farhand.types import Reset, Stop

ADA, BEN = "client-of-ada-0123", "client-of-ben-4567"


# ── Leases after the gateway's death ─────────────────────────────────────────────────────────────────────────────


async def _held_by_ada() -> tuple[HeldLease, ...]:
    """Return the leases that a gateway reported before it died."""
    gateway = Gateway()
    gateway.start()
    ada, _ = gateway.enter("Ada", ADA)
    gateway.state.take(ada, Ask(robot="arm"))
    held = gateway.state.new_holders()
    assert gateway.state.new_holders() == []
    return tuple(held)


@in_loop
async def test_control_goes_back_to_its_holder_under_a_new_epoch() -> None:
    held = await _held_by_ada()
    assert [(h.cell, h.robot, h.name, h.epoch) for h in held] == [(CELL, "arm", "Ada", 1)]
    assert ADA not in str(held)  # the secret itself does not travel
    gateway = Gateway(held)
    ben, bens = gateway.enter("Ben", BEN)
    gateway.start()
    gateway.state.take(ben, Ask(robot="arm"))
    gateway.state.take(ben, TakeOver(robot="arm"))
    gateway.passes(KEEP_S - 0.1)
    gateway.state.take(ben, TakeOver(robot="arm"))
    await settle()
    assert (bens.lease().name, bens.lease().present, bens.lease().may_take) == ("Ada", False, False)
    ada, adas = gateway.enter("Ada", ADA)
    await settle()
    assert (adas.lease().holder, adas.lease().epoch, adas.lease().present) == (ada.number, 2, True)
    assert [h.epoch for h in gateway.state.new_holders()] == [2]
    gateway.passes(10 * KEEP_S)
    assert gateway.hub.control.holds(ada, "arm")


@in_loop
async def test_a_page_that_is_back_before_the_cell_is_known_has_its_control_with_it() -> None:
    gateway = Gateway(await _held_by_ada())
    ada, page = gateway.enter("Ada", ADA)
    gateway.start()
    await settle()
    assert (page.lease().holder, page.lease().epoch, page.lease().present) == (ada.number, 2, True)


@in_loop
async def test_control_is_kept_for_five_seconds_then_free() -> None:
    gateway = Gateway(await _held_by_ada())
    gateway.start()
    ben, page = gateway.enter("Ben", BEN)
    gateway.passes(KEEP_S)
    gateway.state.take(ben, Ask(robot="arm"))
    await settle()
    assert (page.lease().holder, page.lease().epoch) == (ben.number, 3)


@in_loop
async def test_the_epoch_is_newer_than_any_that_the_cell_has_heard() -> None:
    gateway = Gateway(await _held_by_ada())
    gateway.hub.take_frame(frame(epochs=(7,)))
    gateway.hub.take_scene(a_scene())
    _, page = gateway.enter("Ada", ADA)
    await settle()
    assert page.lease().epoch == 8


# ── Incarnations ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_gateway_drops_messages_of_an_earlier_incarnation() -> None:
    here = TypedChannel("key", Done, Life())
    old, new = TypedChannel("key", Done, Life(3, own=True)), TypedChannel("key", Done, Life(4, own=True))
    done = Done(gateway=1, number=1)
    assert here.read(old.written(done)) == done
    assert here.read(new.written(done)) == done
    assert here.read(old.written(done)) is None
    assert (here.outdated, here.dropped) == (1, 0)


def test_a_cell_takes_only_what_is_meant_for_its_own_incarnation() -> None:
    cell, gateway = TypedChannel("key", Order, Life(4, own=True)), TypedChannel("key", Order, Life(3))
    order = Order(gateway=1, number=1, content=Stop())
    assert cell.read(gateway.written(order)) is None
    gateway.life.takes(4)  # as soon as it has heard of it
    assert cell.read(gateway.written(order)) == order
    assert cell.read(TypedChannel("key", Order, Life(5)).written(order)) is None


@in_loop
async def test_frames_of_an_ended_process_change_nothing() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    gateway.hub.process_ended("It hung.", failed=False, life=2)
    gateway.hub.take_frame(frame(16, run=1))  # it was woken
    await settle()
    assert page.last(Cells).cells[0].state == "lost"
    gateway.hub.take_frame(frame(8, run=2))
    gateway.hub.take_frame(frame(24, run=1))
    await settle()
    assert page.last(Cells).cells[0].state == "running"
    assert gateway.hub._view.frame is not None
    assert gateway.hub._view.frame.run == 2


@in_loop
async def test_a_reset_for_an_earlier_process_is_not_done_by_the_next_one() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.state.take(viewer, Command(id=1, event=Reset("arm")))
    gateway.state.take(viewer, Command(id=2, event=Stop()))
    gateway.hub.process_ended("It ended.", failed=False, life=2)
    await settle()
    assert page.answer(1) == Answer(id=1, ok=False, text=all_worded(RESTARTED))
    sent = len(gateway.link.orders)
    gateway.passes(0.2)
    assert [type(order.content) for order in gateway.link.orders[sent:]] == [
        Stop
    ]  # a stop goes on until it is answered
    gateway.hub.take_done(Done(gateway=GATEWAY, number=gateway.link.orders[-1].number))
    await settle()
    assert page.answer(2).ok


# ── Cells that are no longer restarted at once ───────────────────────────────────────────────────────────────────


@in_loop
async def test_who_may_have_a_cell_tried_again() -> None:
    gateway = Gateway()
    gateway.start()
    ada, adas = gateway.enter("Ada", ADA)
    ben, bens = gateway.enter("Ben", BEN)
    gateway.state.take(ada, Restart(id=1))
    gateway.hub.process_ended("It ended.", failed=True, life=2)
    gateway.state.take(ben, Restart(id=2))  # nobody is in control
    gateway.state.take(ada, Ask(robot="arm"))
    gateway.state.take(ada, Restart(id=3))
    gateway.state.take(ben, Restart(id=4))
    ada.role, ben.role = "trainee", "instructor"
    gateway.state.take(ada, Restart(id=5))
    gateway.state.take(ben, Restart(id=6))  # the instructor
    await settle()
    assert [adas.answer(i).text for i in (1, 3, 5)] == ["bench is not waiting for a restart.", "", INSTRUCTORS_ONLY]
    only = "Only the viewer in control of a robot may restart bench."
    assert [bens.answer(i).text for i in (2, 4, 6)] == ["", only, ""]
    assert gateway.state.restarts == [CELL] * 3


@in_loop
async def test_a_checkpoint_from_which_no_process_starts_is_forgotten() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    gateway.hub.checkpoint = Checkpoint(number=1, time=0.0, objects=(), poses={}, robots={})
    gateway.hub.process_ended("It ended.", failed=True, life=2)  # it has ticked before: something else ended it
    assert _has_checkpoint(gateway)
    gateway.hub.process_ended("It is tried again.", failed=False, life=2)
    gateway.hub.process_ended("It ended.", failed=True, life=7)  # five more, and none of them got to its first tick
    assert not _has_checkpoint(gateway)
    await settle()
    assert page.last(Cells).cells[0].reason == f"It ended. {FROM_THE_FILE}"


def _has_checkpoint(gateway: Gateway) -> bool:
    return gateway.hub.checkpoint is not None


class _Child:
    """A child that tests end and let speak."""

    def __init__(self, *order: Any) -> None:
        self.order, self.code, self.output = order, -9, -1
        self.failed, self.retry_at, self.life = False, 0.0, 1
        self.how, self.allowed, self.said = "", 1, list[FromChild]()
        self.told: list[CellNews] = []
        self.held: tuple[HeldLease, ...] = ()

    def reports(self) -> list[FromChild]:
        said, self.said = self.said, []
        return said

    def end_reason(self) -> str:
        return "" if self.failed else self.how

    def restart(self, held: tuple[HeldLease, ...] = ()) -> bool:
        self.allowed, self.held, self.how = self.allowed - 1, held, ""
        self.failed, self.retry_at = self.allowed < 0, float("inf")
        self.life += not self.failed
        return not self.failed

    def retry(self, held: tuple[HeldLease, ...] = ()) -> None:
        self.failed, self.life, self.allowed, self.held = False, self.life + 1, 1, held

    def send(self, line: bytes) -> None:
        self.told.append(msgspec.json.decode(line, type=CellNews))

    def end(self) -> None:
        return


class _Ground:
    """A server whose processes are played, look by look."""

    def __init__(self) -> None:
        self.said: list[str] = []
        with listen("127.0.0.1", 20_000, list[str]().append) as listener:
            order = CellOrder(name="bench", folder=".")
            self.server = Server({"bench": order}, listener, Path(), self.said.append)
            self.server._take(ChildReady(), str)
        self.gateway: Any = self.server.gateway
        self.cell: Any = self.server.cells["bench"]

    def look(self) -> None:
        for report in self.gateway.reports():
            self.server._take(report, str)
        assert self.server._restart_ended() is None


@pytest.fixture
def ground(monkeypatch: pytest.MonkeyPatch) -> _Ground:
    monkeypatch.setattr(supervisor, "Child", _Child)
    return _Ground()


def test_a_cell_that_ends_too_often_is_tried_again_after_a_minute_and_when_asked(ground: _Ground) -> None:
    for _ in range(2):
        ground.cell.how = "ended with code 1"
        ground.look()
    assert ground.said == [
        "Cell bench ended with code 1. It restarts.",
        "Cell bench ended with code 1. It restarts in a minute, because it ended too often.",
    ]
    assert [(news.failed, news.life) for news in ground.gateway.told] == [(False, 2), (True, 3)]
    ground.look()
    assert ground.cell.failed
    ground.cell.retry_at = 0.0  # the minute is over
    ground.look()
    assert not ground.cell.failed
    assert (ground.said[-1], ground.gateway.told[-1].life) == ("Cell bench restarts.", 3)
    for _ in range(2):
        ground.cell.how = "ended with code 1"
        ground.look()
    assert ground.cell.failed
    ground.gateway.said = [Retry("bench"), Retry("bench"), Retry("nothing")]
    ground.look()
    assert not ground.cell.failed
    assert ground.said.count("Cell bench restarts.") == 2


def test_a_gateway_that_ends_too_often_is_tried_again_and_knows_what_was(ground: _Ground) -> None:
    held = HeldLease(cell="bench", robot="arm", client="hash", epoch=3)
    ground.gateway.said = [msgspec.structs.replace(held, epoch=2), held]
    for _ in range(2):
        ground.cell.how = "ended with code 1"
        ground.look()
    told = len(ground.gateway.told)
    for _ in range(2):
        ground.gateway.how = "was ended by signal SIGKILL"
        ground.look()
    assert (
        ground.said[-1]
        == "The gateway was ended by signal SIGKILL. It restarts in a minute, because it ended too often."
    )
    ground.gateway.retry_at = 0.0
    ground.look()
    assert ground.said[-1] == "The gateway restarts."
    assert ground.gateway.held == (held,)
    assert [news.failed for news in ground.gateway.told[told:]] == [
        True,
        True,
    ]  # of the cell, once for each new gateway
