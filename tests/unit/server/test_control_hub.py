"""Leases of robots: the readings that the gateway forwards, the messages to viewers, and the time-outs."""

from __future__ import annotations

from typing import Any, cast

import pytest
from gateways import a_robot, a_scene, frame
from worded import worded

from farhand.server.gateway.hub.cell_view import CellView
from farhand.server.gateway.hub.control import Control
from farhand.server.gateway.lease import release
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Hand, LeaseInfo, Leases
from farhand.types import Note, Reading


class Person:
    """A viewer that keeps its messages."""

    def __init__(self, number: int, name: str = "") -> None:
        self.number, self.name, self.told = number, name or f"Person {number}", cast("list[Leases]", [])

    def tell(self, message: Leases) -> None:
        self.told.append(message)


class Bench:
    """The control of two robots, with a clock that stands, and a link and a log that only record."""

    def __init__(self, *robots: str, by_hand: bool = True) -> None:
        self.now, self.passed_on, self.log = 100.0, cast("list[tuple[str, str, int]]", []), cast("list[Note]", [])
        self.known = CellView()
        self.control = Control("bench", cast("Any", self), self.known, cast("Any", self), lambda: self.now)
        self.known.scene = a_scene(*[a_robot(name, by_hand=by_hand) for name in robots or ("arm", "other")])
        self.control.take_scene(self.known.scene)

    def send_reading(self, cell: str, master: str, reading: Reading) -> None:
        self.passed_on.append((cell, master, reading.sequence))

    def write(self, note: Note, robot: str = "") -> None:
        del robot
        self.log.append(note)

    def enter(self, number: int, name: str = "") -> Any:
        person = Person(number, name)
        self.known.viewers[number] = cast("Viewer", person)
        self.control.join(cast("Viewer", person))
        return person

    def send(self, who: Any, robot: str = "arm", *, epoch: int = 1, deadman: bool = False) -> int:
        """Send a reading; return how many were passed on in all."""
        self.control.forward(who, Hand(robot=robot, reading=Reading(sequence=7, epoch=epoch, deadman=deadman)))
        return len(self.passed_on)

    def lease(self, who: Any, robot: str = "arm") -> LeaseInfo:
        """Return a viewer's newest lease of a robot."""
        robots: tuple[LeaseInfo, ...] = who.told[-1].robots
        return next(lease for lease in robots if lease.robot == robot)

    def asked(self) -> tuple[Any, Any]:
        """Let one hold control and another ask for it."""
        holder, asker = self.enter(1), self.enter(2)
        self.control.ask(holder, "arm")
        self.control.ask(asker, "arm")
        return holder, asker


def test_only_the_holders_readings_under_the_newest_epoch_are_passed_on() -> None:
    bench = Bench()
    holder, other = bench.enter(1), bench.enter(2)
    bench.control.ask(holder, "arm")
    assert bench.send(holder) == 1
    assert bench.passed_on == [("bench", "hand of arm", 7)]
    assert bench.send(other) == bench.send(holder, epoch=0) == bench.send(holder, epoch=2) == 1
    assert bench.send(holder, "other") == bench.send(holder, "none such") == 1


def test_a_reading_goes_to_the_master_of_its_own_robot() -> None:
    bench = Bench()
    holder = bench.enter(1)
    bench.control.ask(holder, "other")
    bench.send(holder, "other")
    assert bench.passed_on == [("bench", "hand of other", 7)]


def test_a_robot_that_a_script_drives_hears_no_hand() -> None:
    bench = Bench(by_hand=False)
    holder = bench.enter(1)
    bench.control.ask(holder, "arm")
    assert bench.send(holder) == 0


def test_nothing_is_passed_on_before_the_cell_is_known() -> None:
    bench = Bench()
    holder = bench.enter(1)
    bench.control.ask(holder, "arm")
    bench.known.scene = None
    assert bench.send(holder) == 0


