"""Everything of which a cell is built, as one value: it can be built again where none of its files are."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from farhand.cell import Cell, ModelKey, ModelStore
from farhand.cell.cell_spec import CellSpec
from farhand.config import read_regular
from farhand.errors import FarhandError
from farhand.formats.model import RobotModel
from farhand.records.errors import RecordError

__all__ = ["CellSource", "build", "source_of"]

MAX_FILE = 1 << 28  # bytes of a file that a cell names


class CellSource(Struct, frozen=True):
    """Everything of which a cell is built.

    Args:
        spec: Content of the cell file, with what it is based on.
        seed: Decides everything random.
        models: Robots with their tools, meshes included.
        files: Other files that the cell file names, by the name that `spec` has for them.
    """

    spec: CellSpec
    seed: int
    models: tuple[tuple[ModelKey, RobotModel], ...]
    files: dict[str, bytes] = {}


def source_of(cell: Cell) -> CellSource:
    """Return everything of which a cell is built.

    Raises:
        RecordError: If a file that the cell names cannot be read any more.
    """
    files: dict[str, bytes] = {}
    table = msgspec.to_builtins(cell.spec)
    names = {
        name: f"files/{i}-{Path(name).name}" for i, name in enumerate(sorted(set(_files(table, cell.path.parent))))
    }
    for name, kept in names.items():
        try:
            files[kept] = read_regular(cell.path.parent / name, MAX_FILE)
        except (OSError, ValueError) as error:
            raise RecordError(f"{name}, which the cell names, cannot be read: {error}") from error
    spec = msgspec.convert(_renamed(table, names), CellSpec)
    return CellSource(spec, cell.seed, cell.models.contents, files)


def build(source: CellSource) -> Cell:
    """Build the cell; no file is read but those that the value holds.

    Raises:
        RecordError: If this version of Farhand cannot build it.
    """
    with tempfile.TemporaryDirectory(prefix="farhand-record-") as folder:
        for name, content in source.files.items():
            path = Path(folder, name)
            if not path.resolve().is_relative_to(Path(folder).resolve()):
                raise RecordError(f"the record names a file outside its folder: {name!r}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            return Cell(source.spec, Path(folder, "cell.toml"), source.seed, ModelStore(source.models))
        except FarhandError as error:
            raise RecordError(f"this version of Farhand cannot build the cell of the record: {error}") from error


def _files(table: Any, folder: Path) -> Iterator[str]:
    """Yield the texts of a table that name a file; robots have been read already."""
    if isinstance(table, dict):
        for key, value in table.items():
            if key != "model":
                yield from _files(value, folder)
    elif isinstance(table, (list, tuple)):
        for value in table:
            yield from _files(value, folder)
    elif isinstance(table, str) and "." in table and len(table) < 1000 and "\0" not in table:
        try:
            if (folder / table).is_file():
                yield table
        except OSError:
            return


def _renamed(table: Any, names: dict[str, str]) -> Any:
    if isinstance(table, dict):
        return {key: value if key == "model" else _renamed(value, names) for key, value in table.items()}
    if isinstance(table, (list, tuple)):
        return [_renamed(value, names) for value in table]
    return names.get(table, table) if isinstance(table, str) else table
