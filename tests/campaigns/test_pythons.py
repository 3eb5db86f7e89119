"""Every version of Python that is promised and that this machine has runs the wheel; the others are skipped by name."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import Environment, build, environment, health_of, python_of, unpacked_archive
from paths import ROOT

VERSIONS = ("3.11", "3.12", "3.13")  # as pyproject.toml has them
CODE = """
import json, platform
from farhand import Cell
from farhand.kinematics import Delta, Scara, SerialChain
from farhand.robots import robot_names, load_robot
assert all(load_robot(name).arm.joints for name in robot_names())
cell = Cell.load("irb120", seed=0)
for _ in range(200):
    tick = cell.step()
print(json.dumps([platform.python_version(), tick.number, tick.state.robots["arm"].groups["arm"].positions]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = build(ROOT, "sdist", tmp_path_factory.mktemp("archive"))
    return build(
        unpacked_archive(archive, tmp_path_factory.mktemp("source")), "wheel", tmp_path_factory.mktemp("wheel")
    )


@pytest.fixture(scope="module", params=VERSIONS)
def installed(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Environment]]:
    python = python_of(request.param)
    if not python:
        pytest.skip(f"Python {request.param} is not on this machine")
    with environment(tmp_path_factory.mktemp("python") / "env", wheel, "run", python) as made:
        yield request.param, made


def test_it_compiles_and_steps_a_cell(installed: tuple[str, Environment]) -> None:
    version, farhand = installed
    assert farhand.run("compile").returncode == 0
    found, number, positions = json.loads(farhand.python(CODE).splitlines()[-1])
    assert found.startswith(f"{version}.")
    assert (number, len(positions)) == (200, 6)


def test_it_serves_the_page_and_runs_without_one(installed: tuple[str, Environment]) -> None:
    _, farhand = installed
    assert "500 ticks" in farhand.run("run", "irb120-grasp", "--headless", "--fast", "--seconds", "1").stdout
    with farhand.server() as address:
        assert health_of(address) == 200
