"""A tip that tracks a hand: led within speed and acceleration, exactly where it can be, and never with a jump."""

import math
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand import Cell, Run
from farhand.filters.filter import View
from farhand.filters.smooth import Smooth
from farhand.poses import IDENTITY, Pose, Vec3, angle_between, from_rotation_vector
from farhand.types import Demand, Feedback, GroupState, Reading, RobotState, SetScale, TipTrack, Twist

DT = 0.002
ROBOT = RobotState({"arm": GroupState((), (), ())}, IDENTITY)
places = st.tuples(*[st.floats(-1.0, 1.0)] * 3)
turns = st.tuples(*[st.floats(-1.0, 1.0)] * 3)


def led(targets: list[TipTrack], level: float = 1.0, each: int = 1) -> list[TipTrack]:
    """Return where targets lead a tip that follows at once."""
    stage, memory, tip, found = Smooth(), None, IDENTITY, []
    for target in targets:
        for _ in range(each):
            view = View(ROBOT, tip, 0.0, level, DT)
            demand, memory, _ = stage(Demand("hand", {"arm": target}), view, memory)
            track = demand.motions["arm"]
            assert isinstance(track, TipTrack)
            tip = track.pose
            found.append(track)
    return found


@given(st.lists(st.tuples(places, turns, places), min_size=1, max_size=8), st.floats(0.05, 1.0))
def test_a_tracked_tip_keeps_to_speed_and_acceleration_whatever_the_hand_does(
    wanted: list[tuple[Vec3, Vec3, Vec3]], level: float
) -> None:
    """Targets jump through the room and lie about their velocity."""
    limits = Smooth()
    targets = [TipTrack(Pose(p, from_rotation_vector(w)), v, v) for p, w, v in wanted]
    last: Vec3 = (0.0, 0.0, 0.0)
    before = IDENTITY
    for track in led(targets, level, each=40):
        moved = math.dist(track.pose.position, before.position)
        assert moved <= level * limits.speed * DT + 1e-9
        assert angle_between(track.pose.rotation, before.rotation) <= level * limits.turn_speed * DT + 1e-6
        assert math.dist(track.linear, last) <= limits.braking * DT + 1e-9
        last, before = track.linear, track.pose


@given(places, turns)
def test_a_target_that_rests_is_reached_without_going_past_it(place: Vec3, turn: Vec3) -> None:
    target = TipTrack(Pose(place, from_rotation_vector(turn)))
    tracks = led([target], each=3000)
    distances = [math.dist(track.pose.position, place) for track in tracks]
    assert distances[-1] < 1e-6
    assert all(b <= a + 1e-9 for a, b in pairwise(distances))
    assert angle_between(tracks[-1].pose.rotation, target.pose.rotation) < 1e-5


def test_a_hand_within_the_limits_is_followed_exactly() -> None:
    def at(time: float) -> TipTrack:
        gentle = 0.5 * 0.4 * time * time  # from rest
        return TipTrack(Pose((gentle, 0.0, 0.0)), (0.4 * time, 0.0, 0.0))

    times = [DT * (k + 1) for k in range(500)]
    tracks = led([at(time) for time in times])
    for time, track in zip(times, tracks, strict=True):
        assert track.pose.position[0] == pytest.approx(at(time).pose.position[0], abs=2e-5)


# ── A whole cell ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Swinging:
    """A hand that swings to and fro along x, gently at first, with a top speed of 0.1 m/s."""

    rate, top = math.tau * 0.5, 0.1

    def __init__(self, begins: float = 0.5) -> None:
        self.begins, self.sequence = begins, 0

    def place(self, now: float) -> tuple[float, float]:
        """Return where it is along x, and how fast."""
        time = now - self.begins
        if time <= 0.0:
            return 0.0, 0.0
        reach, growing = self.top / self.rate, min(1.0, time)
        swing, speed = math.sin(self.rate * time), self.rate * math.cos(self.rate * time)
        return reach * growing * swing, reach * (growing * speed + (swing if time < 1.0 else 0.0))

    def step(self, feedback: Feedback, now: float) -> Reading:
        self.sequence += 1
        x, v = self.place(now)
        return Reading(
            sequence=self.sequence,
            tick=feedback.tick,
            deadman=now > 0.1,
            pose=Pose((x, 0.0, 0.0)),
            twist=Twist((v, 0.0, 0.0)),
        )


@pytest.fixture(scope="module")
def make() -> Callable[[dict[str, object]], Cell]:
    plain = Cell.load("irb120")

    def made(mapping: dict[str, object]) -> Cell:
        arm = replace(plain.spec.robots["arm"], mappings={"hand": mapping})
        return Cell(replace(plain.spec, robots={"arm": arm}, speed_level=5), plain.path)

    return made


@pytest.mark.parametrize("kind", ["clutch", "hybrid", "velocity"])
def test_a_steady_hand_is_followed_within_a_millimetre(make: Callable[[dict[str, object]], Cell], kind: str) -> None:
    cell, hand = make({"kind": kind}), Swinging()
    run = Run(cell, {"hand": hand})
    start = cell.state.robots["arm"].T_base_tip.position
    errors = []
    for _ in range(3000):
        now = cell.time
        tip = run.tick().state.robots["arm"].T_base_tip.position
        errors.append(math.dist(tip, (start[0] + hand.place(now)[0], start[1], start[2])))
    assert max(errors) < 1e-3
    assert max(errors[-1000:]) < 1.2 * max(errors[1000:2000]) + 5e-5  # it does not grow


def test_another_scale_is_taken_up_without_a_jump(make: Callable[[dict[str, object]], Cell]) -> None:
    cell = make({"kind": "clutch"})
    run, last, fastest = Run(cell, {"hand": Swinging()}), cell.state.robots["arm"].T_base_tip.position, 0.0
    for number in range(2000):
        if number == 800:
            run.send(SetScale("arm", 0.25))
        tick = run.tick()
        tip = tick.state.robots["arm"].T_base_tip.position
        fastest = max(fastest, math.dist(tip, last) / cell.dt)
        last = tip
    assert fastest < 0.12
    assert tick.lanes["arm"].scale == 0.25
    run.send(SetScale("arm", 1e9))
    assert "Refused: scale 1e+09 is outside 0.02 to 50." in [worded(note) for note in run.tick().lanes["arm"].notes]


@settings(deadline=None, max_examples=5)
@given(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_a_hand_that_jumps_a_metre_is_followed_gently(
    make: Callable[[dict[str, object]], Cell], x: float, y: float
) -> None:
    cell, hand = make({"kind": "clutch"}), Swinging()
    run, last, fastest = Run(cell, {"hand": hand}), cell.state.robots["arm"].T_base_tip.position, 0.0

    def jumped(now: float) -> tuple[float, float]:
        return (x if now > 0.6 else 0.0), 0.0

    hand.place = jumped  # type: ignore[method-assign] # on purpose
    for _ in range(700):
        tip = run.tick().state.robots["arm"].T_base_tip.position
        fastest = max(fastest, math.dist(tip, last) / cell.dt)
        last = tip
    assert fastest < 1.05  # the filter's top speed, and a little for the drive
