"""Every small change of the code that guards is noticed by a test, or is explained in survivors.toml."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from campaigns.mutants import GUARDS, SRC, explained
from campaigns.mutations import mutants_of
from campaigns.trials import functions_of

HERE = Path(__file__).parent
CAUGHT = 0.95


@pytest.mark.slow
@pytest.mark.parametrize("module", GUARDS)
def test_changes_are_caught(module: str) -> None:
    # A process of its own: it forks for every mutant, which this one with its plugins and threads should not.
    run = subprocess.run(
        [sys.executable, HERE / "mutants.py", module],
        env=os.environ | {"PYTHONHASHSEED": "0"},  # so that it repeats
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    *survivors, summary = run.stdout.strip().splitlines()
    caught, _, total = summary.partition(": ")[2].split()[:3]
    assert [line for line in survivors if line.startswith("SURVIVED")] == []
    assert int(total) - int(caught) <= max(1.0, (1.0 - CAUGHT) * int(total)), summary  # one, in a small module
    rows = [row for row in explained() if row.module == module]
    assert len(survivors) == len(rows), f"of {len(rows)} rows of survivors.toml, {len(survivors)} still survive"


@pytest.mark.slow
def test_a_module_is_examined_the_same_way_alone_and_after_another() -> None:
    module = "lane/sources/back_out"
    command = [sys.executable, str(HERE / "mutants.py"), module, module]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    first, second = [line.rpartition(",")[0] for line in said if " caught, " in line]
    assert first == second


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
