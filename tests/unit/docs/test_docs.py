"""The docs name files that exist, their drawings are up to date, and every page has its place in the site."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from paths import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
SOURCE = re.compile(r"`((?:[a-z_]+/|web/src/)[\w/]+(?:\.py|\.tsx?|\.toml|/)?)`")
NAME = re.compile(r"\b(?:[A-Z][a-z]+\w*|[a-z]\w*_\w+)\b")
SUFFIXES = (".py", ".ts", ".tsx", ".toml")
PICTURE_BYTES = 2_500_000
README_LINES = 100
ARCHITECTURE_LINES = 250


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["architecture", "world", "avoidance", "moves", "tracks", "kernels"])
def test_a_page_names_files_that_exist(page: str) -> None:
    names = [name for name in SOURCE.findall((DOCS / f"{page}.md").read_text()) if name.endswith((*SUFFIXES, "/"))]
    assert names
    missing = [name for name in names if not any((root / name).exists() for root in (ROOT, ROOT / "src/farhand"))]
    assert not [name for name in missing if "/" in name.rstrip("/") and name != "moves/CELL/ROBOT/NAME.toml"]


def code_words() -> set[str]:
    files = [
        path for folder in ("src/farhand", "web/src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.*")
    ]
    sources = [path for path in files if path.suffix in SUFFIXES and "node_modules" not in path.parts]
    return {word for path in sources for word in (*re.findall(r"\w+", path.read_text()), path.stem)}


def test_names_of_code_on_the_pages_are_names_in_the_code() -> None:
    known, stale = code_words(), []
    for page in (ROOT / "README.md", *PAGES):
        prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for code in re.findall(r"`([^`\n]+)`", prose):
            stale += [f"{page.name}: {name}" for name in NAME.findall(code) if name not in known]
    assert not stale


def test_drawings_are_up_to_date() -> None:
    drawings = loaded(DOCS / "_site/drawings.py")
    for name, text in drawings.spelled().items():
        assert (DOCS / "pictures" / name).read_text() == text, "run: .venv/bin/python docs/_site/drawings.py"


def test_the_drawing_of_the_packages_has_each_of_them() -> None:
    drawn = {name for names, _ in loaded(DOCS / "_site/drawings.py").PACKAGES for name in names}
    packages = {path.parent.name for path in (ROOT / "src/farhand").glob("*/__init__.py")}
    assert packages <= drawn
    assert all((ROOT / "src/farhand" / name).is_dir() or (ROOT / f"src/farhand/{name}.py").exists() for name in drawn)


def test_every_page_has_a_place_in_the_site_and_in_the_table_of_pages() -> None:
    text = (DOCS / "conf.py").read_text()
    table = (DOCS / "index.md").read_text()
    for page in DOCS.glob("*.md"):
        if page.stem != "index":
            assert f'"{page.stem}"' in text, f"docs/conf.py does not place {page.name}"
            assert f"({page.name})" in table, f"docs/index.md does not name {page.name}"


def test_records_of_decisions_are_all_listed_and_have_three_parts() -> None:
    table = (DOCS / "decisions/index.md").read_text()
    for number, record in enumerate(sorted((DOCS / "decisions").glob("0*.md")), start=1):
        assert record.name.startswith(f"{number:04}-")
        assert f"({record.name})" in table
        assert re.findall(r"^\*\*(\w+)\.\*\*", record.read_text(), re.MULTILINE) == [
            "Context",
            "Decision",
            "Consequences",
        ]


def test_pictures_are_small_and_all_shown() -> None:
    text = "".join(page.read_text() for page in (ROOT / "README.md", *PAGES))
    for picture in (DOCS / "pictures").iterdir():
        assert picture.stat().st_size <= PICTURE_BYTES
        assert picture.name in text or picture.name == "modes.svg"  # in the place of a diagram of docs/modes.md


def test_first_pages_stay_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= README_LINES
    assert len((DOCS / "architecture.md").read_text().splitlines()) <= ARCHITECTURE_LINES
