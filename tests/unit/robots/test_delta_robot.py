"""The Delta as a robot: a closed chain whose physics agrees with the closed forms, driven like any other robot."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worded import worded

from farhand import Cell, Run
from farhand.cell import Checkpoint, checkpoint_of
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.errors import RobotFileError
from farhand.formats import RobotModel, read_robot
from farhand.kernels import Floats
from farhand.kinematics import Delta, JointLimits, Servo
from farhand.kinematics.mechanism import delta_of, mechanism_of
from farhand.kinematics.parallel.delta_rods import close_into
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.robots import load_robot
from farhand.types import AddObject, ClearLoad, Load, ObjectSpec, Reset, SelectMapping, Setpoint, Stop, Tick
from farhand.world import Blueprint, Placement, World
from farhand.world.blueprint import DriveSpec
from farhand.world.compiled import compile_world, from_bytes, to_bytes

ROBOT = load_robot("delta")
DELTA = delta_of(ROBOT)
HOME = np.array([joint.home for joint in ROBOT.arm.joints])
HEIGHT = 0.8
angles = st.tuples(*[st.floats(joint.lower, joint.upper) for joint in ROBOT.arm.joints]).map(np.array)
rates = st.tuples(*[st.floats(-3.0, 3.0)] * 3).map(np.array)
MAPPINGS: dict[str, dict[str, Any]] = {
    "joints": {"kind": "jog-joints"},
    "tip": {"kind": "jog-tip"},
    "pointer": {"kind": "drag-tip"},
}


def compiled(robot: RobotModel = ROBOT) -> Any:
    return mujoco.MjSpec.from_string(robot.mjcf, assets=robot.assets).compile()


def cell_of(*objects: ObjectSpec, timestep: float = 0.002, **robot: Any) -> Cell:
    spec = CellSpec(
        name="delta",
        speed_level=5,
        timestep=timestep,
        world=WorldSpec(objects=objects),
        robots={"arm": RobotSpec(model="delta", position=(0.0, 0.0, HEIGHT), mappings=MAPPINGS, **robot)},
        masters={"hand": {"kind": "manual"}},
    )
    return Cell(spec, Path("cell.toml"))


class Driver:
    """A hand on a Delta, and the difference of the physics from the closed form."""

    def __init__(self, cell: Cell) -> None:
        self.cell, self.hand, self.apart = cell, Manual(), 0.0
        self.heard: set[str] = set()
        self.run = Run(cell, {"hand": self.hand})
        self.tick = self.run.tick()

    def drive(self, seconds: float, *axes: float, pose: Pose | None = None) -> Tick:
        self.hand.set(axes=axes, pose=pose, deadman=bool(axes) or pose is not None)
        for _ in range(round(seconds / self.cell.dt)):
            self.tick = self.run.tick()
            self.apart = max(self.apart, apart(self.cell.world))
            self.heard.update(worded(note) for note in self.tick.lanes["arm"].notes)
        return self.tick

    @property
    def tip(self) -> Floats:
        return np.array(self.tick.state.robots["arm"].T_base_tip.position)

    @property
    def joints(self) -> Floats:
        return np.array(self.tick.state.robots["arm"].groups["arm"].positions)


def apart(world: World) -> float:
    """Return the distance of the platform from its closed-form position at the measured angles."""
    rig = world.rig("arm")
    here, _ = world.body_poses(np.array([rig.index.tip_body]))
    x, y, z = rig.measure().T_base_tip.position
    return math.dist(here[0].tolist(), (x, y, z + HEIGHT))


# ── Values of the file ────────────────────────────────────────────────────────────────────────────────────────────


def test_lengths_are_the_published_ones_and_home_is_the_masters_rest() -> None:
    spec = ROBOT.delta
    assert spec is not None
    assert (spec.base_radius, spec.platform_radius, spec.upper, spec.lower) == (0.20, 0.04, 0.20, 0.50)
    np.testing.assert_allclose(DELTA.forward(HOME)[:3, 3], [0.0, 0.0, -0.42], atol=1e-6)
    rest = [ROBOT.rest[name] for name in spec.undriven]
    np.testing.assert_allclose(rest, DELTA.undriven(HOME), atol=1e-9)


def test_no_arm_is_stretched_or_folded_within_the_limits() -> None:
    """The Jacobian keeps its rank, so the platform can move in all directions everywhere."""
    low, high = ROBOT.arm.joints[0].lower, ROBOT.arm.joints[0].upper
    grid = np.linspace(low, high, 9)
    least = min(
        np.linalg.svd(DELTA.jacobian([a, b, c])[:3], compute_uv=False)[-1] for a in grid for b in grid for c in grid
    )
    assert least > 0.01


FILE = """
[delta]
base_radius = 0.1
platform_radius = 0.03
upper = 0.12
lower = 0.3
gap = 0.04
[delta.motor]
home_deg = -20
velocity = 4.0
acceleration = 40.0
jerk = 8000.0
effort = 8.0
armature = 0.005
[delta.mass]
upper = 0.1
bar = 0.01
rod = 0.02
platform = 0.1
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("lower = 0.3", "lower = 0.19", "delta.lower: must be more than base_radius − platform_radius + upper = 0.19"),
        ("platform_radius = 0.03", "platform_radius = 0.2", "delta.platform_radius: must be less than base_radius"),
        ("home_deg = -20", "home_deg = -20\nlower_deg = 10", "delta.motor.home_deg: must lie within the limits"),
        ("home_deg = -20", "lower_deg = 10\nupper_deg = 5", "delta.motor.lower_deg: must be below upper_deg"),
        ("effort = 8.0", "effort = 0.0", "delta.motor.effort: expected"),
        ("rod = 0.02\n", "", "delta.mass: table missing required field rod"),
        ("gap = 0.04", "gap = 0.4", "delta.gap: is wider than the base"),
    ],
)
def test_a_bad_file_is_refused_by_its_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in FILE
    path = tmp_path / "robot.toml"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(RobotFileError) as caught:
        read_robot(path)
    assert said in str(caught.value)


