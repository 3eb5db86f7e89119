"""Numba's function cache, kept in Farhand's own folder, with one file per compiled signature.

Numba keeps an index file beside numbered data files; two processes that compile different signatures at once can
make one index entry point at the other's machine code. Here a file's name is the hash of its own key, so writers
never share a file, and each file appears complete or not at all.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

from farhand.kernels.folder import cache_folder, code_of, kernel_files

__all__ = ["KernelCache"]


@functools.cache
def _code_hash(file: str) -> str:
    path = Path(file)
    if path in kernel_files():
        return ""  # the folder's name already depends on it
    return hashlib.sha256(code_of(path.read_bytes())).hexdigest()


class KernelLocator(_CacheLocator):  # type: ignore[misc]  # numba has no types
    """Tells numba where to keep a kernel's machine code, and which source it depends on."""

    def __init__(self, file: str) -> None:
        self._py_file = file  # numba names it in its warnings

    @classmethod
    def from_function(cls, _py_func: Callable[..., Any], py_file: str) -> KernelLocator:
        """Return the locator of a function defined in a file."""
        return cls(py_file)

    def ensure_cache_path(self) -> None:
        """Create the folder again if it was removed."""
        cache_folder().mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Return the folder, whose name already depends on the code of all kernel files."""
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        """Return the hash of the code in the function's own file, for kernels that live outside the package."""
        return _code_hash(self._py_file)

    def get_disambiguator(self) -> str:
        """Return nothing: no two kernels share a name."""
        return ""


class KernelFiles:
    """Loads and saves machine code by key, each key in a file of its own.

    Args:
        folder: Folder of the files.
        name: Prefix of the file names.
        stamp: Hash of the source; part of every key.
    """

    def __init__(self, folder: str, name: str, stamp: str) -> None:
        self._folder, self._name, self._stamp = Path(folder), name, stamp

    def load(self, key: object) -> Any:
        """Return the object saved under the key, or None if the file is missing, truncated or of another key."""
        try:
            saved_key, data = pickle.loads(self._path(key).read_bytes())  # noqa: S301  the user's own cache
        except FileNotFoundError:
            return None
        except Exception:  # noqa: BLE001  a damaged file can raise anything; compiling again replaces it
            return None
        return data if saved_key == self._full(key) else None

    def has(self, key: object) -> bool:
        """Return whether there is a file of that key; only `load` checks that it is intact."""
        return self._path(key).exists()

    def save(self, key: object, data: object) -> None:
        """Save an object under the key: write a temporary file, then rename it, so that no reader sees a part of it."""
        handle, aside = tempfile.mkstemp(dir=self._folder, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(dumps((self._full(key), data)))
            Path(aside).replace(self._path(key))
        except BaseException:
            with contextlib.suppress(OSError):
                Path(aside).unlink()
            raise

    def _full(self, key: object) -> str:
        return f"{self._stamp} {key!r}"

    def _path(self, key: object) -> Path:
        digest = hashlib.sha256(self._full(key).encode()).hexdigest()[:24]
        return self._folder / f"{self._name}-{digest}.nbc"


class KernelCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    """Numba's own serialisation of machine code, with Farhand's locator only."""

    _locator_classes = (KernelLocator,)


class KernelCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """The cache of one kernel, set on its dispatcher only, so that other users of numba are not affected."""

    _impl_class = KernelCacheImpl

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        locator = self._impl.locator
        self._cache_file = KernelFiles(locator.get_cache_path(), self._impl.filename_base, locator.get_source_stamp())

    def keeps(self, signature: object, target: Any) -> bool:
        """Return whether the cache holds machine code for a signature.

        Args:
            signature: Signature as given to the dispatcher.
            target: The dispatcher's compiler.
        """
        return self._cache_file.has(self._index_key(signature, target.codegen()))
