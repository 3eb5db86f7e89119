"""`make quick` finds the tests of what was changed, and `make help` lists every target that has a comment."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
from quick import ALWAYS, changed_files, find_tests


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-b", "main")
    for name in ("kept.py", "edited.py", "removed.py"):
        (tmp_path / name).write_text("x = 1\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "First")
    (tmp_path / "edited.py").write_text("x = 2\n")
    return tmp_path


def test_what_differs_from_the_last_commit_and_what_is_new_counts(project: Path) -> None:
    (project / "removed.py").unlink()
    (project / "new.py").touch()
    assert changed_files(project) == ["edited.py", "new.py"]


def test_a_branch_is_compared_with_where_it_left_main(project: Path) -> None:
    git(project, "switch", "-c", "branch")
    git(project, "commit", "-a", "-m", "Second")
    assert changed_files(project) == ["edited.py"]


def test_without_a_change_the_last_commit_counts(project: Path) -> None:
    git(project, "commit", "-a", "-m", "Second")
    assert changed_files(project) == ["edited.py"]


def test_a_package_has_its_folder_of_tests_and_a_module_its_test_first() -> None:
    found = find_tests(["src/farhand/lane/intake/presence.py", "src/farhand/poses.py"])
    assert found[:3] == [ALWAYS, "tests/unit/lane/test_presence.py", "tests/unit/test_poses.py"]
    assert set(found[3:]) == {str(file.relative_to(ROOT)) for file in (ROOT / "tests/unit/lane").glob("*.py")} - {
        found[1]
    }


def test_a_test_runs_itself_and_support_the_tests_that_use_it() -> None:
    assert find_tests(["tests/unit/lane/test_ages.py"]) == [ALWAYS, "tests/unit/lane/test_ages.py"]
    assert "tests/unit/cell/test_checkpoint.py" in find_tests(["tests/support/hands.py"])
    assert find_tests(["README.md", "tests/live/test_join.py", "web/src/main.ts"]) == [ALWAYS]


def test_help_lists_every_target_with_a_comment() -> None:
    said = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [line.split()[0] for line in said.splitlines()] == targets
    assert {"run", "test", "quick", "fix", "help"} <= set(targets)
