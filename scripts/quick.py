"""Run the tests of what differs from the main branch, for at most `LIMIT_S` seconds.

A change in ``src/farhand/lane`` runs ``tests/unit/lane``, those named after a changed module first; a changed test runs
itself, and a change in ``web`` runs the page's types and tests. The layers are always tested. On the main branch itself
the work tree is compared with the last commit; without a change, the last commit with the one before.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

__all__ = ["changed_files", "find_tests", "main"]

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 55.0
ALWAYS = "tests/unit/test_layers.py"
# Tests of what is no package of its own.
OTHERS = {
    "benchmarks": "tests/unit/cli",
    "pyproject.toml": "tests/unit/test_extras.py",
    "requirements": "tests/unit/test_extras.py",
    "scripts": "tests/unit/test_quick.py",
}


def changed_files(root: Path = ROOT) -> list[str]:
    """Return the files that differ from the main branch, new ones included and removed ones left out."""
    base = _git(root, "merge-base", "HEAD", "main") or ["HEAD"]
    fresh = _git(root, "ls-files", "--others", "--exclude-standard")
    found = _git(root, "diff", "--name-only", "--diff-filter=d", base[0]) + fresh
    return found or _git(root, "diff", "--name-only", "--diff-filter=d", "HEAD~1")


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def find_tests(changed: Sequence[str], root: Path = ROOT) -> list[str]:
    """Return the test files of some changed files, the nearest first."""
    near, far = [ALWAYS], []
    for name in changed:
        path = Path(name)
        top, *parts = path.parts
        if top == "tests" and parts[0] == "unit" and path.name.startswith("test_"):
            near.append(name)
        elif top == "tests" and parts[0] == "support":
            far += _users(path.stem, root)
        elif top == "src":
            module = root / "tests/unit" / "/".join(parts[1:-1][:1]) / f"test_{path.stem}.py"
            near += [str(module.relative_to(root))] if module.exists() else []
            far += _inside(f"tests/unit/{parts[1]}", root)
        elif top in OTHERS:
            far += _inside(OTHERS[top], root)
    return list(dict.fromkeys(near + far))


def _inside(place: str, root: Path) -> list[str]:
    path = root / place
    return [place] if path.is_file() else [str(file.relative_to(root)) for file in sorted(path.glob("**/test_*.py"))]


def _users(support: str, root: Path) -> list[str]:
    """Return the unit tests that import a module of tests/support."""
    words = (f"from {support} import", f"import {support}")
    return [name for name in _inside("tests/unit", root) if any(word in (root / name).read_text() for word in words)]


class _Deadline:
    """Ends the tests after a time, and says how many files had their turn."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.reached = False

    def pytest_runtest_logfinish(self) -> None:
        """Look at the clock after each test."""
        self.reached = self.reached or time.monotonic() > self._end

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Start no test after the end."""
        if self.reached:
            item.session.shouldstop = f"{LIMIT_S:.0f} s are over; `make unit` runs the rest"


def main() -> int:
    """Run what there is to run; return an exit code."""
    changed = changed_files()
    if any(name.startswith("web/") for name in changed):
        page = subprocess.run(["sh", "scripts/page.sh", "types", "test"], cwd=ROOT, check=False)
        if page.returncode:
            return page.returncode
    files = find_tests(changed)
    sys.stdout.write(f"{len(changed)} changed files: the tests of {len(files)} files, for at most {LIMIT_S:.0f} s.\n")
    sys.stdout.flush()
    deadline = _Deadline(LIMIT_S)
    code = pytest.main(["-q", "-x", "-m", "not slow", *files], plugins=[deadline])
    return 0 if deadline.reached and code == pytest.ExitCode.INTERRUPTED else int(code)


if __name__ == "__main__":
    sys.exit(main())
