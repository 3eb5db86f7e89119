"""Kernels: cached by content, compiled ahead, never stale."""

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import farhand.kernels
from farhand.kernels import Progress, compile_all, compiled, kernel, kernel_files, kernel_modules, notice, uncompiled
from farhand.kernels.cache import KernelFiles

SOURCE = Path(farhand.kernels.__file__).parent

INNER = """
from farhand.kernels import kernel

@kernel()
def inner(x: float) -> float:
    return x + 1.0
"""
OUTER = """
from farhand.inner import inner
from farhand.kernels import kernel

@kernel("f8(f8)")
def outer(x: float) -> float:
    return 10.0 * inner(x)
"""
RUN = """
import json
from farhand.kernels import cache_folder, compile_all, compiled, uncompiled
told = []
report = compile_all(lambda at: told.append(at.compiling))
from farhand.outer import outer
before = compiled()
value = outer(1.0)
print(json.dumps({
    "told": told, "value": value, "compiled": report.compiled, "loaded": report.loaded, "uncompiled": uncompiled(),
    "surprises": len(compiled() - before), "folder": str(cache_folder()),
    "hits": sum(outer.stats.cache_hits.values()), "misses": sum(outer.stats.cache_misses.values()),
}))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package `farhand` with the real kernel machinery and two tiny kernel files, one calling the other."""
    root = tmp_path / "package" / "farhand"
    shutil.copytree(SOURCE, root / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "__init__.py").write_text("")
    (root / "inner.py").write_text(INNER)
    (root / "outer.py").write_text(OUTER)
    return root


