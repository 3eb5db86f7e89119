"""Joints that a leader leads: never faster than the speed level, and no lunge when what was in the way goes."""

import pytest
from hands import Hand
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.lane.motion.pacing import paced
from farhand.lane.motion.servo_stage import TRACK_GAIN
from farhand.types import AddObject, JointTrack, ObjectSpec, RemoveObject

numbers = st.floats(-3.0, 3.0)


@given(st.tuples(numbers, numbers), st.tuples(numbers, numbers), st.tuples(numbers, numbers), st.floats(0.01, 0.99))
def test_no_joint_is_led_faster_than_the_level_and_none_that_is_slower_is_altered(
    positions: tuple[float, float], rates: tuple[float, float], told: tuple[float, float], share: float
) -> None:
    top = (1.0, 2.0)
    track, notes = paced(JointTrack(positions, rates), told, top, share)
    slowed = False
    for i in range(2):
        asked = rates[i] + TRACK_GAIN * (positions[i] - told[i])
        most = share * top[i]
        led = track.rates[i] + TRACK_GAIN * (track.positions[i] - told[i])
        assert led == pytest.approx(min(max(asked, -most), most))
        if abs(asked) <= most:
            assert (track.positions[i], track.rates[i]) == (positions[i], rates[i])
        slowed = slowed or abs(asked) > most
    assert bool(notes) == slowed


def test_at_full_speed_a_track_passes_as_it_is() -> None:
    track = JointTrack((3.0,), (9.0,))
    assert paced(track, (0.0,), (1.0,), 1.0) == (track, ())


def test_a_robot_that_was_blocked_does_not_lunge_after_its_leader() -> None:
    path = find_cell("irb120")
    spec = read_cell(path)
    arm = replace(spec.robots["arm"], mappings={"copy": {"kind": "copy-joints"}})
    cell = Cell(replace(spec, robots={"arm": arm}), path)
    hand = Hand(cell, "copy", speed=1)
    q, dt, top = list(cell.lanes["arm"].home), cell.dt, cell.lanes["arm"].model.arm.joints[0].velocity
    tip = hand.tip.position

    def lead(seconds: float, rate: float = 0.0) -> float:
        """Lead the first joint, and return how fast it was told to turn at most."""
        fastest = 0.0
        for _ in range(round(seconds / dt)):
            q[0] += rate * dt
            hand.hand.set(joints=tuple(q), deadman=True)
            hand.tick = hand.run.tick()
            fastest = max(fastest, abs(hand.tick.lanes["arm"].setpoints["arm"].rates[0]))
        return fastest

    hand.hand.set(joints=tuple(q), deadman=False)
    hand.run.tick()
    lead(0.2)
    wall = ObjectSpec(name="wall", size=(0.6, 0.02, 0.8), position=(tip[0], 0.15, 1.0), mass=0.0, touch="never")
    hand.send(AddObject(wall))
    lead(2.0, 0.5)
    blocked = hand.joints[0]
    assert blocked < 0.3
    assert "mapping.slip.joint" in hand.codes
    hand.send(RemoveObject("wall"))
    most = 0.05 * top * 1.2  # with what the jerk limit swings over
    assert lead(1.0) <= most
    assert hand.joints[0] - blocked <= 0.11
    assert hand.codes == ["mapping.apart"]
    # Taken anew, it is led to the leader slowly.
    hand.hand.set(joints=tuple(q), deadman=False)
    hand.run.tick()
    assert lead(5.0) <= most
    assert hand.joints[0] == pytest.approx(q[0], abs=0.01)
