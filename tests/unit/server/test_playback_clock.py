"""The clock of a playback: moment, speed, direction, loop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.server.cell_process.playback_clock import MAX_SPEED, MIN_SPEED, Extent, PlaybackState, advanced, applied
from farhand.server.protocol.messages import Playback

WHOLE = Extent(2.0, 12.0)
HERE = PlaybackState(5.0)


def order(action: str, value: float = 0.0, until: float = 0.0) -> Playback:
    return Playback(action=action, value=value, until=until)  # type: ignore[arg-type]  # a test may give any


def test_a_paused_playback_stays() -> None:
    assert advanced(HERE, 3.0, WHOLE) is HERE


@pytest.mark.parametrize(("speed", "moment"), [(1.0, 5.5), (16.0, 12.0), (0.1, 5.05), (-1.0, 4.5), (-8.0, 2.0)])
def test_time_goes_on_at_the_speed_in_its_direction(speed: float, moment: float) -> None:
    state = advanced(PlaybackState(5.0, playing=True, speed=speed), 0.5, WHOLE)
    assert state.moment == pytest.approx(moment)


@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_it_stops_at_either_end_and_begins_again_at_the_other(speed: float) -> None:
    ended = advanced(PlaybackState(5.0, playing=True, speed=speed), 100.0, WHOLE)
    assert (ended.moment, ended.playing) == (12.0 if speed > 0 else 2.0, False)
    again = applied(ended, order("play"), WHOLE)
    assert (again.moment, again.playing) == (2.0 if speed > 0 else 12.0, True)


@pytest.mark.parametrize(("speed", "moment"), [(1.0, 4.5), (-1.0, 5.5)])
def test_a_loop_goes_on_at_its_other_end(speed: float, moment: float) -> None:
    loop = Extent(4.0, 6.0)
    state = advanced(PlaybackState(5.0, playing=True, speed=speed, loop=loop), 1.5, WHOLE)
    assert state.moment == pytest.approx(moment)
    assert state.playing


def test_a_loop_is_put_in_order_and_taken_up_at_once() -> None:
    state = applied(HERE, order("loop", 9.0, 7.0), WHOLE)
    assert (state.loop, state.moment) == (Extent(7.0, 9.0), 7.0)
    assert applied(state, order("unloop"), WHOLE).loop is None


def test_too_short_a_loop_is_none() -> None:
    assert applied(HERE, order("loop", 5.0, 5.01), WHOLE).loop is None


def test_going_elsewhere_ends_a_loop_and_going_within_keeps_it() -> None:
    looping = applied(HERE, order("loop", 4.0, 6.0), WHOLE)
    assert applied(looping, order("seek", 5.5), WHOLE).loop == Extent(4.0, 6.0)
    assert applied(looping, order("seek", 8.0), WHOLE).loop is None


def test_a_seek_stays_inside_the_record_and_goes_on_playing() -> None:
    state = applied(PlaybackState(5.0, playing=True), order("seek", 99.0), WHOLE)
    assert (state.moment, state.playing) == (12.0, True)


@pytest.mark.parametrize(
    ("asked", "given_"), [(0.0, MIN_SPEED), (-0.0, -MIN_SPEED), (99.0, MAX_SPEED), (-99.0, -MAX_SPEED)]
)
def test_the_speed_stays_in_its_bounds(asked: float, given_: float) -> None:
    assert applied(HERE, order("speed", asked), WHOLE).speed == given_


def test_a_step_pauses() -> None:
    assert not applied(PlaybackState(5.0, playing=True), order("step", 1), WHOLE).playing


@given(
    st.floats(2.0, 12.0),
    st.floats(-16.0, 16.0),
    st.floats(0.0, 1e4),
    st.one_of(st.none(), st.just(Extent(4.0, 6.0))),
)
def test_the_moment_never_leaves_the_record(moment: float, speed: float, elapsed: float, loop: Extent | None) -> None:
    state = PlaybackState(moment, playing=True, speed=speed, loop=loop)
    later = advanced(state, elapsed, WHOLE)
    assert WHOLE.first <= later.moment <= WHOLE.last
