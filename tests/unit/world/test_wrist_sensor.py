"""The force sensor: weights are subtracted in every posture, payloads are weighed, faults stop the robot."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace
from worded import worded

from farhand import Cell, Run
from farhand.filters.wrist_wrench import Mount, Wrist, WristMemory
from farhand.masters import Manual
from farhand.poses import Pose, Vec3, conjugate, from_rpy, rotate
from farhand.types import (
    BreakWrist,
    Event,
    GroupState,
    HoldHere,
    Inputs,
    Load,
    MoveJoints,
    ObjectSpec,
    Reset,
    RobotState,
    SelectMapping,
    SetSpeed,
    SwitchFilter,
    Tick,
    Wrench,
    ZeroWrist,
)
from farhand.vectors import less
from farhand.world import WristSpec
from farhand.world.wrist_sensor import noise_of

QUIET = WristSpec(force_noise=0.0, torque_noise=0.0)
CUBE = ObjectSpec(name="cube", size=(0.05, 0.05, 0.05), position=(0.395, 0.0, 0.6255), mass=0.6, friction=1.5)
THRESHOLD = 20.0


@cache
def plain() -> Cell:
    return Cell.load("irb120")


def cell_with(wrist: WristSpec, *objects: ObjectSpec, seed: int = 0) -> Cell:
    """Return the IRB 120 with a gripper, a wrist sensor and compliance above a table."""
    arm = plain().spec.robots["arm"]
    others = [table for table in arm.filters if table["kind"] != "compliance"]
    arm = replace(arm, wrist=wrist, avoid=None, filters=(*others, {"kind": "compliance", "threshold": THRESHOLD}))
    table = next(item for item in plain().spec.world.objects if item.name == "table")
    world = replace(plain().spec.world, objects=(table, *objects))
    return Cell(
        replace(plain().spec, robots={"arm": arm}, world=world, speeds=(0.2, 1.0), speed_level=1), plain().path, seed
    )


class Bench:
    """Such a cell with a hand."""

    def __init__(self, cell: Cell) -> None:
        self.run = Run(cell)
        hand = self.run.masters["hand"]
        assert isinstance(hand, Manual)
        self.hand = hand
        self.send(SelectMapping("arm", "base axes"))

    def send(self, *events: Event) -> Tick:
        for event in events:
            self.run.send(event)
        return self.run.tick()

    def go(self, seconds: float, *axes: float) -> Tick:
        """Hold the deadman and deflect the master; without axes let go."""
        self.hand.set(deadman=bool(axes), axes=axes)
        for _ in range(round(seconds / 0.002)):
            tick = self.run.tick()
        return tick

    def until(self, condition: Callable[[Tick], bool], seconds: float = 5.0) -> Tick:
        tick = self.run.run(seconds, condition)
        assert condition(tick)
        return tick


def size(vector: Vec3) -> float:
    return math.hypot(*vector)


def felt(tick: Tick) -> Wrench:
    return tick.lanes["arm"].contact


# ── Weights ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "goal", [(0.0, 0.3, 0.1, 0.0, 1.1, 0.0), (0.4, -0.2, 0.5, 1.2, -0.9, 2.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)]
)
def test_the_tool_weighs_nothing_in_any_posture(goal: tuple[float, ...]) -> None:
    bench = Bench(cell_with(QUIET))
    bench.send(MoveJoints("arm", goal))
    tick = bench.until(lambda tick: tick.lanes["arm"].mode == "idle", 20.0)
    tick = bench.go(0.5)
    robot = tick.state.robots["arm"]
    assert robot.wrist is not None
    assert size(robot.wrist.force) == pytest.approx(0.73 * 9.81, rel=0.02)  # the sensor itself carries the gripper
    assert size(felt(tick).force) < 0.05
    assert size(felt(tick).torque) < 0.01


def test_acceleration_of_the_tool_is_subtracted() -> None:
    bench = Bench(cell_with(QUIET))
    bench.send(SetSpeed("arm", 2))
    bench.hand.set(deadman=True, axes=(0.0, 1.0, 0.0))
    ticks = [bench.run.tick() for _ in range(200)]
    tips = np.array([tick.state.robots["arm"].T_base_tip.position[1] for tick in ticks])
    assert np.abs(np.diff(tips, 2)).max() / 0.002**2 > 1.2  # it does, and the sensor reads 8 N
    assert max(size(felt(tick).force) for tick in ticks) < 1.5


def test_a_force_at_the_tip_is_reported_in_world_axes_at_the_tip() -> None:
    bench = Bench(cell_with(QUIET))
    for force in ((5.0, 0.0, 0.0), (0.0, -4.0, 0.0), (0.0, 0.0, 6.0)):
        bench.send(Load("arm", force))
        tick = bench.go(1.0)
        assert felt(tick).force == pytest.approx(force, abs=0.1)
        assert size(felt(tick).torque) < 0.02


def test_noise_depends_on_seed_and_tick_and_has_the_given_size() -> None:
    runs: dict[int, list[Tick]] = {}
    for seed in (1, 1, 2):
        cell = cell_with(WristSpec(force_noise=0.5, torque_noise=0.02), seed=seed)
        for _ in range(50):
            cell.step()
        saved = cell.snapshot()
        ticks = [cell.step() for _ in range(20)]
        cell.restore(saved)
        assert [cell.step() for _ in range(20)] == ticks
        assert runs.setdefault(seed, ticks) == ticks
    first, second = (wrenches(runs[seed]) for seed in (1, 2))
    assert not np.allclose(first, second)
    drawn = np.array([noise_of(7, tick, k) for tick in range(4000) for k in range(6)]).reshape(-1, 6)
    assert drawn.std(axis=0) == pytest.approx(1.0, abs=0.05)
    assert drawn.mean(axis=0) == pytest.approx(0.0, abs=0.06)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(6)).max() < 0.06
    assert first[:, :3].std() > 5.0 * first[:, 3:].std()


def wrenches(ticks: list[Tick]) -> np.ndarray:
    found = [tick.state.robots["arm"].wrist for tick in ticks]
    return np.array([[*w.force, *w.torque] for w in found if w is not None])


def test_a_slow_sensor_repeats_itself() -> None:
    cell = cell_with(WristSpec(rate=50.0))
    values = [tick.state.robots["arm"].wrist for tick in (cell.step() for _ in range(100))]
    assert len(set(values)) in (10, 11)


# ── Zeroing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_bias_is_zeroed_in_the_air() -> None:
    biased = replace(QUIET, bias=(3.0, -2.0, 5.0, 0.1, 0.2, -0.1))
    bench = Bench(cell_with(biased))
    assert size(felt(bench.go(0.1)).force) == pytest.approx(math.hypot(3.0, 2.0, 5.0), rel=0.05)
    bench.send(ZeroWrist("arm"))
    tick = bench.until(lambda tick: any(n.code == "wrist.zeroed" for n in tick.lanes["arm"].notes), 1.0)
    assert size(felt(tick).force) < 0.05
    bench.send(MoveJoints("arm", (0.4, -0.2, 0.5, 1.2, -0.9, 2.0)))
    bench.until(lambda tick: tick.lanes["arm"].mode == "idle", 20.0)
    assert size(felt(bench.go(0.5)).force) < 0.1  # the bias is the sensor's, in any orientation


def test_it_is_not_zeroed_during_contact() -> None:
    post = ObjectSpec(name="post", size=(0.1, 0.1, 0.2), position=(0.395, 0.0, 0.7), mass=0.0)
    bench = Bench(cell_with(QUIET, post))
    bench.go(4.0, 0.0, 0.0, -1.0)
    bench.run.send(ZeroWrist("arm"))
    tick = bench.go(0.002, 0.0, 0.0, -1.0)
    assert "lane.refused" in {note.code for note in tick.lanes["arm"].notes}
    assert size(bench.go(1.0, 0.0, 0.0, -1.0).state.robots["arm"].contact.force) < 1.1 * THRESHOLD
    bench.go(0.3)  # let go, it still presses
    bench.run.send(ZeroWrist("arm"))
    tick = bench.until(lambda tick: any(note.code.startswith("wrist.zero.") for note in tick.lanes["arm"].notes), 1.0)
    assert size(felt(tick).force) > 0.8 * THRESHOLD


def test_a_drift_grows() -> None:
    bench = Bench(cell_with(replace(QUIET, drift=(0.0, 0.0, 2.0, 0.0, 0.0, 0.0))))
    assert size(felt(bench.go(1.0)).force) == pytest.approx(2.0, abs=0.05)
    assert size(felt(bench.go(1.0)).force) == pytest.approx(4.0, abs=0.05)


def test_a_robot_without_a_sensor_has_nothing_to_zero_or_break() -> None:
    cell = Cell.load("irb120")
    assert "has no wrist sensor" in worded(cell.step(Inputs(events=(ZeroWrist("arm"),))).lanes["arm"].notes[0])
    assert "has no wrist sensor" in worded(cell.step(Inputs(events=(BreakWrist("arm"),))).notes[0])


# ── Held objects ──────────────────────────────────────────────────────────────────────────────────────────────────────


def grasped(wrist: WristSpec, mass: float = 0.6) -> Bench:
    bench = Bench(cell_with(wrist, replace(CUBE, mass=mass)))
    bench.send(SelectMapping("arm", "base axes"))
    bench.go(0.5)
    bench.go(5.25, 0.0, 0.0, -1.0)
    bench.go(0.3)
    bench.go(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
    return bench


@pytest.mark.parametrize("wrist", [QUIET, WristSpec(force_noise=0.3, torque_noise=0.01)], ids=["quiet", "noisy"])
def test_a_payload_is_weighed_and_then_weighs_nothing(wrist: WristSpec) -> None:
    bench = grasped(wrist)
    tick = bench.go(1.5, 0.0, 0.0, 1.0)
    assert tick.state.objects["cube"].position[2] > 0.64
    assert tick.lanes["arm"].payload == pytest.approx(0.6, rel=0.04)
    tick = bench.go(0.5)
    assert size(felt(tick).force) < 0.3 + 4.0 * wrist.force_noise
    # turned over, its centre is still where the torque puts it
    tick = bench.go(4.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    tick = bench.go(0.5)
    assert size(felt(tick).torque) < 0.05 + 4.0 * (wrist.torque_noise + 0.14 * wrist.force_noise)  # 0.14 m to the tip
    # Let go, there is nothing left.
    tick = bench.go(0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    assert tick.lanes["arm"].payload is None
    assert size(felt(bench.go(0.3)).force) < 0.1 + 4.0 * wrist.force_noise


def test_a_load_above_the_threshold_can_be_lifted() -> None:
    """Compliance must not yield to the weight of an object that the robot has just grasped."""
    bench = Bench(cell_with(replace(QUIET, payload=6.0)))
    bench.go(0.1)
    # A load of 2.5 kg that the gripper is made to believe in: 24.5 N, above the 20 N of the threshold.
    lane = bench.run.cell.lanes["arm"]
    assert lane.wrist is not None
    state = bench.run.cell.state.robots["arm"]
    holding = replace(state, groups={**state.groups, "gripper": GroupState((0.05,), (0.0,), (40.0,))})
    memory, heavy = WristMemory(), added(holding, 2.5 * 9.81)
    for i in range(500):
        height = 0.0001 * i
        x, y, z = heavy.T_base_tip.position
        risen = replace(heavy, T_base_tip=replace(heavy.T_base_tip, position=(x, y, z + height)))
        memory, _ = lane.wrist(risen, memory)
        if i > 100:
            assert size(memory.wrench.force) < THRESHOLD / 4
    assert memory.payload is not None
    assert memory.payload.known
    assert memory.payload.mass == pytest.approx(2.5, rel=0.02)
    # once it is weighed, the force of a shelf under it counts in full
    for _ in range(5):
        memory, _ = lane.wrist(replace(added(holding, 0.5 * 9.81), T_base_tip=risen.T_base_tip), memory)
    assert memory.wrench.force[2] == pytest.approx(2.0 * 9.81, rel=0.05)


def added(robot: RobotState, down: float) -> RobotState:
    """Return the sensor's reading with an additional pull straight down at the tip; the flange points down."""
    assert robot.wrist is not None
    fx, fy, fz = robot.wrist.force
    return replace(robot, wrist=replace(robot.wrist, force=(fx, fy, fz + down)))


