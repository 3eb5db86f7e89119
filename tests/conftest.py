"""Compile every kernel before the first test, so that no test pays for it or times out."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))
# Time per example says nothing on a shared machine; examples are derived from the test, so that a run repeats.
settings.register_profile("farhand", deadline=None, derandomize=True, max_examples=100)
settings.load_profile("farhand")


@pytest.fixture(scope="session", autouse=True)
def _data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests teach out of the user's own folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FARHAND_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _kernels() -> None:
    from farhand.kernels import compile_all

    compile_all()
