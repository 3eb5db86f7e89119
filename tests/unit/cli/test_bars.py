"""Targets of benchmarks: read from the text beside a row, compared with figures, shown in table, JSON and exit code."""

import ast
import json
import math
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import farhand_bench
from farhand.cli import main
from farhand_bench import Row, as_json, table
from farhand_bench.bars import read_bar

NUMBERS = st.floats(0.0, 1e6)


@pytest.mark.parametrize(
    ("bar", "unit", "median", "met"),
    [
        ("≤ 20 times", "times", 20.0, True),
        ("≤ 20 times", "times", 20.1, False),
        ("< 0.2", "mm/s", 0.2, False),
        ("≥ 15", "1/s", 15.0, True),
        ("≥ 15", "1/s", 14.9, False),
        ("> 0.6", "m", 0.6, False),
        ("0", "", 0.0, True),
        ("0", "", 1.0, False),
        ("100 %", "%", 99.0, False),
        ("3.4 ± 0.15", "m", 3.3, True),
        ("3.4 ± 0.15", "m", 3.2, False),
        ("≤ 1800 µs, the rest of a period", "µs", 1801.0, False),
        ("≤ 1e+05", "", 1e5, True),
        ("≤ 20", "ms", math.nan, False),
        ("0", "", math.nan, False),
        ("reported", "ms", 1e9, None),
        ("reported", "", 1e9, None),
        ("void", "ms", 1e9, None),
        ("", "ms", 1e9, None),
        ("as the bare loop", "µs", 1e9, None),
        ("≥ 2.5 times faster than MuJoCo, 7 times than coal", "µs", 1e9, None),
        ("≥ 5 and 25 times faster than two peers", "µs", 1e9, None),
    ],
)
def test_a_row_knows_whether_it_is_as_asked_for(bar: str, unit: str, median: float, met: bool | None) -> None:
    assert Row("thing", median, median, unit, bar).met is met


def test_the_median_counts_unless_the_bar_names_the_99th_percentile() -> None:
    assert Row("keys", 20.0, 58.0, "ms", "≤ 50 ms").met is True
    assert Row("keys", 20.0, 58.0, "ms", "p99 ≤ 50 ms").met is False


@given(NUMBERS, NUMBERS)
def test_either_side_of_a_bound_is_the_other_ones_contrary(value: float, bound: float) -> None:
    at_most, more = (Row("x", value, value, "", f"{sign} {bound!r}").met for sign in "≤>")
    at_least, less = (Row("x", value, value, "", f"{sign} {bound!r}").met for sign in "≥<")
    assert at_most is not more
    assert at_least is not less
    assert (at_most and at_least) is Row("x", value, value, "", repr(bound)).met


@pytest.mark.parametrize(
    ("bar", "words"),
    [
        ("fast", "a target reads '≤ 5 ms', '0', '3.4 ± 0.15', 'as …' or 'reported'; found 'fast'"),
        ("<= 5", "a target reads '≤ 5 ms', '0', '3.4 ± 0.15', 'as …' or 'reported'; found '<= 5'"),
        ("≤ 5 ± 1", "a target reads '≤ 5 ms', '0', '3.4 ± 0.15', 'as …' or 'reported'; found '≤ 5 ± 1'"),
        ("≤ 5 s", "the target '≤ 5 s' is in s, its row in ms"),
    ],
)
def test_a_bar_that_cannot_be_read_is_refused(bar: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        Row("thing", 1.0, 1.0, "ms", bar)


def test_every_bar_that_a_benchmark_states_can_be_read() -> None:
    stated = list(_stated())
    assert len(stated) > 40
    for bar, unit in stated:
        read_bar(bar, unit)


def _stated() -> Iterator[tuple[str, str]]:
    """Yield bar and unit of each row that is written out in a benchmark."""
    for path in Path(farhand_bench.__path__[0]).glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("Row", "row", "_exactly", "_one"):
                match call.args[-2:]:
                    case [ast.Constant(str(unit)), ast.Constant(str(bar))]:
                        yield bar, unit


ROWS = (
    Row("laying ready", 3394.0, 5333.0, "µs", "≤ 1800 µs"),
    Row("swapping in", 1078.0, 1467.0, "µs", "≤ 2000 µs"),
    Row("  a tick", 112.5, 237.1, "µs"),
)


def test_the_table_marks_missed_targets() -> None:
    assert table(ROWS).splitlines() == [
        "                 median        p99         target",
        "laying ready       3394       5333  µs     ≤ 1800 µs  NOT MET",
        "swapping in        1078       1467  µs     ≤ 2000 µs",
        "  a tick          112.5      237.1  µs     control",
    ]


def test_json_says_whether_targets_are_met() -> None:
    told = json.loads(as_json(ROWS))
    assert [line["met"] for line in told] == [False, True, None]
    assert told[0] == {
        "name": "laying ready", "median": 3394.0, "p99": 5333.0, "unit": "µs", "bar": "≤ 1800 µs", "met": False,
    }  # fmt: skip


@pytest.mark.parametrize(("rows", "code"), [(ROWS, 1), (ROWS[1:], 0), (ROWS[2:], 0)])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_exit_code_tells_whether_all_is_met(
    rows: tuple[Row, ...],
    code: int,
    options: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(import_module("farhand_bench.edit"), "measure", lambda: list(rows))
    assert main(["bench", "edit", *options]) == code
    assert capsys.readouterr().out.strip()
