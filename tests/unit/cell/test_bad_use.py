"""Misuse of a tracked robot: the result is plausible and bounded, a note explains it, and the robot recovers."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from farhand.lane.motion.base_notes import lean_of
from farhand.poses import Pose, Vec3, compose, from_rpy
from farhand.types import AddObject, Inputs, MoveJoints, ObjectSpec, Reading, Reset, ResetRobot, Stop, Tick
from farhand_bench.courts import MASTER, ROBOT, court, step
from farhand_bench.driver import Driver
from farhand_bench.maze import route_through, try_maze
from farhand_bench.righting import right_itself

ARM_AHEAD = (0.0, -1.5, 0.8, 0.0, 0.0, 0.3, 0.0)  # where its weight tips the robot over; folded it does not
EXPLOSION = 12.0  # m/s: what falls from a table is slower, what is driven out of a wall is faster


class Witness:
    """Watches a robot: the fastest that anything of it moved, and all that was said.

    Args:
        driver: Of the robot.
    """

    def __init__(self, driver: Driver) -> None:
        self.driver, self.fastest, self.said = driver, 0.0, set[str]()

    def see(self, tick: Tick) -> None:
        twist = tick.state.robots[ROBOT].base_twist
        assert twist is not None
        self.fastest = max(self.fastest, math.hypot(*twist.linear), float(np.abs(self.driver.cell.world._qvel).max()))
        self.said |= {note.code for note in (*tick.lanes[ROBOT].notes, *tick.notes)}

    def drive(self, seconds: float, forward: float = 0.0, lifts: tuple[float, ...] = (0.0,) * 4) -> None:
        for _ in range(round(seconds / self.driver.cell.dt)):
            self.see(self.driver.step(forward, 0.0, lifts))


def place(driver: Driver) -> Vec3:
    base = driver.robot.T_world_base
    assert base is not None
    return base.position


def lean(driver: Driver) -> float:
    base = driver.robot.T_world_base
    assert base is not None
    return lean_of(base.rotation)


def lying(roll: float, height: float) -> Driver:
    """Return a robot that was thrown over."""
    cell = court()
    tracks = cell.world.rig(ROBOT).tracks
    assert tracks is not None
    at = tracks.index.base_at
    cell.world._qpos[at : at + 7] = [0.0, 0.0, height, *from_rpy(roll, 0.0, 0.0)]
    cell.world._refresh()
    driver = Driver(cell)
    driver.drive(1.0)
    return driver


# ── Falling and tipping over ─────────────────────────────────────────────────────────────────────────────────────


def test_over_a_ledge_it_falls_says_so_and_is_put_back_upright() -> None:
    driver = Driver(court(step(0.5, depth=1.2), x=1.6, z=0.5))
    witness = Witness(driver)
    witness.drive(3.0, 1.0)
    assert place(driver)[2] < 0.3
    assert "base.fallen" in witness.said
    assert witness.fastest < EXPLOSION
    driver.send(ResetRobot(ROBOT))
    witness.drive(0.5)
    assert place(driver) == pytest.approx((1.6, 0.0, 0.5), abs=0.02)
    assert lean(driver) < 0.02
    driver.send(Reset(ROBOT))  # the arm was struck in the fall, faster than its joints may turn
    witness.drive(0.1)
    assert driver.tick.lanes[ROBOT].mode == "idle"


def test_objects_on_a_robot_that_is_reset_fall() -> None:
    driver = Driver(court())
    driver.drive(1.5, 0.5)
    driver.drive(0.5)
    x = place(driver)[0]
    box = ObjectSpec(name="box", size=(0.05, 0.15, 0.05), position=(x - 0.05, 0.0, 0.3), mass=1.0)
    driver.send(AddObject(box))
    driver.drive(2.0)
    assert driver.tick.state.objects["box"].position[2] > 0.2  # it lies on the deck, at rest
    driver.send(ResetRobot(ROBOT))
    driver.drive(1.0)
    assert driver.tick.state.objects["box"].position[2] < 0.1


def test_a_reset_keeps_a_stop_and_asks_for_a_fresh_press() -> None:
    driver = Driver(court())
    driver.drive(0.5, 0.5)
    driver.send(ResetRobot(ROBOT))
    driver.drive(0.5, 0.5)  # the deadman is still held
    assert math.hypot(*place(driver)[:2]) < 0.01
    assert "lane.press" in {note.code for note in driver.tick.lanes[ROBOT].notes}
    driver.drive(0.1)
    driver.drive(0.5, 0.5)
    assert driver.tick.lanes[ROBOT].mode == "teleoperation"
    driver.send(Stop())
    driver.drive(0.2)
    driver.send(ResetRobot(ROBOT))
    driver.drive(0.2)
    assert driver.tick.lanes[ROBOT].mode == "stopped"


@pytest.mark.parametrize("mass", [20.0, 0.0])
def test_put_back_where_something_stands_it_comes_to_rest_on_top_of_it(mass: float) -> None:
    driver = Driver(court())
    driver.drive(2.5, 1.0)
    box = ObjectSpec(name="box", size=(0.4, 0.3, 0.3), position=(0.0, 0.0, 0.15), mass=mass)
    driver.send(AddObject(box))
    driver.drive(0.5)
    witness = Witness(driver)
    driver.send(ResetRobot(ROBOT))
    witness.drive(0.02)
    assert "cell.raised" in witness.said
    assert place(driver)[2] > 0.2
    witness.drive(1.5)
    assert witness.fastest < 6.0


@pytest.mark.parametrize("roll", [-90.0, *[pytest.param(roll, marks=pytest.mark.slow) for roll in (90.0, 80.0, -80.0)]])
def test_from_its_side_its_arm_rights_it(roll: float) -> None:
    driver = lying(math.radians(roll), 0.25)
    assert "base.over" in {note.code for note in driver.tick.lanes[ROBOT].notes}
    assert right_itself(driver)
    assert lean(driver) < math.radians(10.0)


@pytest.mark.slow
def test_from_its_back_flippers_roll_it_onto_its_side_and_its_arm_rights_it() -> None:
    driver = lying(math.pi, 0.75)
    assert lean(driver) > math.radians(120.0)
    assert right_itself(driver)
    assert lean(driver) < math.radians(10.0)


# ── Too much for flippers and gripper ────────────────────────────────────────────────────────────────────────────


def test_flippers_folded_under_the_robot_lift_it_with_effort_and_let_it_down_again() -> None:
    driver = Driver(court())
    witness = Witness(driver)
    witness.drive(2.5, lifts=(-1.0,) * 4)
    assert place(driver)[2] > 0.3
    assert "flippers.lag" in witness.said
    assert driver.pose(1.0, 1.0, 8.0)
    driver.drive(0.5)
    assert lean(driver) < 0.1
    assert abs(place(driver)[2]) < 0.05


def test_flippers_folded_too_far_throw_it_over_which_it_says_and_a_reset_puts_it_back() -> None:
    driver = Driver(court())
    driver.send(MoveJoints(ROBOT, ARM_AHEAD))
    driver.drive(5.0)
    witness = Witness(driver)
    witness.drive(6.0, lifts=(-1.0,) * 4)
    assert lean(driver) > 1.0
    assert "base.over" in witness.said
    assert witness.fastest < EXPLOSION
    driver.send(ResetRobot(ROBOT))
    witness.drive(0.5)
    assert lean(driver) < 0.02
    assert abs(place(driver)[2]) < 0.05


def gripped(driver: Driver, rate: float, seconds: float) -> set[str]:
    """Move the jaws for a while; return what was said."""
    said: set[str] = set()
    for number in range(round(seconds / driver.cell.dt)):
        axes = (*(0.0,) * 9, rate)
        held = number > 0
        reading = Reading(
            sequence=driver.cell.number + 10_000,
            tick=driver.cell.number,
            deadman=held,
            axes=axes if held else (),
            presses={"deadman": driver.cell.number if held else 0},
        )
        driver.tick = driver.cell.step(Inputs(readings={MASTER: reading}))
        said |= {note.code for note in driver.tick.lanes[ROBOT].notes}
    return said


def opening(driver: Driver) -> float:
    return driver.robot.groups["gripper"].positions[0]


def test_jammed_jaws_get_a_note_and_open_once_they_have_room() -> None:
    driver = Driver(court())
    assert "gripper.jammed" not in gripped(driver, -1.0, 2.0)
    assert opening(driver) < 0.02
    base = driver.robot.T_world_base
    assert base is not None
    T_world_tip = compose(base, driver.robot.T_base_tip)
    for name, aside in (("left", 0.09), ("right", -0.09)):
        there = compose(T_world_tip, Pose((0.0, aside, 0.0)))
        wall = ObjectSpec(name=name, size=(0.3, 0.04, 0.3), position=there.position, rotation=there.rotation, mass=0.0)
        driver.send(AddObject(wall))
    driver.drive(0.1)
    witness = Witness(driver)
    assert "gripper.jammed" in gripped(driver, 1.0, 2.0)
    witness.see(driver.tick)
    assert opening(driver) < 0.15
    assert witness.fastest < 1.0
    assert "gripper.jammed" not in gripped(driver, -1.0, 1.0)


# ── A maze ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_path_through_a_maze_is_found() -> None:
    assert route_through(("+--+--+", "   |   ", "+  +  +", "|     |", "+--+--+")) == [
        (0, -1), (0, 0), (1, 0), (1, 1), (0, 1), (0, 2),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="no route through"):
        route_through(("+--+--+", "   |   ", "+--+--+"))


def test_corners_of_a_maze_are_taken_without_touching_its_walls() -> None:
    run = try_maze(Random(3), ("+--+--+", "   |  |", "+  +--+", "|      ", "+--+--+"))
    assert run.through
    assert run.touched == 0


@pytest.mark.slow
def test_twenty_drives_through_the_whole_maze_touch_nothing() -> None:
    runs = [try_maze(Random(seed)) for seed in range(20)]
    assert all(run.through and run.touched == 0 for run in runs)
