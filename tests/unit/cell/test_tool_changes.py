"""Quick change: another tool brings its mass and tip, at rest only, and the arm does not jump."""

from __future__ import annotations

import math
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace
from worded import worded

from farhand import Cell, Run
from farhand.cell import Checkpoint, checkpoint_of
from farhand.cell.signals import signals_of
from farhand.errors import CellFileError
from farhand.filters.wrist_wrench import Wrist
from farhand.masters import Manual
from farhand.surroundings import AvoidSpec
from farhand.types import (
    AddObject,
    ChangeTool,
    Inputs,
    MoveJoints,
    ObjectSpec,
    Power,
    Reading,
    RemoveObject,
    SelectMapping,
    Teach,
    Tick,
)
from farhand.world import CellWorker, DriveSpec, WristSpec

CUBE = ObjectSpec(name="cube", size=(0.05, 0.05, 0.05), position=(0.395, 0.0, 0.6255), mass=0.6, friction=1.5)


@cache
def plain() -> Cell:
    return Cell.load("irb120")


def cell_with(*objects: ObjectSpec) -> Cell:
    quiet = WristSpec(force_noise=0.0, torque_noise=0.0)
    arm = replace(plain().spec.robots["arm"], tools=("two-finger",), wrist=quiet, avoid=None)
    world = replace(plain().spec.world, objects=(*plain().spec.world.objects[:1], *objects))
    spec = replace(plain().spec, robots={"arm": arm}, world=world, speeds=(0.2, 1.0), speed_level=1)
    return Cell(spec, plain().path)


def steps(cell: Cell, count: int) -> Tick:
    for _ in range(count):
        tick = cell.step()
    return tick


def change(cell: Cell, tool: str) -> Tick:
    return cell.step(Inputs(events=(ChangeTool("arm", tool),)))


def test_another_tool_brings_its_tip_its_mass_and_its_fingers_and_the_arm_stays() -> None:
    cell = cell_with()
    before = steps(cell, 200).state.robots["arm"]
    assert "gripper" in before.groups
    cell.step(Inputs(events=(Teach("arm", "record"),)))
    tick = change(cell, "")
    assert tick.notes == ()
    assert [note.code for note in tick.lanes["arm"].notes] == ["lesson.dropped"]
    joints = tick.state.robots["arm"].groups["arm"].positions
    for _ in range(300):
        tick = cell.step()
        now = tick.state.robots["arm"].groups["arm"]
        assert now.positions == pytest.approx(joints, abs=2e-5)
        assert max(map(abs, now.rates)) < 0.02
    bare = tick.state.robots["arm"]
    assert list(bare.groups) == ["arm"]
    assert math.dist(bare.T_base_tip.position, before.T_base_tip.position) == pytest.approx(0.132, abs=1e-3)
    # The flange alone hangs on the sensor, and weighs nothing.
    assert math.hypot(*tick.lanes["arm"].contact.force) < 0.05
    assert bare.wrist is not None
    assert math.hypot(*bare.wrist.force) < 2.0
    assert not [signal for signal in signals_of(cell) if "gripper" in signal.name]
    # And back again, with the fingers open.
    change(cell, "two-finger")
    tick = steps(cell, 300)
    assert tick.state.robots["arm"].groups["gripper"].positions[0] == pytest.approx(0.1, abs=1e-3)
    assert tick.state.robots["arm"].T_base_tip.position == pytest.approx(before.T_base_tip.position, abs=1e-3)
    assert math.hypot(*tick.lanes["arm"].contact.force) < 0.05


def test_a_tool_may_be_changed_for_one_whose_tip_at_home_is_outside_the_work_space() -> None:
    cell = cell_with()
    x = cell.state.robots["arm"].T_base_tip.position[0]
    box = {"kind": "workspace", "lower": [x - 0.3, -1.0, 0.0], "upper": [x + 0.3, 1.0, 0.36]}
    arm = cell.spec.robots["arm"]
    boxed = Cell(replace(cell.spec, robots={"arm": replace(arm, filters=(*arm.filters, box))}), cell.path)
    tick = change(boxed, "")
    assert tick.notes == ()
    tick = steps(boxed, 50)
    assert list(tick.state.robots["arm"].groups) == list(tick.lanes["arm"].setpoints) == ["arm"]
    assert tick.state.robots["arm"].T_base_tip.position[2] > 0.36


def test_a_tool_is_not_changed_in_motion_or_for_an_unknown_one() -> None:
    cell = cell_with()
    steps(cell, 10)
    tick = change(cell, "twofinger")
    assert "no tool is called 'twofinger'" in worded(tick.notes[0])
    cell.step(Inputs(events=(MoveJoints("arm", (1.5, 0.3, 0.1, 0.0, 1.1, 0.0)),)))
    steps(cell, 100)
    tick = change(cell, "")
    assert "cannot change its tool: it is moving by itself" in worded(tick.notes[0])
    assert "gripper" in tick.state.robots["arm"].groups


