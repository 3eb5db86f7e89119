"""Checkpoints: a cell restarts in the same world, at rest and stopped, or refuses with a reason."""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from hands import BOX, Hand, random_inputs
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell, Checkpoint, checkpoint_of
from farhand.errors import FarhandError
from farhand.poses import Pose
from farhand.types import (
    AddObject,
    Generate,
    Generator,
    Inputs,
    Load,
    MoveObject,
    ObjectSpec,
    Park,
    RemoveObject,
    Reset,
    SetScale,
    Stop,
    SwitchFeedforward,
    SwitchFilter,
    Tick,
)
from farhand.world import Posture
from farhand_bench.courts import ROBOT, court
from farhand_bench.driver import Driver


def sent(checkpoint: Checkpoint) -> Checkpoint:
    """Return a checkpoint as it comes out of a wire."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(checkpoint), type=Checkpoint)


def anew(checkpoint: Checkpoint, name: str = "irb120") -> Cell:
    cell = Cell.load(name)
    cell.resume(sent(checkpoint))
    return cell


@pytest.fixture(scope="module")
def busy() -> Hand:
    """Return a hand that has changed everything that can be changed, and is still moving."""
    hand = Hand(Cell.load("irb120"), "tool axes", 4)
    hand.send(AddObject(BOX), RemoveObject("can"), MoveObject("table", Pose((0.3, 0.0, 0.29))))
    hand.send(MoveObject("ball", Pose((0.3, 0.3, 0.9), (0.0, 1.0, 0.0, 0.0))), Load("arm", (0.0, 0.0, -5.0)))
    hand.send(SwitchFilter("arm", "smooth", on=False), SwitchFeedforward("arm", on=False))
    hand.send(Generate("arm", Generator(0, "constant", 0.1)))
    hand.drive(0.2)
    hand.send(Generate("arm"))
    hand.drive(0.5, 0.3, 0.5, 0.2, 0.1, -0.2, 0.4, -1.0)
    hand.send(Generate("arm", Generator(1)))
    hand.drive(0.002, 0.3, 0.5)
    return hand


def test_the_world_is_as_it_was_and_the_robots_are_stopped(busy: Hand) -> None:
    checkpoint = checkpoint_of(busy.cell)
    cell = anew(checkpoint)
    assert cell.number == busy.cell.number
    assert cell.world.blueprint == busy.cell.world.blueprint
    assert {"extra", "cube"} <= cell.state.objects.keys()
    assert "can" not in cell.state.objects
    for name, pose in busy.tick.state.objects.items():
        assert cell.state.objects[name].position == pytest.approx(pose.position, abs=1e-12)
        assert cell.state.objects[name].rotation == pytest.approx(pose.rotation, abs=1e-12)
    for name, group in busy.tick.state.robots["arm"].groups.items():
        assert any(group.rates)
        assert cell.state.robots["arm"].groups[name].positions == pytest.approx(group.positions, abs=1e-12)
        assert not any(cell.state.robots["arm"].groups[name].rates)
    tick = cell.step()
    report = tick.lanes["arm"]
    assert tick.number == busy.cell.number + 1
    assert tick.time == pytest.approx(busy.cell.time + cell.dt)
    assert (report.mode, report.mapping, report.speed_level) == ("stopped", "tool axes", 4)
    assert [worded(note) for note in report.notes] == ["Stopped: the cell was restarted after its process ended."]
    # What was switched off is on again.
    assert (report.off, report.generating, report.waiting, report.heard) == ((), False, False, -1)


def test_nothing_moves_by_itself_and_driving_needs_a_reset_and_a_fresh_press(busy: Hand) -> None:
    cell = anew(checkpoint_of(busy.cell))
    before = cell.state.robots["arm"].groups["arm"].positions
    hand = Hand(cell, "joints")
    hand.drive(0.5, 0.5)
    assert hand.mode == "stopped"
    assert hand.joints == pytest.approx(before, abs=math.radians(0.1))
    hand.send(Reset())
    hand.drive(0.5, 0.5)
    assert hand.mode == "idle"
    assert hand.joints == pytest.approx(before, abs=math.radians(0.1))
    hand.drive(0.1)
    hand.drive(0.4, 0.5)
    assert hand.joints[0] > before[0] + 0.05


def test_objects_that_rested_rest_on() -> None:
    cell = Cell.load("irb120")
    for _ in range(1000):
        cell.step()
    again = anew(checkpoint_of(cell))
    for _ in range(1000):
        tick = again.step()
    for name, pose in cell.state.objects.items():
        assert math.dist(pose.position, tick.state.objects[name].position) < 1e-4, name


def test_what_the_gripper_holds_stays_held() -> None:
    hand = Hand(Cell.load("irb120-grasp"), "base axes", 3)
    hand.drive(0.2)
    hand.drive(1.05, 0.0, 0.0, -1.0)
    hand.drive(0.3)
    hand.drive(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
    hand.drive(0.8, 0.0, 0.0, 1.0)
    held = hand.tick.state.objects["cube"].position
    assert held[2] > 0.7
    cell = anew(checkpoint_of(hand.cell), "irb120-grasp")
    for _ in range(1500):
        tick = cell.step()
    assert math.dist(tick.state.objects["cube"].position, held) < 2e-3
    assert tick.state.robots["arm"].touching


def test_an_arm_under_load_keeps_its_set_points() -> None:
    # Set-points taken from the bent joints would let it sink a little further with every new start.
    hand = Hand(Cell.load("irb120"))
    hand.send(Stop(), Load("arm", (0.0, 0.0, -60.0)))
    told = hand.drive(0.5).lanes["arm"].setpoints
    cell = anew(checkpoint_of(hand.cell))
    assert cell.step().lanes["arm"].setpoints == told


def test_set_points_too_far_ahead_are_brought_close() -> None:
    cell = Cell.load("irb120")
    checkpoint = checkpoint_of(cell)
    robot = checkpoint.robots["arm"]
    far = tuple(position + 1.0 for position in robot.setpoints["arm"])
    odd = replace(checkpoint, robots={"arm": replace(robot, setpoints={**robot.setpoints, "arm": far})})
    again = anew(odd)
    tick = again.step()
    for told, at, lead in zip(
        tick.lanes["arm"].setpoints["arm"].positions, robot.posture.arm, again.world.rig("arm").leads(), strict=True
    ):
        assert abs(told - at) <= lead + 1e-6


def test_the_parking_brake_stays_set_and_the_hand_keeps_its_scale() -> None:
    cell = court()
    cell.step(Inputs(events=(Park(ROBOT, on=True), SetScale(ROBOT, 0.2))))
    again = court()
    again.resume(sent(checkpoint_of(cell)))
    report = again.step().lanes[ROBOT]
    assert (report.parked, report.scale) == (True, 0.2)
    driver = Driver(again)
    driver.send(Reset())
    driver.drive(0.1)
    driver.drive(0.3, 0.5)
    assert "base.parked" in {note.code for note in driver.tick.lanes[ROBOT].notes}
    assert driver.robot.base_twist is not None
    assert math.hypot(*driver.robot.base_twist.linear) < 0.01


def kept(cell: Cell) -> list[Checkpoint]:
    """Return checkpoints from the life of a cell with a restless operator."""
    found = []
    for i, given in enumerate(random_inputs(4000, seed=9)):
        cell.step(given)
        if i % 400 == 399:
            found.append(sent(checkpoint_of(cell)))
    return found


def test_a_checkpoint_of_a_restarted_cell_is_the_same_checkpoint() -> None:
    checkpoints, cell = kept(Cell.load("irb120", seed=4)), Cell.load("irb120")
    assert len({len(checkpoint.objects) for checkpoint in checkpoints}) > 1
    for checkpoint in checkpoints:
        cell.resume(checkpoint)
        again = checkpoint_of(cell)
        assert replace(again, robots={}, poses={}) == replace(checkpoint, robots={}, poses={})
        assert again.robots["arm"].posture == checkpoint.robots["arm"].posture
        for name, pose in checkpoint.poses.items():
            assert again.poses[name].position == pose.position
            assert again.poses[name].rotation == pytest.approx(pose.rotation, abs=1e-12)
        cell.resume(again)
        assert checkpoint_of(cell) == again
        assert all(cell.step().notes == () for _ in range(50))


def test_the_same_checkpoint_gives_the_same_ticks(busy: Hand) -> None:
    checkpoint, lived = checkpoint_of(busy.cell), Cell.load("irb120", seed=9)
    for given in random_inputs(500, seed=1):
        lived.step(given)
    lived.step(Inputs(events=(Load("arm", (9.0, 9.0, 9.0)), SwitchFeedforward("arm", on=False))))
    lived.world._qvel[-1] = 1e12
    lived.step()
    lived.resume(checkpoint)
    fresh = anew(checkpoint)

    def ticks(cell: Cell) -> list[Tick]:
        return [cell.step(Inputs(events=(Reset(),) if i == 20 else ())) for i in range(300)]

    assert ticks(lived) == ticks(fresh)


def test_a_frozen_cell_restarts_from_its_last_good_state() -> None:
    hand = Hand(Cell.load("irb120"))
    hand.drive(0.3, 0.2)
    good = hand.joints
    hand.cell.world._qvel[-1] = 1e12
    hand.drive(0.01)
    assert hand.cell.world.frozen
    cell = anew(checkpoint_of(hand.cell))
    tick = cell.step()
    assert (cell.world.frozen, tick.notes, tick.lanes["arm"].mode) == (False, (), "stopped")
    assert tick.state.robots["arm"].groups["arm"].positions == pytest.approx(good, abs=1e-3)


# ── What does not fit ────────────────────────────────────────────────────────────────────────────────────────────


@cache
def start() -> Checkpoint:
    return checkpoint_of(Cell.load("irb120"))


def the_arm() -> Any:
    return start().robots["arm"]


def cube() -> ObjectSpec:
    return next(item for item in start().objects if item.name == "cube")


def arm(**changes: Any) -> Checkpoint:
    return replace(start(), robots={"arm": replace(the_arm(), **changes)})


def posture(**changes: Any) -> Checkpoint:
    return arm(posture=replace(the_arm().posture, **changes))


def objects(*items: ObjectSpec, **poses: Pose) -> Checkpoint:
    return replace(start(), objects=(*start().objects, *items), poses={**start().poses, **poses})


MISFITS: list[tuple[Callable[[], Checkpoint], str]] = [
    (lambda: replace(start(), number=-1), "the checkpoint's tick number -1 is out of range"),
    (lambda: replace(start(), robots={}), "the checkpoint lacks the robot 'arm'"),
    (
        lambda: replace(start(), robots={**start().robots, "arn": the_arm()}),
        "no robot is called 'arn' (did you mean 'arm'?)",
    ),
    (lambda: posture(arm=the_arm().posture.arm[:5]), "arm has 6 joints, the checkpoint has 5"),
    (lambda: posture(fingers=()), "arm has 2 finger joints, the checkpoint has 0"),
    (lambda: posture(others=(0.0,)), "arm has 0 other joints, the checkpoint has 1"),
    (lambda: posture(arm=(math.nan,) * 6), "the checkpoint has arm at impossible positions: [nan, "),
    (lambda: posture(fingers=(math.inf, 0.0)), "the checkpoint has arm at impossible positions: [inf, "),
    (lambda: posture(arm=(9.0, 0.0, 0.0, 0.0, 0.0, 0.0)), "Turn of arm cannot be at 9"),
    (lambda: arm(setpoints={}), "the checkpoint's set-points do not fit arm"),
    (lambda: arm(setpoints={**the_arm().setpoints, "arm": (0.0,)}), "the checkpoint's set-points do not fit arm"),
    (
        lambda: arm(setpoints={**the_arm().setpoints, "gripper": (math.nan,)}),
        "the checkpoint has impossible set-points of arm: ",
    ),
    (lambda: arm(mapping="wave"), "no mapping is called 'wave'; there are: base axes, joints, pointer, tool axes"),
    (lambda: arm(speed_level=0), "speed 0 is not one of 1 to 5"),
    (lambda: arm(speed_level=6), "speed 6 is not one of 1 to 5"),
    (lambda: arm(scale=math.nan), "scale nan is outside 0.02 to 50"),
    (lambda: arm(parked=True), "the checkpoint sets the parking brake of arm, which has none"),
    (lambda: objects(cube()), "the name 'cube' is taken"),
    (lambda: objects(replace(BOX, name="arm"), arm=Pose()), "the name 'arm' is taken"),
    (lambda: objects(replace(BOX, size=(1.0,)), extra=Pose()), "a box needs three edge lengths as its size"),
    (lambda: objects(replace(BOX, shape="mesh", size=(), mesh="no.stl"), extra=Pose()), "'no.stl' is not loaded"),
    (lambda: objects(BOX), "objects and poses do not match: extra"),
    (lambda: objects(ghost=Pose()), "objects and poses do not match: ghost"),
    (lambda: objects(cube=Pose((math.nan, 0.0, 0.0))), "cube cannot be at "),
    (lambda: objects(cube=Pose(rotation=(0.0, 0.0, 0.0, 0.0))), "cube cannot be at "),
    (lambda: objects(cube=Pose((1.0, 2.0))), "cube cannot be at "),  # type: ignore[arg-type] # on purpose
]


@pytest.mark.parametrize(("checkpoint", "sentence"), MISFITS)
def test_a_checkpoint_that_does_not_fit_is_refused_and_changes_nothing(
    checkpoint: Callable[[], Checkpoint], sentence: str
) -> None:
    cell, other = Cell.load("irb120"), Cell.load("irb120")
    cell.step()
    with pytest.raises(FarhandError) as caught:
        cell.resume(checkpoint())
    assert sentence in str(caught.value)
    assert not str(caught.value).endswith(".")
    other.step()
    assert [cell.step() for _ in range(5)] == [other.step() for _ in range(5)]


def test_a_world_that_cannot_be_compiled_is_refused_and_changes_nothing() -> None:
    # Two meshes of the same cell file may be there, but a mesh without volume makes no body.
    cell, flat = Cell.load("irb120"), replace(BOX, shape="mesh", size=(), mesh="flat.stl")
    blueprint = replace(cell.world.blueprint, meshes={"flat.stl": bytes(84)})
    cell.world.compiled = replace(cell.world.compiled, blueprint=blueprint)
    before = checkpoint_of(cell)
    with pytest.raises(FarhandError, match="the world cannot be compiled"):
        cell.resume(replace(objects(flat, extra=Pose()), robots=before.robots))
    assert checkpoint_of(cell) == before


def test_a_cell_with_other_drives_and_robots_is_taken_up_too() -> None:
    cell = Cell.load("irb120")
    robots = {name: replace(cell.spec.robots["arm"], position=(0.0, y, 0.6)) for name, y in (("a", 0.0), ("b", 3.0))}
    spec = replace(cell.spec, robots=robots)
    two = Cell(spec, cell.path)
    checkpoint = checkpoint_of(two)
    bent = Posture((0.5, 0.2, 0.2, 0.3, 0.8, -0.4), (0.01, 0.01))
    moved = replace(checkpoint, robots={**checkpoint.robots, "b": replace(checkpoint.robots["b"], posture=bent)})
    again = Cell(spec, cell.path)
    again.resume(sent(moved))
    assert again.state.robots["b"].groups["arm"].positions == bent.arm
    assert again.state.robots["a"] == two.state.robots["a"]
    with pytest.raises(FarhandError, match="no robot is called 'a'"):
        cell.resume(moved)
