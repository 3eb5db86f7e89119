"""Find, read and check cell files; every error names the file and the field."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.cell_paths import cell_names, find_cell
from farhand.config import ConfigError, convert, read_toml
from farhand.errors import CellFileError, shown
from farhand.filters import FILTERS
from farhand.mapping import MAPPINGS
from farhand.masters import MASTERS
from farhand.registry import Registry
from farhand.types import ObjectSpec
from farhand.world.blueprint import RESERVED
from farhand.world.object_kinds import check_joint, check_name, check_object, check_part, check_surface
from farhand.world.pieces import piece_objects

__all__ = [
    "cell_names",
    "cell_summaries",
    "check_robot",
    "find_cell",
    "kind_of",
    "objects_of",
    "read_cell",
    "settings_of",
]

MAX_DEPTH = 8  # cell files in a chain of `based_on`


def cell_summaries() -> dict[str, str]:
    """Return the one-sentence summary of each cell of the catalogue, by name."""
    return {name: read_cell(find_cell(name)).summary for name in cell_names()}


def read_cell(path: Path) -> CellSpec:
    """Return the checked content of a cell file.

    Raises:
        CellFileError: If it is wrong; names the file, the field, the value found and the value expected.
    """
    table = _whole_table(path)
    try:
        spec = convert(table, CellSpec)
        check_cell(spec)
    except ConfigError as error:
        raise error.in_file(path, CellFileError) from error
    return spec


def _whole_table(path: Path, depth: int = 0) -> dict[str, Any]:
    """Return the table of a cell file, laid over the tables of the files it is based on.

    Raises:
        CellFileError: If one of them cannot be read, or the chain is too long or circular.
    """
    table = read_toml(path, CellFileError)
    base = table.pop("based_on", None)
    if base is None:
        return table
    if not isinstance(base, str):
        raise CellFileError(
            path, f"found {base!r}, expected the name of a cell or the path of a cell file", field="based_on"
        )
    if depth >= MAX_DEPTH:
        raise CellFileError(path, f"more than {MAX_DEPTH} files are based on one another", field="based_on")
    if not base.endswith(".toml") and base not in cell_names():
        problem = f"found {shown(base)}, expected the name of a cell or the path of a .toml file"
        raise CellFileError(path, problem, field="based_on", found=base, known=tuple(cell_names()))
    found = path.parent / base if base.endswith(".toml") else find_cell(base)
    return _merged(_whole_table(found, depth + 1), table)


def _merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return one table laid over another: tables are merged, everything else is replaced."""
    both = {key: _merged(under[key], value) for key, value in over.items() if _tables(under.get(key), value)}
    return {**under, **over, **both}


def _tables(first: Any, second: Any) -> bool:
    return isinstance(first, dict) and isinstance(second, dict)


def check_cell(spec: CellSpec) -> None:
    """Check rules that span several fields.

    Raises:
        ConfigError: If a rule is broken.
    """
    if spec.speed_level > len(spec.speeds):
        raise ConfigError("speed_level", f"found {spec.speed_level}, but there are only {len(spec.speeds)} speeds")
    _check_speeds(spec.speeds, "speeds")
    if problem := check_surface(spec.world.surface, spec.world.friction):
        raise ConfigError("world", problem)
    objects = objects_of(spec)
    _check_names(spec, objects)
    before: list[ObjectSpec] = []
    for field, item in objects:
        problem = check_object(item) or check_joint(item, before)
        if problem:
            raise ConfigError(field, problem)
        before.append(item)
    for name, table in spec.masters.items():
        kind_of(table, MASTERS, f"masters.{name}")
    for name, robot in spec.robots.items():
        check_robot(robot, spec, name)
        if 0 < len(robot.speeds) < spec.speed_level:
            problem = f"found {len(robot.speeds)}, but speed_level is {spec.speed_level}"
            raise ConfigError(f"robots.{name}.speeds", problem)


