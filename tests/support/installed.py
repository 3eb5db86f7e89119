"""Farhand as users have it: a wheel with the page, installed with locked packages into an environment of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from paths import ROOT

__all__ = ["Environment", "build", "environment", "health_of", "python_of", "unpacked_archive"]

PATIENCE_S = 1800.0  # a first start may compile all kernels, on a machine that is busy
SAYS = "Farhand is at "
OURS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "FARHAND_DATA")  # variables of the tests that no user has


def build(source: Path, target: str, folder: Path) -> Path:
    """Build a wheel or a source archive of a folder and return it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    _run(command, source)
    (path,) = folder.glob("*.tar.gz" if target == "sdist" else "*.whl")
    return path


def unpacked_archive(archive: Path, folder: Path) -> Path:
    """Unpack a source archive, lend it the page's packages of this checkout, and return its folder."""
    with tarfile.open(archive) as packed:
        # Early releases of Python 3.11 know no filter.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(folder)
    (source,) = folder.iterdir()
    (source / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    return source


def python_of(version: str) -> str:
    """Return an interpreter of a version that this machine has, by the search path or from pyenv; empty if none."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    folders = [*map(Path, os.environ.get("PATH", "").split(os.pathsep)), *pyenv.glob(f"versions/{version}*/bin")]
    for folder in folders:
        python = folder / f"python{version}"
        # One that is there may be a stub that only says where to get it.
        if python.exists() and subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0:
            return str(python)
    return ""


class Environment:
    """An environment with Farhand in it.

    Args:
        folder: Where it is.
    """

    def __init__(self, folder: Path) -> None:
        self._programs = folder / ("Scripts" if os.name == "nt" else "bin")
        self._folder = folder.parent  # where programs run: nothing of the checkout is here

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run ``farhand`` to its end."""
        return self._completed([str(self._programs / "farhand"), *arguments])

    def python(self, code: str) -> str:
        """Return what a piece of Python prints; it must not fail."""
        done = self._completed([str(self._programs / "python"), "-c", code])
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def _completed(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self._folder,
            env=_environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    @contextmanager
    def server(self, *arguments: str) -> Iterator[str]:
        """Start ``farhand run``, and give the address of its page without the token."""
        command = [str(self._programs / "farhand"), "run", "--no-browser", "--no-spare", *arguments]
        environment = _environment() | {"FARHAND_DATA": str(self._folder / "data")}  # runs are recorded
        with (self._folder / "complaints").open("w+") as complaints:
            process = subprocess.Popen(
                command, cwd=self._folder, env=environment, stdout=subprocess.PIPE, stderr=complaints, text=True
            )
            try:
                assert process.stdout
                line = process.stdout.readline()
                complaints.seek(0)
                assert line.startswith(SAYS), complaints.read()
                yield line.removeprefix(SAYS).partition("#")[0].strip().rstrip("/")
            finally:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=PATIENCE_S)


@contextmanager
def environment(folder: Path, wheel: Path, lock: str, python: str = sys.executable) -> Iterator[Environment]:
    """Make an empty environment, install a wheel with its locked packages, and remove it after the block.

    The packages come from uv's cache, which `make setup` has filled; only what is missing there is fetched.

    Args:
        folder: Where to make it.
        wheel: Farhand.
        lock: Name of the lock file: "engine" or "run".
        python: The interpreter.
    """
    uv, there = _uv(), ["--python", str(folder)]
    _run([uv, "venv", "--quiet", "--no-project", "--python", python, str(folder)], ROOT)
    packages = ["pip", "sync", "--quiet", *there, "--require-hashes", str(ROOT / f"requirements/{lock}.txt")]
    if subprocess.run([uv, "--offline", *packages], capture_output=True, check=False, env=_environment()).returncode:
        _run([uv, *packages], ROOT)
    _run([uv, "--offline", "pip", "install", "--quiet", *there, "--no-deps", str(wheel)], ROOT)
    _run([uv, "--offline", "pip", "check", *there], ROOT)
    yield Environment(folder)
    shutil.rmtree(folder)


def health_of(address: str) -> int:
    """Return the status with which a server answers that it is up."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urlopen(f"{address}/health", timeout=10.0) as answer:
                return int(answer.status)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def _uv() -> str:
    return shutil.which("uv") or str(ROOT / ".tools/bin/uv")


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in OURS} | {"UV_LINK_MODE": "hardlink"}


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
