"""What a benchmark measures, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

__all__ = ["Row", "row", "table"]


class Row(Struct, frozen=True):
    """One measured thing.

    Args:
        name: What was measured.
        median: Of all samples, in `unit`.
        p99: 99 of 100 samples were below it.
        unit: "µs", "ms", "s", "times".
        bar: What is asked for, as text; empty for a control.
    """

    name: str
    median: float
    p99: float
    unit: str
    bar: str = ""


def row(name: str, samples: Iterable[float], unit: str, bar: str = "") -> Row:
    """Return the row of some samples, which are already in `unit`."""
    values = np.fromiter(samples, dtype=np.float64)
    return Row(name, float(np.median(values)), float(np.percentile(values, 99)), unit, bar)


def table(rows: Sequence[Row]) -> str:
    """Return rows as a table for people."""
    width = max(len(r.name) for r in rows)
    lines = [f"{'':<{width}}  {'median':>9}  {'p99':>9}  {'':<5}  asked for"]
    lines += [f"{r.name:<{width}}  {r.median:>9.4g}  {r.p99:>9.4g}  {r.unit:<5}  {r.bar or 'control'}" for r in rows]
    return "\n".join(lines)