def test_another_size_is_another_file(tmp_path: Path) -> None:
    path = tmp_path / "small" / "robot.toml"
    path.parent.mkdir()
    path.write_text(FILE)
    robot = load_robot(path)
    assert robot.name == "small"
    world = World.of(Blueprint(robots=(Placement("arm", robot, Pose((0.0, 0.0, HEIGHT))),)))
    assert apart(world) < 1e-9
    with pytest.raises(RobotFileError, match="the tip can only be 'platform' here, found 'upper1'"):
        load_robot(path, tip="upper1")


# ── Kinematics ───────────────────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=40)
@given(angles)
def test_the_closed_form_closes_all_loops(q: Floats) -> None:
    model = compiled()
    data = mujoco.MjData(model)
    spec = ROBOT.delta
    assert spec is not None
    for joint, angle in zip(ROBOT.arm.joints, q, strict=True):
        data.joint(joint.name).qpos[0] = angle
    for name, value in zip(spec.undriven, DELTA.undriven(q), strict=True):
        data.joint(name).qpos[0] = value
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.efc_pos, 0.0, atol=1e-9)
    np.testing.assert_allclose(data.body("platform").xpos, DELTA.forward(q)[:3, 3], atol=1e-12)


@settings(max_examples=40)
@given(angles, rates, rates)
def test_undriven_joints_move_as_finite_differences_predict(q: Floats, v: Floats, a: Floats) -> None:
    G, moving, gathering, h = np.zeros((12, 3)), np.zeros(12), np.zeros(12), 1e-4
    close_into(DELTA.size, q, v, a, G, moving, gathering)
    now, before, after = (DELTA.undriven(q + t * v + 0.5 * t * t * a) for t in (0.0, -h, h))
    np.testing.assert_allclose(moving, (after - before) / (2 * h), atol=1e-4)
    np.testing.assert_allclose(gathering, (after - 2 * now + before) / h**2, atol=0.05, rtol=1e-3)
    np.testing.assert_allclose(G @ v, moving, atol=1e-9)


def test_a_tool_moves_the_tip() -> None:
    robot = load_robot("delta", tool="two-finger")
    mechanism = mechanism_of(robot, compiled(robot))
    T = mechanism.forward(HOME)
    assert T[2, 3] < -0.42 - 0.05  # below the platform
    assert T[2, 2] == pytest.approx(-1.0)  # and looking down
    found = mechanism.inverse(T, HOME + 0.1)
    assert found.reached
    np.testing.assert_allclose(found.q, HOME, atol=1e-9)
    np.testing.assert_allclose(mechanism.follow(T, HOME + 0.01), HOME, atol=1e-3)


@settings(max_examples=30)
@given(angles.map(lambda q: np.minimum(q, 0.4)), rates)  # higher up motion is damped
def test_the_servo_moves_the_platform_to_its_target(q: Floats, twist: Floats) -> None:
    limits = JointLimits.of(DELTA.lower - 1.0, DELTA.upper + 1.0, [1e3] * 3, [1e6] * 3, [1e9] * 3)
    servo = Servo(DELTA, limits, 0.002)
    asked = np.array([*0.1 * twist, 0.0, 0.0, 0.0])
    step = servo.tip(q, np.zeros(3), DELTA.forward(q), asked)
    np.testing.assert_allclose(DELTA.jacobian(q) @ step.rates, asked, atol=2e-3)
    assert step.dropped == ("turn about x", "turn about y", "turn about z")


