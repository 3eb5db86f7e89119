"""Examples run, are short, and say what their words promise; so do the snippets of the docs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

from farhand.client.client import Client
from farhand.client.servers import running_server
from farhand.types import Stop

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SAYS = {
    "00_hello": "Resting objects: ball, brick, can, cube, rod.",
    "01_jog": "the bottom of its work area. You can slide along it or back away.",
    "02_script": "The cube was lifted by 20",
    "03_own_robot": "note: No mass in base, upper, fore; mass and inertia are taken from its shape.",
    "04_edit_world": "Refused: no object is called 'cann'",
    "05_kinematics": "inverse reached it: True",
    "06_own_master": "The tip swept 6",
    "07_replay": "1500 ticks replayed, identical: True.",
    "08_live": "A script controls arm",
    "13_records": "equal to the bit: True.",
    "12_weigh": "m high and weighs 13.0 kg.",
    "11_remote_master": "readings sent; greatest force feedback: ",
    "10_distances": "stopped 5",
    "09_plan": "clearance above 3 mm everywhere: True",
}


def run(*arguments: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-W", "error", *arguments], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_known_here() -> None:
    assert {path.stem for path in EXAMPLES} == set(SAYS)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_is_short(path: Path, tmp_path: Path) -> None:
    assert len(path.read_text().splitlines()) < 40
    assert SAYS[path.stem] in run(str(path), cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def snippets(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if snippets(page)], ids=lambda page: page.stem)
def test_the_snippets_of_a_page_run(page: Path, tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text("\n".join(snippets(page)))
    if "sys.argv[1]" not in script.read_text():
        run(str(script), cwd=ROOT)
        return
    with running_server("irb120") as server:  # a page about clients: they are given the link that the server prints
        assert "lifted by 5" in run(str(script), server.address, cwd=tmp_path)
        with Client(server.address) as viewer:
            assert viewer.lease().holder is None  # control was released, not lost
            assert viewer.command(Stop()).ok
            assert "lifted by 0 mm and is stopped" in run(str(script), server.address, cwd=tmp_path)


def test_an_own_client_takes_forty_lines() -> None:
    (script,) = snippets(ROOT / "docs" / "write-a-client.md")
    assert len(script.splitlines()) <= 40


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
