"""``farhand bench telemax``: abilities of the tracked robot, in virtual time, with small random disturbances."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from random import Random
from statistics import fmean

from msgspec import Struct

from farhand.cell import Cell
from farhand.poses import transform_point
from farhand.types import SelectMapping
from farhand_bench.climbing import climb_step, down_stairs, up_ramp, up_stairs
from farhand_bench.courts import ROBOT, court, ramp, stairs, step
from farhand_bench.driver import Driver
from farhand_bench.maze import try_maze
from farhand_bench.rows import Row

__all__ = ["GazeboRun", "gazebo_stairs", "measure", "steady", "try_ramp", "try_stairs", "try_step"]

SPEEDS = (0.25, 0.5, 1.0)
TURNS = ((0.0, 0.4), (0.0, 1.0), (0.0, -1.4), (0.5, 0.5), (1.0, -0.4), (0.3, 0.9))
RAMPS, STAIRS, STEPS, MAZES = 3, 20, 10, 5  # runs
ASKEW = math.radians(10.0)
SHAKEN = 0.02  # m and rad by which every start is displaced
OVER = math.radians(60.0)


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    random = Random(1)
    rows = [*_flat(), *_ramps(random)]
    for up in (True, False):
        done = [try_stairs(random, up=up) for _ in range(STAIRS)]
        name = f"five stairs {'up' if up else 'down'}, 17–20 cm, up to 10° oblique: done of {STAIRS}"
        rows.append(_exactly(name, float(sum(done)), "", f"≥ {math.ceil(0.95 * STAIRS)}"))
    done = [try_step(random) for _ in range(STEPS)]
    rows.append(_exactly(f"step of 50 cm: done of {STEPS}", float(sum(done)), "", f"≥ {math.ceil(0.8 * STEPS)}"))
    return [*rows, *_gazebo(), *_maze(random), *_factors()]


def steady(driver: Driver, forward: float, turn: float) -> tuple[float, float]:
    """Return mean speed and turn rate of the last second of three, then stop."""
    driver.drive(2.0, forward, turn)
    ahead, turning = [], []
    for _ in range(round(1.0 / driver.cell.dt)):
        driver.step(forward, turn, (0.0,) * 4)
        twist = driver.robot.base_twist
        assert twist is not None
        ahead.append(twist.linear[0])
        turning.append(twist.angular[2])
    driver.drive(1.5)
    return fmean(ahead), fmean(turning)


def _flat() -> Iterator[Row]:
    driver = Driver(court())
    driver.drive(0.5)
    for speed in SPEEDS:
        off = 100.0 * abs(steady(driver, speed, 0.0)[0] / speed - 1.0)
        yield _exactly(f"flat ground at {speed:g} m/s: error of speed", off, "%", "≤ 1 %")
    turns = [100.0 * abs(steady(driver, *told)[1] / told[1] - 1.0) for told in TURNS]
    yield Row("turning in place and in arcs: error of turn rate", fmean(turns), max(turns), "%", "≤ 15 %")


def _ramps(random: Random) -> Iterator[Row]:
    for degrees in (35.0, 45.0):
        runs = [try_ramp(random, degrees) for _ in range(RAMPS)]
        of, (up, creep, down) = f"ramp of {degrees:g}°, {RAMPS} starts", zip(*runs, strict=True)
        yield _exactly(f"{of}: least height reached", min(up), "m", "> 0.8")
        yield _exactly(f"{of}: largest creep while holding", max(creep), "mm/s", "< 0.2")
        yield _exactly(f"{of}: least descent in 3 s", min(down), "m", "> 0.4")


def try_ramp(random: Random, degrees: float) -> tuple[float, float, float]:
    """Return the height reached on a ramp, m, the creep while holding there, mm/s, and the descent, m."""
    start = random.uniform(-0.1, 0.1)
    driver = Driver(court(ramp(math.radians(degrees)), x=start, y=start, heading=random.uniform(-0.05, 0.05)))
    up_ramp(driver, 0.4, 5.0)
    up = _height(driver)
    driver.drive(1.0)
    before, seconds = _place(driver), 2.0
    driver.drive(seconds)
    creep = 1e3 * math.dist(_place(driver), before) / seconds
    held = _height(driver)
    driver.drive(3.0, -0.3)
    return up, creep, held - _height(driver)


def try_stairs(random: Random, *, up: bool) -> bool:
    """Return whether the operator's script takes the robot over five random stairs."""
    rise, run = random.uniform(0.17, 0.20), random.uniform(0.25, 0.29)
    askew, aside = random.uniform(-ASKEW, ASKEW), random.uniform(-SHAKEN, SHAKEN)
    flight, top = stairs(5, rise, run), 1.0 + 4.0 * run
    if up:
        driver = Driver(court(flight, x=random.uniform(-0.1, 0.1), y=aside, heading=askew))
    else:
        x = top + random.uniform(1.1, 1.3)
        driver = Driver(court(flight, x=x, y=aside, z=5.0 * rise, heading=math.pi + askew))
    driver.drive(0.3)
    said = up_stairs(driver) if up else down_stairs(driver)
    x, _, z = _place(driver)
    there = x > top and z > 5.0 * rise - 0.05 if up else x < 1.0 and abs(z) < 0.05
    return said and there and _upright(driver)


