"""The folder of compiled kernels: one for each state of the kernels' source.

Its name is a hash of the code of every kernel file and the versions of Python, numba and llvmlite. A change of code in
any kernel file, including one that another file calls, starts a new folder; an edited comment or docstring and a
reinstallation keep the old one. Constants that kernels use must therefore be in kernel files too.
"""

from __future__ import annotations

import ast
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

__all__ = ["cache_folder", "code_of", "kernel_files", "kernel_modules"]

PACKAGE = Path(__file__).resolve().parent.parent
DECORATED = re.compile(rb"^@(kernel\(|intrinsic\b)", re.MULTILINE)
UNUSED_DAYS = 30


@functools.cache
def kernel_files() -> tuple[Path, ...]:
    """Return every file of the package that declares a kernel, found by text search, without imports."""
    files = sorted(PACKAGE.rglob("*.py"))
    return tuple(file for file in files if DECORATED.search(file.read_bytes()))


def kernel_modules() -> tuple[str, ...]:
    """Return the import names of the kernel files."""
    paths = (file.relative_to(PACKAGE.parent).with_suffix("") for file in kernel_files())
    return tuple(".".join(path.parts).removesuffix(".__init__") for path in paths)


@functools.cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels for the present source; it exists and is writable.

    It is below ``$FARHAND_CACHE``, else in the user's cache, else, if that is read-only, in a private temporary folder.
    """
    for root in (_user_cache, _temporary_cache):
        with contextlib.suppress(OSError):
            kernels = root() / "kernels"
            kernels.mkdir(parents=True, exist_ok=True)
            folder = kernels / _remembered_hash(kernels)
            folder.mkdir(exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)  # marks it as used today, for `_remove_unused`
            _remove_unused(folder)
            return folder
    return Path(tempfile.mkdtemp(prefix="farhand-kernels-"))


def source_hash(contents: dict[str, bytes]) -> str:
    """Return the hash of some files and the versions that compile them.

    Args:
        contents: The relevant bytes of each file, by its path in the package.
    """
    versions = f"{sys.implementation.cache_tag} {numba.__version__} {version('llvmlite')}"
    digest = hashlib.sha256(versions.encode())
    for path, content in contents.items():
        digest.update(f"\n{path} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:24]


def code_of(text: bytes) -> bytes:
    """Return the code of a Python file without comments, docstrings, layout and line numbers."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:]
    return ast.dump(tree).encode()


def _remembered_hash(kernels: Path) -> str:
    """Return the hash of the present code, cached by the hash of the text because parsing takes 0.1 s."""
    texts = {file.relative_to(PACKAGE).as_posix(): file.read_bytes() for file in kernel_files()}
    kept = kernels / f"{source_hash(texts)}.code"
    with contextlib.suppress(OSError):
        os.utime(kept)
        if re.fullmatch("[0-9a-f]{24}", found := kept.read_text()):
            return found
    found = source_hash({path: code_of(text) for path, text in texts.items()})
    aside = kept.with_suffix(f".{os.getpid()}")
    aside.write_text(found)
    aside.replace(kept)
    return found


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
    # Files from here are loaded as machine code: accept only a folder that this user owns.
    if hasattr(os, "getuid") and (folder.is_symlink() or folder.stat().st_uid != os.getuid()):
        return Path(tempfile.mkdtemp(prefix="farhand-"))
    return folder


def _remove_unused(folder: Path) -> None:
    """Remove siblings that no process has used for a month; failures are harmless."""
    oldest = time.time() - UNUSED_DAYS * 86400
    for sibling in folder.parent.iterdir():
        with contextlib.suppress(OSError):
            if sibling != folder and sibling.stat().st_mtime < oldest:
                if sibling.is_dir():
                    shutil.rmtree(sibling, ignore_errors=True)
                else:
                    sibling.unlink()