# ── Physics ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def follow_circle(drive: DriveSpec, speed: float, seconds: float) -> tuple[float, float]:
    """Return the errors of platform (to the closed form) and motors on a circle of 0.1 m."""
    world = World.of(Blueprint(robots=(Placement("arm", ROBOT, Pose((0.0, 0.0, HEIGHT)), drive),)))
    radius, dt, worst, off = 0.1, world.dt, 0.0, 0.0
    before = q = HOME
    last = np.zeros(3)
    for k in range(round(seconds / dt)):
        share = min(k * dt / 0.5, 1.0)
        ease = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        turn = speed / radius * k * dt
        T = np.eye(4)
        T[:3, 3] = radius * ease * math.cos(turn), radius * ease * math.sin(turn), -0.42
        q = DELTA.inverse(T, q).q
        v = (q - before) / dt
        setpoint = Setpoint(tuple(q.tolist()), tuple(v.tolist()), tuple(((v - last) / dt).tolist()))
        state, notes = world.step({"arm": {"arm": setpoint}})
        assert notes == ()
        before, last = q, v
        worst = max(worst, apart(world))
        off = max(off, float(np.abs(np.array(state.robots["arm"].groups["arm"].positions) - q).max()))
    return worst, math.degrees(off)


@pytest.mark.parametrize("speed", [0.5, 1.0])
def test_in_motion_the_platform_agrees_with_the_closed_form(speed: float) -> None:
    worst, off = follow_circle(DriveSpec(), speed, 2.0)
    assert worst < 1e-4
    assert off < 0.001


def test_feed_forward_carries_platform_and_rods() -> None:
    _, helped = follow_circle(DriveSpec(), 0.5, 1.0)
    _, alone = follow_circle(DriveSpec(feedforward=False), 0.5, 1.0)
    assert helped < 0.2 * alone
    cell = cell_of()
    driver = Driver(cell)
    driver.drive(1.0)
    assert np.degrees(np.abs(driver.joints - HOME)).max() < 0.001  # it does not sag


def test_the_explicit_pid_drives_it_too() -> None:
    gains = ((400.0, 40.0, 12.0),) * 3
    worst, off = follow_circle(DriveSpec(kind="pid", gains=gains), 0.3, 1.0)
    assert worst < 1e-4
    assert off < 0.1


@pytest.mark.parametrize("timestep", [0.001, 0.002, 0.005])
def test_stops_limits_and_loads_leave_it_whole(timestep: float) -> None:
    driver = Driver(cell_of(timestep=timestep))
    driver.drive(0.6, 1.0, -1.0, 1.0)
    driver.run.send(Stop())
    driver.drive(0.2)
    assert driver.tick.lanes["arm"].mode == "stopped"
    driver.run.send(Reset())
    driver.drive(0.05)
    for axes in ((1.0, 1.0, 1.0), (-1.0, -1.0, -1.0), (1.0, -1.0, 0.0)):
        driver.drive(1.0, *axes)
        driver.drive(0.05)
    assert (driver.joints > DELTA.lower - 0.01).all()
    assert (driver.joints < DELTA.upper + 0.01).all()
    assert driver.apart < 1e-3 * max(timestep / 0.002, 1.0)
    driver.run.send(Load("arm", (150.0, -100.0, -200.0)))
    driver.drive(0.3)
    driver.run.send(ClearLoad("arm"))
    driver.drive(0.5)
    assert not driver.cell.world.frozen
    assert apart(driver.cell.world) < 1e-4


def test_it_measures_contact_with_an_object_below() -> None:
    table = ObjectSpec(name="block", size=(0.2, 0.2, 0.3), position=(0.0, 0.0, 0.15), mass=0.0)
    driver = Driver(cell_of(table))
    driver.run.send(SelectMapping("arm", "tip"))
    driver.drive(0.1)
    tick = driver.drive(2.0, 0.0, 0.0, -0.4)
    robot = tick.state.robots["arm"]
    assert robot.touching
    assert robot.contact.force[2] > 5.0
    assert driver.tip[2] + HEIGHT == pytest.approx(0.3 + 0.0192, abs=4e-3)
    assert driver.apart < 2e-4
    driver.drive(0.05)
    away = driver.drive(1.0, 0.0, 0.0, 0.4)
    assert not away.state.robots["arm"].touching


