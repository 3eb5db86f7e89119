"""The machinery of mutation testing: which changes it makes, and that each explained survivor still exists."""

from campaigns.mutants import SRC, explained
from campaigns.mutations import mutants_of
from campaigns.trials import functions_of


def test_every_explanation_is_of_a_change_that_there_is() -> None:
    for row in explained():
        there = {(m.where, m.change) for m in mutants_of((SRC / "farhand" / f"{row.module}.py").read_text())}
        assert (row.where, row.change) in there
        assert row.why.endswith(".")


def test_a_change_is_made_for_every_comparison_condition_and_number() -> None:
    source = "def guard(a):\n    if a < 3 and not stopped:\n        return replace(a, b=1.5)\n    return min(a, 2)\n"
    changes = {mutant.change for mutant in mutants_of(source)}
    assert {"a < 3 → a <= 3", "3 → 4", "3 → 6", "1.5 → 2.5", "1.5 → 3.0", "min(a, 2) → max(a, 2)"} <= changes
    assert {
        "a < 3 and (not stopped) → a < 3 or not stopped",
        "a < 3 and (not stopped) → a < 3",
        "replace(a, b=1.5) → without b",
    } <= changes


def test_a_change_names_the_function_that_can_be_changed_in_place() -> None:
    source = "LIMIT = 3\nclass Guard:\n    most = 4\n    def holds(self, a=5):\n        return [a for a in range(6)]\n"
    functions = {mutant.change: mutant.function for mutant in mutants_of(source)}
    assert functions["3 → 4"] == functions["4 → 5"] == functions["5 → 6"] == ""
    assert functions["6 → 7"] == "Guard.holds"
    assert set(functions_of(compile(source, "guard.py", "exec"))) == {"Guard.holds"}
