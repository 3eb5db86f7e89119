"""Compile every kernel before the first test, so that no test pays for it or times out."""

import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))
# Time per example says nothing on a shared machine; examples are derived from the test, so that a run repeats.
settings.register_profile("farhand", deadline=None, derandomize=True, max_examples=100)
settings.load_profile("farhand")


@pytest.fixture(scope="session", autouse=True)
def _kernels() -> None:
    from farhand.kernels import compile_all

    compile_all()
