"""The Titan III: the paper's figures, a real grasp, and a cell with fragile objects that it must not touch."""

from __future__ import annotations

import math
from functools import cache

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from farhand import Cell, Run
from farhand.formats.model import RobotModel
from farhand.masters import Manual, Modelled
from farhand.poses import Pose, Vec3
from farhand.robots import load_robot
from farhand.surroundings import AvoidSpec
from farhand.types import (
    ChangeTool,
    ClearLoad,
    Load,
    Power,
    Reading,
    SelectMapping,
    SetSpeed,
    Stop,
    Tick,
    TipTrack,
)
from farhand.world import Blueprint, Placement, World

PAYLOAD = 113.0


@cache
def titan() -> RobotModel:
    return load_robot("titan3", tool="titan-jaw")


@cache
def plain() -> Cell:
    return Cell.load("titan3-cyberimpact")


class Bench:
    """The cell with a manual master in place of the CyberImpact, powered up."""

    def __init__(self, mass: float = 13.0, avoid: AvoidSpec | None = None) -> None:
        arm = plain().spec.robots["arm"]
        arm = replace(arm, master="hand", avoid=avoid or arm.avoid)
        objects = tuple(
            replace(item, mass=mass) if item.name == "steel block" else item for item in plain().spec.world.objects
        )
        world = replace(plain().spec.world, objects=objects)
        spec = replace(plain().spec, robots={"arm": arm}, masters={"hand": {"kind": "manual"}}, world=world)
        self.run = Run(Cell(spec, plain().path))
        hand = self.run.masters["hand"]
        assert isinstance(hand, Manual)
        self.hand = hand
        for event in (Power("arm", on=True), SelectMapping("arm", "base axes"), SetSpeed("arm", 4)):
            self.run.send(event)
        self.run.run(4.0, lambda tick: tick.lanes["arm"].mode == "idle")

    def go(self, seconds: float, *axes: float) -> list[Tick]:
        self.hand.set(deadman=bool(axes), axes=axes)
        return [self.run.tick() for _ in range(round(seconds / 0.002))]


def tip(tick: Tick) -> Vec3:
    return tick.state.robots["arm"].T_base_tip.position


def test_half_an_inch_past_the_face_gives_the_papers_top_speed() -> None:
    lane = plain().lanes["arm"]
    hybrid, device = lane.mappings["hybrid"], lane.config.driven.device
    assert device is not None
    robot = plain().state.robots["arm"]
    middle = [0.5 * (a + b) for a, b in zip(device.lower, device.upper, strict=True)]
    _, memory = hybrid(Reading(pose=Pose((middle[0], middle[1], middle[2]))), robot, None)
    assert device.upper[1] - middle[1] == pytest.approx(3 * 0.0254, rel=0.01)
    for inches, share in ((2.5, 0.0), (2.75, 0.5), (3.0, 1.0)):
        pose = Pose((middle[0], middle[1] + inches * 0.0254, middle[2]))
        motions, _ = hybrid(Reading(pose=pose), robot, memory)
        track = motions["arm"]
        assert isinstance(track, TipTrack)
        assert math.hypot(*track.linear) == pytest.approx(share * 37 * 0.0254, abs=0.005)


# ── The robot ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_reach_speed_and_joints_are_the_papers() -> None:
    world = World.of(Blueprint(robots=(Placement("arm", titan()),), floor=False))
    chain = world.rig("arm").chain
    rng, farthest = np.random.default_rng(0), 0.0
    low, high = np.maximum(chain.lower, -math.pi), np.minimum(chain.upper, math.pi)
    for q in rng.uniform(low, high, (3000, 6)):
        x, y, z = chain.forward(q)[:3, 3]
        farthest = max(farthest, math.hypot(math.hypot(x, y) - 0.12, z - 0.36) + 0.12)
    assert farthest <= 1.93 + 1e-9
    stretched = chain.forward(np.zeros(6))[:3, 3]
    assert math.hypot(stretched[0], stretched[1]) == pytest.approx(1.93)
    joints = titan().arm.joints
    assert joints[0].velocity * 1.93 == pytest.approx(0.94, abs=0.01)
    assert [math.isinf(joint.upper) for joint in joints] == [False] * 5 + [True]  # the roll turns without stops
    gripper = titan().gripper
    assert gripper is not None
    assert gripper.effort == 2400.0
    assert titan().notes == ()


