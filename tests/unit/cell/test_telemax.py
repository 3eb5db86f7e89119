"""The tracked robot: it drives as commanded, holds on ramps, climbs, and notes explain its problems."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from statistics import fmean

import msgspec
import pytest
from toys import toy_arm
from worded import reason

from farhand import Cell
from farhand.cell import Checkpoint, checkpoint_of
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.config import ConfigError
from farhand.errors import RobotFileError
from farhand.formats import read_robot
from farhand.lane.motion.base_notes import AT_EASE, sense_base
from farhand.lane.motion.base_stage import belt_speeds
from farhand.lane.motion.validity import demand_problem
from farhand.mapping import MAPPINGS, DrivenRobot
from farhand.poses import IDENTITY
from farhand.robots import load_robot
from farhand.types import (
    Demand,
    DriveRate,
    GroupState,
    Inputs,
    JointRates,
    Reading,
    Reset,
    ResetRobot,
    RobotState,
    Setpoint,
    Stop,
    Tick,
    Twist,
)
from farhand_bench.courts import ROBOT, court, ramp, stairs
from farhand_bench.driver import Driver
from farhand_bench.telemax import gazebo_stairs, try_ramp, try_stairs, try_step

TELEMAX = Path(load_robot.__code__.co_filename).parent / "telemax" / "robot.toml"


def base(robot: RobotState) -> tuple[float, float, float]:
    assert robot.T_world_base is not None
    return robot.T_world_base.position


def speeds(driver: Driver, seconds: float, forward: float, turn: float = 0.0) -> tuple[float, float]:
    """Return the mean speed and turn rate while it is driven."""
    ahead, turning = [], []
    for _ in range(round(seconds / driver.cell.dt)):
        driver.step(forward, turn, (0.0,) * 4)
        twist = driver.robot.base_twist
        assert twist is not None
        ahead.append(twist.linear[0])
        turning.append(twist.angular[2])
    return fmean(ahead), fmean(turning)


@pytest.fixture(scope="module")
def flat() -> Driver:
    driver = Driver(court())
    driver.drive(0.5)
    return driver


# ── The robot ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_weighs_what_such_robots_weigh_and_has_seven_joints_four_flippers_and_six_finger_joints() -> None:
    model = load_robot("telemax", tool="telemax-claw")
    assert [joint.kind for joint in model.arm.joints] == ["hinge"] * 3 + ["slide"] + ["hinge"] * 3
    assert model.tracks is not None
    assert len(model.tracks.flippers) == 4
    assert model.gripper is not None
    assert len(model.gripper.joints) == 6
    compiled = court().world.compiled.model
    assert compiled.body_subtreemass[compiled.body(f"{ROBOT}/base").id] == pytest.approx(80.0, abs=3.0)


def test_the_jaws_stay_level_and_open_as_far_as_they_say() -> None:
    cell = court()
    data, model = cell.world._data, cell.world.compiled.model
    left, right = (model.geom(f"{ROBOT}/tool_{side}_pad").id for side in ("left", "right"))
    gap = abs((data.geom_xpos[left] - data.geom_xpos[right]) @ data.geom_xmat[left].reshape(3, 3)[:, 1])
    assert gap - 0.008 == pytest.approx(0.2, abs=1e-3)  # between the pads' middles
    assert data.geom_xmat[left] == pytest.approx(data.geom_xmat[right], abs=1e-3)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("length = 0.40", "length = 0.03", "tracks.flipper.length"),
        ("belt = 0.05", "belt = 0.20", "tracks.gauge"),
        ('arm = "arm.toml"', 'arm = "none.toml"', "none.toml"),
        ("scrub = 0.95", "scrub = 2.0", "tracks.scrub"),
    ],
)
def test_a_file_that_makes_no_vehicle_is_refused(tmp_path: Path, before: str, after: str, said: str) -> None:
    text = TELEMAX.read_text(encoding="utf-8")
    assert before in text
    (tmp_path / "arm.toml").write_text((TELEMAX.parent / "arm.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "robot.toml").write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(RobotFileError, match=said):
        read_robot(tmp_path / "robot.toml")


# ── Driving ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("speed", [0.25, 1.0, -0.5])
def test_on_flat_ground_it_is_as_fast_as_told_within_a_hundredth(flat: Driver, speed: float) -> None:
    flat.drive(1.2, speed)
    assert speeds(flat, 0.4, speed)[0] == pytest.approx(speed, rel=0.01)
    flat.drive(1.2)


@pytest.mark.parametrize(("forward", "turn"), [(0.0, 0.8), (0.0, -1.4), (0.5, 0.6)])
def test_turns_and_arcs_match_what_is_told(flat: Driver, forward: float, turn: float) -> None:
    flat.drive(1.0, forward, turn)
    ahead, turning = speeds(flat, 0.4, forward, turn)
    assert turning == pytest.approx(turn, rel=0.15)
    assert ahead == pytest.approx(forward, abs=0.03)
    flat.drive(1.0)


def test_let_go_it_brakes_and_stands(flat: Driver) -> None:
    flat.drive(1.0, 0.8)
    flat.drive(1.2)
    before = base(flat.robot)
    flat.drive(0.5)
    assert math.dist(base(flat.robot), before) < 1e-4
    assert flat.robot.groups["base"].rates == pytest.approx((0.0, 0.0), abs=1e-9)


def test_a_stop_brakes_belts_and_flippers_with_all_they_have(flat: Driver) -> None:
    tracks = flat.cell.lanes[ROBOT].model.tracks
    assert tracks is not None
    flipper = tracks.flippers[0]
    for _ in range(500):
        flat.step(0.8, 0.0, (0.5,) * 4)
    told = flat.tick.lanes[ROBOT].setpoints
    needed = max(told["base"].rates[0] / tracks.acceleration, told["flippers"].rates[0] / flipper.acceleration)
    assert needed > 0.4
    flat.send(Stop())
    ticks = 0
    while ticks < 1000 and any((*told["base"].rates, *told["flippers"].rates)):
        told, ticks = flat.step(0.8, 0.0, (0.5,) * 4).lanes[ROBOT].setpoints, ticks + 1
    assert ticks * flat.cell.dt <= needed + 2 * flat.cell.dt
    flat.send(Reset())
    flat.drive(0.1)
    assert flat.pose(1.0, 1.0)


def test_flippers_go_where_they_are_led_and_lift_the_body(flat: Driver) -> None:
    level = base(flat.robot)[2]
    assert flat.pose(-0.9, -0.9)
    flat.drive(0.3)
    assert base(flat.robot)[2] > level + 0.12
    assert abs(flat.sight.pitch) < 0.05
    assert flat.pose(1.0, 1.0)


def test_reset_puts_it_back_to_where_it_began(flat: Driver) -> None:
    assert math.hypot(*base(flat.robot)[:2]) > 0.1
    flat.cell.step(Inputs(events=(ResetRobot(ROBOT),)))
    flat.drive(0.1)
    assert math.hypot(*base(flat.robot)[:2]) < 0.01
    assert flat.sight.flippers == pytest.approx([math.radians(60.0)] * 4, abs=0.02)


def test_a_snapshot_in_the_middle_of_a_turn_goes_on_to_the_bit(flat: Driver) -> None:
    flat.drive(0.5, 0.4, 0.5)
    saved = flat.cell.snapshot()

    def on() -> list[Tick]:
        return [flat.cell.step() for _ in range(40)]

    first = on()
    flat.cell.restore(saved)
    assert on() == first
    flat.drive(1.0)


def test_on_a_ramp_of_35_degrees_it_climbs_and_its_brake_holds_it() -> None:
    angle = math.radians(35.0)
    driver = Driver(court(ramp(angle), x=2.0, z=math.tan(angle) + 0.005, pitch=angle))
    driver.drive(0.6)
    assert driver.sight.pitch == pytest.approx(angle, abs=0.05)
    before = base(driver.robot)
    driver.drive(1.0)
    assert math.dist(base(driver.robot), before) < 2e-4  # 0.2 mm/s
    driver.drive(1.5, 0.4)
    assert base(driver.robot)[2] > before[2] + 0.2
    driver.drive(1.5, -0.4)
    assert base(driver.robot)[2] < before[2] + 0.1


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [35.0, 45.0])
def test_up_down_and_hold_on_steep_ramps_from_anywhere(degrees: float) -> None:
    random = Random(13)
    for _ in range(5):
        up, creep, down = try_ramp(random, degrees)
        assert up > 0.8
        assert creep < 0.2
        assert down > 0.4


# ── The arm on a base that moves, and others beside it ───────────────────────────────────────────────────────────


def test_the_arm_moves_on_a_ramp_and_its_tip_is_where_it_is_told_in_the_tilted_base() -> None:
    angle = math.radians(30.0)
    driver = Driver(court(ramp(angle), x=2.0, z=math.tan(angle) + 0.005, pitch=angle))
    driver.drive(0.6)
    goal = (0.4, -1.6, 1.8, 0.1, 0.3, 0.2, 0.1)
    assert driver.reach(goal)
    driver.drive(0.5)
    lane = driver.cell.lanes[ROBOT]
    assert driver.robot.groups["arm"].positions == pytest.approx(goal, abs=2e-3)
    assert math.dist(driver.robot.T_base_tip.position, lane.tip(goal).position) < 2e-3
    assert driver.sight.pitch == pytest.approx(angle, abs=0.05)


def test_a_checkpoint_starts_it_anew_where_it_was() -> None:
    driver = Driver(court())
    driver.drive(1.0, 0.6, 0.4)
    driver.pose(0.2, 0.4)
    driver.drive(0.5)
    kept = msgspec.msgpack.decode(msgspec.msgpack.encode(checkpoint_of(driver.cell)), type=Checkpoint)
    anew = court()
    anew.resume(kept)
    robot = anew.step().state.robots[ROBOT]
    assert base(robot) == pytest.approx(base(driver.robot), abs=1e-3)
    assert robot.groups["flippers"].positions == pytest.approx(driver.robot.groups["flippers"].positions, abs=1e-2)


def test_two_of_them_and_an_arm_that_stands_share_a_world_each_with_its_own_operator() -> None:
    drive = {"drive": {"kind": "drive-tracks"}}
    spec = CellSpec(
        name="both",
        robots={
            "one": RobotSpec(model="telemax", master="a", mappings=drive),
            "two": RobotSpec(model="telemax", master="b", mappings=drive, position=(0.0, 1.5, 0.0)),
            "arm": RobotSpec(model="irb120", master="c", position=(2.0, 0.0, 0.0)),
        },
        masters={name: {"kind": "manual"} for name in "abc"},
    )
    cell = Cell(spec, Path("both.toml"))
    for number in range(1, 600):
        held = number > 2
        hands = {"a": (0.5,), "b": (0.0, 0.5)}
        readings = {
            name: Reading(sequence=number, tick=cell.number, deadman=held, axes=axes, presses={"deadman": int(held)})
            for name, axes in hands.items()
        }
        tick = cell.step(Inputs(readings=readings))
    one, two = (tick.state.robots[name] for name in ("one", "two"))
    assert base(one)[0] > 0.1
    assert math.hypot(base(two)[0], base(two)[1] - 1.5) < 0.05
    assert two.base_twist is not None
    assert two.base_twist.angular[2] > 0.1
    assert tick.lanes["arm"].mode == "idle"


# ── Climbing, by scripts that see what an operator sees ──────────────────────────────────────────────────────────


def test_it_climbs_five_stairs_askew() -> None:
    assert try_stairs(Random(5), up=True)


def test_it_comes_down_five_stairs_askew() -> None:
    assert try_stairs(Random(6), up=False)


def test_it_climbs_a_step_of_half_a_metre_with_its_arm_stretched_ahead() -> None:
    assert try_step(Random(7))


@pytest.mark.slow
def test_gazebos_stairs_give_gazebos_result() -> None:
    run = gazebo_stairs()
    assert run.ahead == pytest.approx(3.4, abs=0.15)
    assert run.height > 0.6
    assert run.pitch == pytest.approx(0.4, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("up", [True, False])
def test_of_a_hundred_stairs_it_takes_ninety_five(up: bool) -> None:
    random = Random(11)
    assert sum(try_stairs(random, up=up) for _ in range(100)) >= 95


@pytest.mark.slow
def test_of_fifty_steps_it_climbs_forty() -> None:
    random = Random(12)
    assert sum(try_step(random) for _ in range(50)) >= 40


# ── What goes wrong ──────────────────────────────────────────────────────────────────────────────────────────────


def said(driver: Driver) -> set[str]:
    return {note.code for note in driver.tick.lanes[ROBOT].notes}


def test_at_a_wall_it_says_so_and_its_motors_pull_no_harder_than_they_can() -> None:
    driver = Driver(court(stairs(1, 1.5, 0.5, x=0.75), x=0.0))
    driver.drive(1.0, 0.5)
    tracks = driver.cell.lanes[ROBOT].model.tracks
    assert tracks is not None
    loads, codes = [], set()
    for _ in range(1000):
        driver.step(0.5, 0.0, (0.0,) * 4)
        loads.append(fmean(driver.robot.groups["base"].efforts))
        codes |= said(driver)
    assert codes & {"base.stuck", "base.slip"}
    assert fmean(loads) < 1.05 * tracks.force
    driver.drive(1.5, -0.5)
    assert not said(driver) & {"base.stuck", "base.slip"}


def sensed(ahead: float, turning: float, belts: tuple[float, float], told: tuple[float, float]) -> set[str]:
    """Return what is said of a robot that goes on like this for two seconds."""
    still, memory, codes = (0.0, 0.0), AT_EASE, set()
    groups = {"base": GroupState(still, belts, still)}
    robot = RobotState(groups, IDENTITY, T_world_base=IDENTITY, base_twist=Twist((ahead, 0, 0), (0, 0, turning)))
    for _ in range(1000):
        memory, notes = sense_base(robot, Setpoint(still, told, still), memory, 0.33, 0.002)
        codes = {note.code for note in notes}
    return codes


def test_notes_about_driving_follow_the_measured_motion() -> None:
    assert sensed(0.5, 0.0, (0.5, 0.5), (0.5, 0.5)) == set()
    assert sensed(0.0, 0.9, (-0.15, 0.15), (-0.15, 0.15)) == set()
    assert sensed(0.1, 0.0, (0.5, 0.5), (0.5, 0.5)) == {"base.slip"}
    assert sensed(0.0, 0.0, (0.5, 0.5), (0.5, 0.5)) == {"base.stuck"}
    assert sensed(0.0, 0.0, (0.0, 0.0), (0.5, 0.5)) == {"base.stuck"}
    assert sensed(0.0, 0.0, (0.0, 0.0), (0.0, 0.0)) == set()


def test_notes_about_turning_follow_the_measured_motion() -> None:
    round_ = (-0.165, 0.165)  # 1 rad/s
    assert sensed(0.0, 0.85, round_, round_) == set()
    assert sensed(0.5, 0.85, (0.335, 0.665), (0.335, 0.665)) == set()
    assert sensed(0.0, 0.5, round_, round_) == {"base.slip"}
    assert sensed(0.0, 0.5, (-0.08, 0.08), round_) == {"base.held"}
    assert sensed(0.3, -0.1, (0.3, 0.3), (0.135, 0.465)) == {"base.held"}
    assert sensed(0.0, 0.15, (-0.03, 0.03), round_) == {"base.stuck"}
    assert sensed(0.0, 0.0, (0.0, 0.0), (-0.02, 0.02)) == set()  # too little to be sure


def test_upside_down_it_says_that_it_has_tipped_over() -> None:
    driver = Driver(court(z=1.2, pitch=math.radians(180.0)))
    driver.drive(0.2)
    assert "base.over" in said(driver)


# ── Mapping and stages ───────────────────────────────────────────────────────────────────────────────────────────


def test_belts_that_would_be_too_fast_are_slowed_alike() -> None:
    assert belt_speeds(DriveRate(0.5, 0.0), 0.4, 1.0) == (0.5, 0.5)
    assert belt_speeds(DriveRate(1.0, 1.0), 0.4, 0.6) == pytest.approx((0.4, 0.6))
    assert belt_speeds(None, 0.4, 1.0) == (0.0, 0.0)


def test_axes_drive_and_lift_each_flipper_in_pairs_and_all() -> None:
    model = load_robot("telemax")
    driven = DrivenRobot(velocity=(1.0,) * 7, tracks=model.tracks)
    mapping = MAPPINGS["drive-tracks"]({"speed": 0.8, "turn_speed": 2.0}, driven)
    assert len(mapping.axes) == 9
    robot = court().state.robots[ROBOT]

    def motions(*axes: float) -> tuple[object, tuple[float, ...]]:
        found, _ = mapping(Reading(axes=axes), robot, None)
        lifts = found["flippers"]
        assert isinstance(lifts, JointRates)
        return found["base"], lifts.rates

    assert motions(0.5, -1.0) == (DriveRate(0.4, -2.0), (0.0,) * 4)
    assert motions(0, 0, 0.5)[1] == (0.5,) * 4
    assert motions(0, 0, 0.0, -1.0)[1] == (-1.0, -1.0, 0.0, 0.0)
    assert motions(0, 0, 1.0, 0.0, 1.0, 0.0, -0.5)[1] == (1.0, 0.5, 1.0, 1.0)


def test_a_robot_that_stands_cannot_be_driven_on_tracks() -> None:
    with pytest.raises(ConfigError, match="has no tracks"):
        MAPPINGS["drive-tracks"]({}, DrivenRobot(velocity=(1.0,)))


def test_commands_that_tracks_cannot_carry_out_are_refused() -> None:
    assert demand_problem(Demand("drive", {"base": DriveRate(0.1, 0.0)}), 7) is None
    assert "not a number" in reason(demand_problem(Demand("drive", {"base": DriveRate(math.nan, 0.0)}), 7))
    problem = reason(demand_problem(Demand("drive", {"base": JointRates((0.0, 0.0))}), 7))
    assert "cannot carry out the command of 'drive'" in problem
    assert "has 4 joints" in reason(demand_problem(Demand("drive", {"flippers": JointRates((0.0, 0.0))}), 7))


def test_a_fixed_robot_has_no_notes_about_a_base() -> None:
    cell = Cell.for_robot("irb120")
    robot = next(iter(cell.step().state.robots.values()))
    assert robot.T_world_base is None
    assert "base" not in robot.groups
    assert toy_arm().tracks is None