def test_a_centre_is_found_once_the_wrist_has_turned() -> None:
    mount = Mount(
        Pose((0.0, 0.0, -0.1), (1.0, 0.0, 0.0, 0.0)),
        1.0,
        (0.0, 0.0, 0.05),
        20.0,
        gripper=plain().lanes["arm"].model.gripper,
    )
    wrist, memory, centre, mass = Wrist(mount, 0.002), WristMemory(), (0.03, -0.02, 0.16), 8.0
    for i in range(3000):
        turn = from_rpy(math.pi + 0.0008 * max(0, i - 1000), 0.0005 * max(0, i - 1000), 0.0)
        memory, _ = wrist(hung(turn, 0.0001 * min(i, 500), mount, mass, centre), memory)
    assert memory.payload is not None
    assert memory.payload.mass == pytest.approx(mass, rel=0.01)
    assert memory.payload.centre == pytest.approx(centre, abs=0.004)
    assert size(memory.wrench.torque) < 0.3


def hung(turn: tuple[float, float, float, float], height: float, mount: Mount, mass: float, centre: Vec3) -> RobotState:
    """Return the state of a robot that holds a mass, with its sensor's reading."""
    g = np.array(rotate(conjugate(turn), (0.0, 0.0, -9.81)))
    force = (mount.mass + mass) * g
    torque = np.cross(mount.centre, mount.mass * g) + np.cross(centre, mass * g)
    groups = {"arm": GroupState((), (), ()), "gripper": GroupState((0.05,), (0.0,), (40.0,))}
    wrench = Wrench(tuple(force.tolist()), tuple(torque.tolist()))
    return RobotState(groups, Pose((0.0, 0.0, 0.5 + height), turn), wrist=wrench)