def test_who_holds_what() -> None:
    bench = Bench()
    holder, other = bench.enter(1), bench.enter(2)
    nothing = [bench.control.holds_any(holder), bench.control.holds_all(holder), bench.control.holds(holder, "arm")]
    assert nothing == [False, False, False]
    bench.control.ask(holder, "arm")
    assert bench.control.holds(holder, "arm")
    assert not bench.control.holds(holder, "other")
    assert not bench.control.holds(other, "arm")
    assert not bench.control.holds(holder, "none such")
    assert bench.control.holds_any(holder)
    assert not bench.control.holds_all(holder)
    bench.control.ask(holder, "other")
    assert bench.control.holds_all(holder)
    assert not bench.control.holds_any(other)
    assert bench.control.holders() == {"arm": (1, 1), "other": (1, 1)}


def test_who_held_control_before_is_remembered() -> None:
    bench = Bench()
    holder, other = bench.enter(1), bench.enter(2)
    assert (bench.control.is_held, bench.control.has_held(1)) == (False, False)
    bench.control.ask(holder, "arm")
    assert (bench.control.is_held, bench.control.has_held(1), bench.control.has_held(2)) == (True, True, False)
    bench.control.change("arm", lambda lease: release(lease, 1))
    assert (bench.control.is_held, bench.control.has_held(1), bench.control.has_held(2)) == (False, True, False)
    bench.control.ask(other, "other")
    assert (bench.control.is_held, bench.control.has_held(1), bench.control.has_held(2)) == (True, True, True)
    assert not bench.control.has_held(3)


def test_an_epoch_counts_changes_of_hands_and_there_is_none_of_no_robot() -> None:
    bench = Bench()
    holder = bench.enter(1)
    assert (bench.control.epoch("arm"), bench.control.epoch("none such")) == (0, -1)
    bench.control.ask(holder, "arm")
    assert (bench.control.epoch("arm"), bench.control.epoch("other")) == (1, 0)


def test_nobody_holds_all_of_no_robots() -> None:
    bench = Bench()
    control = Control("bench", cast("Any", bench), CellView(), cast("Any", bench), lambda: 0.0)
    assert not control.holds_all(cast("Viewer", Person(1)))


@pytest.mark.parametrize(("deadman", "waited", "may"), [(True, 0.49, False), (True, 0.5, True), (False, 0.0, True)])
def test_a_holder_drives_for_half_a_second_after_a_held_deadman(*, deadman: bool, waited: float, may: bool) -> None:
    bench = Bench()
    holder, asker = bench.asked()
    bench.now += 10.0
    bench.send(holder, deadman=deadman)
    bench.now += waited
    bench.control.tell()
    assert bench.lease(asker).may_take == may
    bench.control.take_over(asker, "arm")
    assert bench.control.holds(asker, "arm") == may


def test_whether_one_holder_drove_says_nothing_of_the_next() -> None:
    bench = Bench()
    holder, asker = bench.asked()
    bench.send(holder, deadman=True)
    bench.control.change("arm", lambda lease: lease.__class__(2, lease.epoch + 1))
    bench.control.ask(holder, "arm")
    bench.now += 0.1
    assert not bench.control._drives("arm")
    assert bench.control.holds(asker, "arm")


def test_control_is_kept_for_who_is_away_and_freed_after_five_seconds() -> None:
    bench = Bench()
    holder, asker = bench.asked()
    bench.control.leave(holder)
    assert not bench.lease(asker).present
    bench.control.sweep(bench.now + 4.99)
    assert bench.control.holds(holder, "arm")
    bench.control.join(holder)
    assert bench.lease(asker).present
    bench.control.sweep(bench.now + 6.0)
    assert bench.control.holds(holder, "arm")
    bench.control.leave(holder)
    bench.control.sweep(bench.now + 5.0)
    assert bench.control.holds(asker, "arm")


def test_waiting_times_are_told_every_second_while_somebody_waits() -> None:
    bench = Bench()
    holder, asker = bench.asked()
    told = len(holder.told)
    bench.now += 1.0
    bench.control.sweep(bench.now)
    assert len(holder.told) == told
    bench.now += 0.26
    bench.control.sweep(bench.now)
    assert len(holder.told) == told + 1
    (waiting,) = bench.lease(holder).askers
    assert (waiting.viewer, waiting.name, waiting.waited) == (2, "Person 2", 1.3)
    bench.control.change("arm", lambda lease: lease.__class__(1, 1))
    told = len(asker.told)
    bench.now += 5.0
    bench.control.sweep(bench.now)
    assert len(asker.told) == told


