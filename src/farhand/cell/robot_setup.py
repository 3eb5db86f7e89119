"""Make the set-up of a lane from a robot's table: mappings, filters and figures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from farhand.cell.apply_change import filter_titles
from farhand.cell.cell_files import kind_of, settings_of
from farhand.cell.cell_masters import made_from
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.filters import FILTERS, Filter, Placed, Surroundings
from farhand.lane.lane_setup import LaneSetup
from farhand.mapping import MAPPINGS, DrivenRobot, Mapping
from farhand.types import ObjectSpec
from farhand.world import World

__all__ = ["around_of", "setup_of"]


def around_of(name: str, world: World, objects: Iterable[ObjectSpec] | None = None) -> Surroundings:
    """Return the surroundings that a robot's filters need: its base, the objects and their meshes."""
    blueprint = world.blueprint
    there = blueprint.objects if objects is None else objects
    return Surroundings(world.compiled.bases[name], {item.name: item for item in there}, blueprint.meshes)


def setup_of(
    robot: RobotSpec,
    spec: CellSpec,
    driven: DrivenRobot,
    around: Surroundings,
    before: tuple[RobotSpec, LaneSetup] | None = None,
) -> LaneSetup:
    """Return the set-up of a robot's lane.

    Args:
        robot: The robot's table.
        spec: The cell file.
        driven: The figures that mappings need.
        around: The surroundings that filters need.
        before: The table before and its set-up; parts that did not change are taken over.

    Raises:
        ConfigError: If a mapping's or filter's settings do not fit.
    """
    mappings, filters = _existing(before)
    return LaneSetup(
        mappings={
            title: mappings.get((title, _key(table)))
            or made_from(
                lambda t: MAPPINGS[kind_of(t, MAPPINGS, "")](settings_of(t), driven), table, f"mappings.{title}"
            )
            for title, table in robot.mappings.items()
        },
        filters={
            title: _take_existing(filters, table) or made_from(lambda t: _filter(t, around), table, f"filters[{i}]")
            for i, (title, table) in enumerate(zip(filter_titles(robot.filters), robot.filters, strict=True))
        },
        watchdog=robot.watchdog,
        speeds=robot.speeds or spec.speeds,
        scales=robot.scales,
        reflection=robot.feedback,
        avoid=robot.avoid,
    )


Key = bytes


def _key(table: dict[str, Any]) -> Key:
    return msgspec.msgpack.encode(table, order="deterministic")


def _existing(
    before: tuple[RobotSpec, LaneSetup] | None,
) -> tuple[dict[tuple[str, Key], Mapping], list[tuple[Key, Filter]]]:
    """Return the existing mappings and filters, by the tables that they were made from."""
    if before is None:
        return {}, []
    robot, setup = before
    mappings = {(title, _key(table)): setup.mappings[title] for title, table in robot.mappings.items()}
    made = [setup.filters[title] for title in filter_titles(robot.filters)]
    return mappings, [(_key(table), stage) for table, stage in zip(robot.filters, made, strict=True)]


def _take_existing(known: list[tuple[Key, Filter]], table: dict[str, Any]) -> Filter | None:
    """Remove and return the first filter made from an equal table, or None."""
    key = _key(table)
    for i, (other, stage) in enumerate(known):
        if other == key:
            del known[i]
            return stage
    return None


def _filter(table: dict[str, Any], around: Surroundings) -> Filter:
    made = FILTERS[kind_of(table, FILTERS, "")](settings_of(table))
    return made.placed(around) if isinstance(made, Placed) else made