def test_efforts_hold_and_accelerate_the_payload_at_full_reach() -> None:
    world = World.of(Blueprint(robots=(Placement("arm", titan()),), floor=False))
    model, data = world.compiled.model, mujoco.MjData(world.compiled.model)
    index = world.compiled.index.robots["arm"]
    for pose in ((0.0,) * 6, (0.0, 0.0, 0.0, 0.0, 0.0, math.pi / 2)):
        data.qpos[index.arm.qpos] = pose
        mujoco.mj_forward(model, data)
        linear, full = np.zeros((3, model.nv)), np.zeros((model.nv, model.nv))
        mujoco.mj_jacSite(model, data, linear, None, index.tip_site)
        mujoco.mj_fullM(model, data, full)
        hold = data.qfrc_bias + PAYLOAD * 9.81 * linear[2]
        inertia = np.diag(full) + PAYLOAD * (linear**2).sum(axis=0)
        for joint, dof in zip(titan().arm.joints, index.arm.dofs.tolist(), strict=True):
            assert abs(hold[dof]) + inertia[dof] * joint.acceleration < joint.effort, joint.name


# ── The cell ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mass", [13.0, 100.0])
def test_jaws_lift_a_block_by_friction_and_the_wrist_weighs_it(mass: float) -> None:
    bench = Bench(mass)
    bench.go(0.95, 0.2)
    bench.go(0.5, 0.0)
    bench.go(4.5, 0.0, 0.0, -0.2)  # slower around it, since a block on a table does not yield
    bench.go(0.5, 0.0)
    bench.go(1.6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
    ticks = bench.go(2.0, 0.0, 0.0, 0.3)
    tick = bench.go(1.0, 0.0)[-1]
    assert tick.state.objects["steel block"].position[2] > 0.95  # it stood at 0.73 on the table
    assert tick.lanes["arm"].payload == pytest.approx(mass, rel=0.02)
    assert math.hypot(*tick.lanes["arm"].contact.force) < 12.0  # its weight counts as nothing
    # compliance, at 222 N, does not yield to a load of 981 N
    assert all(a.state.robots["arm"].T_base_tip.position[2] >= tip(ticks[0])[2] - 0.01 for a in ticks)
    # Held it does not creep.
    gap = tip(tick)[2] + 0.8 - tick.state.objects["steel block"].position[2]
    later = bench.go(2.0, 0.0)[-1]
    assert tip(later)[2] + 0.8 - later.state.objects["steel block"].position[2] == pytest.approx(gap, abs=4e-4)
    # Let go, it falls.
    bench.go(1.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    assert bench.go(0.5, 0.0)[-1].lanes["arm"].payload is None


def test_a_hook_carries_a_load_that_hangs_on_it() -> None:
    bench = Bench()
    bench.run.send(ChangeTool("arm", "hook"))
    bench.go(0.1)
    bench.run.send(Load("arm", (0.0, 0.0, -400.0)))
    start = tip(bench.go(0.002)[-1])[2]
    lowest = tip(bench.go(2.0)[-1])[2]
    assert lowest > start - 0.1  # at first it yields: the pull may be a contact
    ticks = bench.go(2.0, 0.0, 0.0, 0.2)
    assert ticks[-1].lanes["arm"].payload == pytest.approx(400.0 / 9.81, rel=0.02)
    assert tip(ticks[-1])[2] > lowest + 0.1
    ticks = bench.go(1.0)
    assert tip(ticks[-1])[2] == pytest.approx(tip(ticks[400])[2], abs=1e-3)  # it stays
    assert math.hypot(*ticks[-1].lanes["arm"].contact.force) < 12.0
    bench.run.send(ClearLoad("arm"))
    tick = bench.go(1.0)[-1]
    assert tick.lanes["arm"].payload is None
    assert math.hypot(*tick.lanes["arm"].contact.force) < 12.0


def test_contact_force_on_the_table_is_at_most_the_papers_fifty_pounds() -> None:
    bench = Bench()
    bench.go(0.95, -0.2)
    bench.go(1.5, 0.0, 0.2)  # above an empty part of the table
    ticks = bench.go(8.0, 0.0, 0.0, -1.0)
    pressed = np.array([math.hypot(*tick.state.robots["arm"].contact.force) for tick in ticks])
    assert pressed.max() < 1.2 * 222.0  # also in the first touch, of steel on steel and from full speed
    assert 0.95 * 222.0 < pressed[-500:].min() <= pressed[-500:].max() < 1.05 * 222.0


@pytest.mark.parametrize("ends", [None, Stop()], ids=["let go", "stopped"])
def test_contact_force_does_not_grow_at_rest(ends: Stop | None) -> None:
    """The drive integrates: with a set-point slightly inside the table the force used to grow without end."""
    bench, most = Bench(), 222.0
    bench.go(6.0, 0.0, 0.0, -1.0)
    if ends:
        bench.run.send(ends)
    forces = [math.hypot(*tick.state.robots["arm"].contact.force) for tick in bench.go(12.0)]
    assert forces[0] > 0.9 * most
    assert max(forces) < 1.15 * most
    assert forces[-1] < 1.05 * most


def test_the_default_contact_speed_depends_on_the_arms_mass() -> None:
    avoid = plain().spec.robots["arm"].avoid
    assert avoid is not None
    bench = Bench(avoid=replace(avoid, contact_speed=None))
    bench.go(0.95, -0.2)
    bench.go(1.5, 0.0, 0.2)
    pressed = [math.hypot(*tick.state.robots["arm"].contact.force) for tick in bench.go(4.0, 0.0, 0.0, -1.0)]
    assert 0.9 * 222.0 < max(pressed) < 1.5 * 222.0  # 2.6 times as much without


@pytest.mark.parametrize(("aslant", "about"), [(0.3, 0.5), (0.7, 1.65)])
def test_an_oblique_jog_makes_contact_gently_too(aslant: float, about: float) -> None:
    """Without a limit on sliding, friction would more than double the contact force of the heavy arm."""
    bench = Bench()
    bench.go(0.95, -0.2)
    bench.go(1.5, 0.0, 0.2)
    aside, down = math.sin(aslant), -math.cos(aslant)
    ticks = bench.go(5.0, aside * math.cos(about), aside * math.sin(about), down)
    pressed = [math.hypot(*tick.state.robots["arm"].contact.force) for tick in ticks]
    assert 0.9 * 222.0 < max(pressed) < 1.5 * 222.0
    said = {note.code for tick in ticks for note in tick.lanes["arm"].notes}
    assert {"avoid.slides", "avoid.eases"} <= said


def test_the_window_is_never_touched() -> None:
    bench = Bench()
    bench.go(0.5, 0.0, 0.0, 1.0)
    touched: set[str] = set()
    for _ in range(30):
        bench.go(0.2, 1.0, 0.0, 0.0)
        touched |= set(bench.run.cell.world.touched_by("arm"))
    assert "window" not in touched
    assert tip(bench.go(0.1, 1.0)[-1])[0] > 1.4  # it did go there


def test_it_starts_off_and_can_be_driven_once_powered() -> None:
    run = Run(Cell.load("titan3-cyberimpact"))
    master = run.masters["grip"]
    assert isinstance(master, Modelled)
    assert run.run(0.5).lanes["arm"].mode == "off"
    run.send(Power("arm", on=True))
    assert run.run(0.1).lanes["arm"].mode == "powering"
    assert run.run(5.0, lambda tick: tick.lanes["arm"].mode == "idle").lanes["arm"].mode == "idle"
