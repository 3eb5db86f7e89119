"""A maze, drawn in the cell file.

::

    +--+--+--+
    |     |  |
    +  +--+  +
    |        |
    +--+--+  +

Corners are ``+``, walls between them ``--`` and ``|``. `corridor` is the width of the corridors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Any

from msgspec import Meta

from farhand.config import ConfigError, convert
from farhand.types import ObjectSpec
from farhand.world.pieces.piece import PIECES, Colour, Length, Stand, Wide, fixed

__all__ = ["Maze", "walls_of"]

BOARD: Colour = (0.58, 0.60, 0.56, 1.0)
CHARACTERS = 3  # between two corners of a row, with one corner


class Maze(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A maze. Its origin is the upper left corner of the plan; rows run along x, columns to the right.

    Args:
        plan: Its rows as text.
        corridor: Width of the corridors, m.
        wall: Thickness of the walls, m.
        height: Of the walls, m.
    """

    plan: Annotated[tuple[Annotated[str, Meta(max_length=400)], ...], Meta(min_length=3, max_length=201)]
    corridor: Wide = 0.8
    wall: Length = 0.06
    height: Length = 0.5


def walls_of(plan: tuple[str, ...]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the walls of a plan, along its rows and down its columns, each by row and column.

    A wall along a row starts at the corner of its row and column and ends at the next column; one down a column ends at
    the next row.

    Raises:
        ConfigError: If the plan is not valid; the error names the row.
    """
    if len(plan) % 2 == 0:
        raise ConfigError("plan", f"has {len(plan)} rows; corners and corridors alternate, so their number is odd")
    columns = (max(map(len, plan)) - 1) // CHARACTERS
    if columns < 1:
        raise ConfigError("plan", "has no corridor; between two corners there are two characters")
    along: set[tuple[int, int]] = set()
    down: set[tuple[int, int]] = set()
    for number, text in enumerate(plan):
        row, wide = text.ljust(CHARACTERS * columns + 1), number % 2 == 0
        if len(row) != CHARACTERS * columns + 1:
            raise ConfigError(f"plan[{number}]", f"has {len(row)} characters; expected 3 for each corridor and 1 more")
        for column in range(columns + 1):
            corner, between = row[CHARACTERS * column], row[CHARACTERS * column + 1 : CHARACTERS * (column + 1)]
            if corner not in ("+ " if wide else "| ") or (between.strip() and not (wide and between == "--")):
                expected = "'+' and '--'" if wide else "'|'"
                raise ConfigError(f"plan[{number}]", f"has {corner + between!r}; expected {expected} or spaces there")
            if wide and between == "--":
                along.add((number // 2, column))
            if not wide and corner == "|":
                down.add((number // 2, column))
    return along, down


def _runs(walls: set[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield adjoining walls as one: line, first place, number of walls."""
    for line, group in groupby(sorted(walls), key=lambda wall: wall[0]):
        places = [place for _, place in group]
        for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
            found = [place for _, place in run]
            yield line, found[0], len(found)


@PIECES.register("maze")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """A maze, drawn as text."""
    maze = convert(table, Maze)
    along, down = walls_of(maze.plan)
    found: list[ObjectSpec] = []
    pitch = maze.corridor + maze.wall
    for row, column, count in _runs(along):
        size = (count * pitch + maze.wall, maze.wall, maze.height)
        middle = ((column + 0.5 * count) * pitch, -row * pitch, 0.5 * maze.height)
        found.append(fixed(maze, f"wall {len(found) + 1}", size, middle, colour=BOARD))
    for column, row, count in _runs({(column, row) for row, column in down}):
        size = (maze.wall, count * pitch - maze.wall, maze.height)
        middle = (column * pitch, -(row + 0.5 * count) * pitch, 0.5 * maze.height)
        found.append(fixed(maze, f"wall {len(found) + 1}", size, middle, colour=BOARD))
    return tuple(found)
