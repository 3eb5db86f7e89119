"""Arms with mimic joints are driven as coupled arms; MuJoCo with the ties in its model is the oracle."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
from coupled import ARMS, PUBLIC, Oracle, Stage, arm, chain_of, limit, mimic, urdf, world_of
from worded import worded

from farhand.distances.pairs import random_joints
from farhand.errors import PlanningError, RobotFileError
from farhand.formats import read_robot
from farhand.kernels import Floats
from farhand.kinematics import CoupledChain, JointLimits, SerialChain, Servo, joint_limits
from farhand.kinematics.arithmetic.ties import tied_bend_into
from farhand.planning import Planner
from farhand.types import MoveJoints, SelectMapping

NAMES = (*ARMS, *PUBLIC)
#: rad or m by which a measured joint may be off its tie: standing under gravity, and when it is driven to and fro.
STANDS, OFF = 1e-6, 1e-3


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(text)
    return path


def postures(name: str, count: int, seed: int = 0) -> list[Floats]:
    chain, rng = chain_of(name), np.random.default_rng(seed)
    low, high = np.maximum(chain.lower, -math.pi), np.minimum(chain.upper, math.pi)
    return [rng.uniform(low, high) for _ in range(count)]


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_leaders_are_joints_of_the_arm_and_the_ties_stay() -> None:
    model = arm("eight")
    assert [j.name for j in model.arm.joints] == ["yaw", "lift", "fore", "roll", "bend", "twist"]
    assert [(t.joint, t.leader, t.multiplier, t.offset) for t in model.arm.followers] == [
        ("half", "lift", -0.5, 0.1),
        ("draw", "fore", 0.04, 0.06),
    ]
    assert [worded(note) for note in model.notes if note.code == "robot.mimic"] == [
        "These joints follow other joints of the arm and are not driven on their own: half, draw."
    ]
    assert mujoco.MjModel.from_xml_string(model.mjcf).neq == 2
    soft = arm("soft")
    assert [j.name for j in soft.arm.joints] == ["yaw", "lift", "fore", "curl"]
    assert len(soft.arm.followers) == 19


def test_limits_of_leaders_are_narrowed_to_what_followers_can_do() -> None:
    joints = {joint.name: joint for joint in arm("eight").arm.joints}
    # half = 0.1 − 0.5·lift stays above −1 and below 0.6, at 0.5 rad/s at most
    assert (joints["lift"].lower, joints["lift"].upper) == pytest.approx((-1.0, 1.8))
    assert joints["lift"].velocity == pytest.approx(1.0)
    # draw = 0.06 + 0.04·fore stays within 0 and 0.12; at 0.1 m/s fore may turn at 2.5 rad/s
    assert (joints["fore"].lower, joints["fore"].upper) == pytest.approx((-1.5, 1.5))
    assert joints["fore"].velocity == pytest.approx(2.0)


def test_a_follower_of_a_follower_follows_the_leader_of_both(tmp_path: Path) -> None:
    rows = [
        ("a", "revolute", "0 0 1", 0.1, limit(-1, 1)),
        ("b", "revolute", "0 1 0", 0.2, limit(-1, 1) + mimic("c", 2.0, 0.1)),
        ("c", "revolute", "0 1 0", 0.2, limit(-1, 1) + mimic("a", -0.5, 0.2)),
    ]
    model = read_robot(written(tmp_path, urdf(rows)))
    ties = {t.joint: (t.leader, t.multiplier, t.offset) for t in model.arm.followers}
    assert ties == {"b": ("a", pytest.approx(-1.0), pytest.approx(0.5)), "c": ("a", -0.5, 0.2)}
    assert [j.lower for j in model.arm.joints] == pytest.approx([-0.5])


def test_a_follower_in_a_curve_is_driven_on_its_own(tmp_path: Path) -> None:
    text = (
        '<mujoco><compiler angle="radian"/><worldbody><body name="a"><geom size=".05"/>'
        '<body name="b"><joint name="j1" axis="0 1 0" range="-1 1"/><geom size=".05" pos="0 0 .2"/>'
        '<body name="c" pos="0 0 .4"><joint name="j2" axis="0 1 0" range="-1 1"/><geom size=".05" pos="0 0 .2"/>'
        "</body></body></body></worldbody>"
        '<equality><joint joint1="j2" joint2="j1" polycoef="0 1 .5 0 0"/></equality></mujoco>'
    )
    path = tmp_path / "arm.xml"
    path.write_text(text)
    model = read_robot(path)
    assert [j.name for j in model.arm.joints] == ["j1", "j2"]
    assert "Joint j2 follows j1 along a curve; as part of the arm it is driven on its own." in map(worded, model.notes)
    assert mujoco.MjModel.from_xml_string(model.mjcf).neq == 0
    path.write_text(text.replace("0 1 .5 0 0", "0 1 0 0 0"))
    assert [t.joint for t in read_robot(path).arm.followers] == ["j2"]


def test_joints_without_a_position_in_common_are_refused(tmp_path: Path) -> None:
    rows = [
        ("a", "revolute", "0 0 1", 0.1, limit(-1, 1)),
        ("b", "revolute", "0 1 0", 0.2, limit(-1, 1) + mimic("a", 1.0, 5.0)),
    ]
    with pytest.raises(RobotFileError, match="joint a: it and b, which follows it, have no position in common"):
        read_robot(written(tmp_path, urdf(rows)))


# ── Kinematics ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", NAMES)
def test_forward_and_jacobian_are_those_of_mujoco_with_the_ties(name: str) -> None:
    chain, oracle = chain_of(name), Oracle(world_of(name))
    h = 1e-6
    for q in postures(name, 10):
        oracle.put(q)
        np.testing.assert_allclose(chain.forward(q), oracle.tip(), atol=1e-9)
        T, J = oracle.tip(), chain.jacobian(q)
        for i in range(chain.n):
            step = h * np.eye(chain.n)[i]
            oracle.put(q + step)
            ahead = oracle.tip()
            oracle.put(q - step)
            D = (ahead - oracle.tip()) / (2 * h)
            W = D[:3, :3] @ T[:3, :3].T
            np.testing.assert_allclose(J[:, i], [*D[:3, 3], W[2, 1], W[0, 2], W[1, 0]], atol=2e-7)


@pytest.mark.parametrize("name", NAMES)
def test_forward_of_inverse_is_identity(name: str) -> None:
    chain = chain_of(name)
    for q in postures(name, 20, seed=1):
        T = chain.forward(q)
        found = chain.inverse(T, np.clip(q + 0.2, chain.lower, chain.upper))
        assert found.reached
        assert (chain.lower <= found.q).all()
        assert (found.q <= chain.upper).all()
        np.testing.assert_allclose(chain.forward(found.q), T, atol=2e-5)


def test_how_the_jacobian_bends_equals_its_differences() -> None:
    chain, rng, h = chain_of("eight"), np.random.default_rng(2), 1e-6
    slides = (chain.arrays.kinds % 4) == 1
    scale = np.where(slides, chain.length, 1.0) * np.array([[1 / chain.length]] * 3 + [[1.0]] * 3)
    for q in postures("eight", 5, seed=2):
        r, K = rng.normal(size=6), np.zeros((6, 6))
        tied_bend_into(chain.arrays.fixed, chain.arrays.kinds, chain.arrays.tool, q, chain.length, np.ones(6), r, K)
        for i in range(6):
            step = h * np.eye(6)[i]
            D = (chain.jacobian(q + step) - chain.jacobian(q - step)) * scale / (2 * h)
            np.testing.assert_allclose(K[i], r @ D, atol=1e-6)


def test_a_follower_that_never_moves_changes_nothing() -> None:
    rows = [(0, -math.pi / 2, 0.3, 0), (0.4, 0, 0, -1.2), (0.1, -math.pi / 2, 0, 0.4)]
    rows += [(0, math.pi / 2, 0.3, 0), (0, -math.pi / 2, 0, 0), (0, 0, 0.1, 0)]
    plain = SerialChain.from_dh(rows, [-2.8] * 6, [2.8] * 6)
    longer = SerialChain.from_dh([*rows, (0, 0, 0, 0)], [-2.8] * 7, [2.8] * 7)
    coupled = CoupledChain(longer, {"joint7": ("joint2", 0.0, 0.0)})
    limits = JointLimits(*(np.full(6, v) for v in (-2.8, 2.8, 2.0, 10.0, 1000.0)))
    one, other = Servo(plain, limits, 0.002), Servo(coupled, limits, 0.002)
    rng = np.random.default_rng(4)
    for k in range(60):
        q, rates = rng.uniform(-2.5, 2.5, 6), rng.uniform(-0.3, 0.3, 6)
        if k % 3 == 0:
            q[4] = rng.uniform(-0.02, 0.02)  # a wrist that is nearly aligned
        T, twist = plain.forward(q), rng.uniform(-0.2, 0.2, 6)
        T[:3, 3] += rng.uniform(-1e-3, 1e-3, 3)
        first, second = one.tip(q, rates, T, twist), other.tip(q, rates, T, twist)
        np.testing.assert_allclose(second.rates, first.rates, atol=1e-7)
    assert np.abs(plain.length - coupled.length) < 1e-12


# ── Driving ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", NAMES)
def test_followers_stay_on_their_ties_standing_and_driven(name: str) -> None:
    stage = Stage(name)
    chain, worst, told = stage.chain, 0.0, []
    for _ in range(300):
        stage.step()
    assert stage.off() < STANDS
    stage.step((), SelectMapping("arm", "joints"))
    rng = np.random.default_rng(0)
    for _ in range(6):
        axes = rng.choice([-1.0, 1.0], chain.n).tolist()
        for tick in stage.drive(axes, 150):
            worst = max(worst, stage.off())
            told.append(tick.lanes["arm"].setpoints["arm"])
            assert tick.lanes["arm"].mode in {"idle", "teleoperation"}, tick.lanes["arm"].notes
    assert worst < OFF
    # what was told keeps followers within their limits, in place and rate
    assert isinstance(chain, CoupledChain)
    for setpoint in told:
        at = chain.joints(setpoint.positions)
        assert (at >= chain.links.lower - 1e-9).all()
        assert (at <= chain.links.upper + 1e-9).all()


def test_leaders_carry_what_hangs_on_their_followers_without_sagging() -> None:
    stage = Stage("eight")
    for _ in range(300):
        tick = stage.step()
    assert tick.lanes["arm"].mode == "idle"
    measured = tick.state.robots["arm"].groups["arm"].positions
    assert measured == pytest.approx([joint.home for joint in arm("eight").arm.joints], abs=1e-6)


def test_rates_of_followers_stay_within_their_limits() -> None:
    stage, ratios = Stage("eight"), chain_of("eight").ratios
    stage.step((), SelectMapping("arm", "joints"))
    fastest = np.zeros(2)
    for sign in (1.0, -1.0):
        for tick in stage.drive((0.0, sign, sign, 0.0, 0.0, 0.0), 1200):
            rates = np.array(tick.lanes["arm"].setpoints["arm"].rates)
            fastest = np.maximum(fastest, np.abs(ratios @ rates))
    assert fastest == pytest.approx([0.5, 0.08], abs=1e-6)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_straight_line_stays_straight(axis: int, sign: float) -> None:
    stage = Stage("eight", home=(0.0, 0.2, 1.2, 0.0, -1.2, 0.0))
    start = np.array(stage.step().state.robots["arm"].T_base_tip.position)
    ticks = list(stage.drive([sign * (i == axis) for i in range(3)], 500))
    tips = np.array([tick.state.robots["arm"].T_base_tip.position for tick in ticks]) - start
    along = sign * tips[:, axis]
    assert along[-1] > 0.09
    beside = np.linalg.norm(np.delete(tips, axis, axis=1), axis=1)
    assert beside.max() < 5e-6
    # and MuJoCo measures the tip where the chain says that it is
    measured, site = stage.cell.world._data.site_xpos, stage.rig.index.tip_site
    base = stage.cell.world.compiled.bases["arm"]
    there = np.array(ticks[-1].state.robots["arm"].T_base_tip.position) + base.position
    assert np.linalg.norm(measured[site] - there) < 2e-4


def test_the_page_sees_driven_joints_alone() -> None:
    from farhand.server.cell_process.describe import describe

    stage = Stage("soft")
    tick = stage.step()
    assert len(tick.state.robots["arm"].groups["arm"].positions) == 4
    (info,) = describe(stage.cell, "coupled", 1, (), {}).robots
    assert [joint.name for joint in info.joints] == ["yaw", "lift", "fore", "curl"]
    assert len(info.frames) == 23


# ── Keeping clear ────────────────────────────────────────────────────────────────────────────────────────────────


def wall(stage: Stage, gap: float, axis: int = 0) -> dict[str, object]:
    tip = (
        np.array(stage.step().state.robots["arm"].T_base_tip.position) + stage.cell.world.compiled.bases["arm"].position
    )
    tip[axis] += gap + 0.05
    size = [1.5, 1.5, 1.5]
    size[axis] = 0.1
    return {"name": "wall", "size": size, "position": tip.tolist(), "mass": 0.0, "touch": "never"}


def touching(stage: Stage) -> tuple[str, ...]:
    return stage.cell.world.touched_by("arm")


@pytest.mark.parametrize("name", ARMS)
def test_gradients_of_distances_equal_their_differences(name: str) -> None:
    stage = Stage(name, avoid={})
    there = wall(stage, 0.3)
    stage = Stage(name, [there], avoid={})
    arena = stage.cell.lanes["arm"].arena
    assert arena is not None
    clearance, h, checked = arena.clearance, 1e-6, 0
    for q in postures(name, 30, seed=5):
        for near in clearance.near(q, 0.5)[:6]:
            differences = np.zeros(len(q))
            for i in range(len(q)):
                step = h * np.eye(len(q))[i]
                ahead, behind = (
                    [n.distance for n in clearance.near(p, 0.6) if n.who == near.who] for p in (q + step, q - step)
                )
                differences[i] = (ahead[0] - behind[0]) / (2 * h) if ahead and behind else np.nan
            if np.isfinite(differences).all() and np.abs(differences - near.gradient).max() < 1e-4:
                checked += 1
            else:  # at an edge, where the nearest point jumps, differences tell nothing
                checked -= 3
    assert checked > 20


@pytest.mark.parametrize("name", ARMS)
def test_levers_bound_what_followers_add(name: str) -> None:
    arena = Stage(name, avoid={}).cell.lanes["arm"].arena
    assert arena is not None
    clearance, rng = arena.clearance, np.random.default_rng(6)
    chain = clearance.chain
    for q in postures(name, 200, seed=6):
        i = int(rng.integers(chain.n))
        moved = np.clip(q + rng.uniform(-0.3, 0.3) * np.eye(chain.n)[i], chain.lower, chain.upper)
        here, there = chain.frames(q), chain.frames(moved)
        for c, capsule in enumerate(clearance.capsules):
            if capsule.link < 0 or capsule.name == "load":
                continue
            for end in (capsule.start, capsule.end):
                p = np.array([*end, 1.0])
                far = float(np.linalg.norm((there[capsule.link] @ p - here[capsule.link] @ p)[:3]))
                assert far <= clearance.levers[c, i] * abs(moved[i] - q[i]) + 1e-9


@pytest.mark.parametrize("name", ARMS)
def test_a_coupled_arm_jogged_into_a_wall_stops_before_it(name: str) -> None:
    there = wall(Stage(name), 0.1)
    stage = Stage(name, [there], avoid={})
    said = set[str]()
    for axes in ((1.0, 0.0, 0.0), (1.0, 0.3, 0.2)):
        for tick in stage.drive(axes, 600):
            assert not touching(stage)
            said |= {note.code for note in tick.lanes["arm"].notes}
    assert "avoid.near" in said
    # joint by joint into it: what follows moves with its leader
    stage.step((), SelectMapping("arm", "joints"))
    rng = np.random.default_rng(7)
    for _ in range(8):
        jog = rng.choice([-1.0, 0.0, 1.0], stage.chain.n).tolist()
        for _ in stage.drive([jog[0] or 1.0, *jog[1:]], 200):
            assert not touching(stage)
            assert stage.off() < OFF


@pytest.mark.parametrize("name", ARMS)
def test_planned_ways_touch_nothing_by_mujoco(name: str) -> None:
    tip = np.array(Stage(name).step().state.robots["arm"].T_base_tip.position)
    pillar = {"name": "wall", "size": [0.08, 0.08, 1.0], "mass": 0.0}
    stage = Stage(name, [{**pillar, "position": [*(0.9 * tip[:2] + [0.0, 0.12]).tolist(), 0.5]}], avoid={})
    arena = stage.cell.lanes["arm"].arena
    assert arena is not None
    clearance, oracle = arena.clearance, Oracle(stage.cell.world.compiled)
    planner = Planner(clearance, joint_limits(arm(name).arm.joints))
    free = [q for q in random_joints(clearance.chain, 200) if clearance.distance(q).distance > 0.01]
    found = 0
    for seed, (a, b) in enumerate(zip(free[::2], free[1::2], strict=False)):
        if found == 6:
            break
        try:
            way = planner.path(a, b, seed)[0]
        except PlanningError:
            continue
        found += 1
        for p, q in itertools.pairwise(way):
            for share in np.linspace(0.0, 1.0, 30):
                oracle.put(p + share * (q - p))
                assert not oracle.data.ncon
    assert found == 6


def test_a_move_goes_where_it_is_sent_around_the_pillar() -> None:
    stage = Stage("eight", avoid={})
    goal = (0.6, 0.4, -0.5, 0.3, 0.4, -0.2)
    stage.step((), MoveJoints("arm", goal))
    for _ in range(3000):
        tick = stage.step()
        assert stage.off() < OFF
    assert tick.state.robots["arm"].groups["arm"].positions == pytest.approx(goal, abs=1e-3)
