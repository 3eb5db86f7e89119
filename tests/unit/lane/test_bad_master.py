"""Masters that misbehave: the robot holds or follows gently, a note says why, and nothing else is disturbed."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace
from worded import worded

from farhand import Cell, Run
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.config import convert
from farhand.masters import Master, Modelled, PathIntent, PathSpec
from farhand.poses import Pose
from farhand.types import Feedback, Reading, Tick, Twist

BREAKS = 1.0  # s: when it goes wrong
NAN = math.nan
Spoil = Callable[[Reading, float], Reading | None]
CIRCLE = {"shape": "circle", "axis": "x", "amplitude": 0.03, "period": 3.0, "ease": 0.5, "delay": 0.01}
PATH = {"kind": "path", **CIRCLE}


class Spoiled:
    """A master whose readings go wrong from a moment on."""

    def __init__(self, inner: Master, spoil: Spoil) -> None:
        self.inner, self.spoil = inner, spoil
        self.good = Reading()

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        reading = self.inner.step(feedback, now)
        assert reading is not None
        if now >= BREAKS:
            return self.spoil(reading, now)
        self.good = reading
        return reading


def cell(mapping: dict[str, Any]) -> Cell:
    """Two robots far from each other: "arm" is driven by what goes wrong, "other" by what does not."""
    spec = CellSpec(
        name="two",
        speed_level=5,
        robots={
            "arm": RobotSpec(model="irb120", master="bad", mappings={"hand": mapping}),
            "other": RobotSpec(
                model="scara", position=(0.0, 3.0, 0.6), master="good", mappings={"hand": {"kind": "clutch"}}
            ),
        },
        masters={"bad": PATH, "good": PATH},
    )
    return Cell(spec, Cell.load("irb120").path)


def hand() -> PathIntent:
    return PathIntent(convert(CIRCLE, PathSpec))


def drive(
    spoil: Spoil, mapping: dict[str, Any] | None = None, seconds: float = 2.6, inner: Master | None = None
) -> list[Tick]:
    made = cell(mapping or {"kind": "clutch"})
    masters = {"bad": Spoiled(inner or hand(), spoil), "good": made.masters["good"]}
    run = Run(made, masters)
    return [run.tick() for _ in range(round(seconds / made.dt))]


@cache
def undisturbed() -> tuple[tuple[float, ...], ...]:
    """Where the other robot goes when nothing is wrong."""
    return others(drive(lambda reading, _: reading))


def others(ticks: list[Tick]) -> tuple[tuple[float, ...], ...]:
    return tuple(tick.state.robots["other"].groups["arm"].positions for tick in ticks)


def fastest(ticks: list[Tick]) -> float:
    places = [tick.state.robots["arm"].T_base_tip.position for tick in ticks]
    return max(math.dist(a, b) for a, b in pairwise(places)) / 0.002


def texts(ticks: list[Tick]) -> set[str]:
    return {worded(note) for tick in ticks for note in tick.lanes["arm"].notes}


def still(ticks: list[Tick]) -> bool:
    """Tell whether the arm did not move in the last fifth of a second."""
    first, last = ticks[-100], ticks[-1]
    return math.dist(*[t.state.robots["arm"].T_base_tip.position for t in (first, last)]) < 1e-5


def check_others(ticks: list[Tick]) -> None:
    assert {tick.lanes["other"].mode for tick in ticks[10:]} == {"teleoperation"}
    assert tuple(ticks[k].notes for k in range(len(ticks)) if ticks[k].notes) == ()
    for here, there in zip(others(ticks), undisturbed(), strict=False):
        assert here == pytest.approx(there, abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"pose": Pose((NAN, 0.0, 0.0))}, "the master sent an invalid pose."),
        ({"pose": Pose((math.inf, 0.0, 0.0))}, "the master sent an invalid pose."),
        ({"pose": Pose((0.0, 0.0, 0.0), (NAN, 0.0, 0.0, 0.0))}, "the master sent an invalid pose."),
        ({"pose": Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0))}, "the master sent an invalid pose."),
        ({"twist": Twist((0.0, NAN, 0.0))}, "the master sent a velocity that is not a number."),
        ({"joints": (0.0, NAN)}, "the master sent a joint position that is not a number."),
        ({"axes": (NAN,)}, "the master sent an axis that is not between -1 and 1."),
        ({"grip": NAN}, "the master sent a grip that is not between 0 and 1."),
    ],
)
def test_what_is_no_number_stops_the_robot(wrong: dict[str, Any], text: str) -> None:
    ticks = drive(lambda reading, _: replace(reading, **wrong), seconds=1.8)
    assert ticks[-1].lanes["arm"].mode == "stopped"
    assert any(text in said for said in texts(ticks))
    assert still(ticks)
    assert fastest(ticks) < 0.2
    check_others(ticks)


@pytest.mark.parametrize("kind", ["clutch", "hybrid", "absolute", "velocity"])
@pytest.mark.parametrize("told", [True, False])
def test_a_dash_of_a_metre_is_followed_gently(kind: str, told: bool) -> None:
    """With and without a velocity beside it."""

    def dash(reading: Reading, now: float) -> Reading:
        assert reading.pose is not None
        x, y, z = reading.pose.position
        return replace(reading, pose=Pose((x, y + dashed(now, 1.0), z)), twist=reading.twist if told else None)

    start = Cell.load("irb120").state.robots["arm"].T_base_tip
    place = {"at": (start.position[0], 0.0, 0.35), "turn": False, "rotation": start.rotation}
    ticks = drive(dash, {"kind": kind, **(place if kind == "absolute" else {})})
    assert fastest(ticks) < 1.1  # the filter's top speed, and a little for the drive
    speeds = _speeds(ticks)
    assert max(abs(a - b) for a, b in pairwise(speeds)) < 0.02  # m/s in a tick: no jerk
    if kind != "velocity":  # which has nothing to catch up with, or does so within its top speed
        assert any(text.startswith("Your hand is ") and " ahead" in text for text in texts(ticks))
    check_others(ticks)


def _speeds(ticks: list[Tick]) -> list[float]:
    places = [tick.state.robots["arm"].T_base_tip.position for tick in ticks]
    return [math.dist(a, b) / 0.002 for a, b in pairwise(places)]


def dashed(now: float, way: float) -> float:
    """Return how far a hand has come that dashes off at 10 m/s."""
    return min(way, 10.0 * (now - BREAKS))


def test_a_hand_that_is_ahead_is_said_to_be() -> None:
    def dash(reading: Reading, now: float) -> Reading:
        assert reading.pose is not None
        x, y, z = reading.pose.position
        return replace(reading, pose=Pose((x, y + dashed(now, 0.4), z)))

    start = Cell.load("irb120").state.robots["arm"].T_base_tip
    table = {"kind": "absolute", "at": start.position, "turn": False, "rotation": start.rotation}
    ticks = drive(dash, table)
    assert "Your hand is ahead of the robot: the tip moves at up to 1 m/s and 172°/s." in texts(ticks)


@pytest.mark.parametrize("kind", ["clutch", "velocity", "rate", "hybrid", "absolute"])
def test_numbers_without_end_move_nothing_far(kind: str) -> None:
    """Finite, and yet no place or speed of this world."""

    def huge(reading: Reading, _: float) -> Reading:
        return replace(reading, pose=Pose((1e200, -1e300, 1e308)), twist=Twist((1e308, -1e308, 1e308)))

    ticks = drive(huge, {"kind": kind}, seconds=1.6)
    assert fastest(ticks) < 1.1
    assert all(math.isfinite(x) for tick in ticks for x in tick.state.robots["arm"].T_base_tip.position)
    check_others(ticks)


def test_a_velocity_beyond_all_is_cut_down_and_said() -> None:
    ticks = drive(lambda r, _: replace(r, twist=Twist((0.0, 0.0, -50.0))), {"kind": "velocity"}, seconds=1.5)
    assert fastest(ticks) < 1.1
    assert "You are asking for more than the tip's top speed (1 m/s and 172°/s)." in texts(ticks)
    check_others(ticks)


def test_a_master_that_stops_pauses_and_then_stops_the_robot() -> None:
    ticks = drive(lambda *_: None)
    modes = [tick.lanes["arm"].mode for tick in ticks]
    assert modes.index("paused") == pytest.approx((BREAKS + 0.1) / 0.002, abs=3)
    assert modes.index("stopped") == pytest.approx((BREAKS + 1.1) / 0.002, abs=3)
    assert any("no input for 0.1 s" in text for text in texts(ticks[modes.index("paused") :]))
    assert still(ticks)
    check_others(ticks)


def test_a_master_that_repeats_itself_counts_as_lost() -> None:
    old: list[Reading] = []

    def repeat(reading: Reading, _: float) -> Reading:
        old.append(reading)
        return old[0]

    ticks = drive(repeat)
    assert "A reading was refused: it is old, repeated, from another lease, or not a number." in texts(ticks)
    assert ticks[-1].lanes["arm"].mode == "stopped"
    assert still(ticks)
    check_others(ticks)


def test_a_master_that_goes_back_in_time_is_not_followed() -> None:
    seen: list[Reading] = []

    def shuffled(reading: Reading, _: float) -> Reading:
        seen.append(reading)
        return seen[-1] if len(seen) % 2 else seen[max(0, len(seen) - 40)]  # every other one is 0.08 s old

    ticks = drive(shuffled)
    assert ticks[-1].lanes["arm"].mode == "teleoperation"
    assert fastest(ticks) < 0.12
    check_others(ticks)


@pytest.mark.parametrize("kind", ["clutch", "velocity"])
def test_a_master_that_sends_twenty_readings_a_tick_drives_as_one_that_sends_one(kind: str) -> None:
    """The newest counts, the others are overtaken; no way is lost."""

    class Flood:
        def __init__(self) -> None:
            self.inner = hand()

        def step(self, feedback: Feedback, now: float) -> Reading | None:
            newest = None
            for k in range(20):
                newest = self.inner.step(feedback, now - 0.002 + 0.0001 * (k + 1))
            assert newest is not None
            return newest

    flooded = drive(lambda reading, _: reading, {"kind": kind}, inner=Flood())
    calm = drive(lambda reading, _: reading, {"kind": kind})
    assert {tick.lanes["arm"].mode for tick in flooded[10:]} == {"teleoperation"}
    for a, b in zip(flooded, calm, strict=True):
        tips = [tick.state.robots["arm"].T_base_tip.position for tick in (a, b)]
        assert math.dist(*tips) < 5e-4
    check_others(flooded)


def test_a_master_that_lies_about_what_it_has_seen_is_not_believed() -> None:
    ticks = drive(lambda reading, _: replace(reading, tick=reading.tick + 1000))
    assert ticks[-1].lanes["arm"].mode == "stopped"
    assert still(ticks)
    check_others(ticks)


def test_a_leader_whose_joints_jump_is_followed_slowly() -> None:
    def jump(reading: Reading, _: float) -> Reading:
        return replace(reading, joints=(reading.joints[0] + 1.0, *reading.joints[1:]))

    plain = Cell.load("irb120-leader")
    master = Spoiled(plain.masters["leader"], jump)
    run = Run(plain, {"leader": master})
    rates = [abs(run.tick().state.robots["arm"].groups["arm"].rates[0]) for _ in range(1200)]
    assert max(rates) < 0.15 * 4.36  # a tenth of the top rate, and what the hand itself does
    assert max(abs(a - b) for a, b in pairwise(rates)) < 0.1


@pytest.mark.parametrize("way", ["silent", "let go"])
def test_a_master_that_disappears_while_it_presses_leaves_the_block_no_harder_pressed(way: str) -> None:
    plain = Cell.load("irb120-touch")
    inner = plain.masters["touch"]
    assert isinstance(inner, Modelled)

    class Leaves:
        """A hand that presses on the block for a third of a second and is gone."""

        gone, count = False, 0

        def step(self, feedback: Feedback, now: float) -> Reading | None:
            reading = inner.step(feedback, now)
            self.count += feedback.wrench.force[0] < -5.0
            self.gone = self.gone or self.count > 150
            if not self.gone or reading is None:
                return reading
            return replace(reading, deadman=False) if way == "let go" else None

    run = Run(plain, {"touch": Leaves()})
    ticks = [run.tick() for _ in range(2600)]
    forces = [math.hypot(*tick.state.robots["arm"].contact.force) for tick in ticks]
    last = max(k for k, tick in enumerate(ticks) if tick.lanes["arm"].mode == "teleoperation")
    assert forces[last] > 5.0
    assert max(forces[last:]) < 1.5 * max(forces[: last + 1])
    assert all(tick.lanes["arm"].felt.force == (0.0, 0.0, 0.0) for tick in ticks[last + 1 :])
    assert still(ticks)
    assert ticks[-1].lanes["arm"].mode == ("idle" if way == "let go" else "stopped")