def test_a_load_released_while_the_sensor_is_broken_is_cleared() -> None:
    bench = grasped(QUIET)
    bench.go(1.5, 0.0, 0.0, 1.0)
    bench.send(SwitchFilter("arm", "compliance", on=False), BreakWrist("arm"))
    assert bench.go(0.1).lanes["arm"].payload == pytest.approx(0.6, rel=0.04)  # the fingers still hold it
    assert bench.go(0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0).lanes["arm"].payload is None


# ── Loads on a tool without fingers ──────────────────────────────────────────────────────────────────────────────────

HOOK = Mount(Pose((0.0, 0.0, -0.1), (1.0, 0.0, 0.0, 0.0)), 1.0, (0.0, 0.0, 0.05), 20.0)
DOWN = from_rpy(math.pi, 0.0, 0.0)


def weighed(*pulls: tuple[float, float], side: float = 0.0) -> list[WristMemory]:
    """Return the wrist's result for a mass (kg) at the tip and a height (m) of the tip in each tick."""
    wrist, memories = Wrist(HOOK, 0.002), [WristMemory()]
    for mass, height in pulls:
        robot = hung(DOWN, height, HOOK, mass, (0.0, 0.0, 0.1))
        assert robot.wrist is not None
        x, y, z = robot.wrist.force
        pulled = replace(robot, groups={}, wrist=replace(robot.wrist, force=(x + side * 9.81 * mass, y, z)))
        memories.append(wrist(pulled, memories[-1])[0])
    return memories


