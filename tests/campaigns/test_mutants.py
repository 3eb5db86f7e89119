"""Every small change of the code that guards is noticed by a test, or is explained in survivors.toml."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from campaigns.mutants import GUARDS, explained

HERE = Path(__file__).parent
CAUGHT = 0.95


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


def test_a_module_is_examined_the_same_way_alone_and_after_another() -> None:
    module = "lane/sources/back_out"
    command = [sys.executable, str(HERE / "mutants.py"), module, module]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    first, second = [line.rpartition(",")[0] for line in said if " caught, " in line]
    assert first == second
