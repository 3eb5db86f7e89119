"""Thousands of damaged files: each is read or refused with an error, and nothing else happens."""

from __future__ import annotations

import subprocess
import sys

import pytest
from paths import ROBOTS as DATA


def run_batch(seed: int, count: int) -> str:
    command = [sys.executable, str(DATA / "fuzz_batch.py"), str(DATA), str(seed), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    lines = done.stdout.splitlines()
    last = [line for line in lines if line.startswith("case")][-1]
    assert done.returncode == 0, f"the reader broke down (exit {done.returncode}) at {last}: {done.stderr[-500:]}"
    assert [line for line in lines if line.startswith("bad")] == []
    return lines[-1]


def test_damaged_files_read_or_are_refused_with_an_error() -> None:
    word, worked, _, refused, _ = run_batch(seed=7, count=3000).split()
    assert word == "done"
    # Both happen, so the damage is neither too mild nor too rough.
    assert int(worked) > 300
    assert int(refused) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_a_hundred_thousand_damaged_files(seed: int) -> None:
    assert run_batch(seed, 10_000).startswith("done")