def start(package: Path, **environment: str) -> subprocess.Popen[str]:
    settings = {**os.environ, "PYTHONPATH": str(package.parent), "FARHAND_CACHE": str(package.parent / "cache")}
    # Python itself takes a file that is edited within the same second, to the same size, for the old one.
    settings["PYTHONDONTWRITEBYTECODE"] = "1"
    return subprocess.Popen(
        [sys.executable, "-c", RUN],
        env=settings | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> Any:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return json.loads(out)


def run(package: Path, **environment: str) -> Any:
    return finish(start(package, **environment))


def test_second_start_is_from_cache(package: Path) -> None:
    first, second = run(package), run(package)
    assert (first["value"], first["compiled"], first["loaded"]) == (20.0, 1, 0)
    assert (second["value"], second["compiled"], second["loaded"]) == (20.0, 0, 1)
    assert (second["hits"], second["misses"]) == (1, 0)
    assert first["uncompiled"] == second["uncompiled"] == []
    assert first["surprises"] == second["surprises"] == 0
    assert (first["told"], second["told"]) == ([True, True], [False, False])  # whether anything is compiled


def test_reinstall_keeps_the_cache(package: Path) -> None:
    run(package)
    moved = package.parent / "elsewhere" / "farhand"
    shutil.copytree(package, moved, ignore=shutil.ignore_patterns("__pycache__"))
    again = run(moved, FARHAND_CACHE=str(package.parent / "cache"))
    assert (again["compiled"], again["loaded"]) == (0, 1)


def test_edited_callee_in_another_file_is_seen(package: Path) -> None:
    old = run(package)
    (package / "inner.py").write_text(INNER.replace("x + 1.0", "x + 2.0"))
    new = run(package)
    assert (old["value"], new["value"]) == (20.0, 30.0)
    assert old["folder"] != new["folder"]
    # and going back finds the first folder again, still with the first result
    (package / "inner.py").write_text(INNER)
    back = run(package)
    assert (back["value"], back["folder"], back["loaded"]) == (20.0, old["folder"], 1)


def test_changed_comments_docstrings_and_layout_recompile_nothing(package: Path) -> None:
    old = run(package)
    for file in ("inner.py", "outer.py"):
        text = (package / file).read_text().replace("float:\n", 'float:\n    """Add."""\n\n    # the sum\n')
        (package / file).write_text(f'"""A page of text."""\n\n# and more\n\n\n{text}')
    new = run(package)
    assert (new["value"], new["folder"], new["compiled"], new["loaded"]) == (20.0, old["folder"], 0, 1)


def test_a_remembered_hash_that_is_damaged_is_worked_out_again(package: Path) -> None:
    old = run(package)
    kept = next((package.parent / "cache" / "kernels").glob("*.code"))
    kept.write_text("../../elsewhere")
    new = run(package)
    assert (new["folder"], new["loaded"]) == (old["folder"], 1)


def test_processes_that_compile_at_once_do_not_disturb_each_other(package: Path) -> None:
    answers = [finish(process) for process in [start(package) for _ in range(3)]]
    assert [answer["value"] for answer in answers] == [20.0] * 3
    assert run(package)["loaded"] == 1
    assert not list((package.parent / "cache").rglob("*.tmp"))


def test_damaged_file_is_compiled_again(package: Path) -> None:
    folder = Path(run(package)["folder"])
    for file in folder.glob("*.nbc"):
        file.write_bytes(file.read_bytes()[:100])
    healed = run(package)
    assert (healed["value"], healed["compiled"]) == (20.0, 1)
    assert healed["told"][-1]
    assert run(package)["loaded"] == 1


def test_unwritable_cache_falls_back_to_a_temporary_folder(package: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    answer = run(package, FARHAND_CACHE=str(blocked), TMPDIR=str(scratch))
    assert answer["value"] == 20.0
    assert Path(answer["folder"]).is_relative_to(scratch)


def test_unused_folders_go_and_recent_ones_stay(package: Path) -> None:
    kernels = package.parent / "cache" / "kernels"
    for name, days in (("old", 31), ("recent", 29)):
        (kernels / name).mkdir(parents=True)
        (kernels / name / "x.nbc").write_text("")
        os.utime(kernels / name, (time.time() - days * 86400,) * 2)
    run(package)
    assert not (kernels / "old").exists()
    assert (kernels / "recent").exists()


def test_keys_have_files_of_their_own(tmp_path: Path) -> None:
    files = KernelFiles(str(tmp_path), "f", "stamp")
    files.save(("f8",), b"one")
    files.save(("i8",), b"two")
    assert files.load(("f8",)) == b"one"
    assert files.load(("i8",)) == b"two"
    assert files.load(("f4",)) is None
    assert KernelFiles(str(tmp_path), "f", "other stamp").load(("f8",)) is None


def test_kernel_without_signature_is_closed_to_python() -> None:
    def inside(x: float) -> float:
        return x

    shut = kernel()(inside)

    def outside(x: float) -> float:
        return shut(x) + 1.0

    assert kernel("f8(f8)")(outside)(1.0) == 2.0
    with pytest.raises(TypeError, match="inside has no signature, so only other kernels can call it"):
        shut(1.0)


def test_duplicate_kernels_are_refused() -> None:
    def twice(x: float) -> float:
        return x

    kernel()(twice)
    with pytest.raises(ValueError, match=r"twice is declared twice"):
        kernel()(twice)


def test_everything_is_compiled_ahead() -> None:
    seen: list[Progress] = []
    report = compile_all(seen.append)
    assert uncompiled() == ()
    assert [at.done for at in seen] == list(range(len(seen)))
    assert seen[-1].done == seen[-1].total == len(seen) - 1
    assert seen[-1].compiling == (report.compiled > 0)
    assert report.compiled + report.loaded <= len(seen) - 1
    before = compiled()
    again = compile_all()
    assert (again.compiled, again.loaded, compiled() - before) == (0, 0, frozenset())


def test_constants_of_kernels_live_in_kernel_files() -> None:
    """The cache's name covers kernel files only, so a constant from elsewhere could change unnoticed."""
    modules = {*kernel_modules(), "farhand.kernels"}
    for file in kernel_files():
        tree = ast.parse(file.read_text())
        foreign = {
            alias.asname or alias.name: node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("farhand")
            for alias in node.names
            if node.module not in modules
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and any("kernel(" in ast.unparse(d) for d in node.decorator_list):
                body = {name.id for part in node.body for name in ast.walk(part) if isinstance(name, ast.Name)}
                assert not body & set(foreign), f"{file.name}: {node.name} uses {body & set(foreign)}"


@pytest.mark.parametrize(
    ("seconds", "compiled_from", "said"),
    [
        (0.2, 0, ""),
        (0.2, 50, ""),
        (1.5, 0, notice.COMPILING),
        (1.5, 50, notice.LOADING),
        (1.5, 20, notice.LOADING + notice.COMPILING),
    ],
)
def test_only_slow_steps_are_announced_as_compiling_or_loading(
    seconds: float,
    compiled_from: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = 0.0
    monkeypatch.setattr("farhand.kernels.notice.time", SimpleNamespace(monotonic=lambda: now))
    tell = notice.slow_notice()
    now += 10.0  # imports take their time
    for done in range(50):
        tell(Progress(done, 50, "kernel", compiling=done >= compiled_from))
        now += seconds
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(("compiling", "word"), [(True, "Compiling kernels ·"), (False, "Loading kernels ·")])
def test_the_bar_names_its_step(
    compiling: bool,
    word: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def pretend(progress: Callable[[Progress], None], without: tuple[str, ...]) -> None:
        del without
        progress(Progress(0, 50, "kernel", compiling))

    monkeypatch.setattr(notice, "compile_all", pretend)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    notice.compile_with_bar()
    assert word in capsys.readouterr().err
