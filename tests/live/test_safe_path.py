"""A folder with files that are named like Python's own modules: none of them is executed by a process of ours."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROBOTS
from servers import LiveServer

import farhand
from farhand.client.client import Client
from farhand.types import AddObject, ObjectSpec

ROOT = Path(farhand.__file__).parent
STARTERS = ("processes/python_start.py",)
# Modules that our processes import, of Python and of others, early and late.
NAMES = (
    *("secrets", "operator", "random", "tempfile", "string", "struct", "signal", "pickle", "queue", "heapq", "math"),
    *(
        "msgspec",
        "numpy",
        "mujoco",
        "numba",
        "zenoh",
        "uvicorn",
        "starlette",
        "multiprocessing",
        "concurrent",
        "farhand",
    ),
    *("farhand", "sitecustomize", "usercustomize", "json", "selectors", "subprocess", "logging", "typing", "functools"),
)
BOX = ObjectSpec(name="extra", size=(0.06, 0.06, 0.06), position=(0.1, 0.45, 0.6305))


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a folder whose files take note of who executes them."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'a').write({name + chr(10)!r})\n")
    return folder


def executed(hostile: Path) -> str:
    """Return the names of the hostile files that were executed."""
    found = hostile.parent / "executed"
    return found.read_text() if found.exists() else ""


def test_the_hostile_folder_is_one(hostile: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    subprocess.run([sys.executable, "-c", "import secrets"], cwd=hostile, env=environment, check=True)
    assert "secrets" in executed(hostile)


def test_a_server_executes_nothing_of_the_folder_it_is_started_in(hostile: Path) -> None:
    with LiveServer("irb120", cwd=hostile) as server:
        with Client(server.address) as visitor:
            visitor.take_control()
            assert visitor.command(AddObject(BOX)).ok  # compiled by the worker of the cell
        assert executed(hostile) == ""


def test_commands_and_workers_execute_nothing_of_the_folder_they_are_started_in(hostile: Path, tmp_path: Path) -> None:
    command = Path(sys.executable).parent / "farhand"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    run = [str(command), "run", "irb120", "--headless", "--fast", "--seconds", "0.1"]
    subprocess.run(run, cwd=hostile, env=environment, check=True, capture_output=True)
    script = tmp_path / "script.py"
    script.write_text(
        "from multiprocessing import freeze_support\n"
        "from farhand.formats.guarded import read_robot_guarded\n"
        "from farhand.processes.spawning import spawn_context\n"
        "if __name__ == '__main__':\n"
        f"    read_robot_guarded({str(ROBOTS / 'small.urdf')!r})\n"
        "    process = spawn_context().Process(target=freeze_support)\n"
        "    process.start()\n"
        "    process.join()\n"
        "    assert process.exitcode == 0\n"
    )
    subprocess.run([sys.executable, str(script)], cwd=hostile, env=environment, check=True)
    assert executed(hostile) == ""


def test_python_is_started_in_one_place_only() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in ROOT.rglob("*.py")
        if str(path.relative_to(ROOT)) not in STARTERS
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.Attribute) and node.attr == "executable")
        or (isinstance(node, ast.Attribute) and node.attr == "get_context")
        or (isinstance(node, ast.Name) and node.id == "ProcessPoolExecutor" and "planning" not in path.parts)
    ]
    assert wrong == []
