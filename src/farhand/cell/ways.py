"""How the robots are driven: as the cell file says, or as it was changed since."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from farhand.cell.assemble import around_of, lane_of, masters_of, setup_of
from farhand.cell.limits import check_noise
from farhand.cell.spec import CellSpec, RobotSpec
from farhand.lane import Lane
from farhand.types import ObjectSpec
from farhand.world import World

__all__ = ["Ways", "changed", "retooled"]


class Ways(Struct, frozen=True):
    """How the robots are driven: as the cell file says, or as it was changed since.

    Args:
        lanes: By robot.
        specs: What the robots' tables would say.
    """

    lanes: dict[str, Lane]
    specs: dict[str, RobotSpec]


def changed(
    ways: Ways,
    name: str,
    after: RobotSpec,
    spec: CellSpec,
    world: World,
    objects: tuple[ObjectSpec, ...] | None = None,
) -> Ways:
    """Return how the robots are driven where one robot's table says something else.

    Args:
        ways: How they were.
        name: Of the robot.
        after: What its table says.
        spec: What the cell file says.
        world: The robot stands in.
        objects: What is around it, if that is not what the world has.

    Raises:
        ConfigError: If that does not fit.
    """
    lane, now = ways.lanes[name], ways.specs[name]
    around, driven = around_of(name, world, objects), lane.driven
    assert driven is not None
    setup = setup_of(after, spec, driven, around, (now, lane.setup))
    check_noise(setup.filters.values(), world.rig(name).placement.wrist)
    lane = lane.altered(setup)
    return Ways({**ways.lanes, name: lane}, {**ways.specs, name: after})


def retooled(ways: Ways, names: Iterable[str], spec: CellSpec, path: Path, world: World) -> Ways:
    """Return how the robots are driven in a world in which some have another tool: another tip, another lane.

    Args:
        ways: How they were.
        names: Of the robots that have.
        spec: What the cell file says.
        path: Where that is.
        world: The robots stand in.

    Raises:
        CellFileError: If a mapping's or filter's settings do not fit.
    """
    masters = masters_of(spec, path)
    fresh = {name: lane_of(name, spec, path, world, masters, ways.specs[name]) for name in names}
    return Ways({**ways.lanes, **fresh}, ways.specs)
