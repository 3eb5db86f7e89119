"""Objects with several shapes and on joints, and the pieces of a training ground."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from worded import worded

from farhand import Cell
from farhand.cell import Checkpoint, checkpoint_of, find_cell, read_cell
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.config import ConfigError
from farhand.errors import CellFileError, UnknownNameError, WorldError
from farhand.poses import Pose
from farhand.types import (
    AddObject,
    Inputs,
    MoveObject,
    ObjectJoint,
    ObjectPart,
    ObjectSpec,
    RemoveObject,
    ResetObjects,
    State,
)
from farhand.world import AttachSpec, Blueprint, World, edited
from farhand.world.pieces import PIECES, piece_objects
from farhand.world.pieces.maze import walls_of

FLAT = {"name": "it", "position": (0.3, -0.2, 0.0), "heading_deg": 30.0}
PLAN = ("+--+--+", "      |", "+--+  +", "|      ", "+--+--+")
CROSS = ObjectSpec(
    name="cross",
    size=(0.2, 0.02, 0.02),
    position=(0.0, 0.0, 0.5),
    mass=0.6,
    parts=(ObjectPart(size=(0.02, 0.2, 0.02)), ObjectPart(size=(0.02, 0.02, 0.4), collides=False)),
)


def settings_of(kind: str) -> dict[str, Any]:
    return {"kind": kind} | FLAT | ({"plan": PLAN} if kind == "maze" else {})


def world_of(*tables: dict[str, Any], objects: tuple[ObjectSpec, ...] = ()) -> World:
    made = [item for table in tables for item in piece_objects(table)]
    return World.of(Blueprint(objects=(*objects, *made)))


def run(world: World, seconds: float) -> State:
    for _ in range(round(seconds / world.dt)):
        state, notes = world.step({})
        assert notes == ()
    return state


def push(world: World, name: str, force: tuple[float, float, float], at: tuple[float, float, float]) -> None:
    """Apply a constant force to a body at a point of the world."""
    body = world._model.body(name).id
    arm = np.array(at) - world._data.xipos[body]
    world._data.xfrc_applied[body] = [*force, *np.cross(arm, force)]


def turn(world: World, name: str, effort: float) -> None:
    """Apply a constant effort to the joint of an object."""
    world._data.qfrc_applied[world._model.joint(name).dofadr[0]] = effort


# ── Objects ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_parts_share_the_mass_by_volume_and_visual_parts_have_none() -> None:
    world = world_of(objects=(CROSS,))
    body = world._model.body("cross")
    assert body.mass[0] == pytest.approx(0.6)
    first, second, third = world._model.geom_bodyid.tolist().index(body.id) + np.arange(3)
    assert world._model.geom_contype[[first, second, third]].tolist() == [1, 1, 0]
    # two crossed rods of 0.3 kg and 0.2 m, about the axis that is across to both
    rod = 0.3 * (0.2**2 + 0.02**2) / 12.0
    assert sorted(body.inertia)[2] == pytest.approx(2.0 * rod, rel=1e-6)
    assert run(world, 1.0).objects["cross"].position[2] == pytest.approx(0.01, abs=1e-3)


def flap(**joint: Any) -> ObjectSpec:
    """Return a flap of 1 kg, 0.4 m long along x, that turns about its end at the origin, 1 m above the floor."""
    given: dict[str, Any] = {"axis": (0.0, 1.0, 0.0), "at": (-0.2, 0.0, 0.0)} | joint
    return ObjectSpec(
        name="flap", size=(0.4, 0.1, 0.02), position=(0.2, 0.0, 1.0), mass=1.0, joint=ObjectJoint(**given)
    )


def test_a_flap_falls_to_its_stop_and_agrees_with_its_joint() -> None:
    state = run(world_of(objects=(flap(range=(0.0, 1.0), damping=0.3),)), 2.0)
    assert state.joints["flap"] == pytest.approx(1.0, abs=0.01)
    angle = state.joints["flap"]
    assert state.objects["flap"].position == pytest.approx((0.2 * math.cos(angle), 0.0, 1.0 - 0.2 * math.sin(angle)))


def test_dry_friction_and_springs_hold_a_flap() -> None:
    weight = 9.81 * 0.2
    assert run(world_of(objects=(flap(friction=1.1 * weight),)), 1.0).joints["flap"] == pytest.approx(0.0, abs=0.01)
    assert run(world_of(objects=(flap(friction=0.9 * weight),)), 1.0).joints["flap"] > 0.1
    angle = run(world_of(objects=(flap(spring=20.0, damping=1.0, rest=-0.1),)), 3.0).joints["flap"]
    assert weight * math.cos(angle) == pytest.approx(20.0 * (angle + 0.1), rel=1e-2)


def test_attached_objects_move_with_their_carrier_and_followers_with_their_leader() -> None:
    slider = ObjectSpec(
        name="slider",
        size=(0.02, 0.02, 0.02),
        position=(0.0, 0.0, 0.1),
        mass=0.1,
        joint=ObjectJoint(kind="slide", axis=(1.0, 0.0, 0.0), on="flap", follows="flap", ratio=0.05),
    )
    state = run(world_of(objects=(flap(range=(0.0, 1.0), damping=0.3), slider)), 2.0)
    angle = state.joints["flap"]
    assert state.joints["slider"] == pytest.approx(0.05 * angle, abs=2e-3)
    x, y, z = state.objects["flap"].position
    along = state.joints["slider"]
    there = (
        x + 0.1 * math.sin(angle) + along * math.cos(angle),
        y,
        z + 0.1 * math.cos(angle) - along * math.sin(angle),
    )
    assert state.objects["slider"].position == pytest.approx(there, abs=1e-6)


def test_edits_of_attached_objects_are_refused_or_keep_them() -> None:
    lid = ObjectSpec(name="lid", size=(0.1, 0.1, 0.01), mass=0.1, joint=ObjectJoint(on="flap"))
    world = world_of(objects=(flap(range=(0.0, 1.0), damping=0.3), lid))
    run(world, 2.0)
    for edit, said in (
        (RemoveObject("flap"), "the lid hangs on the flap; remove the lid first"),
        (MoveObject("lid", Pose()), "the lid hangs on the flap; move the flap instead"),
        (AddObject(flap(on="none")), "is taken in this world"),
    ):
        with pytest.raises(WorldError, match=said):
            edited(world.blueprint, edit)
    again = ObjectSpec(name="new", size=(0.1, 0.1, 0.1), joint=ObjectJoint(on="none"))
    with pytest.raises(WorldError, match="on names 'none'"):
        edited(world.blueprint, AddObject(again))
    moved = world.after(MoveObject("flap", Pose((1.2, 0.0, 1.0))))
    world.swap(World.of(moved).compiled)
    assert world.state.joints["flap"] == pytest.approx(1.0, abs=0.01)
    assert world.state.objects["flap"].position[0] > 1.0


# ── Pieces ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", list(PIECES))
def test_every_piece_stands_as_it_is_made(kind: str) -> None:
    assert PIECES[kind].__doc__
    world = world_of(settings_of(kind))
    before = world.state
    after = run(world, 1.0)
    assert all(item.name.startswith("it") for item in world.blueprint.objects)
    for name, pose in before.objects.items():
        assert math.dist(pose.position, after.objects[name].position) < 5e-3
    assert all(abs(at) < 0.02 for at in after.joints.values())


def test_stairs_and_ramps_have_the_given_slope_and_heading() -> None:
    stairs = piece_objects({"kind": "stairs", "name": "s", "steps": 3, "rise": 0.2, "run": 0.3, "heading_deg": 90.0})
    tops = [item.position[2] + 0.5 * item.size[2] for item in stairs]
    assert tops == pytest.approx([0.2, 0.4, 0.6])
    assert stairs[1].position[:2] == pytest.approx((0.0, 0.45), abs=1e-9)
    slope, plateau = piece_objects({"kind": "ramp", "name": "r", "angle_deg": 40.0, "height": 1.0})
    length = 1.0 / math.sin(math.radians(40.0))
    assert slope.size[0] == pytest.approx(length)
    assert plateau.position[0] - 0.5 * plateau.size[0] == pytest.approx(length * math.cos(math.radians(40.0)))


def test_a_maze_is_as_drawn() -> None:
    along, down = walls_of(PLAN)
    assert along == {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}
    assert down == {(0, 2), (1, 0)}
    walls = piece_objects({"kind": "maze", "name": "m", "plan": PLAN, "corridor": 0.8, "wall": 0.05})
    assert len(walls) == 5  # walls that continue each other are one
    assert max(wall.size[0] for wall in walls) == pytest.approx(2 * 0.85 + 0.05)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (("+--+", "|  |"), "plan"),
        (("+--+", "|  |", "+--+", "|  |"), "their number is odd"),
        (("+--+", "|  |", "+-x+"), "has '\\+-x'; expected '\\+' and '--' or spaces"),
        (("+--+", "|  x", "+--+"), "has 'x'; expected '|' or spaces"),
        (("+", "|", "+"), "has no corridor"),
    ],
)
def test_an_invalid_plan_is_refused(plan: tuple[str, ...], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        piece_objects({"kind": "maze", "name": "m", "plan": plan})


def test_rubble_depends_on_its_seed_and_is_at_most_as_high_as_given() -> None:
    def rubble(seed: int) -> tuple[ObjectSpec, ...]:
        return piece_objects({"kind": "rubble", "name": "r", "height": 0.15, "seed": seed})

    assert rubble(1) == rubble(1) != rubble(2)
    with pytest.raises(ConfigError, match="slabs; expected at most"):
        piece_objects({"kind": "rubble", "name": "r", "length": 50.0})
    model = world_of({"kind": "rubble", "name": "r", "height": 0.15})._model
    data = world_of({"kind": "rubble", "name": "r", "height": 0.15})._data
    for geom in range(1, model.ngeom):
        high = np.abs(data.geom_xmat[geom].reshape(3, 3)[2]) @ model.geom_size[geom] + data.geom_xpos[geom][2]
        assert high < 0.15 + 1e-6


# ── A door and a valve ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_bolt_holds_the_door_until_its_handle_is_pressed() -> None:
    world = world_of({"kind": "door", "name": "door"})
    edge = (0.0, -0.4, 1.0)
    push(world, "door", (150.0, 0.0, 0.0), edge)
    assert 0.0 < run(world, 1.0).joints["door"] < 0.03  # as far as the bolt has play
    push(world, "door", (5.0, 0.0, 0.0), edge)
    turn(world, "door handle", 2.5)
    state = run(world, 2.0)
    assert state.joints["door handle"] > 0.7
    assert state.joints["door"] > 0.3
    turn(world, "door handle", 0.0)
    push(world, "door", (0.0, 0.0, 0.0), edge)
    assert run(world, 1.0).joints["door handle"] == pytest.approx(0.0, abs=0.02)


def test_a_door_without_a_latch_opens_when_it_is_pushed() -> None:
    world = world_of({"kind": "door", "name": "door", "latch": False})
    push(world, "door", (10.0, 0.0, 0.0), (0.0, -0.4, 1.0))
    assert run(world, 1.0).joints["door"] > 0.2


def test_a_valve_turns_above_its_friction_and_stops_at_its_limits() -> None:
    world = world_of({"kind": "valve", "name": "valve", "friction": 1.0, "turns": 0.5})
    turn(world, "valve", 0.9)
    assert run(world, 0.5).joints["valve"] == pytest.approx(0.0, abs=0.01)
    turn(world, "valve", 1.3)
    assert run(world, 3.0).joints["valve"] == pytest.approx(math.pi, abs=0.05)


# ── Putting things back ──────────────────────────────────────────────────────────────────────────────────────────


def tower() -> World:
    boxes = tuple(
        ObjectSpec(name=name, size=(0.1, 0.1, 0.1), position=(0.0, 0.0, 0.05 + 0.1 * i), mass=1.0)
        for i, name in enumerate(("low", "middle", "high"))
    )
    return world_of({"kind": "valve", "name": "valve", "position": (1.0, 0.0, 0.0), "friction": 0.1}, objects=boxes)


def fastest(world: World, seconds: float) -> float:
    """Return the highest speed of any object during a time, m/s or rad/s."""
    top = 0.0
    for _ in range(round(seconds / world.dt)):
        world.step({})
        top = max(top, float(np.abs(world._qvel).max()))
    return top


def test_an_object_is_reset_onto_another_that_took_its_place() -> None:
    world = tower()
    run(world, 0.5)
    world.move_object(MoveObject("low", Pose((0.5, 0.0, 0.05))))
    fastest(world, 1.0)  # the others come down
    assert world.state.objects["middle"].position[2] == pytest.approx(0.05, abs=2e-3)
    world.reset_objects("low")
    assert fastest(world, 1.0) < 2.0
    assert world.state.objects["low"].position[2] == pytest.approx(0.25, abs=5e-3)
    world.reset_objects()
    assert fastest(world, 0.5) < 0.2
    assert [world.state.objects[name].position[2] for name in ("low", "middle", "high")] == pytest.approx(
        [0.05, 0.15, 0.25], abs=2e-3
    )


def test_an_object_on_a_joint_is_reset_unless_it_is_blocked() -> None:
    world = tower()
    turn(world, "valve", 1.0)
    assert run(world, 1.0).joints["valve"] > 0.1
    turn(world, "valve", 0.0)
    assert world.reset_objects("valve") == ()
    assert world.state.joints["valve"] == 0.0
    with pytest.raises(UnknownNameError, match="no object that moves is called 'vlave'"):
        world.reset_objects("vlave")
    door = world_of({"kind": "door", "name": "door", "latch": False}, objects=(replaced_box((0.0, 5.0, 0.1)),))
    push(door, "door", (20.0, 0.0, 0.0), (0.0, -0.4, 1.0))
    run(door, 2.0)
    push(door, "door", (0.0, 0.0, 0.0), (0.0, -0.4, 1.0))
    door.move_object(MoveObject("box", Pose((0.0, -0.2, 0.1))))
    opened = door.state.joints["door"]
    assert door.reset_objects("door") == ("door",)
    assert door.state.joints["door"] == pytest.approx(opened)
    door.move_object(MoveObject("box", Pose((0.0, 5.0, 0.1))))
    assert door.reset_objects("door") == ()
    assert door.state.joints["door"] == 0.0


def replaced_box(position: tuple[float, float, float]) -> ObjectSpec:
    return ObjectSpec(name="box", size=(0.2, 0.2, 0.2), position=position, mass=2.0)


def cell_of(world: WorldSpec) -> Cell:
    return Cell(CellSpec(name="t", robots={"arm": RobotSpec(model="irb120")}, world=world), Path("t.toml"))


def test_a_checkpoint_keeps_the_angle_of_a_valve_and_a_reset_restores_it() -> None:
    world = WorldSpec(pieces=({"kind": "valve", "name": "valve", "position": (2.0, 0.0, 0.0), "friction": 0.1},))
    cell = cell_of(world)
    cell.world.put({}, {}, {"valve": 2.0})
    kept = msgspec.msgpack.decode(msgspec.msgpack.encode(checkpoint_of(cell)), type=Checkpoint)
    anew = cell_of(world)
    anew.resume(kept)
    tick = anew.step()
    assert tick.state.joints["valve"] == pytest.approx(2.0, abs=1e-3)
    assert anew.step(Inputs(events=(ResetObjects("valve"),))).state.joints["valve"] == pytest.approx(0.0, abs=1e-3)
    assert "no movable object is called 'v'" in worded(anew.step(Inputs(events=(ResetObjects("v"),))).notes[0])


# ── Attachments of robots ────────────────────────────────────────────────────────────────────────────────────────


def test_a_mass_on_a_link_is_carried_and_the_drives_know_it() -> None:
    ballast = AttachSpec(link="forearm", size=(0.05, 0.05, 0.05), position=(0.1, 0.0, 0.1), mass=2.0)
    robots = {"arm": RobotSpec(model="irb120", attach=(ballast,))}
    cell = Cell(CellSpec(name="t", robots=robots), Path("t.toml"))
    plain = cell_of(WorldSpec())
    whole, bare = (c.world._model.body_subtreemass[0] for c in (cell, plain))
    assert whole == pytest.approx(bare + 2.0)
    start = cell.state.robots["arm"].T_base_tip.position
    for _ in range(250):
        tick = cell.step()
    assert math.dist(tick.state.robots["arm"].T_base_tip.position, start) < 1e-3


def telemax_with(*attached: AttachSpec) -> Cell:
    robots = {"telemax": RobotSpec(model="telemax", attach=attached)}
    return Cell(CellSpec(name="t", robots=robots), Path("t.toml"))


def test_an_attachment_that_overlaps_its_own_robot_is_refused() -> None:
    lamp = AttachSpec(size=(0.05, 0.05, 0.05), position=(-0.2, 0.0, 0.35))
    crate = AttachSpec(size=(0.2, 0.2, 0.2), position=(0.1, 0.0, 0.40), mass=1.0)
    with pytest.raises(CellFileError) as refused:
        telemax_with(lamp, crate)
    assert str(refused.value) == (
        "t.toml: robots.telemax.attach[1]: it would be inside the upper arm at the start and push it off; "
        "give it another position or size, or collides = false"
    )
    cell = telemax_with(lamp, replace(crate, collides=False))
    start = cell.state.robots["telemax"].groups["arm"].positions
    for _ in range(500):
        tick = cell.step()
    assert tick.state.robots["telemax"].groups["arm"].positions == pytest.approx(start, abs=0.01)


@pytest.mark.parametrize("link", ["front left flipper", "front_left"])
def test_flippers_can_be_named_by_link_or_by_body(link: str) -> None:
    cell = telemax_with(AttachSpec(link=link, size=(0.05, 0.02, 0.05), position=(0.2, 0.06, 0.0), mass=1.0))
    model = cell.world._model
    assert model.geom_bodyid[model.geom("telemax/attach[0]").id] == model.body("telemax/front_left").id


# ── Cells based on others ────────────────────────────────────────────────────────────────────────────────────────


def test_a_cell_overrides_the_one_it_is_based_on(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'name = "own"\nbased_on = "telemax"\n[robots.telemax]\nposition = [1, 2, 0]\n[world]\npieces = []\n'
    )
    (tmp_path / "third.toml").write_text('name = "third"\nbased_on = "own.toml"\nspeed_level = 1\n')
    below, third = read_cell(find_cell("telemax")), read_cell(tmp_path / "third.toml")
    assert third.name == "third"
    assert third.robots["telemax"].position == (1.0, 2.0, 0.0)
    assert third.robots["telemax"].mappings == below.robots["telemax"].mappings
    assert (third.world.pieces, third.speed_level) == ((), 1)
