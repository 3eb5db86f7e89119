"""Errors of TOML tables: which field, what was found, what was expected, which name was probably meant."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from farhand.config import ConfigError, convert
from farhand.errors import UnknownNameError, nearest


class Inner(Struct, forbid_unknown_fields=True):
    speed: Annotated[float, Meta(gt=0.0)] = 1.0
    kind: Literal["slow", "fast"] = "slow"


class Outer(Struct, forbid_unknown_fields=True):
    name: str
    parts: dict[str, Inner] = {}
    rows: tuple[Inner, ...] = ()


CASES = [
    ({"name": 3}, "name", "expected a text, not a whole number (found 3)"),
    ({}, "", "table missing required field name"),
    ({"name": "a", "nmae": 1}, "", "has no field 'nmae'; expected some of: name, parts, rows"),
    ({"name": "a", "parts": {"x": {"sped": 1}}}, "parts.x", "has no field 'sped'; expected some of: speed, kind"),
    ({"name": "a", "rows": [{}, {"speed": -1}]}, "rows[1].speed", "expected a number above 0.0 (found -1)"),
    ({"name": "a", "rows": [{"kind": "fsat"}]}, "rows[0].kind", "expected one of slow, fast (found 'fsat')"),
    ({"name": "a", "rows": [{"speed": float("nan")}]}, "rows[0].speed", "found nan, expected a finite number"),
    ({"name": "a", "rows": [{"speed": 1e300}]}, "rows[0].speed", "found 1e+300, expected a number of at most ±1e15"),
]


@pytest.mark.parametrize(("table", "field", "problem"), CASES)
def test_errors_name_field_found_and_expected(table: dict[str, object], field: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        convert(table, Outer)
    assert caught.value.field == field
    assert caught.value.problem == problem


def test_a_good_table_passes() -> None:
    assert convert({"name": "a", "rows": [{"speed": 2}]}, Outer).rows[0].speed == 2.0


def test_the_nearest_name_is_offered() -> None:
    assert nearest("Irb12", ["irb120", "panda"]) == "irb120"
    assert nearest("zzz", ["irb120"]) is None
    assert "(did you mean 'irb120'?)" in str(UnknownNameError("robot", "irb20", ["irb120", "panda"]))
