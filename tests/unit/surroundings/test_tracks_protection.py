"""Protection of an arm on tracks: sensing, compliance and avoidance work wherever the base drives and tilts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from worded import worded

from farhand import Cell
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.filters.wrist_wrench import Mount, Wrist, WristMemory
from farhand.formats import read_robot
from farhand.poses import Pose, Quaternion, Vec3, compose, conjugate, from_rpy, multiply, rotate
from farhand.robots import load_robot
from farhand.server.cell_process.fixture_shapes import fixture_geoms
from farhand.surroundings import AvoidSpec
from farhand.types import GroupState, Inputs, Load, ObjectSpec, Reading, RobotState, SelectMapping, Tick, Wrench
from farhand.world import AttachSpec, WristSpec
from farhand_bench.courts import ROBOT, court, ramp
from farhand_bench.driver import Driver
from farhand_bench.straight import straight_to

QUIET = WristSpec(force_noise=0.0, torque_noise=0.0, payload=10.0)
TILT = math.radians(30.0)
REACHED = (0.4, -1.6, 1.8, 0.1, 0.3, 0.2, 0.1)
TELEMAX = Path(load_robot.__code__.co_filename).parent / "telemax"


def with_more(cell: Cell, **more: Any) -> Cell:
    """Return the cell with more said of its robot."""
    robot = replace(cell.spec.robots[ROBOT], **more)
    return Cell(replace(cell.spec, robots={ROBOT: robot}), cell.path, models={ROBOT: cell.lanes[ROBOT].model})


def felt(driver: Driver) -> Wrench:
    return driver.tick.lanes[ROBOT].contact


def place(driver: Driver) -> Pose:
    """Return where the base is."""
    assert driver.robot.T_world_base is not None
    return driver.robot.T_world_base


def drive_until(driver: Driver, there: Callable[[], bool], forward: float, turn: float = 0.0) -> None:
    """Drive until something is so, and stand."""
    for _ in range(4000):
        driver.step(forward, turn, (0.0,) * 4)
        if there():
            driver.drive(0.5)
            return
    raise AssertionError("it never came to be so")


def turn_about(driver: Driver) -> None:
    drive_until(driver, lambda: rotate(place(driver).rotation, (1.0, 0.0, 0.0))[0] < -0.99, 0.0, 1.0)


# ── The force sensor ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def tilted() -> Driver:
    """The robot on a ramp of 30°, with its arm reached out; where it began, it was not tilted as much."""
    driver = Driver(with_more(court(ramp(TILT), x=2.0, z=math.tan(TILT) + 0.05, pitch=TILT - 0.1), wrist=QUIET))
    driver.drive(1.0)
    assert driver.reach(REACHED)
    driver.drive(0.5)
    return driver


def test_on_a_ramp_the_claw_weighs_nothing(tilted: Driver) -> None:
    assert tilted.sight.pitch == pytest.approx(TILT, abs=0.02)
    assert tilted.robot.wrist is not None
    assert math.hypot(*tilted.robot.wrist.force) > 15.0  # what the sensor itself feels
    assert math.hypot(*felt(tilted).force) < 0.05
    assert math.hypot(*felt(tilted).torque) < 0.01


def test_on_a_ramp_a_pull_is_told_in_world_axes(tilted: Driver) -> None:
    for pull in ((0.0, 0.0, -3.0 * 9.81), (20.0, 0.0, 0.0), (0.0, -15.0, 0.0)):
        tilted.send(Load(ROBOT, pull))
        tilted.drive(0.6)
        assert felt(tilted).force == pytest.approx(pull, abs=0.1)
    tilted.send(Load(ROBOT, (0.0, 0.0, 0.0)))
    tilted.drive(0.4)


def test_driving_off_and_braking_feel_next_to_nothing(tilted: Driver) -> None:
    most = 0.0
    for speed in (0.4, -0.4):
        for _ in range(300):
            tilted.step(speed, 0.0, (0.0,) * 4)
            most = max(most, math.hypot(*felt(tilted).force))
    assert most < 4.0


def test_what_is_held_on_a_tilted_base_is_weighed() -> None:
    gripper = load_robot("telemax", tool="telemax-claw").gripper
    assert gripper is not None
    mount = Mount(Pose((0.0, 0.0, -0.1), (1.0, 0.0, 0.0, 0.0)), 1.0, (0.0, 0.0, 0.05), 20.0, gripper=gripper)
    wrist, memory, base = Wrist(mount, 0.002), WristMemory(), from_rpy(0.1, -TILT, 0.7)
    for i in range(1500):
        # risen by the base alone, as on stairs
        robot = hung(base, (0.0, 0.0, 1e-4 * min(i, 500)), mount, 8.0, (0.0, 0.0, 0.1))
        fingers = GroupState((0.05,), (0.0,), (gripper.effort,))
        memory, _ = wrist(replace(robot, groups={**robot.groups, "gripper": fingers}), memory)
    assert memory.payload is not None
    assert memory.payload.known
    assert memory.payload.mass == pytest.approx(8.0, rel=0.01)
    assert math.hypot(*memory.wrench.force) < 0.5


def hung(base: Quaternion, at: Vec3, mount: Mount, mass: float, centre: Vec3) -> RobotState:
    """Return a robot whose base is turned somehow and which holds a mass, as its sensor would feel it."""
    turn = from_rpy(math.pi, 0.4, 0.0)
    g = np.array(rotate(conjugate(multiply(base, turn)), (0.0, 0.0, -9.81)))
    force = (mount.mass + mass) * g
    torque = np.cross(mount.centre, mount.mass * g) + np.cross(centre, mass * g)
    wrench = Wrench(tuple(force.tolist()), tuple(torque.tolist()))
    groups = {"arm": GroupState((), (), ())}
    return RobotState(groups, Pose((0.5, 0.0, 0.4), turn), wrist=wrench, T_world_base=Pose(at, base))


def test_the_robots_own_file_can_give_it_the_sensor(tmp_path: Path) -> None:
    for name in ("arm.toml", "robot.toml"):
        (tmp_path / name).write_text((TELEMAX / name).read_text(encoding="utf-8"), encoding="utf-8")
    file = tmp_path / "robot.toml"
    file.write_text(file.read_text(encoding="utf-8") + "\n[wrist]\npayload = 7.0\n", encoding="utf-8")
    model = read_robot(file)
    assert model.wrist == WristSpec(payload=7.0)
    plain = court()
    cell = Cell(plain.spec, plain.path, models={ROBOT: model})
    assert cell.lanes[ROBOT].wrist is not None
    assert cell.step().state.robots[ROBOT].wrist is not None


# ── Compliance ───────────────────────────────────────────────────────────────────────────────────────────────────

THRESHOLD = 60.0
AHEAD = (0.0, -2.0, 2.0, 0.0, 0.0, 0.0, 0.0)  # joints with the claw ahead, 0.66 m from the middle and 0.85 m high
COMPLIANT = ({"kind": "scale"}, {"kind": "smooth"}, {"kind": "compliance", "threshold": THRESHOLD})


def before_a_wall(face: float, *pieces: dict[str, Any], z: float = 0.6, **more: Any) -> Driver:
    """Return a compliant robot whose claw looks at a wall of 10 kN/m."""
    wall = ObjectSpec(name="wall", size=(0.1, 1.0, 0.8), position=(face + 0.05, 0.0, z), mass=5.0, stiffness=1e4)
    cell = court(*pieces, objects=(wall,), **more)
    mappings = {**cell.spec.robots[ROBOT].mappings, "tip": {"kind": "jog-tip", "frame": "base"}}
    driver = Driver(with_more(cell, wrist=WristSpec(payload=10.0), filters=COMPLIANT, mappings=mappings))
    driver.drive(0.3)
    assert driver.reach(AHEAD)
    return driver


def pressed(driver: Driver) -> float:
    return math.hypot(*driver.robot.contact.force) / THRESHOLD


def check_pressing(driver: Driver) -> None:
    """Jog the tip ahead, with a turn where there is one, and check that it comes to the threshold and stays there."""
    driver.send(SelectMapping(ROBOT, "tip"))
    forces = []
    for _ in range(1600):
        driver.say((0.08, 0.0, 0.0, 0.0, 0.0, 0.0))
        forces.append(pressed(driver))
    first = next(i for i, force in enumerate(forces) if force > 0.9)
    assert max(forces) < 1.5
    assert len(forces) - first > 700
    assert min(forces[first + 500 :]) > 0.9
    assert max(forces[first + 500 :]) < 1.1
    assert "compliance.yields" in said(driver)
    for _ in range(300):
        driver.say((-0.3, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert not driver.robot.touching  # it backs out freely


def said(driver: Driver) -> set[str]:
    return {note.code for note in driver.tick.lanes[ROBOT].notes}


def test_the_arm_comes_to_its_threshold_and_stays_there() -> None:
    check_pressing(before_a_wall(0.675))


def test_turned_about_since_the_start_it_yields_the_way_that_it_presses() -> None:
    """Forces come in world axes and walls are laid in those of the base, which looks elsewhere by now."""
    driver = before_a_wall(-1.2)
    turn_about(driver)
    drive_until(driver, lambda: place(driver).position[0] < -0.42, 0.3)
    check_pressing(driver)


@pytest.mark.parametrize(
    ("speed", "says"),
    [
        # so slow that the base gives way before the arm has to
        pytest.param(0.05, {"base.carries"}, marks=pytest.mark.slow),
        (0.15, {"base.carries", "compliance.yields"}),
    ],
)
def test_driven_against_a_wall_with_its_arm_ahead_it_stops_there(speed: float, says: set[str]) -> None:
    driver = before_a_wall(0.75)
    forces, codes = [], set()
    for _ in range(round((0.15 / speed + 1.5) / 0.002)):
        driver.step(speed, 0.0, (0.0,) * 4)
        forces.append(pressed(driver))
        codes |= said(driver)
    assert max(forces) < 6.0
    assert 0.3 < forces[-1] < 1.1
    assert max(forces[-250:]) < 1.2
    assert says <= codes
    assert max(map(abs, driver.robot.groups["arm"].rates)) < 0.02
    here = place(driver)
    driver.drive(0.8, -0.2)
    assert place(driver).position[0] < here.position[0] - 0.08  # the way back is free
    assert not driver.robot.touching


# ── Keeping clear ────────────────────────────────────────────────────────────────────────────────────────────────

BALLAST = AttachSpec(mass=400.0, size=(0.3, 0.1, 0.02), position=(0.0, 0.0, 0.08), collides=False)  # it cannot tip
JOG_COUNT = 8
JOGS = {"tip": {"kind": "jog-tip", "frame": "base"}, "joints": {"kind": "jog-joints"}}
GLASS = ObjectSpec(name="glass", size=(0.1, 1.6, 1.4), position=(1.45, 0.0, 0.7), mass=0.0, touch="never")
FACE = 1.4  # m, where the glass begins
AVOID = AvoidSpec()


def wary(*objects: ObjectSpec, avoid: AvoidSpec | None = AVOID, **more: Any) -> Driver:
    cell = court(objects=objects)
    mappings = {**cell.spec.robots[ROBOT].mappings, **JOGS}
    driver = Driver(with_more(cell, avoid=avoid, mappings=mappings, **more))
    driver.drive(0.2)
    return driver


def touches_of_arm(cell: Cell) -> set[tuple[str, str]]:
    """Return what of the arm touches anything, as the physics has it."""
    model, data = cell.world.compiled.model, cell.world._data
    found = set()
    for pair in data.contact.geom[data.contact.dist < 0.0].tolist():
        first, second = sorted(str(model.body(model.geom_bodyid[g]).name) for g in pair)
        if any(part in first + second for part in ("link_", "flange", "tool_")):
            found.add((first, second))
    return found


def jogged(driver: Driver, seed: int, count: int) -> set[tuple[str, str]]:
    """Jog joints, tip and flippers at random at full speed; return what of the arm has touched anything."""
    random, touched = Random(seed), set()
    for _ in range(count):
        mapping, length = random.choice((("joints", 7), ("joints", 7), ("tip", 6), ("drive", 3)))
        axes = tuple(random.choice((-1.0, 0.0, 1.0)) for _ in range(length))
        axes = (0.0, 0.0, axes[2]) if mapping == "drive" else axes
        driver.send(SelectMapping(ROBOT, mapping))
        for k in range(503):
            driver.say(axes if k > 2 else (0.0,))
            touched |= touches_of_arm(driver.cell)
    return touched


def test_jogged_at_random_the_arm_touches_neither_the_floor_nor_body_nor_flippers() -> None:
    driver = wary(avoid=AvoidSpec(never=("floor",)), attach=(BALLAST,))
    assert jogged(driver, 5, JOG_COUNT) == set()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_jogged_for_longer_it_does_not_either(seed: int) -> None:
    assert jogged(wary(avoid=AvoidSpec(never=("floor",)), attach=(BALLAST,)), seed, 5 * JOG_COUNT) == set()


@pytest.mark.slow
def test_without_the_table_it_does() -> None:
    assert jogged(wary(avoid=None, attach=(BALLAST,)), 5, JOG_COUNT)


def room(driver: Driver, name: str) -> float:
    """Return how far the arm is from something, as the arena has just seen it."""
    arena = driver.cell.lanes[ROBOT].arena
    assert arena is not None
    near = arena.clearance.near(driver.robot.groups["arm"].positions, 0.4)
    return min([pair.distance for pair in near if pair.second == name], default=math.inf)


@pytest.mark.parametrize(("speed", "turn"), [pytest.param(0.3, 0.0, marks=pytest.mark.slow), (0.5, 0.3)])
def test_belts_that_carry_the_arm_towards_glass_stop_in_time(speed: float, turn: float) -> None:
    driver = wary(GLASS)
    assert driver.reach(AHEAD)
    rooms = []
    for _ in range(round((0.7 / speed + 1.2) / 0.002)):
        driver.step(speed, turn, (0.0,) * 4)
        rooms.append(room(driver, "glass"))
        assert not touches_of_arm(driver.cell)
    assert min(rooms) > 0.008
    assert rooms[-1] < 0.04
    notes = {note.code: note for note in driver.tick.lanes[ROBOT].notes}
    assert re.search(r"they carry the gripper towards the glass, \d+ mm away", worded(notes["base.carries"]))
    driver.drive(0.6, -0.3)
    assert room(driver, "glass") > rooms[-1] + 0.05  # the way back is free


def test_a_snapshot_before_glass_goes_on_to_the_bit() -> None:
    driver = wary(GLASS, wrist=WristSpec(), filters=COMPLIANT)
    driver.drive(1.2, 0.5, 0.3)
    saved = driver.cell.snapshot()

    def on() -> list[Tick]:
        return [driver.step(0.5, 0.3, (0.5,) * 4) for _ in range(40)]

    first, sequence, presses = on(), driver._sequence, driver._presses
    driver.cell.restore(saved)
    driver._sequence, driver._presses = sequence - 40, presses
    assert on() == first


def test_wherever_it_has_driven_the_arm_stops_before_the_same_glass() -> None:
    driver = wary(replace(GLASS, position=(-1.45, 0.0, 0.7)))
    assert driver.reach(AHEAD)
    turn_about(driver)
    drive_until(driver, lambda: room(driver, "glass") < 0.2, 0.4)
    driver.send(SelectMapping(ROBOT, "tip"))
    for _ in range(1000):
        driver.say((1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        assert not touches_of_arm(driver.cell)
    assert 0.005 < room(driver, "glass") < 0.03
    assert "avoid.near" in said(driver)


def test_flippers_stop_before_the_arm() -> None:
    driver = wary(attach=(BALLAST,))
    # to the ground, where no plan would lead
    driver.send(straight_to(driver.cell, ROBOT, (0.35, -0.35, 1.2, 0.0, 0.0, 0.0, 0.0)))
    driver.drive(12.0)
    codes: set[str] = set()
    for _ in range(1200):
        driver.step(0.0, 0.0, (0.5,) * 4)
        codes |= said(driver)
        assert not touches_of_arm(driver.cell)
    assert "base.flipper" in codes


def test_without_its_surroundings_it_keeps_clear_of_itself_only() -> None:
    driver = wary(GLASS, avoid=AvoidSpec(surroundings=False))
    arena = driver.cell.lanes[ROBOT].arena
    assert arena is not None
    names = {solid.name for solid in arena.clearance.solids}
    assert names == {
        "body",
        "front left flipper",
        "front right flipper",
        "rear left flipper",
        "rear right flipper",
    }


def test_an_arm_that_stands_sees_where_another_has_driven() -> None:
    spec = CellSpec(
        name="both",
        robots={
            ROBOT: RobotSpec(model="telemax", master="a", mappings={"drive": {"kind": "drive-tracks"}}),
            "arm": RobotSpec(model="irb120", master="b", position=(2.0, 0.6, 0.0), avoid=AvoidSpec()),
        },
        masters={name: {"kind": "manual"} for name in "ab"},
    )
    cell = Cell(spec, Path("both.toml"))
    arena = cell.lanes["arm"].arena
    assert arena is not None

    def seen() -> float:
        near = arena.clearance.near(cell.state.robots["arm"].groups["arm"].positions, 2.5)
        return min(pair.distance for pair in near if pair.second.endswith(f"of {ROBOT}"))

    cell.step()
    before = seen()
    for number in range(1, 500):
        reading = Reading(sequence=number, tick=cell.number, deadman=number > 2, axes=(1.0,))
        cell.step(Inputs(readings={"a": reading}))
    driven = cell.state.robots[ROBOT].T_world_base
    assert driven is not None
    assert seen() < before - 0.5 * driven.position[0]


# ── Fixtures ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_fixture_over_an_object_stays_there_while_the_base_drives() -> None:
    box = ObjectSpec(name="box", size=(0.4, 0.4, 1.4), position=(-1.2, 0.0, 0.7), mass=0.0)
    fixture = {"kind": "fixture", "name": "the box", "act": "keep-out", "object": "box", "margin": 0.1, "braking": 0.4}
    driver = wary(box, avoid=None, filters=({"kind": "scale"}, fixture))
    assert driver.reach(AHEAD)
    turn_about(driver)

    def gap() -> float:
        """Return how far the tip is from the fixture, which it comes to from the right."""
        return compose(place(driver), driver.robot.T_base_tip).position[0] - (-1.2 + 0.2 + 0.1)

    gaps = []
    for _ in range(2500):
        driver.step(0.3, 0.0, (0.0,) * 4)
        gaps.append(gap())
    assert min(gaps) > -0.003
    assert gaps[-1] < 0.02
    assert "base.carries" in said(driver)
    driver.drive(0.5, -0.2)
    driver.drive(0.2)
    driver.send(SelectMapping(ROBOT, "tip"))
    for _ in range(900):
        driver.say((1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert -0.003 < gap() < 0.01
    assert "servo.wall" in said(driver)


def test_a_line_goes_along_with_the_base_on_the_page_too() -> None:
    line = {"kind": "fixture", "name": "rail", "act": "attract", "line": ((0.5, 0.0, 0.5), (1.0, 0.0, 0.5))}
    driver = wary(avoid=None, filters=(line,))
    look = driver.cell.world.compiled.look
    shapes = list(fixture_geoms(driver.cell))
    assert {look.bodies[shape.body].name for shape in shapes} == {f"{ROBOT}/base"}
    assert shapes[0].pose.position == pytest.approx((0.75, 0.0, 0.5))
