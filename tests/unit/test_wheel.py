"""A wheel made from the source archive holds the page, and runs in an empty environment."""

import json
import re
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from installed import Environment, build, environment, health_of, unpacked_archive
from paths import ROOT

import farhand
from farhand.extras import EXTRAS

PAGE = "farhand/server/page"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "sdist", tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def wheel(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(
        unpacked_archive(archive, tmp_path_factory.mktemp("source")), "wheel", tmp_path_factory.mktemp("wheel")
    )


@pytest.fixture(scope="module")
def engine(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    with environment(tmp_path_factory.mktemp("engine") / "env", wheel, "engine") as engine:
        yield engine


@pytest.fixture(scope="module")
def everything(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    with environment(tmp_path_factory.mktemp("everything") / "env", wheel, "run") as everything:
        yield everything


def test_the_source_archive_holds_the_page_as_sources_alone(archive: Path) -> None:
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    tracked = subprocess.run(["git", "ls-files", "web"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"hatch_build.py", *tracked.stdout.split()} <= names
    assert not any("node_modules/" in name or f"{PAGE}/" in name for name in names)


def test_the_wheel_holds_the_page_and_every_file_that_it_names(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        index = packed.read(f"{PAGE}/index.html").decode()
    named = re.findall(r'(?:src|href)="\./([^"]+)"', index)
    assert {Path(name).suffix for name in named} == {".js", ".css"}
    assert {f"{PAGE}/{name}" for name in named} <= names
    assert any(name.startswith(f"{PAGE}/assets/view-worker") for name in names)
    assert not any(name.startswith("web/") for name in names)


def test_the_engine_alone_brings_neither_server_nor_speech(engine: Environment) -> None:
    assert engine.run("--version").stdout.strip() == f"farhand {farhand.__version__}"
    code = (
        "import json; from importlib.util import find_spec; from farhand.extras import EXTRAS;"
        "from farhand.kinematics import Delta, Scara, SerialChain;"
        "chain = SerialChain.from_dh([(0.3, 0, 0, 0)], [-1.0], [1.0]);"
        "found = [p for packages in EXTRAS.values() for p in packages if find_spec(p)];"
        "print(json.dumps([found, chain.forward([0.5])[0, 3]]))"
    )
    found, reach = json.loads(engine.python(code))
    assert found == []
    assert reach == pytest.approx(0.3 * 0.8775825619)


def test_the_engine_alone_runs_a_cell_and_says_what_the_page_needs(engine: Environment) -> None:
    done = engine.run("run", "irb120-grasp", "--headless", "--fast", "--seconds", "0.2")
    assert (done.returncode, "100 ticks" in done.stdout) == (0, True), done.stderr
    done = engine.run("run")
    wanted = "farhand: driving in the browser needs the server: pip install 'farhand[server]'\n"
    assert (done.returncode, done.stderr) == (2, wanted)


def test_the_wheel_with_all_extras_serves_the_page(everything: Environment) -> None:
    assert everything.python(
        "from farhand.extras import EXTRAS, has_extra; print(*filter(has_extra, EXTRAS))"
    ).split() == [extra for extra in EXTRAS if extra != "bench"]
    with everything.server() as address:
        assert health_of(address) == 200
        with urlopen(address, timeout=10.0) as page:
            assert b"<title>" in page.read()
