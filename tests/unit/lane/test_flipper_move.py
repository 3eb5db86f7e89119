"""Flippers that turn to angles by themselves."""

from __future__ import annotations

import pytest

from farhand.cell import Cell
from farhand.loop import Run
from farhand.types import Inputs, MoveFlippers, SetSpeed, Tick

UP = (0.8, 0.7, -0.6, -0.5)


def flippers(tick: Tick) -> tuple[float, ...]:
    return tick.state.robots["telemax"].groups["flippers"].positions


def is_idle(tick: Tick) -> bool:
    return tick.lanes["telemax"].mode == "idle"


def moved(run: Run, angles: tuple[float, ...], seconds: float = 20.0) -> tuple[Tick, float]:
    """Return the tick in which flippers have come to angles, and how long that took."""
    begun = run.cell.time
    run.send(MoveFlippers("telemax", angles))
    assert run.tick().lanes["telemax"].mode == "autonomous"
    tick = run.run(seconds, until=is_idle)
    assert is_idle(tick)
    return run.run(1.0), tick.time - begun


def test_flippers_come_to_angles_and_the_arm_stays() -> None:
    run = Run(Cell.load("telemax"), {})
    arm = run.tick().state.robots["telemax"].groups["arm"].positions
    tick, _ = moved(run, UP)
    assert flippers(tick) == pytest.approx(UP, abs=0.02)
    assert tick.state.robots["telemax"].groups["arm"].positions == pytest.approx(arm, abs=0.01)


def test_the_speed_level_counts() -> None:
    slow, fast = Run(Cell.load("telemax"), {}), Run(Cell.load("telemax"), {})
    slow.send(SetSpeed("telemax", 1))
    fast.send(SetSpeed("telemax", 3))
    assert moved(slow, UP, 60.0)[1] > 1.5 * moved(fast, UP)[1]


def test_flippers_that_turn_freely_take_the_shorter_way_round() -> None:
    run = Run(Cell.load("telemax"), {})
    before = flippers(run.tick())
    tick, _ = moved(run, (3.0, *before[1:]))
    tick, _ = moved(run, (-3.0, *before[1:]))
    assert flippers(tick)[0] == pytest.approx(3.283, abs=0.05)


@pytest.mark.parametrize(
    ("robot", "angles", "problem"),
    [
        ("telemax", (0.0, 0.0), "the angles (0.0, 0.0) must be 4 finite numbers"),
        ("telemax", (0.0, 0.0, 0.0, float("nan")), "must be 4 finite numbers"),
        ("arm", (0.0, 0.0, 0.0, 0.0), "arm has no flippers"),
    ],
)
def test_other_angles_and_other_robots_are_refused(robot: str, angles: tuple[float, ...], problem: str) -> None:
    cell = Cell.load("telemax" if robot == "telemax" else "irb120")
    tick = cell.step(Inputs(events=(MoveFlippers(robot, angles),)))
    (note,) = [note for note in tick.notes if note.code == "cell.refused"]
    assert problem in str(note)
    assert tick.lanes[robot].mode == "idle"
