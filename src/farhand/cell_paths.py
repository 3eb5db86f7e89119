"""Find cell files by a catalogue name or a path; quick to import, so that an unknown name is refused at once."""

from __future__ import annotations

from pathlib import Path

from farhand.errors import UnknownNameError

__all__ = ["CELLS", "cell_names", "find_cell"]

CELLS = Path(__file__).parent / "cell" / "cells"


def cell_names() -> list[str]:
    """Return the names of the cells in the catalogue."""
    return sorted(path.stem for path in CELLS.glob("*.toml"))


def find_cell(name: str | Path) -> Path:
    """Return the file of a cell, given a name of the catalogue or a path.

    Raises:
        UnknownNameError: If it is neither.
    """
    path = Path(name)
    try:
        if path.suffix == ".toml" or path.exists():
            return path
    except (OSError, ValueError):  # too long or not a path: it can only be a name
        pass
    if str(name) not in cell_names():
        raise UnknownNameError("cell", str(name), cell_names())
    return CELLS / f"{name}.toml"
