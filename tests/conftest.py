"""Mark tests by their folder, and compile every kernel before the first test, so that none pays for it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

HERE = Path(__file__).parent
MARKS = {"live": ("live",), "browser": ("browser",), "campaigns": ("live", "slow")}
sys.path[:0] = [str(HERE / "support"), str(HERE)]
# Time per example says nothing on a shared machine; examples are derived from the test, so that a run repeats.
settings.register_profile("farhand", deadline=None, derandomize=True, max_examples=100)
# For mutants: that a property fails is enough, its simplest counter-example is not looked for.
settings.register_profile(
    "quick to fail", settings.get_profile("farhand"), phases=(Phase.explicit, Phase.generate), max_examples=25
)
settings.load_profile(os.environ.get("FARHAND_HYPOTHESIS", "farhand"))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    for item in items:
        for mark in MARKS.get(item.path.relative_to(HERE).parts[0], ()):
            item.add_marker(mark)
    yield
    # Last: playwright's event loop stays in the process, and other tests start one of their own.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


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