def test_without_quick_change_it_keeps_its_tool_and_a_list_of_tools_is_checked() -> None:
    tick = change(Cell.load("irb120"), "")
    assert "arm has no quick change for tools" in worded(tick.notes[0])
    arm = replace(plain().spec.robots["arm"], tools=("hoook",))
    with pytest.raises(CellFileError, match=r"robots\.arm\.tools\[0\]: no tool is called 'hoook'"):
        Cell(replace(plain().spec, robots={"arm": arm}), plain().path)


def test_no_tool_is_changed_while_it_holds_something() -> None:
    run = Run(cell_with(CUBE))
    hand = run.masters["hand"]
    assert isinstance(hand, Manual)
    run.send(SelectMapping("arm", "base axes"))
    for seconds, axes in ((0.5, ()), (5.25, (0.0, 0.0, -1.0)), (1.0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)), (0.5, ())):
        hand.set(deadman=bool(axes), axes=axes)
        run.run(seconds)
    tick = change(run.cell, "")
    assert "it holds an object; put that down first" in worded(tick.notes[0])


@pytest.mark.parametrize("named", ["gripper", "tool", "glass"])
def test_the_arm_keeps_clear_with_another_tool_whatever_the_cell_file_names(named: str) -> None:
    glass = ObjectSpec(name="glass", size=(0.1, 1.0, 1.4), position=(0.6, 0.0, 0.7), mass=0.0, touch="never")
    table = replace(plain().spec.robots["arm"], tools=("two-finger",), avoid=AvoidSpec(never=(named,)))
    spec = replace(plain().spec, robots={"arm": table}, world=replace(plain().spec.world, objects=(glass,)))
    cell = Cell(spec, plain().path)
    cell.step()
    if named == "glass":
        cell.step(Inputs(events=(RemoveObject("glass"),)))
    assert change(cell, "").notes == ()
    if named == "glass":
        cell.step(Inputs(events=(AddObject(glass),)))
    assert cell.lanes["arm"].arena is not None
    for i in range(2000):
        reading = Reading(sequence=i, deadman=i > 0, axes=(1.0, 0.0, 0.0))
        tick = cell.step(Inputs({"hand": reading}))
        assert "glass" not in cell.world.touched_by("arm")
    assert "avoid.near" in {note.code for note in tick.lanes["arm"].notes}


def test_a_lane_whose_braking_breaks_too_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell(plain().spec, plain().path)
    cell.step()

    def broken(*_: object) -> None:
        raise KeyError("gripper")

    monkeypatch.setattr(cell.lanes["arm"], "_move", broken)
    tick = cell.step()
    assert tick.lanes["arm"].mode == "fault"
    assert not any(tick.lanes["arm"].setpoints["arm"].rates)


def test_the_rest_of_the_world_goes_on_and_snapshots_go_back_past_a_change() -> None:
    cell = cell_with(CUBE)
    steps(cell, 50)
    saved, first = cell.snapshot(), [cell.step() for _ in range(20)]
    change(cell, "")
    tick = steps(cell, 50)
    assert tick.state.objects["cube"].position == pytest.approx(CUBE.position, abs=2e-3)
    cell.restore(saved)
    assert [cell.step() for _ in range(20)] == first


def test_a_cell_that_is_started_anew_carries_the_tool_that_it_had() -> None:
    cell = cell_with()
    steps(cell, 20)
    change(cell, "")
    steps(cell, 20)
    kept = msgspec.msgpack.decode(msgspec.msgpack.encode(checkpoint_of(cell)), type=Checkpoint)
    anew = cell_with()
    anew.resume(kept)
    tick = anew.step()
    assert "gripper" not in tick.state.robots["arm"].groups
    assert tick.lanes["arm"].mode == "stopped"
    assert isinstance(anew.lanes["arm"].wrist, Wrist)


def test_a_change_is_compiled_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = cell_with()

    def refuse(blueprint: object) -> None:
        raise AssertionError(f"the tick had to compile {blueprint}")

    monkeypatch.setattr("farhand.cell.runtime.compile_world", refuse)
    with CellWorker.open() as shop:
        shop.warm_up()
        run = Run(cell, worker=shop)
        run.send(ChangeTool("arm", ""))
        tick = run.run(300.0, lambda tick: "gripper" not in tick.state.robots["arm"].groups)
        assert "gripper" not in tick.state.robots["arm"].groups


def test_a_hydraulic_arm_takes_a_hook() -> None:
    cell = Cell.load("titan3-cyberimpact")
    cell.step(Inputs(events=(Power("arm", on=True),)))
    steps(cell, 1800)
    there = cell.state.robots["arm"].groups["arm"].positions
    assert change(cell, "hook").notes == ()
    tick = steps(cell, 500)
    assert tick.state.robots["arm"].groups["arm"].positions == pytest.approx(there, abs=1e-4)
    wrist = cell.lanes["arm"].wrist
    assert wrist is not None
    assert wrist.mount.mass == pytest.approx(4.0, abs=0.1)
    assert cell.world.rig("arm").placement.drive == DriveSpec(
        kind="velocity", loops=cell.spec.robots["arm"].drive.loops
    )
