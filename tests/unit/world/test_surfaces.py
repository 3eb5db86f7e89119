"""The grip of belts is that of the smaller friction, and slipping makes a note."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from toys import toy_arm

from farhand.cell.cell_files import check_cell
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.config import ConfigError
from farhand.formats.meshes import MeshPart, to_stl
from farhand.lane.motion.base_notes import base_word
from farhand.poses import Pose
from farhand.robots import load_robot
from farhand.types import ObjectPart, ObjectSpec, Setpoint
from farhand.world import Blueprint, Placement, World
from farhand.world.pieces import piece_objects
from farhand.world.surface_kinds import SURFACES
from farhand_bench.courts import ROBOT, court, ramp
from farhand_bench.driver import Driver

UNTURNED = (1.0, 0.0, 0.0, 0.0)


class Climb:
    """A robot that stands on a slope and drives up it, or tries to.

    Args:
        degrees: How steep the slope is.
        speed: m/s that the belts are told.
        surface: Fields of the ramp.
    """

    def __init__(self, degrees: float, speed: float = 0.4, **surface: Any) -> None:
        slope = math.radians(degrees)
        x, z = 1.0 + 1.2 * math.cos(slope), 1.2 * math.sin(slope) + 0.005
        self.driver = Driver(court(ramp(slope) | surface, x=x, z=z, pitch=slope))
        self.notes: set[str] = set()
        self.words: set[str] = set()
        told, before = Setpoint((0.0, 0.0), (speed, speed), (0.0, 0.0)), self._along(slope)
        for _ in range(600):
            self.driver.step(speed, 0.0, (0.0,) * 4)
            notes = self.driver.tick.lanes[ROBOT].notes
            self.notes |= {note.code for note in notes}
            self.words.add(base_word(notes, told))
        self.climbed = self._along(slope) - before

    def _along(self, slope: float) -> float:
        base = self.driver.robot.T_world_base
        assert base is not None
        return base.position[0] * math.cos(slope) + base.position[2] * math.sin(slope)


def test_a_steep_slope_is_climbed_on_dry_ground_and_not_on_ice() -> None:
    dry, usual, icy = Climb(33.0, friction=0.8), Climb(33.0), Climb(33.0, friction=0.05)
    assert min(dry.climbed, usual.climbed) > 0.3
    assert "base.slip" not in dry.notes | usual.notes
    assert icy.climbed < -0.2
    assert "base.slip" in icy.notes
    assert "slipping" in icy.words


@pytest.mark.parametrize("friction", [0.2, 0.6])
def test_the_steepest_slope_that_it_climbs_follows_from_the_friction(friction: float) -> None:
    edge = math.degrees(math.atan(friction))
    assert Climb(edge - 3.0, friction=friction).climbed > 0.3
    assert Climb(edge + 4.0, friction=friction).climbed < 0.05


def test_a_robot_that_slides_with_its_belts_standing_says_so() -> None:
    parked = Climb(20.0, 0.0, surface="ice")
    assert parked.climbed < -0.2
    assert "base.slide" in parked.notes
    assert "slipping" in parked.words
    assert not {"base.slide", "base.slip"} & Climb(20.0, 0.0).notes


# ── Which surfaces count ─────────────────────────────────────────────────────────────────────────────────────────


def slab() -> bytes:
    """Return the mesh of a box of 1.4 × 1 × 0.05 m."""
    corners = np.array([(x, y, z) for x in (-0.7, 0.7) for y in (-0.5, 0.5) for z in (-0.025, 0.025)])
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return to_stl(MeshPart(corners, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])))


def frictions(world: World, robot: str) -> dict[str, float]:
    """Return the friction between the belts of a robot and each body that they touch."""
    model, contact, found = world.compiled.model, world._data.contact, {}
    tracks = world.compiled.index.robots[robot].tracks
    assert tracks is not None
    for (a, b), friction in zip(contact.geom.tolist(), contact.friction.tolist(), strict=True):
        for belt, other in ((a, b), (b, a)):
            if belt in tracks.belts:
                found[str(model.body(model.geom_bodyid[other]).name)] = friction[0]
    return found


def test_floors_meshes_loose_objects_and_other_robots_count() -> None:
    model = load_robot("telemax")
    things = (
        ObjectSpec(name="mesh", shape="mesh", mesh="slab", position=(0, 0, 0.025), mass=0, friction=0.3),
        ObjectSpec(
            name="loose",
            size=(1.4, 0.5, 0.05),
            position=(0, 3, 0.026),
            mass=5.0,
            surface="ice",
            parts=(ObjectPart(size=(1.4, 0.5, 0.05), position=(0, 0.5, 0)),),
        ),
        ObjectSpec(name="usual", size=(1.4, 1.0, 0.05), position=(0, 6, 0.025), mass=0),
        ObjectSpec(name="rough", size=(1.4, 1.0, 0.05), position=(0, 9, 0.025), mass=0, friction=3.0),
    )
    spots = {"a": (0.0, 0.05), "b": (3.2, 0.052), "c": (6.0, 0.05), "d": (9.0, 0.05), "e": (12.0, 0.0)}
    robots = tuple(Placement(name, model, Pose((0.0, y, z), UNTURNED)) for name, (y, z) in spots.items())
    world = World.of(Blueprint(things, robots, {"slab": slab()}, floor_friction=0.5))
    for _ in range(40):
        world.step({})
    assert [set(frictions(world, name).values()) for name in spots] == [{0.3}, {0.1}, {1.2}, {1.2}, {0.5}]
    compiled = world.compiled.model
    names = [[str(compiled.geom(g).name).split("/")[0] for g in (a, b)] for a, b in compiled_pairs(compiled)]
    assert ["a", "b"] in names  # the belly of another robot
    assert ["a", "a"] not in names


def compiled_pairs(model: Any) -> list[tuple[int, int]]:
    return list(zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True))


def test_usual_ground_needs_no_pairs_and_other_contacts_keep_their_friction() -> None:
    cube = ObjectSpec(name="cube", size=(0.1, 0.1, 0.1), position=(2, 0, 0.15), mass=1.0)
    ice = ObjectSpec(name="ice", size=(1, 1, 0.1), position=(2, 0, 0.05), mass=0, surface="ice")
    telemax = Placement("robot", load_robot("telemax"))
    assert World.of(Blueprint((cube,), (telemax,))).compiled.model.npair == 0
    assert World.of(Blueprint((cube, ice), (Placement("arm", toy_arm()),))).compiled.model.npair == 0
    world = World.of(Blueprint((cube, ice), (telemax,)))
    tracks = world.compiled.index.robots["robot"].tracks
    assert tracks is not None
    assert world.compiled.model.npair == len(tracks.belts)
    world.step({})
    model, contact = world.compiled.model, world._data.contact
    ids = {int(model.geom("cube").id), int(model.geom("ice").id)}
    assert {f[0] for g, f in zip(contact.geom.tolist(), contact.friction.tolist(), strict=True) if set(g) == ids} == {
        0.8
    }


# ── Cell files ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_pieces_take_a_surface_or_a_friction_and_show_it() -> None:
    (icy, _) = piece_objects({"kind": "ramp", "name": "ramp", "surface": "ice"})
    (number, _) = piece_objects({"kind": "ramp", "name": "ramp", "friction": 0.2})
    assert (icy.surface, icy.friction, icy.colour) == ("ice", None, SURFACES["ice"].colour)
    assert (number.surface, number.friction) == ("", 0.2)
    (pallet,) = piece_objects({"kind": "pallet", "name": "pallet", "surface": "wet"})
    assert (pallet.surface, pallet.friction) == ("wet", None)


@pytest.mark.parametrize(
    ("world", "field", "said"),
    [
        (WorldSpec(surface="lava"), "world", "no surface is called 'lava'; there are: concrete, grass, gravel"),
        (WorldSpec(surface="ice", friction=0.3), "world", "give one of them"),
        (WorldSpec(friction=-1.0), "world", "friction must be between 0 and 10, found -1"),
        (WorldSpec(objects=(ObjectSpec(name="a", size=(1, 1, 1), surface="x"),)), "world.objects[0]", "called 'x'"),
        (WorldSpec(pieces=({"kind": "step", "name": "a", "surface": "x"},)), "world.pieces[0].surface", "called 'x'"),
    ],
)
def test_an_unknown_surface_is_refused(world: WorldSpec, field: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_cell(CellSpec(name="cell", robots={"arm": RobotSpec(model="irb120")}, world=world))
    assert caught.value.field == field
    assert said in str(caught.value)