def objects_of(spec: CellSpec) -> list[tuple[str, ObjectSpec]]:
    """Return all objects of a cell's world, including those of its pieces, each with the field it comes from.

    Raises:
        ConfigError: If a piece cannot be made.
    """
    found = [(f"world.objects[{i}]", item) for i, item in enumerate(spec.world.objects)]
    for i, table in enumerate(spec.world.pieces):
        try:
            found += [(f"world.pieces[{i}]", item) for item in piece_objects(table)]
        except ConfigError as error:
            raise error.within(f"world.pieces[{i}]") from error
    return found


def _check_names(spec: CellSpec, objects: list[tuple[str, ObjectSpec]]) -> None:
    seen: set[str] = set(RESERVED)
    places = [(f"robots.{name}", name) for name in spec.robots]
    places += [(f"{field}.name", item.name) for field, item in objects]
    for field, name in places:
        problem = check_name(name)
        if problem:
            raise ConfigError(field, problem)
        if name in seen:
            raise ConfigError(field, f"the name {name!r} is already taken; names are unique")
        seen.add(name)


def check_robot(robot: RobotSpec, spec: CellSpec, name: str) -> None:
    """Check rules that span several fields of a robot's table.

    Raises:
        ConfigError: If a rule is broken.
    """
    field = f"robots.{name}"
    _check_choices(robot, field)
    if robot.master and robot.master not in spec.masters:
        known = tuple(spec.masters)
        problem = f"no master is called {robot.master!r}; there are: {', '.join(known) or 'none'}"
        raise ConfigError(f"{field}.master", problem, robot.master, known)
    if not robot.master and len(spec.masters) > 1:
        raise ConfigError(
            f"{field}.master", f"expected one of {', '.join(spec.masters)}, since the cell has several masters"
        )
    if not 0.5 <= sum(x * x for x in robot.rotation) <= 2:
        raise ConfigError(f"{field}.rotation", f"found {list(robot.rotation)}, expected a unit quaternion (w, x, y, z)")
    if not all(math.isfinite(x) and abs(x) < 1e3 for x in robot.home):
        raise ConfigError(f"{field}.home", f"found {list(robot.home)}, expected joint positions in radians or metres")
    for i, item in enumerate(robot.attach):
        if problem := check_part(item):
            raise ConfigError(f"{field}.attach[{i}]", problem)
    if not robot.mappings:
        raise ConfigError(f"{field}.mappings", "is empty; expected at least one mapping")
    for name, table in robot.mappings.items():
        kind_of(table, MAPPINGS, f"{field}.mappings.{name}")
    for i, table in enumerate(robot.filters):
        kind_of(table, FILTERS, f"{field}.filters[{i}]")


def _check_choices(robot: RobotSpec, field: str) -> None:
    """Check the scales and speed levels that the operator can choose."""
    if len(set(robot.scales)) < len(robot.scales):
        raise ConfigError(f"{field}.scales", f"found {list(robot.scales)}, expected different values")
    _check_speeds(robot.speeds, f"{field}.speeds")


def _check_speeds(speeds: Sequence[float], field: str) -> None:
    if any(b <= a for a, b in pairwise(speeds)):
        raise ConfigError(field, f"found {list(speeds)}, expected rising values")


def kind_of(table: dict[str, Any], registry: Registry[Any], field: str) -> str:
    """Return the kind that a table names.

    Raises:
        ConfigError: If it names none, or one that the registry does not have.
    """
    kind, known = table.get("kind"), tuple(registry)
    if not isinstance(kind, str):
        raise ConfigError(f"{field}.kind", f"is missing; expected one of {', '.join(known)}")
    if kind not in known:
        problem = f"no {registry.kind} is called {kind!r}; there are: {', '.join(known)}"
        raise ConfigError(f"{field}.kind", problem, kind, known)
    return kind


def settings_of(table: dict[str, Any]) -> dict[str, Any]:
    """Return a table without its kind."""
    return {key: value for key, value in table.items() if key != "kind"}
