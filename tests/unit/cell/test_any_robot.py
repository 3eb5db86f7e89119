"""A plain cell around robots outside the catalogue, driven joint by joint and at the tip."""

import math
from collections.abc import Iterable
from typing import Any

import pytest
from public_robots import CASES
from worded import worded

from farhand.cell import Cell
from farhand.errors import RobotFileError
from farhand.loop import Run
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.types import HoldHere, SelectMapping, SetSpeed

# Arms that stand free at home: every joint can be turned a little both ways.
ARMS = ("panda", "so101", "kinova", "pendulum", "xarm7", "puma560", "al5d", "kr120", "iiwa", "arx5", "yumi", "z1")
# Robots whose chain hangs below the base or beside other limbs.
OTHERS = ("talos arm", "b1", "baxter left", "tiago", "h1", "allegro")
SIX = ("panda", "kinova", "xarm7", "puma560", "kr120", "iiwa")


def by_night(names: Iterable[str], *slow: str) -> list[Any]:
    """Return all names, those that add least to what the others show for the nightly campaigns only."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in slow else name for name in names]


def start(name: str) -> tuple[Cell, Manual, Run]:
    case, hand = CASES[name], Manual()
    cell = Cell.for_robot(case.path, tip=case.tip)
    run = Run(cell, {"hand": hand})
    run.send(SetSpeed("robot", 4))
    run.tick()
    return cell, hand, run


def joints(run: Run) -> tuple[float, ...]:
    return run.cell.state.robots["robot"].groups["arm"].positions


@pytest.mark.parametrize("name", by_night(ARMS, "so101", "z1", "yumi", "arx5", "al5d"))
def test_an_arm_outside_the_catalogue_can_be_driven(name: str) -> None:
    cell, hand, run = start(name)
    chain = cell.lanes["robot"].model.arm.joints
    for i, joint in enumerate(chain):
        for direction in (1.0, -1.0):
            before = joints(run)[i]
            hand.set(deadman=True, axes=tuple(direction if k == i else 0.0 for k in range(len(chain))))
            tick = run.run(0.3)
            hand.release()
            told = tick.lanes["robot"].setpoints["arm"].positions[i]
            assert abs(joints(run)[i] - told) < math.radians(0.5), f"{joint.name} does not follow"
            at_limit = min(joint.upper - before, before - joint.lower) < 0.05
            assert at_limit or (joints(run)[i] - before) * direction > 0.01, f"{joint.name} does not move"
            run.run(0.2)
    assert tick.notes == ()


@pytest.mark.parametrize("name", by_night(SIX, "kinova", "xarm7", "iiwa"))
def test_an_arm_outside_the_catalogue_moves_its_tip_straight(name: str) -> None:
    _, hand, run = start(name)
    run.send(SelectMapping("robot", "base axes"))
    before = run.tick().state.robots["robot"].T_base_tip.position
    hand.set(deadman=True, axes=(0.0, 0.0, -1.0))
    run.run(0.5)
    hand.release()
    after = run.run(0.5).state.robots["robot"].T_base_tip.position
    assert before[2] - after[2] > 0.03
    assert math.dist(before[:2], after[:2]) < 0.004


@pytest.mark.parametrize("name", by_night(SIX, "kinova", "xarm7", "iiwa"))
def test_the_tip_of_an_arm_outside_the_catalogue_can_be_dragged(name: str) -> None:
    _, hand, run = start(name)
    run.send(SelectMapping("robot", "pointer"))
    run.send(SetSpeed("robot", 3))  # slow enough for the slowest joint of each
    x, y, z = run.tick().state.robots["robot"].T_base_tip.position
    hand.set(deadman=True, pose=Pose((x, y, z - 0.1)))
    lowest = z
    for _ in range(1800):
        tip = run.tick().state.robots["robot"].T_base_tip.position
        lowest = min(lowest, tip[2])
        assert math.dist(tip[:2], (x, y)) < 0.004
    assert tip[2] == pytest.approx(z - 0.1, abs=2e-4)
    assert lowest > z - 0.1 - 2e-4


@pytest.mark.parametrize("name", OTHERS)
def test_other_robots_stand_still_and_stay_stable(name: str) -> None:
    cell, hand, run = start(name)
    home = joints(run)
    run.run(0.5)
    assert joints(run) == pytest.approx(home, abs=math.radians(0.2))
    count = len(home)
    for i in range(count):
        hand.set(deadman=True, axes=tuple(1.0 if k == i else 0.0 for k in range(count)))
        run.run(0.3)
        hand.release()
        run.send(HoldHere("robot"))
        tick = run.run(0.1)
    assert tick.notes == ()
    assert all(worded(note).endswith(".") for note in cell.notes()["robot"])


def test_a_robot_that_reaches_below_its_base_is_raised() -> None:
    cell, _, _ = start("talos arm")
    assert cell.world.blueprint.robots[0].T_world_stand.position[2] > 0.3
    assert any(note.code == "cell.height" for note in cell.notes()["robot"])


@pytest.mark.parametrize("name", by_night(("vx300s", "iiwa", "ur5"), "iiwa"))
def test_every_robot_can_carry_its_tool(name: str) -> None:
    cell, hand = Cell.for_robot(CASES[name].path, tool="two-finger"), Manual()
    run, codes, count = Run(cell, {"hand": hand}), set(), cell.lanes["robot"].chain.n
    run.send(SetSpeed("robot", 5))
    home = run.tick().state.robots["robot"].groups["arm"].positions
    for i in range(count):
        for direction in (1.0, -1.0):
            hand.set(deadman=True, axes=tuple(direction if k == i else 0.0 for k in range(count)))
            for _ in range(100):
                codes |= {note.code for note in run.tick().lanes["robot"].notes}
            hand.release()
            run.run(0.2)
    assert "guard.lag" not in codes
    assert "mode.stopped" not in codes
    assert joints(run) == pytest.approx(home, abs=0.2)


def test_an_unknown_end_effector_is_answered_with_the_known() -> None:
    with pytest.raises(RobotFileError, match="left_gripper"):
        Cell.for_robot(CASES["baxter"].path, tip="left_griper_base_link")
