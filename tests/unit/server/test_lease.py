"""Who controls a robot: laws of the lease, over any order of asking, yielding, losing and coming back."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from farhand.server.gateway.lease import (
    ANSWER_S,
    FREE,
    KEEP_S,
    ControlRequest,
    Lease,
    ask,
    back,
    expire,
    gone,
    may_take,
    refuse,
    release,
    restored,
    take_over,
    yield_to,
)

people = st.integers(1, 4)
seconds = st.sampled_from([0.0, 0.1, 1.0, KEEP_S - 0.1, KEEP_S, ANSWER_S - 0.1, ANSWER_S])


class Control(RuleBasedStateMachine):
    """People who do whatever they can; the machine keeps its own books on who may get control."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.lease = FREE
        self.wants: dict[int, float] = {}  # who asked, and since when
        self.away: float | None = None  # since when the holder is

    def change(self, after: Lease, *allowed: int | None) -> None:
        """Take a new lease; `allowed` are those who may hold control now if it has changed hands."""
        before, self.lease = self.lease, after
        if after.holder == before.holder:
            assert after.epoch == before.epoch
            return
        assert after.holder in allowed
        if after.holder is None:
            assert after.epoch == before.epoch  # nobody's readings count, so nothing is lost by keeping the number
        else:
            assert after.epoch == before.epoch + 1
            self.wants.pop(after.holder, None)
        self.away = None

    @rule(viewer=people)
    def ask(self, viewer: int) -> None:
        free = self.lease.holder is None
        self.change(ask(self.lease, viewer, self.now), *([viewer] if free else []))
        if self.lease.holder != viewer:
            self.wants.setdefault(viewer, self.now)
        else:
            self.wants.pop(viewer, None)

    @rule(viewer=people)
    def release(self, viewer: int) -> None:
        held, first = self.lease.holder == viewer, next(iter(self.wants), None)
        self.change(release(self.lease, viewer), *([first] if held else []))
        self.wants.pop(viewer, None)
        assert self.lease.holder != viewer

    @rule(holder=people, viewer=people)
    def yield_to(self, holder: int, viewer: int) -> None:
        may = self.lease.holder == holder and viewer in self.wants
        self.change(yield_to(self.lease, holder, viewer), *([viewer] if may else []))
        assert not may or self.lease.holder == viewer

    @rule(holder=people, viewer=people)
    def refuse(self, holder: int, viewer: int) -> None:
        self.change(refuse(self.lease, holder, viewer))
        if self.lease.holder == holder:
            self.wants.pop(viewer, None)

    @rule(viewer=people, driving=st.booleans())
    def take_over(self, viewer: int, driving: bool) -> None:
        waited = self.now - self.wants[viewer] if viewer in self.wants else -1.0
        allowed = waited >= 0.0 and (self.away is not None or (waited >= ANSWER_S and not driving))
        assert may_take(self.lease, viewer, self.now, driving=driving) == allowed
        self.change(take_over(self.lease, viewer, self.now, driving=driving), *([viewer] if allowed else []))
        assert not allowed or self.lease.holder == viewer

    @rule(viewer=people)
    def lose(self, viewer: int) -> None:
        self.change(gone(self.lease, viewer, self.now))
        self.wants.pop(viewer, None)
        if self.lease.holder == viewer:
            self.away = self.now

    @precondition(lambda self: self.away is not None)
    @rule()
    def come_back_in_time(self) -> None:
        holder, epoch = self.lease.holder, self.lease.epoch
        assert holder is not None
        self.change(back(self.lease, holder))
        self.away = None
        assert (self.lease.holder, self.lease.epoch, self.lease.lost) == (holder, epoch, None)

    @rule(viewer=people)
    def somebody_else_comes_back(self, viewer: int) -> None:
        if viewer != self.lease.holder:
            before = self.lease
            self.change(back(self.lease, viewer))
            assert self.lease == before

    @rule(passed=seconds)
    def time_passes(self, passed: float) -> None:
        self.now += passed
        due = self.away is not None and self.now - self.away >= KEEP_S
        first = next(iter(self.wants), None)
        self.change(expire(self.lease, self.now), *([first] if due else []))
        assert not due or self.lease.lost is None

    @invariant()
    def one_holder_who_does_not_ask(self) -> None:
        assert self.lease.holder not in self.wants
        assert [w.viewer for w in self.lease.askers] == list(self.wants)
        assert [w.since for w in self.lease.askers] == list(self.wants.values())

    @invariant()
    def nobody_waits_for_what_is_free(self) -> None:
        assert self.lease.holder is not None or not self.lease.askers

    @invariant()
    def absence_is_known(self) -> None:
        assert self.lease.lost == self.away


TestControl = Control.TestCase
TestControl.settings = settings(max_examples=3 * settings().max_examples, stateful_step_count=40)


def test_the_first_who_asks_gets_control_under_a_new_epoch() -> None:
    assert ask(FREE, 7, 0.0) == Lease(7, 1)
    assert ask(ask(FREE, 7, 0.0), 7, 1.0) == Lease(7, 1)


def test_who_asks_twice_waits_from_the_first_time_on() -> None:
    lease = ask(ask(ask(FREE, 1, 0.0), 2, 3.0), 2, 9.0)
    assert lease.askers == (ControlRequest(2, 3.0),)


def test_a_holder_who_does_not_answer_and_does_not_drive_can_be_relieved() -> None:
    lease = ask(ask(FREE, 1, 0.0), 2, 1.0)
    assert take_over(lease, 2, 1.0 + ANSWER_S, driving=False) == Lease(2, 2)
    assert take_over(lease, 2, 1.0 + ANSWER_S, driving=True) == lease
    assert take_over(lease, 2, 0.9 + ANSWER_S, driving=False) == lease
    assert take_over(lease, 3, 1.0 + ANSWER_S, driving=False) == lease


@pytest.mark.parametrize(("away", "holder"), [(KEEP_S - 0.01, 1), (KEEP_S, 2)])
def test_control_is_kept_for_a_while_and_then_goes_to_who_asked_first(away: float, holder: int) -> None:
    lease = gone(ask(ask(ask(FREE, 1, 0.0), 2, 1.0), 3, 2.0), 1, 3.0)
    assert expire(lease, 3.0 + away).holder == holder


def test_control_that_was_restored_is_its_holders_alone_until_it_expires() -> None:
    lease = ask(restored(1, 3, 0.0), 2, 0.0)
    assert (lease.holder, lease.epoch, lease.lost) == (1, 4, 0.0)
    assert not may_take(lease, 2, 4.9, driving=False)
    assert back(lease, 1) == Lease(1, 4, None, (ControlRequest(2, 0.0),))
    assert back(lease, 2) == lease
    assert expire(lease, 5.0) == Lease(2, 5)


def test_what_nobody_holds_is_asked_for_not_taken() -> None:
    assert not may_take(Lease(askers=(ControlRequest(2, 0.0),)), 2, 99.0, driving=False)
    assert not may_take(Lease(lost=0.0, askers=(ControlRequest(2, 0.0),)), 2, 99.0, driving=False)
    adrift = Lease(None, 3, lost=0.0, askers=(ControlRequest(2, 0.0),))
    assert expire(adrift, 99.0) == adrift


def test_a_holder_who_is_away_can_be_relieved_at_once() -> None:
    lease = gone(ask(ask(FREE, 1, 0.0), 2, 1.0), 1, 2.0)
    assert may_take(lease, 2, 2.0, driving=True)
    assert take_over(lease, 2, 2.0, driving=True) == Lease(2, 2)
