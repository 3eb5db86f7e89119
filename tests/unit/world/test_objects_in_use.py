"""Held and carrying objects cannot be removed; new ones overlap nothing; contacts are known by pair."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from worded import worded

from farhand import Cell, Inputs, Run
from farhand.cell.cell_spec import CellSpec
from farhand.types import AddObject, Event, ObjectSpec, PairContact, RemoveObject
from farhand.world import Blueprint, World
from farhand_bench.courts import court

TABLE = ObjectSpec(name="table", size=(0.4, 0.4, 0.2), position=(1.5, 0.0, 0.1), mass=0.0)
CUBE = ObjectSpec(name="cube", size=(0.1, 0.1, 0.1), position=(1.5, 0.0, 0.25), mass=1.0)


def cell_of(*objects: ObjectSpec) -> Cell:
    table: dict[str, Any] = {"name": "test", "robots": {"arm": {"model": "irb120"}}}
    table["world"] = {"objects": msgspec.to_builtins(objects)}
    return Cell(msgspec.convert(table, CellSpec), Path("test.toml"))


def said(cell: Cell, *events: Event) -> str:
    return " ".join(worded(note) for note in cell.step(Inputs(events=events)).notes)


def test_an_object_that_carries_another_is_not_removed_even_asleep() -> None:
    cell = cell_of(TABLE, CUBE)
    for _ in range(1500):
        tick = cell.step()
    assert tick.state.asleep == {"cube"}
    assert said(cell, RemoveObject("table")) == "Refused: the table carries the cube: move the cube first."
    assert "cube" in cell.state.objects
    assert said(cell, RemoveObject("cube")) == ""
    assert said(cell, RemoveObject("table")) == ""


def test_an_object_under_a_tracked_robot_is_not_removed_but_one_beside_it_is() -> None:
    plate = ObjectSpec(name="plate", size=(1.4, 1.0, 0.05), position=(0.0, 0.0, 0.025), mass=0.0)
    beside = replace(TABLE, name="beside", position=(0.0, 1.5, 0.1))
    cell = court(objects=(plate, beside), z=0.05)
    for _ in range(50):
        cell.step()
    assert said(cell, RemoveObject("plate")) == "Refused: the plate carries telemax: move telemax first."
    assert said(cell, RemoveObject("beside")) == ""


def test_a_held_object_is_not_removed() -> None:
    cell = Cell.load("irb120-grasp")
    run = Run(cell)
    held: tuple[str, ...] = ()
    for _ in range(40):
        held = run.run(0.25).state.robots["arm"].held
        if held:
            break
    assert held
    assert said(cell, RemoveObject(held[0])) == f"Refused: arm holds the {held[0]}: open its gripper first."
    assert held[0] in cell.state.objects


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (replace(CUBE, name="new", position=(1.5, 0.05, 0.25)), "Refused: the new would be inside the cube."),
        (replace(CUBE, name="new", mass=0.0, position=(1.5, 0.05, 0.25)), "Refused: the new would be inside the cube."),
        (replace(CUBE, name="new", position=(1.35, 0.0, 0.19)), "Refused: the new would be inside the table."),
        (replace(CUBE, name="new", position=(3.0, 0.0, 0.03)), "Refused: the new would be inside the floor."),
        (replace(CUBE, name="new", position=(3.0, 0.0, 0.5)), "The new is in mid-air: it falls."),
        (replace(CUBE, name="new", position=(3.0, 0.0, 0.05)), ""),
        (replace(CUBE, name="new", position=(1.5, 0.0, 0.352)), ""),
        (replace(CUBE, name="new", mass=0.0, position=(3.0, 0.0, 0.03)), ""),
        (replace(CUBE, name="new", mass=0.0, position=(3.0, 0.0, 0.5)), ""),
    ],
)
def test_an_added_object_overlaps_nothing_and_one_in_mid_air_gets_a_note(item: ObjectSpec, text: str) -> None:
    cell = cell_of(TABLE, CUBE)
    cell.step()
    assert said(cell, AddObject(item)) == text
    assert ("new" in [o.name for o in cell.world.blueprint.objects]) == (not text.startswith("Refused"))


def test_contacts_are_known_by_pair_with_force_and_normal() -> None:
    world = World.of(Blueprint((TABLE, CUBE, replace(CUBE, name="lone", position=(4.0, 0.0, 3.0)))))
    seen: list[PairContact] = []
    state = world.state
    while "cube" not in state.asleep:
        seen += state.pairs
        state, _ = world.step({})
    pair = seen[-1]
    assert (pair.first, pair.second) == ("table", "cube")
    assert pair.force == pytest.approx(9.81, rel=0.02)
    assert pair.normal == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)
    assert math.hypot(*pair.normal) == pytest.approx(1.0)
    assert not world.step({})[0].pairs  # sleeping objects cost nothing
