"""A change of a cell file sets one value, and says what there is if there is no such place."""

import pytest

from farhand import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.records.changes import changed_spec
from farhand.records.errors import RecordError


@pytest.fixture(scope="module")
def spec() -> CellSpec:
    return Cell.load("irb120").spec


def test_a_filter_is_named_by_kind_or_number(spec: CellSpec) -> None:
    kinds = [entry["kind"] for entry in spec.robots["arm"].filters]
    number = kinds.index("compliance")
    by_kind = changed_spec(spec, ["robots.arm.filters.compliance.threshold=33"])
    by_number = changed_spec(spec, [f"robots.arm.filters.{number}.threshold = 33"])
    assert by_kind == by_number
    assert by_kind.robots["arm"].filters[number]["threshold"] == 33
    assert [entry["kind"] for entry in by_kind.robots["arm"].filters] == kinds


def test_changes_add_up_and_leave_the_spec_as_it_was(spec: CellSpec) -> None:
    found = changed_spec(spec, ["speeds=[0.1, 0.2]", "speed_level=1", 'name="other"'])
    assert (found.speeds, found.speed_level, found.name) == ((0.1, 0.2), 1, "other")
    assert found.robots == spec.robots
    assert spec.name != "other"
    assert changed_spec(spec, []) == spec


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("speeds", "expected a path, '=' and a value, found 'speeds'"),
        ("name=other", "'other' is no value"),
        ("robots.leg.model='a'", "there is no 'leg'; there is arm"),
        ("robots.arm.filters.nothing.threshold=1", "there is no 'nothing'; there is "),
        ("robots.arm.filters.99=1", "there is no '99'"),
        ("speeds='fast'", "the change does not fit"),
        ("nothing=1", "unknown field `nothing`"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(change: str, problem: str, spec: CellSpec) -> None:
    with pytest.raises(RecordError) as error:
        changed_spec(spec, [change])
    assert problem in str(error.value)