def test_everybody_is_told_at_once_and_only_of_changes() -> None:
    bench = Bench()
    holder, other = bench.enter(1, "Ada"), bench.enter(2)
    changes, told = bench.control.changes, len(other.told)
    assert changes == 0
    bench.control.ask(holder, "arm")
    assert bench.control.changes == changes + 1
    assert len(other.told) > told
    lease, viewers = bench.lease(other), other.told[-1].viewers
    assert (lease.holder, lease.name, lease.epoch, lease.present, viewers) == (1, "Ada", 1, True, 2)
    assert bench.lease(other, "other").name == ""
    assert [worded(note) for note in bench.log] == ["Ada controls arm."]
    told = len(other.told)
    bench.control.sweep(bench.now)
    assert (len(other.told), bench.control.changes) == (told, changes + 1)
    bench.control.change("arm", lambda lease: lease.__class__(None, lease.epoch))
    assert worded(bench.log[-1]) == "Nobody controls arm."


def test_a_change_that_comes_to_nothing_is_answered_too() -> None:
    bench = Bench()
    holder = bench.enter(1)
    bench.control.ask(holder, "arm")
    told = len(holder.told)
    bench.control.ask(holder, "arm")
    assert len(holder.told) == told + 1
    bench.control.ask(holder, "none such")
    assert len(holder.told) == told + 1


@pytest.mark.parametrize(("epochs", "epoch"), [((-1, -1), 1), ((0, 9), 1), ((4, 0), 5), ((), 1)])
def test_a_new_epoch_is_above_what_the_cell_has_heard_of_that_robot(epochs: tuple[int, ...], epoch: int) -> None:
    bench = Bench()
    holder = bench.enter(1)
    bench.known.frame = frame(epochs=epochs)
    bench.control.ask(holder, "arm")
    assert bench.lease(holder).epoch == epoch


def test_a_cell_whose_robots_are_not_known_again_yet_has_heard_nothing() -> None:
    bench = Bench()
    holder = bench.enter(1)
    bench.known.frame, bench.known.scene = frame(epochs=(4, 4)), None
    bench.control.ask(holder, "arm")
    assert bench.lease(holder).epoch == 1


def test_an_epoch_stays_while_its_holder_does() -> None:
    bench = Bench()
    holder = bench.enter(1)
    bench.control.ask(holder, "arm")
    bench.known.frame = frame(epochs=(41, 41))
    bench.control.leave(holder)
    bench.control.join(holder)
    assert bench.lease(holder).epoch == 1


@pytest.mark.parametrize("here", [True, False])
def test_control_under_an_earlier_gateway_is_kept_for_its_holder_under_the_next_epoch(*, here: bool) -> None:
    bench = Bench()
    bench.control.keep("third", 5, "Ada", 8)
    bench.control.keep("fourth", 6, "Bea", 2)
    if here:
        bench.enter(5, "Ada")
    asker = bench.enter(2)
    names = ("arm", "other", "third")
    scene = bench.known.scene = a_scene(*[a_robot(name) for name in names])
    bench.control.take_scene(scene)
    bench.control.take_scene(scene)
    lease = bench.lease(asker, "third")
    assert (lease.holder, lease.name, lease.epoch, lease.present) == (5, "Ada", 9, here)
    bench.control.ask(asker, "third")
    bench.control.take_over(asker, "third")
    assert bench.control.holders() == {"arm": (None, 0), "other": (None, 0), "third": (5, 9)}
    bench.control.sweep(bench.now + 5.0)
    assert bench.control.holders()["third"] == ((5, 9) if here else (2, 10))


def test_a_holder_who_was_never_named_is_a_guest() -> None:
    bench = Bench()
    watcher = bench.enter(1)
    bench.control.change("arm", lambda lease: lease.__class__(9, 1))
    assert bench.lease(watcher).name == "Guest 9"