# ── Driving ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_tip_moves_straight_and_missing_directions_are_noted() -> None:
    driver = Driver(cell_of())
    driver.run.send(SelectMapping("arm", "tip"))
    driver.drive(0.1)
    start = driver.tip
    driver.drive(0.6, 0.3)
    driver.drive(0.6)
    moved = driver.tip - start
    for axes in ((0.0, 1.0, -1.0), (0.0, -1.0, 1.0), (1.0, 0.0, -1.0), (-1.0, 1.0, 0.0)):  # to the edge and along it
        driver.drive(1.0, *axes)
    driver.drive(0.6)
    assert not any("it lacks a shift" in text for text in driver.heard)  # being behind is no lack
    assert moved[0] > 0.03
    assert np.abs(moved[1:]).max() < 1e-4
    here = driver.tip
    driver.drive(0.3, 0.0, 0.0, 0.0, 1.0)
    assert "An arm with 3 joints cannot do all of this: it cannot turn about x." in driver.heard
    assert np.linalg.norm(driver.tip - here) < 1e-4


def test_dragged_out_of_reach_it_stays_bounded_and_can_return() -> None:
    driver = Driver(cell_of())
    driver.run.send(SelectMapping("arm", "pointer"))
    driver.drive(0.1)
    start = driver.tip
    for far in ((2.0, 0.0, -0.4), (0.0, -1.0, -0.2), (0.0, 0.0, -3.0), (0.0, 0.0, 1.0)):
        driver.drive(2.0, pose=Pose(far))
        assert (driver.joints > DELTA.lower - 0.01).all()
        assert (driver.joints < DELTA.upper + 0.01).all()
        x, y, z = start.tolist()
        driver.drive(2.5, pose=Pose((x, y, z)))
        assert np.linalg.norm(driver.tip - start) < 1e-4
        np.testing.assert_allclose(driver.joints, HOME, atol=1e-3)


@pytest.mark.parametrize("mapping", ["isomorphic", "isomeric", "finer", "velocity"])
def test_the_delta_master_drives_it(mapping: str) -> None:
    cell = Cell.load("delta-delta")
    run = Run(cell)
    run.send(SelectMapping("arm", mapping))
    tips, notes = [], set()
    for _ in range(1500):
        tick = run.tick()
        tips.append(tick.state.robots["arm"].T_base_tip.position)
        notes |= {worded(note) for note in (*tick.notes, *tick.lanes["arm"].notes) if note.level != "info"}
    assert tick.lanes["arm"].mode == "teleoperation"
    assert float(np.ptp(np.array(tips), axis=0).max()) > (0.04 if mapping == "finer" else 0.08)
    assert notes == set()


def test_snapshots_edits_and_resets_keep_it_assembled() -> None:
    driver = Driver(cell_of())
    driver.drive(0.5, 1.0, -0.5, 0.2)
    saved = driver.cell.snapshot()
    first = [driver.cell.step() for _ in range(20)]
    driver.cell.restore(saved)
    assert [driver.cell.step() for _ in range(20)] == first
    world = driver.cell.world
    box = ObjectSpec(name="box", size=(0.05, 0.05, 0.05), position=(0.4, 0.0, 0.03))
    edited = world.after(AddObject(box))
    before = driver.cell.state.robots["arm"].groups["arm"].positions
    world.swap(compile_world(edited))
    assert world.state.robots["arm"].groups["arm"].positions == pytest.approx(before, abs=1e-9)
    assert apart(world) < 1e-4
    world.reset_robot("arm")
    assert apart(world) < 1e-9


def test_it_goes_through_bytes_and_checkpoints() -> None:
    driver = Driver(cell_of())
    driver.drive(0.5, 1.0, -0.5, 0.2)
    anew = cell_of()
    anew.resume(msgspec.msgpack.decode(msgspec.msgpack.encode(checkpoint_of(driver.cell)), type=Checkpoint))
    assert anew.state.robots["arm"].T_base_tip == driver.cell.state.robots["arm"].T_base_tip
    for _ in range(100):
        anew.step()
    assert np.abs(np.array(anew.state.robots["arm"].groups["arm"].positions) - driver.joints).max() < 1e-3
    chain = from_bytes(to_bytes(driver.cell.world.compiled)).chains["arm"]
    np.testing.assert_array_equal(chain.forward(HOME), DELTA.forward(HOME))


def test_it_starts_at_the_position_in_the_cell_file() -> None:
    cell = cell_of(home=(0.2, -0.6, 0.1))
    assert apart(cell.world) < 1e-9
    assert cell.state.robots["arm"].groups["arm"].positions == pytest.approx((0.2, -0.6, 0.1))


def test_limits_of_a_delta_are_those_of_its_motors() -> None:
    assert isinstance(DELTA, Delta)
    assert DELTA.lower.tolist() == [joint.lower for joint in ROBOT.arm.joints]
    assert DELTA.upper.tolist() == [joint.upper for joint in ROBOT.arm.joints]
