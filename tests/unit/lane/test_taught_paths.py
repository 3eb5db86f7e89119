"""Taught moves: recorded or given point by point, kept as files, run within limits, taken over at any time."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hands import Hand
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from toys import joint
from worded import reason, worded

from farhand.cell import Cell
from farhand.cell.path_library import PathLibrary, data_folder, move_text
from farhand.errors import FileError
from farhand.lane.paths.path_following import Follower
from farhand.lane.paths.path_timing import Route, smooth_rates
from farhand.lane.paths.teaching import MAX_POINTS, Lesson, after_request, extended
from farhand.lane.sources.source import STUCK_S
from farhand.types import (
    Continue,
    FollowPath,
    HoldHere,
    Inputs,
    MoveJoints,
    Reconfigure,
    ResetRobot,
    Setpoint,
    SetSpeed,
    Stop,
    Teach,
    Tick,
    Trajectory,
)

JOINTS = (joint("turn"), joint("shoulder"), joint("elbow"))
vectors = st.tuples(*[st.floats(-1.9, 1.9)] * 3)


@pytest.fixture(scope="module")
def loaded() -> Cell:
    return Cell.load("irb120")


@pytest.fixture
def hand(loaded: Cell) -> Hand:
    loaded.restore(FRESH.setdefault("cell", loaded.snapshot()))  # type: ignore[arg-type] # the cell's
    return Hand(loaded)


FRESH: dict[str, object] = {}


def refusals(tick: Tick) -> list[str]:
    notes = (*tick.notes, *tick.lanes["arm"].notes)
    return [worded(note) for note in notes if note.code in ("lane.refused", "cell.refused")]


def tell(hand: Hand, *events: object) -> list[str]:
    hand.send(*events)  # type: ignore[arg-type] # events
    hand.tick = hand.run.tick()
    return refusals(hand.tick)


def recorded(hand: Hand) -> tuple[Trajectory, list[tuple[float, ...]]]:
    """Teach a way with a rest in it; return it, and all set-points on the way."""
    told: list[tuple[float, ...]] = []
    assert tell(hand, Teach("arm", "record")) == []
    for axes in ((0.6, -0.3), (0.0, 0.5, 0.5), (), (-0.7, 0.0, 0.0, 0.0, 0.4), ()):
        hand.hand.set(axes=axes, deadman=bool(axes))
        for _ in range(150):
            hand.tick = hand.run.tick()
            told.append(hand.tick.lanes["arm"].setpoints["arm"].positions)
    assert tell(hand, Teach("arm", "finish", "pick up")) == []
    taught = hand.tick.lanes["arm"].taught
    assert taught is not None
    assert hand.run.tick().lanes["arm"].taught is None
    return taught, told


def until_idle(hand: Hand, most: int = 6000) -> list[Setpoint]:
    told = []
    for _ in range(most):
        hand.tick = hand.run.tick()
        told.append(hand.tick.lanes["arm"].setpoints["arm"])
        if hand.mode == "idle":
            return told
    raise AssertionError(f"still {hand.mode}: {hand.codes}")


def no_jump(hand: Hand, told: list[Setpoint]) -> None:
    joints, dt = hand.cell.lanes["arm"].model.arm.joints, hand.cell.dt
    for last, now in pairwise(told):
        for i, each in enumerate(joints):
            assert abs(now.positions[i] - last.positions[i]) <= each.velocity * dt * (1.0 + 1e-9)
            assert abs(now.rates[i] - last.rates[i]) <= each.acceleration * dt * (1.0 + 1e-9)


def nearest(way: list[tuple[float, ...]], at: tuple[float, ...]) -> float:
    return float(np.abs(np.array(way) - np.array(at)).max(axis=1).min())


# ── Teaching ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_recording_is_run_along_the_same_way(hand: Hand) -> None:
    taught, way = recorded(hand)
    assert len(taught.points) < 40  # what is straight needs no points
    assert taught.times[-1] < 1.3  # the rest is left out
    tell(hand, FollowPath("arm", taught))
    assert hand.mode == "autonomous"
    assert hand.tick.lanes["arm"].demand.source == "path"
    told = until_idle(hand)
    no_jump(hand, told)
    assert hand.cell.memory["arm"].active is None
    assert told[-1].positions == pytest.approx(way[-1], abs=2e-4)
    start = next(i for i, each in enumerate(told) if math.dist(each.positions, way[0]) < 1e-3)
    assert max(nearest(way, each.positions) for each in told[start::5]) < 4e-3


def test_points_are_gone_through_one_after_the_other(hand: Hand) -> None:
    points = []
    for axes in ((0.0, 0.4), (0.5,), (0.0, 0.0, -0.4)):
        hand.drive(0.3, *axes)
        hand.drive(0.3)
        assert tell(hand, Teach("arm", "point")) == []
        points.append(hand.tick.lanes["arm"].setpoints["arm"].positions)
    assert tell(hand, Teach("arm", "point")) == ["Refused: arm cannot record that: the arm is still at the last point."]
    assert hand.tick.lanes["arm"].lesson == 3
    assert tell(hand, Teach("arm", "record"))[0].endswith("save or discard it first.")
    tell(hand, Teach("arm", "finish", "three"))
    taught = hand.tick.lanes["arm"].taught
    assert taught == Trajectory("three", tuple(points))
    assert hand.tick.lanes["arm"].lesson == -1
    tell(hand, FollowPath("arm", taught))
    told = until_idle(hand)
    no_jump(hand, told)
    passed = [min(range(len(told)), key=lambda k: math.dist(told[k].positions, point)) for point in points]
    assert passed == sorted(passed)
    assert all(math.dist(told[k].positions, point) < 1e-3 for k, point in zip(passed, points, strict=True))


def test_a_lesson_that_cannot_be_is_refused_with_a_sentence(hand: Hand) -> None:
    assert tell(hand, Teach("arm", "finish", "x")) == ["Refused: arm cannot record that: no recording is running."]
    assert tell(hand, Teach("arm", "discard")) == ["Refused: arm cannot record that: no recording is running."]
    tell(hand, Teach("arm", "record"))
    said = tell(hand, Teach("arm", "finish", "x"))
    assert said == ["Refused: arm cannot record that: there is nothing to save yet: drive the arm, or add points."]
    assert tell(hand, Teach("arm", "point"))[0].startswith("Refused: arm cannot record that: a recording is running")
    assert "is not a valid name" in tell(hand, Teach("arm", "finish", "../x"))[0]
    assert "no recording action is called 'sing'" in tell(hand, Teach("arm", "sing"))[0]  # type: ignore[arg-type] # on purpose
    assert hand.tick.lanes["arm"].recording
    assert tell(hand, ResetRobot("arm")) == []  # a robot that is put elsewhere cannot go on recording its way
    assert hand.tick.lanes["arm"].lesson == -1


def test_a_recording_that_ends_with_a_reset_is_said_to_be_dropped(hand: Hand) -> None:
    tell(hand, Teach("arm", "record"))
    hand.drive(0.2, 0.5)
    hand.send(ResetRobot("arm"))
    hand.tick = hand.run.tick()
    said = "The recording was discarded: the robot was moved or changed. Start it again."
    assert said in [worded(note) for note in hand.tick.lanes["arm"].notes]
    assert hand.tick.lanes["arm"].lesson == -1
    hand.tick = hand.run.tick()
    assert "lesson.dropped" not in hand.codes  # said once


def test_a_full_lesson_says_so_and_takes_no_more() -> None:
    def now(i: int) -> Setpoint:
        return Setpoint((0.001 * i, math.sin(i)), (float(i % 2 + 1), 1.0), (0.0, 0.0))

    lesson, _, _ = after_request(None, Teach("arm", "record"), now(0))
    assert lesson is not None
    notes: tuple[object, ...] = ()
    for i in range(1, MAX_POINTS + 50):
        lesson, notes = extended(lesson, now(i), 0.02)
    assert len(lesson.kept) == MAX_POINTS
    assert notes
    points = Lesson("points", tuple((float(i), (0.01 * i,), ()) for i in range(MAX_POINTS)))
    assert "at most" in reason(after_request(points, Teach("arm", "point"), Setpoint((99.0,), (0.0,), (0.0,)))[2])


# ── Running a path ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("tick", [3, 200, 700])
def test_a_press_takes_over_without_a_jump_and_continue_takes_it_up_again(hand: Hand, tick: int) -> None:
    taught, way = recorded(hand)
    tell(hand, FollowPath("arm", taught))
    told = []
    for number in range(tick + 400):
        if number == tick:
            hand.hand.set(deadman=True, axes=(0.0, 0.0, -0.4))
        if number == tick + 150:
            hand.hand.release()
        hand.tick = hand.run.tick()
        told.append(hand.tick.lanes["arm"].setpoints["arm"])
        if number == tick + 1:
            assert hand.mode == "teleoperation"
    assert hand.mode == "idle"
    assert hand.tick.lanes["arm"].waiting
    tell(hand, Continue("arm"))
    told += until_idle(hand)
    no_jump(hand, told)
    assert told[-1].positions == pytest.approx(way[-1], abs=2e-4)


def test_the_speed_level_and_a_lost_operator_count_as_in_any_move(hand: Hand) -> None:
    taught, _ = recorded(hand)
    took = []
    for level in (5, 4):
        tell(hand, SetSpeed("arm", level), FollowPath("arm", taught))
        took.append(len(until_idle(hand)))
    assert took[1] > 1.3 * took[0]
    tell(hand, FollowPath("arm", taught))
    hand.run.run(0.3)
    for _ in range(100):
        hand.tick = hand.cell.step()
    assert hand.mode == "paused"
    tell(hand, HoldHere("arm"))
    assert not hand.tick.lanes["arm"].waiting
    tell(hand, Stop())
    assert tell(hand, FollowPath("arm", taught)) == [
        "Refused: arm cannot move by itself: the robot is stopped; reset it first."
    ]


def test_a_path_that_is_held_to_a_crawl_is_not_given_up(hand: Hand) -> None:
    taught, _ = recorded(hand)
    tell(hand, MoveJoints("arm", taught.points[0]))
    until_idle(hand)
    tell(hand, Reconfigure("arm", "filter", "limits", {"speed": 0.005}))
    tell(hand, FollowPath("arm", taught))
    start = hand.joints
    hand.drive(4.0)
    assert (hand.mode, "lane.stuck" in hand.codes) == ("autonomous", False)
    assert math.dist(start, hand.joints) > 0.01


@pytest.mark.parametrize("pace", [1.0, 0.005])
def test_a_way_is_followed_through_its_rests_at_any_pace_and_given_up_where_nothing_moves(pace: float) -> None:
    taught = Trajectory("way", ((0.0,) * 3, (0.1,) * 3, (0.2,) * 3), (0.0, 0.4, 0.8), ((0.0,) * 3,) * 3)
    follower, still = Follower(JOINTS, 0.01), Setpoint((0.0,) * 3, (0.0,) * 3, (0.0,) * 3)
    move, at, arrived = follower.begin(taught, 0.0, still, pace), still, False
    while not arrived:
        track, move, arrived = follower.follow(move, at, pace)
        at = Setpoint(track.positions, tuple(b - a for a, b in zip(at.positions, track.positions, strict=True)), ())
        at = replace(at, rates=tuple(rate / 0.01 for rate in at.rates))
        assert move.waited < STUCK_S
    assert at.positions == pytest.approx((0.2,) * 3, abs=1e-3)
    move = follower.begin(taught, 0.0, still, pace)
    for _ in range(10_000):
        _, move, arrived = follower.follow(move, still, pace)
    assert not arrived
    assert move.waited > STUCK_S


def test_a_path_is_the_same_to_the_bit(hand: Hand) -> None:
    taught, _ = recorded(hand)
    saved = hand.cell.snapshot()
    inputs = [Inputs(events=(FollowPath("arm", taught),))] + [Inputs()] * 400
    hand.cell.restore(saved)
    first = [hand.cell.step(each) for each in inputs]
    fresh = Cell.load("irb120")
    fresh.restore(saved)
    assert [fresh.step(each) for each in inputs] == first


GOOD = Trajectory("way", ((0.1,) * 6, (0.2,) * 6), (0.0, 1.0), ((0.0,) * 6, (0.0,) * 6))


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Trajectory("way", ((0.1,) * 5,)), "arm has 6 joints, point 1 of way has 5 numbers"),
        (Trajectory("way", ((0.1,) * 6, (math.nan,) * 6)), "cannot go to nan"),
        (Trajectory("way", ((0.1,) * 6, (9.0,) * 6)), "cannot go to 9; its range is"),
        (Trajectory("way", ()), "way has 0 points, expected 1 to 2002"),
        (Trajectory("way", ((0.1,) * 6,) * 2003), "way has 2003 points, expected 1 to 2002"),
        (Trajectory("", GOOD.points), "'' is not a valid name"),
        (Trajectory("way", GOOD.points, (0.0,), GOOD.rates), "2 points, 1 times and 2 rows of rates"),
        (Trajectory("way", GOOD.points, (0.5, 1.0), GOOD.rates), "must start at 0 and end at 3600 s at most"),
        (Trajectory("way", GOOD.points, (0.0, 4000.0), GOOD.rates), "must start at 0 and end at 3600 s at most"),
        (Trajectory("way", GOOD.points, (0.0, 0.0), GOOD.rates), "the times of way must rise"),
        (Trajectory("way", GOOD.points, (0.0, math.nan), GOOD.rates), "must start at 0"),
        (Trajectory("way", GOOD.points, (0.0, 1.0), ((0.0,) * 6, (math.inf,) * 6)), "way has invalid rates"),
    ],
)
def test_what_no_arm_can_follow_is_refused_with_a_sentence(hand: Hand, bad: Trajectory, said: str) -> None:
    (text,) = tell(hand, FollowPath("arm", bad))
    assert said in text
    assert hand.mode == "idle"


@settings(max_examples=60)
@given(st.lists(vectors, min_size=2, max_size=8), st.floats(0.01, 2.0), st.booleans())
def test_any_way_is_stretched_until_the_joints_can_follow(
    points: list[tuple[float, ...]], seconds: float, moving: bool
) -> None:
    times = [seconds * i for i in range(len(points))]
    rates = smooth_rates(points, times) if moving else ((0.0,) * 3,) * len(points)
    route = Route(Trajectory("way", tuple(points), tuple(times), rates), JOINTS, 0.9)
    at = np.linspace(0.0, route.duration, 300)[:-1]
    step = at[1] - at[0]
    found = np.array([route.at(t)[1] for t in at])
    for i, each in enumerate(JOINTS):
        assert np.abs(found[:, i]).max() <= 0.9 * each.velocity * (1.0 + 1e-6)
        assert np.abs(np.diff(found[:, i])).max() <= 0.9 * each.acceleration * step * (1.0 + 1e-6)
    assert np.array([route.at(t)[0] for t in route.times]) == pytest.approx(np.array(points))


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_moves_are_kept_as_readable_files_and_found_again(tmp_path: Path) -> None:
    library = PathLibrary("irb120", tmp_path)
    points = Trajectory("pick up", ((0.25, -1.5), (0.5, 1e-9)))
    timed = Trajectory("ärm 2", ((0.0, 0.0), (1.0, 0.5)), (0.0, 1.5), ((0.0, 0.0), (0.0, 0.0)))
    path = library.keep("arm", points)
    library.keep("arm", timed)
    assert path.read_text().splitlines()[1:] == [
        'name = "pick up"',
        "points = [",
        "    [0.25, -1.5],",
        "    [0.5, 0.0],",
        "]",
    ]
    found, problems = library.read()
    assert problems == []
    assert found == {"arm": {"pick up": Trajectory("pick up", ((0.25, -1.5), (0.5, 0.0))), "ärm 2": timed}}
    library.remove("arm", "pick up")
    library.remove("arm", "pick up")
    assert list(library.read()[0]["arm"]) == ["ärm 2"]
    assert PathLibrary("another", tmp_path).read() == ({}, [])


def test_a_file_that_is_no_move_is_left_out_with_a_sentence(tmp_path: Path) -> None:
    library = PathLibrary("irb120", tmp_path)
    path = library.keep("arm", Trajectory("good", ((0.0,),)))
    for i, text in enumerate(("name = 3", 'name = "x"', "[[", move_text(Trajectory("../x", ((0.0,),))))):
        (path.parent / f"{i}.toml").write_text(text)
    found, problems = library.read()
    assert list(found["arm"]) == ["good"]
    assert len(problems) == 4
    assert all(text.startswith("A recorded path was skipped: ") for text in problems)


def test_names_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    library = PathLibrary("../../cell", tmp_path / "data")
    path = library.keep("../arm", Trajectory("a.b", ((0.0,),)))
    assert path.resolve().is_relative_to(tmp_path / "data" / "moves")


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "moves").write_text("in the way")
    with pytest.raises(FileError, match="cannot be written"):
        PathLibrary("irb120", tmp_path).keep("arm", Trajectory("way", ((0.0,),)))


def test_the_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FARHAND_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("FARHAND_DATA")
    assert data_folder().name == "farhand"


def test_a_folder_that_may_not_be_read_is_said_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = PathLibrary("bench", tmp_path)

    def denied(*arguments: object) -> None:
        raise PermissionError(13, "Permission denied")  # as its file system tells a user without rights; root has all

    monkeypatch.setattr(Path, "glob", denied)
    assert library.read() == (
        {},
        [f"Recorded paths were skipped: {library.folder}: cannot be read: Permission denied."],
    )
