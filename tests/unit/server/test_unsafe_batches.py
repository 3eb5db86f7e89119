"""Batches are held until they are safe, sent again when they are asked for, and dropped oldest first."""

from hypothesis import given
from hypothesis import strategies as st

from farhand.server.cell_process.unsafe_batches import Held, UnsafeBatches
from farhand.server.protocol.recording_messages import Safe

DT = 0.002
TICKS = 50  # of a batch


def held(number: int, size: int = 100) -> Held:
    """Return the batch of a number; number 1 comes before the first tick."""
    first = (number - 2) * TICKS + 1
    return Held(1, 1, 0, bytes(size)) if number == 1 else Held(number, first, first + TICKS - 1, bytes(size))


def filled(count: int, **limits: int) -> UnsafeBatches:
    batches = UnsafeBatches(DT, **limits)
    for number in range(1, count + 1):
        batches.add(held(number))
    return batches


def due(batches: UnsafeBatches, tick: int = 0) -> list[int]:
    """Return the numbers of the batches that are sent now."""
    sent = []
    while (batch := batches.next(tick)) is not None:
        sent.append(batch.number)
    return sent


def safe(tick: int, *, resend: bool = False) -> Safe:
    return Safe("run", tick, tick + 1, resend)


def test_batches_are_sent_once_and_in_order() -> None:
    batches = filled(3)
    assert due(batches) == [1, 2, 3]
    assert due(batches, 100) == []


def test_safe_batches_are_dropped() -> None:
    batches = filled(4)
    due(batches)
    batches.take(safe(2 * TICKS), 0)
    assert (len(batches), batches.oldest, batches.bytes) == (1, 4, 100)


def test_the_first_batch_waits_for_the_first_safe_tick() -> None:
    batches = filled(1)
    due(batches)
    batches.take(safe(0), 0)
    assert batches.oldest == 1


def test_no_more_than_a_window_is_on_the_way() -> None:
    batches = filled(5, window=250)
    assert due(batches) == [1, 2]
    batches.take(safe(TICKS), 0)
    assert due(batches) == [3, 4]


def test_one_batch_is_sent_however_large_it_is() -> None:
    batches = UnsafeBatches(DT, window=10)
    batches.add(held(1, size=1000))
    assert due(batches) == [1]


def test_batches_are_sent_again_from_the_wanted_tick() -> None:
    batches = filled(5)
    due(batches)
    batches.take(safe(TICKS, resend=True), 0)
    assert due(batches) == [3, 4, 5]


def test_a_recorder_that_has_nothing_gets_the_first_batch_too() -> None:
    batches = filled(3)
    due(batches)
    batches.take(safe(0, resend=True), 0)
    assert due(batches) == [1, 2, 3]


def test_batches_are_sent_again_after_a_second_without_an_answer() -> None:
    batches = filled(2)
    assert due(batches, 10) == [1, 2]
    assert due(batches, 509) == []
    assert due(batches, 510) == [1, 2]


def test_an_acknowledgement_defers_the_next_attempt() -> None:
    batches = filled(3)
    due(batches, 0)
    batches.take(safe(TICKS), 400)
    assert due(batches, 899) == []
    assert due(batches, 900) == [3]


def test_the_oldest_are_dropped_when_there_are_too_many() -> None:
    batches = filled(10, store=300)
    assert (len(batches), batches.oldest, batches.bytes) == (3, 8, 300)
    assert due(batches) == [8, 9, 10]


@given(st.data())
def test_every_batch_arrives_in_order_however_many_are_lost(data: st.DataObject) -> None:
    batches, last, tick = UnsafeBatches(DT, window=350), 0, 0  # number of the last batch that arrived in order
    for number in range(1, 21):
        batches.add(held(number))
    for step in range(60):
        good = step >= 40
        tick += 600
        while (batch := batches.next(tick)) is not None:
            if batch.number == last + 1 and (good or data.draw(st.booleans(), label="arrives")):
                last = batch.number
        if good or data.draw(st.booleans(), label="answered"):
            resend = good or data.draw(st.booleans(), label="resend")
            batches.take(safe(max(0, last - 1) * TICKS, resend=resend), tick)
    assert (last, len(batches)) == (20, 0)
