"""Accuracy of the IRB 120: gravity, a known and an unknown load of 3 kg, a spiral in space."""

import math
from pathlib import Path
from random import Random

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace
from toys import still

from farhand import poses
from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.cell.plain_cell import plain_cell
from farhand.loop import Run
from farhand.masters import Manual
from farhand.robots import load_robot
from farhand.types import Feedback, Load, Reading, SelectMapping, SetSpeed, Vector
from farhand.world import Blueprint, Placement, World

ARM = load_robot("irb120")
LOWER, UPPER = (tuple(getattr(joint, side) for joint in ARM.arm.joints) for side in ("lower", "upper"))


def some_postures(count: int) -> list[Vector]:
    """Return random postures, and the arm stretched out level, where it is heaviest."""
    random = Random(4)
    level = (0.0, math.pi / 2, -math.pi / 2 + 1.3, 0.0, 0.0, 0.0)
    drawn = [tuple(random.uniform(0.8 * a, 0.8 * b) for a, b in zip(LOWER, UPPER, strict=True)) for _ in range(count)]
    return [level, *drawn]


def settle(world: World, posture: Vector, load: tuple[float, float, float] | None = None) -> Vector:
    """Hold a posture for a second and return by how many degrees each joint is off."""
    for _ in range(500):
        state, notes = world.step({"arm": {"arm": still(*posture)}}, {"arm": load} if load else {})
        assert notes == ()
    there = state.robots["arm"].groups["arm"].positions
    return tuple(math.degrees(a - b) for a, b in zip(there, posture, strict=True))


def world_at(posture: Vector, mjcf: str = ARM.mjcf) -> World:
    # No floor: only gravity and the load shall act.
    return World.of(Blueprint(robots=(Placement("arm", replace(ARM, mjcf=mjcf), home=posture),), floor=False))


@pytest.mark.parametrize("posture", some_postures(5))
def test_steady_error_under_gravity(posture: Vector) -> None:
    assert max(map(abs, settle(world_at(posture), posture))) < 0.001


@pytest.mark.parametrize("posture", some_postures(5))
def test_steady_error_with_three_kilograms_that_the_drive_does_not_know(posture: Vector) -> None:
    off = settle(world_at(posture), posture, (0.0, 0.0, -3.0 * 9.81))
    assert max(map(abs, off)) <= 0.1
    assert max(map(abs, off)) > 1e-4  # the load is there


@pytest.mark.parametrize("posture", some_postures(2))
def test_steady_error_with_three_kilograms_mounted(posture: Vector) -> None:
    spec = mujoco.MjSpec.from_string(ARM.mjcf, assets=ARM.assets)
    site = spec.site(ARM.arm.tip)
    site.parent.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.03, 0, 0], pos=site.pos, mass=3.0, contype=0)
    spec.compile()
    world = world_at(posture, spec.to_xml())
    assert sum(world.compiled.model.body_mass) == pytest.approx(sum(world_at(posture).compiled.model.body_mass) + 3.0)
    assert max(map(abs, settle(world, posture))) < 0.001


def test_jogging_with_three_kilograms_stays_exact() -> None:
    spec, models = plain_cell("irb120", None, None, None)
    cell = Cell(spec, Path("cell.toml"), models=models)
    run = Run(cell, {"hand": Spiral()})
    run.send(SelectMapping("robot", "base axes"))
    run.send(SetSpeed("robot", 5))
    run.send(Load("robot", (0.0, 0.0, -29.43)))
    off = []
    for _ in range(3000):
        tick = run.tick()
        told = tick.lanes["robot"].setpoints["arm"].positions
        here = tick.state.robots["robot"].groups["arm"].positions
        off.append(max(abs(a - b) for a, b in zip(told, here, strict=True)))
    assert math.degrees(max(off)) < 0.15


class Spiral:
    """Draws a rising spiral with the tip: the published simulator's test of following in space."""

    def __init__(self) -> None:
        self.count = 0

    def step(self, feedback: Feedback, now: float) -> Reading:
        self.count += 1
        axes = (-0.6 * math.sin(2 * now), 0.6 * math.cos(2 * now), 0.08)
        return Reading(sequence=self.count, tick=feedback.tick, deadman=self.count > 1, axes=axes)


def test_a_spiral_is_followed_within_a_tenth_of_a_millimetre() -> None:
    spec = CellSpec(name="spiral", robots={"arm": RobotSpec(model="irb120")})
    cell = Cell(spec, Path("cell.toml"))
    lane, run = cell.lanes["arm"], Run(cell, {"hand": Spiral()})
    run.send(SelectMapping("arm", "base axes"))
    run.send(SetSpeed("arm", 5))
    errors = []
    for _ in range(4000):
        tick = run.tick()
        told = poses.from_matrix(lane.chain.forward(np.array(tick.lanes["arm"].setpoints["arm"].positions)))
        errors.append(math.dist(told.position, tick.state.robots["arm"].T_base_tip.position))
    assert max(errors) < 1e-4
    assert tick.state.robots["arm"].T_base_tip.position[2] > 0.5


def test_step_responses_are_fast_and_do_not_ring() -> None:
    for joint in range(6):
        world = world_at(tuple(j.home for j in ARM.arm.joints))
        goal = [j.home for j in ARM.arm.joints]
        goal[joint] += math.radians(1.0)
        trace = []
        for _ in range(250):
            state, _ = world.step({"arm": {"arm": still(*goal)}})
            trace.append(state.robots["arm"].groups["arm"].positions[joint] - goal[joint] + math.radians(1.0))
        degrees = np.degrees(trace)
        assert degrees[100] > 0.9  # within 0.2 s
        assert degrees.max() < 1.1  # overshoots by less than a tenth
        assert abs(degrees[-1] - 1.0) < 0.01


@pytest.mark.parametrize(
    "axes", [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]
)
def test_a_stroke_is_straight_and_ends_where_it_was_let_go(axes: Vector) -> None:
    hand, cell = Manual(), Cell.load("irb120")
    run = Run(cell, {"hand": hand})
    run.send(SelectMapping("arm", "base axes"))
    run.send(SetSpeed("arm", 5))
    path = [np.array(run.tick().state.robots["arm"].T_base_tip.position)]
    for ticks, held in ((250, axes), (400, ())):
        hand.set(deadman=bool(held), axes=held)
        path += [np.array(run.tick().state.robots["arm"].T_base_tip.position) for _ in range(ticks)]
    way = path[-1] - path[0]
    length = float(np.linalg.norm(way))
    along = [float((p - path[0]) @ way) / length for p in path]
    aside = [float(np.linalg.norm(p - path[0] - s * way / length)) for p, s in zip(path, along, strict=True)]
    assert length > 0.1
    assert max(aside) < 5e-5
    assert max(along) - length < 3e-4