def is_known(memory: WristMemory) -> bool:
    return memory.payload is not None and memory.payload.known


@pytest.mark.parametrize("way", [1e-4, -1e-4], ids=["rises", "sinks"])
def test_a_pull_that_is_steady_over_height_is_a_load(way: float) -> None:
    memories = weighed(*[(8.0, way * i) for i in range(500)])
    assert memories[-1].payload is not None
    assert memories[-1].payload.known
    assert memories[-1].payload.mass == pytest.approx(8.0, rel=0.01)
    assert size(memories[-1].wrench.force) < 1.0
    assert size(memories[50].wrench.force) == pytest.approx(8.0 * 9.81)  # at first it is a contact
    steps = [size(less(b.wrench.force, a.wrench.force)) for a, b in pairwise(memories[2:])]
    assert max(steps) < 5.0  # nothing jumps


@pytest.mark.parametrize(
    ("pulls", "side"),
    [
        ([(8.0, 0.0)] * 1000, 0.0),  # the tip stands: a beam over the hook, perhaps
        ([(5.0 + 0.002 * i, 1e-5 * i) for i in range(3000)], 0.0),  # a spring of 2 kN/m over it, slowly
        ([(8.0, 1e-4 * i) for i in range(1000)], 0.5),  # a wall that it rubs along
        ([(25.0, -1e-4 * i) for i in range(1000)], 0.0),  # more than the robot may lift
        ([(-8.0, 1e-4 * i) for i in range(1000)], 0.0),  # pushes up
    ],
    ids=["beam", "spring", "wall", "too heavy", "table"],
)
def test_other_pulls_stay_contacts(pulls: list[tuple[float, float]], side: float) -> None:
    memories = weighed(*pulls, side=side)
    assert not any(map(is_known, memories))
    assert abs(memories[-1].wrench.force[2]) == pytest.approx(9.81 * abs(pulls[-1][0]))


