"""Where compiled kernels are kept: one folder for each state of the kernels' source.

The folder is named by a hash over the text of every kernel file and the versions of numba and llvmlite. So a change
in any kernel file, also in one that another file calls, starts a new folder, and a reinstall keeps the old one.
Constants that kernels use must therefore live in kernel files too.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numba

__all__ = ["cache_folder", "kernel_files", "kernel_modules"]

PACKAGE = Path(__file__).resolve().parent.parent
DECORATED = re.compile(rb"^@(kernel\(|intrinsic\b)", re.MULTILINE)
UNUSED_DAYS = 30


@functools.cache
def kernel_files() -> tuple[Path, ...]:
    """Return every file of the package that declares a kernel, found by its text, without importing it."""
    files = sorted(PACKAGE.rglob("*.py"))
    return tuple(file for file in files if DECORATED.search(file.read_bytes()))


def kernel_modules() -> tuple[str, ...]:
    """Return the import names of the kernel files."""
    paths = (file.relative_to(PACKAGE.parent).with_suffix("") for file in kernel_files())
    return tuple(".".join(path.parts).removesuffix(".__init__") for path in paths)


@functools.cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels for the present source, made and writable.

    Below ``$FARHAND_CACHE``, else the user's cache, else (where that cannot be written) a private temporary folder.
    """
    name = source_hash()
    for root in (_user_cache, _temporary_cache):
        with contextlib.suppress(OSError):
            folder = root() / "kernels" / name
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)  # in use today: the clock of `_remove_unused`
            _remove_unused(folder)
            return folder
    return Path(tempfile.mkdtemp(prefix="farhand-kernels-"))


@functools.cache
def source_hash() -> str:
    """Return the hash over all kernel files and the compiler's versions."""
    digest = hashlib.sha256(f"{numba.__version__} {version('llvmlite')}".encode())
    for file in kernel_files():
        text = file.read_bytes()
        digest.update(f"\n{file.relative_to(PACKAGE).as_posix()} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()[:24]


def _user_cache() -> Path:
    chosen = os.environ.get("FARHAND_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Caches"
    else:
        root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "farhand"


def _temporary_cache() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    folder = Path(tempfile.gettempdir()) / f"farhand-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    # What lies here is loaded as machine code: take only a folder that is ours.
    if hasattr(os, "getuid") and (folder.is_symlink() or folder.stat().st_uid != os.getuid()):
        return Path(tempfile.mkdtemp(prefix="farhand-"))
    return folder


def _remove_unused(folder: Path) -> None:
    """Remove sibling folders that no process has used for a month; a failure to do so harms nobody."""
    oldest = time.time() - UNUSED_DAYS * 86400
    for sibling in folder.parent.iterdir():
        with contextlib.suppress(OSError):
            if sibling != folder and sibling.is_dir() and sibling.stat().st_mtime < oldest:
                shutil.rmtree(sibling, ignore_errors=True)
