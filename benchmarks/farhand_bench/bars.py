"""Targets of figures, read from the text that is printed beside them, so that each is stated once.

======================================  =========================================================================
``≤ 5 ms``, ``< 0.2``, ``≥ 95 %``       a bound of the median, in the row's unit
``p99 ≤ 2``                             a bound of the 99th percentile
``0``, ``100 %``                        exactly this value
``3.4 ± 0.15``                          this value within a tolerance
``≤ 1800 µs, the rest of a period``     any of these, with words for the reader
``as the bare loop``                    a comparison with another row, made by the reader
``≥ 25 times faster than mink``         a comparison with a peer, made by `farhand_bench.claims`
``reported``, ``void``                   no target, or none in this run
nothing                                 no target: a control
======================================  =========================================================================
"""

from __future__ import annotations

import operator
import re

from msgspec import Struct

__all__ = ["Bar", "read_bar"]

NO_TARGET = ("", "reported", "void")
_NUMBER = r"\d[\d.]*(?:e[+-]?\d+)?"
_BOUND = re.compile(
    rf"(?P<p99>p99 )?(?:(?P<sign>[≤<≥>]) )?(?P<value>{_NUMBER})(?: ± (?P<off>{_NUMBER}))?"
    r"(?: (?P<unit>[^\s,]+))?(?:, .+)?"
)
_COMPARISON = re.compile(r"as .+|≥ .+ times faster than .+")
_SIGNS = {"≤": operator.le, "<": operator.lt, "≥": operator.ge, ">": operator.gt}


class Bar(Struct, frozen=True):
    """A target that a figure is compared with.

    Args:
        sign: "≤", "<", "≥" or ">"; empty if the value itself is the target.
        value: The target, in the row's unit.
        off: Tolerance; only without a sign.
        p99: True if the 99th percentile counts, else the median.
    """

    sign: str
    value: float
    off: float = 0.0
    p99: bool = False

    def met(self, median: float, p99: float) -> bool:
        """Return whether figures meet the target; NaN never does."""
        found = p99 if self.p99 else median
        if self.sign:
            return bool(_SIGNS[self.sign](found, self.value))
        return abs(found - self.value) <= self.off


def read_bar(text: str, unit: str) -> Bar | None:
    """Return the target of a text; None if there is none that a row alone can be compared with.

    Args:
        text: The text, in one of the forms above.
        unit: Unit of the row.

    Raises:
        ValueError: If the text has none of these forms, or names a unit other than the row's.
    """
    if text in NO_TARGET:
        return None
    found = _BOUND.fullmatch(text)
    if found is None or (found["sign"] and found["off"]):
        if _COMPARISON.fullmatch(text):
            return None
        raise ValueError(f"a target reads '≤ 5 ms', '0', '3.4 ± 0.15', 'as …' or 'reported'; found {text!r}")
    if found["unit"] not in (None, unit):
        raise ValueError(f"the target {text!r} is in {found['unit']}, its row in {unit or 'no unit'}")
    return Bar(found["sign"] or "", float(found["value"]), float(found["off"] or 0.0), p99=bool(found["p99"]))
