"""The versions, kernels and type of machine that decide the bits of a tick."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import farhand
from farhand.records.entries import RunInfo

__all__ = ["build_differences", "build_hash", "machine", "versions"]

PACKAGES = ("mujoco-core", "numba", "numpy", "ruckig")


@cache
def versions() -> dict[str, str]:
    """Return the versions of Farhand, Python and the packages that compute ticks."""
    found = {"farhand": farhand.__version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found


@cache
def machine() -> str:
    """Return the type of the machine."""
    return f"{platform.system()} {platform.machine()}"


@cache
def build_hash() -> str:
    """Return a hash over the code that computes ticks."""
    root, found = Path(farhand.__file__).parent, hashlib.blake2b(digest_size=8)
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] not in OUTSIDE:
            found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


OUTSIDE = {"records", "server", "client", "cli", "voice", "experiments", "tuning", "notes"}
"""Packages that change no tick."""


def build_differences(info: RunInfo) -> tuple[str, ...]:
    """Return in what this build differs from the one that recorded a run, as sentences."""
    here = versions()
    found = [
        f"{name} is {here.get(name, 'missing')} here and was {there}"
        for name, there in info.versions.items()
        if here.get(name) != there
    ]
    if info.machine != machine():
        found.append(f"this machine is {machine()}, the run's was {info.machine}")
    if info.build != build_hash() and not found:
        found.append("Farhand's code has changed since the run, though its version has not")
    return tuple(found)
