"""What is asked of a measured thing: read from the text that is printed beside it, so that it is stated once.

======================================  =========================================================================
``≤ 5 ms``, ``< 0.2``, ``≥ 95 %``       a bound of the median; the unit, if it is named, is the row's
``p99 ≤ 2``                             a bound of the 99th percentile
``0``, ``100 %``                        just this
``3.4 ± 0.15``                          so near to it
``≤ 1800 µs, the rest of a period``     any of these, and words for the reader
``as the bare loop``                    a comparison with another row, which the reader draws
``≥ 25 times faster than mink``         a comparison with a peer, which `farhand_bench.claims` draws
``printed``, ``told``, ``void``         nothing, or nothing this time
nothing                                 nothing: a control
======================================  =========================================================================
"""

from __future__ import annotations

import operator
import re

from msgspec import Struct

__all__ = ["Bar", "read_bar"]

TOLD = ("", "printed", "reported", "told", "void")
_NUMBER = r"\d[\d.]*(?:e[+-]?\d+)?"
_BOUND = re.compile(
    rf"(?P<p99>p99 )?(?:(?P<sign>[≤<≥>]) )?(?P<value>{_NUMBER})(?: ± (?P<off>{_NUMBER}))?"
    r"(?: (?P<unit>[^\s,]+))?(?:, .+)?"
)
_COMPARISON = re.compile(r"as .+|≥ .+ times faster than .+")
_SIGNS = {"≤": operator.le, "<": operator.lt, "≥": operator.ge, ">": operator.gt}


class Bar(Struct, frozen=True):
    """A bound that a number can be held against.

    Args:
        sign: "≤", "<", "≥" or ">"; empty where just the value is asked for.
        value: In the row's unit.
        off: By how much it may be off the value; only without a sign.
        p99: Whether the 99th percentile is held against it, else the median.
    """

    sign: str
    value: float
    off: float = 0.0
    p99: bool = False

    def met(self, median: float, p99: float) -> bool:
        """Return whether what was measured is as asked for; what is no number never is."""
        found = p99 if self.p99 else median
        if self.sign:
            return bool(_SIGNS[self.sign](found, self.value))
        return abs(found - self.value) <= self.off


def read_bar(text: str, unit: str) -> Bar | None:
    """Return the bound that a text asks for; None where it asks for nothing that a row alone can tell.

    Args:
        text: As printed, in one of the forms above.
        unit: The row's.

    Raises:
        ValueError: If the text has none of these forms, or names another unit than the row's.
    """
    if text in TOLD:
        return None
    found = _BOUND.fullmatch(text)
    if found is None or (found["sign"] and found["off"]):
        if _COMPARISON.fullmatch(text):
            return None
        raise ValueError(f"a bar reads '≤ 5 ms', '0', '3.4 ± 0.15', 'as …' or 'printed'; found {text!r}")
    if found["unit"] not in (None, unit):
        raise ValueError(f"the bar {text!r} is in {found['unit']}, its row in {unit or 'no unit'}")
    return Bar(found["sign"] or "", float(found["value"]), float(found["off"] or 0.0), p99=bool(found["p99"]))
