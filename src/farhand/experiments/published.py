"""The figures in the docs: written by a run, and compared with a later run.

A docs page holds a table for each experiment between ``<!-- farhand experiment NAME -->`` and ``<!-- end -->``.
Figures that differ only in their owner ("Turret: overshoot", "Shoulder: overshoot") share a row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from farhand.errors import CommandError
from farhand.experiments.outcome import Figure

__all__ = ["differences", "published", "rows_of", "write"]

MAX_LISTED = 3  # values in a row; of more only the smallest and the largest
MAX_RELATIVE, MAX_OF_BAR = 0.02, 0.005  # shares of a value and of its bar by which another machine may differ
NEGLIGIBLE = 1e-3  # difference of a value without a bar, in any unit
HEADER = "| figure | value | bar |\n|---|---|---|"
NUMBER = re.compile(r"[−-]?\d+(?:\.\d+)?(?:e[−-]?\d+)?")


class FigureRow(Struct, frozen=True):
    """A row of a published table.

    Args:
        name: The figure and its owners.
        value: The value with its unit.
        bar: The bar, or "reported" without one.
    """

    name: str
    value: str
    bar: str

    @property
    def text(self) -> str:
        """The row in Markdown."""
        return f"| {self.name} | {self.value} | {self.bar} |"


def rows_of(figures: Sequence[Figure]) -> list[FigureRow]:
    """Return figures as rows; figures with the same name behind "owner: ", unit and bar share a row."""
    groups: dict[tuple[str, str, float | None, str], list[tuple[str, float]]] = {}
    for figure in figures:
        of, _, name = figure.name.rpartition(": ")
        groups.setdefault((name, figure.unit, figure.bar, figure.side), []).append((of, figure.value))
    rows = []
    for (name, unit, bar, side), members in groups.items():
        owners, values = [owner for owner, _ in members if owner], [value for _, value in members]
        if len(values) <= MAX_LISTED:
            title, text = f"{name}: {', '.join(owners)}" if owners else name, ", ".join(map(_number, values))
        else:
            title, text = (
                f"{name}: {owners[0]} to {owners[-1]}, range",
                " to ".join(map(_number, (min(values), max(values)))),
            )
        limit = "reported" if bar is None else f"{'≤' if side == 'at most' else '≥'} {_number(bar)} {unit}".rstrip()
        rows.append(FigureRow(title, f"{text} {unit}".rstrip(), limit))
    return rows


def write(page: str, name: str, rows: Sequence[FigureRow]) -> str:
    """Return a page with the table of an experiment in its place.

    Raises:
        CommandError: If the page has no place for it.
    """
    before, _, after = _split(page, name)
    return "\n".join([before, HEADER, *[row.text for row in rows], after])


def published(page: str, name: str) -> list[FigureRow]:
    """Return the rows of an experiment in a page.

    Raises:
        CommandError: If the page has no place for it.
    """
    lines = _split(page, name)[1].strip().splitlines()[2:]
    return [FigureRow(*[cell.strip() for cell in line.strip().strip("|").split(" | ")]) for line in lines]


def differences(found: Mapping[str, tuple[Sequence[FigureRow], Sequence[FigureRow]]]) -> str:
    """Return a table of the differences between published and new rows, by experiment; empty without any."""
    lines = []
    for name, (old, new) in found.items():
        before, now = {row.name: row for row in old}, {row.name: row for row in new}
        for title in [*before, *[title for title in now if title not in before]]:
            a, b = before.get(title), now.get(title)
            if a is None or b is None or a.bar != b.bar or not _same(a, b):
                lines.append((name, title, _shown(a), _shown(b)))
    if not lines:
        return ""
    lines.insert(0, ("experiment", "figure", "in the docs", "now"))
    widths = [max(len(line[k]) for line in lines) for k in range(4)]
    return "\n".join(
        "  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _shown(row: FigureRow | None) -> str:
    return "missing" if row is None else f"{row.value} ({row.bar})"


def _same(a: FigureRow, b: FigureRow) -> bool:
    """Return whether two values agree within the differences between machines."""
    if NUMBER.sub("", a.value) != NUMBER.sub("", b.value):
        return False
    bar = [abs(_value(text)) for text in NUMBER.findall(a.bar)]
    least = MAX_OF_BAR * bar[0] + 1e-12 if bar else NEGLIGIBLE
    pairs = zip(map(_value, NUMBER.findall(a.value)), map(_value, NUMBER.findall(b.value)), strict=True)
    return all(math.isclose(x, y, rel_tol=MAX_RELATIVE, abs_tol=least) for x, y in pairs)


def _split(page: str, name: str) -> tuple[str, str, str]:
    begin, end = f"<!-- farhand experiment {name} -->", "<!-- end -->"
    before, found, rest = page.partition(begin)
    table, closed, after = rest.partition(end)
    if not found or not closed:
        raise CommandError(f"the page has no place for {name!r}: put {begin} and {end} on lines of their own")
    return before + begin, table, end + after


def _number(value: float) -> str:
    """Return a number with three digits, as in the docs."""
    if value != 0.0 and abs(value) < 1e-4:
        value = 0.0
    text = f"{value:.3g}" if abs(value) < 1000.0 else f"{value:.0f}"
    return text.replace("-", "−")


def _value(text: str) -> float:
    return float(text.replace("−", "-"))