def test_a_load_that_is_set_down_is_cleared() -> None:
    up, stand = [(8.0, 1e-4 * i) for i in range(500)], [(8.0 - 0.01 * i, 0.05) for i in range(801)]
    memories = weighed(*up, *stand, *[(0.0, 0.05)] * 100, *[(-2.0, 0.05)] * 100)
    assert is_known(memories[600])
    # the remaining pull is its weight, not a contact: the arm can set it down
    assert max(size(memory.wrench.force) for memory in memories[600:1300]) < 10.0
    assert memories[-101].payload is None
    assert memories[-1].wrench.force[2] == pytest.approx(2.0 * 9.81)  # a table under the hook itself


# ── Compliance by the sensor ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("wrist", [QUIET, WristSpec()], ids=["quiet", "noisy"])
def test_compliance_holds_its_threshold_by_the_sensor_alone(wrist: WristSpec) -> None:
    spring = ObjectSpec(name="pad", size=(0.3, 0.3, 0.1), position=(0.395, 0.0, 0.79), mass=2.0, stiffness=1e4)
    bench = Bench(cell_with(wrist, spring))
    bench.go(0.2)
    pressed = []
    for _ in range(40):
        tick = bench.go(0.1, 0.0, 0.0, -0.4)
        pressed.append(size(tick.state.robots["arm"].contact.force))
    assert max(pressed) <= 1.5 * THRESHOLD
    assert 0.85 * THRESHOLD < np.mean(pressed[-10:]) < 1.15 * THRESHOLD
    tick = bench.go(0.5, 0.0, 0.0, 0.4)
    assert not tick.state.robots["arm"].touching  # it backs out freely


# ── Faults ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("how", "words"), [("silent", "sends nothing"), ("nan", "sends no valid numbers")])
def test_a_broken_sensor_stops_the_robot_without_a_jump(how: str, words: str) -> None:
    bench = Bench(cell_with(QUIET))
    bench.go(0.5)
    bench.go(0.5, 0.0, 1.0, 0.0)
    last = bench.run.cell.memory["arm"].setpoints["arm"]
    bench.run.send(BreakWrist("arm", how))  # type: ignore[arg-type] # the parameters are of the right kind
    limit = max(joint.acceleration for joint in plain().lanes["arm"].model.arm.joints) * 0.002 * 1.01
    for _ in range(300):
        tick = bench.run.tick()
        now = tick.lanes["arm"].setpoints["arm"]
        assert max(abs(a - b) for a, b in zip(now.rates, last.rates, strict=True)) <= limit
        last = now
    assert tick.lanes["arm"].mode == "stopped"
    assert any(words in worded(note) for note in tick.lanes["arm"].notes)
    assert max(map(abs, last.rates)) == 0.0
    # it stays stopped until the sensor answers again and the operator resets it
    assert bench.send(Reset("arm")).lanes["arm"].mode == "stopped"
    bench.send(BreakWrist("arm", ""))
    assert bench.send(Reset("arm")).lanes["arm"].mode == "idle"


def test_without_compliance_a_broken_sensor_only_makes_a_note() -> None:
    bench = Bench(cell_with(QUIET))
    bench.send(SwitchFilter("arm", "compliance", on=False), BreakWrist("arm"))
    bench.go(0.1)
    tick = bench.go(0.5, 0.0, 1.0, 0.0)
    assert tick.lanes["arm"].mode == "teleoperation"
    assert any(note.code == "wrist.broken" for note in tick.lanes["arm"].notes)
    bench.send(HoldHere("arm"))
