"""Rows of a benchmark, and their tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from msgspec import Struct

from farhand_bench.bars import read_bar

__all__ = ["Row", "as_json", "row", "table"]


class Row(Struct, frozen=True):
    """One figure.

    Args:
        name: Name of the measured quantity.
        median: Median of all samples, in `unit`.
        p99: 99th percentile of the samples.
        unit: "µs", "ms", "s", "times".
        bar: Target, in a form that `farhand_bench.bars` reads; empty for a control.

    Raises:
        ValueError: If the target has no such form.
    """

    name: str
    median: float
    p99: float
    unit: str
    bar: str = ""

    def __post_init__(self) -> None:
        read_bar(self.bar, self.unit)

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None if there is none that a row alone can be compared with."""
        bar = read_bar(self.bar, self.unit)
        return None if bar is None else bar.met(self.median, self.p99)


def row(name: str, samples: Iterable[float], unit: str, bar: str = "") -> Row:
    """Return the row of some samples, which are already in `unit`."""
    values = np.fromiter(samples, dtype=np.float64)
    return Row(name, float(np.median(values)), float(np.percentile(values, 99)), unit, bar)


def table(rows: Sequence[Row]) -> str:
    """Return rows as a text table; those that miss their target are marked at the end."""
    width = max(len(r.name) for r in rows)
    lines = [f"{'':<{width}}  {'median':>9}  {'p99':>9}  {'':<5}  target"]
    for r in rows:
        mark = "  NOT MET" if r.met is False else ""
        lines.append(f"{r.name:<{width}}  {r.median:>9.4g}  {r.p99:>9.4g}  {r.unit:<5}  {r.bar or 'control'}{mark}")
    return "\n".join(lines)


def as_json(rows: Sequence[Row]) -> str:
    """Return rows as a JSON list for programs; `met` is true, false, or null if there is no target."""
    told = [{**msgspec.structs.asdict(r), "met": r.met} for r in rows]
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()
