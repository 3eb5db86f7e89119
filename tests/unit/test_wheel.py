"""What is handed out is whole: a wheel made from the source archive holds the page."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from paths import ROOT

PAGE = "farhand/server/page"


def build(source: Path, target: str, folder: Path) -> Path:
    """Build a wheel or a source archive of a folder and return it."""
    made = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    (path,) = folder.glob("*.tar.gz" if target == "sdist" else "*.whl")
    return path


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "sdist", tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def wheel(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(archive) as packed:
        # Early releases of Python 3.11 know no filter.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(folder)
    (source,) = folder.iterdir()
    # The packages of this checkout: the test needs no network.
    (source / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    return build(source, "wheel", tmp_path_factory.mktemp("wheel"))


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
