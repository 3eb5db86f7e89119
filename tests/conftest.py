"""Compile every kernel before the first test, so that no test pays for it or times out."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

sys.path.insert(0, str(Path(__file__).parent))
# Time per example says nothing on a shared machine; examples are derived from the test, so that a run repeats.
settings.register_profile("farhand", deadline=None, derandomize=True, max_examples=100)
# For mutants: that a property fails is enough, its simplest counter-example is not looked for.
settings.register_profile(
    "quick to fail", settings.get_profile("farhand"), phases=(Phase.explicit, Phase.generate), max_examples=25
)
settings.load_profile(os.environ.get("FARHAND_HYPOTHESIS", "farhand"))


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