def try_step(random: Random) -> bool:
    """Return whether the operator's script takes the robot up a step of half a metre."""
    driver = Driver(court(step(0.5), x=random.uniform(-0.1, 0.1), heading=random.uniform(-0.03, 0.03)))
    driver.drive(0.3)
    said = climb_step(driver)
    x, _, z = _place(driver)
    return said and x > 1.0 and z > 0.45 and _upright(driver)


class GazeboRun(Struct, frozen=True):
    """Distance (m), height (m) and pitch (rad, nose up) after Gazebo's test of tracked vehicles."""

    ahead: float
    height: float
    pitch: float


def gazebo_stairs() -> GazeboRun:
    """Drive at 1 m/s for 3.5 s up 20 steps of 7.5 cm rise and 17.5 cm run, at a step of 1 ms, as Gazebo's test does.

    There the stairs begin 2.25 m ahead of the vehicle's middle, and its frame is 7 cm above the ground; the same point
    of our robot is measured. Gazebo's vehicle is at full speed at once, so ours passes the start at full speed.
    """
    stairs_at = 4.0
    driver = Driver(court(stairs(20, 0.075, 0.175, x=stairs_at), timestep=0.001))
    driver.pose(0.2, 0.0)
    while stairs_at - _place(driver)[0] > 2.25:
        driver.drive(0.001, 1.0)
    x = _place(driver)[0]
    driver.drive(3.5, 1.0)
    base = driver.robot.T_world_base
    assert base is not None
    _, _, height = transform_point(base, (0.0, 0.0, 0.07))
    return GazeboRun(_place(driver)[0] - x, height, driver.sight.pitch)


def _gazebo() -> Iterator[Row]:
    run = gazebo_stairs()
    yield _exactly("Gazebo's 20 steps, 3.5 s at 1 m/s: distance", run.ahead, "m", "3.4 ± 0.15")
    yield _exactly("Gazebo's 20 steps, 3.5 s at 1 m/s: height", run.height, "m", "> 0.6")
    yield _exactly("Gazebo's 20 steps, 3.5 s at 1 m/s: pitch, nose up", run.pitch, "rad", "0.4 ± 0.1")


def _maze(random: Random) -> Iterator[Row]:
    runs = [try_maze(random) for _ in range(MAZES)]
    name = f"maze of 0.8 m corridors, {MAZES} drives"
    yield _exactly(f"{name}: through", float(sum(run.through for run in runs)), "", f"{MAZES}")
    yield _exactly(f"{name}: ticks in contact with a wall", float(sum(run.touched for run in runs)), "", "0")


def _factors() -> Iterator[Row]:
    """Measure the time of one core: other load on the machine does not count, unless it slows the processor."""
    driver = Driver(Cell.load("telemax-ground"))
    driver.drive(0.5)
    begun = time.process_time()
    driver.drive(4.0, -0.4, 0.3)
    name = "real-time factor of the cell telemax-ground on one core"
    yield _exactly(f"{name}, driving", 4.0 / (time.process_time() - begun), "times", "≥ 5")
    driver.drive(1.0)
    driver.send(SelectMapping(ROBOT, "arm tip"))
    driver.say(())
    ticks = round(2.0 / driver.cell.dt)
    begun = time.process_time()
    for k in range(ticks):
        driver.say((0.0, 0.0, math.sin(math.tau * k / ticks), 0.0, 0.0, 0.2))
    yield _exactly(f"{name}, jogging the arm", 2.0 / (time.process_time() - begun), "times", "≥ 5")


def _exactly(name: str, value: float, unit: str, bar: str) -> Row:
    return Row(name, value, value, unit, bar)


def _place(driver: Driver) -> tuple[float, float, float]:
    base = driver.robot.T_world_base
    assert base is not None
    return base.position


def _height(driver: Driver) -> float:
    return _place(driver)[2]


def _upright(driver: Driver) -> bool:
    return max(abs(driver.sight.pitch), abs(driver.sight.roll)) < OVER
