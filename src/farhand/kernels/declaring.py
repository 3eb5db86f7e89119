"""Declare kernels, and compile them all before they are needed."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from msgspec import Struct
from numba import njit
from numba.core import sigutils
from numpy.typing import NDArray

from farhand.kernels.cache import KernelCache
from farhand.kernels.folder import kernel_modules

__all__ = ["CompileReport", "Floats", "Ints", "Progress", "compile_all", "compiled", "kernel", "uncompiled"]

P = ParamSpec("P")
R = TypeVar("R")
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Fast arithmetic that still lets a kernel test for nan and infinity.
FAST = {"contract", "arcp", "nsz", "reassoc"}


class CompileReport(Struct, frozen=True):
    """Result of `compile_all`.

    Args:
        compiled: Number of signatures that had to be compiled.
        loaded: Number of signatures that came from the cache.
        seconds: Duration, including the import of the kernels' modules.
    """

    compiled: int
    loaded: int
    seconds: float


class Progress(Struct, frozen=True):
    """Progress of `compile_all`.

    Args:
        done: Number of signatures that are ready.
        total: Number of all signatures.
        name: The next kernel; empty at the end.
        compiling: True if this kernel or an earlier one has to be compiled; false if all came from the cache so far.
    """

    done: int
    total: int
    name: str
    compiling: bool


class _Entry(Struct, frozen=True):
    name: str
    dispatcher: Any
    signatures: tuple[str, ...]


_kernels: dict[str, _Entry] = {}


def kernel(*signatures: str, inline: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare a compiled function.

    Args:
        signatures: The numba types it is called with from Python, e.g. ``"void(f8[::1], f8)"``; none for a
            function that only other kernels call.
        inline: Insert its code at each call. For small functions in hot loops: a call that takes arrays counts
            their references, which costs more than a few additions.

    Raises:
        ValueError: If a kernel of that module and name is already declared.
    """

    def declare(function: Callable[P, R]) -> Callable[P, R]:
        name = f"{function.__module__}.{function.__qualname__}"
        if name in _kernels:
            raise ValueError(f"the kernel {name} is declared twice")
        # a kernel that only kernels call needs no Python wrapper, which takes a third of the compile time
        inner = not signatures
        options = {"no_cpython_wrapper": inner, "no_cfunc_wrapper": True, "forceinline": inline}
        dispatcher = njit(fastmath=FAST, error_model="numpy", nogil=True, **options)(function)
        dispatcher._cache = KernelCache(function)
        if inner:
            _close(dispatcher, name)
        _kernels[name] = _Entry(name, dispatcher, signatures)
        return cast("Callable[P, R]", dispatcher)

    return declare


def _close(dispatcher: Any, name: str) -> None:
    """Refuse calls from Python, for which there is no wrapper: no overload is ever listed as callable."""

    def refuse(*_args: object, **_named: object) -> None:
        raise TypeError(f"{name} has no signature, so only other kernels can call it")

    dispatcher._insert = lambda *_overload: None
    dispatcher._compile_for_args = refuse


def compile_all(progress: Callable[[Progress], None] | None = None, without: tuple[str, ...] = ()) -> CompileReport:
    """Compile every declared signature, or load it from the cache.

    Args:
        progress: Called before each signature and once at the end.
        without: Packages whose kernels are not needed, e.g. ``("farhand.planning",)``.
    """
    start = time.perf_counter()
    for module in kernel_modules():
        if not module.startswith(without):
            importlib.import_module(module)
    wanted = [entry for entry in _kernels.values() if not entry.name.startswith(without)]
    work = [(entry, signature) for entry in wanted for signature in entry.signatures]
    built = loaded = 0
    for done, (entry, signature) in enumerate(work):
        if progress:
            compiling = built > 0 or not _kept(entry.dispatcher, signature)
            progress(Progress(done, len(work), entry.name, compiling))
        misses, hits = _counts(entry.dispatcher)
        entry.dispatcher.compile(signature)
        misses_after, hits_after = _counts(entry.dispatcher)
        built, loaded = built + misses_after - misses, loaded + hits_after - hits
    if progress:
        progress(Progress(len(work), len(work), "", built > 0))
    return CompileReport(built, loaded, time.perf_counter() - start)


def compiled() -> frozenset[tuple[str, str]]:
    """Return (kernel, argument types) of everything compiled or loaded so far in this process.

    Compare before and after a run: a new pair is a kernel that compiled in the middle of it.
    """
    return frozenset((entry.name, str(types)) for entry in _kernels.values() for types in entry.dispatcher.signatures)


def uncompiled(without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names of kernels that have a declared signature not yet compiled in this process.

    Args:
        without: Packages whose kernels are ignored.
    """
    return tuple(
        entry.name
        for entry in _kernels.values()
        if not entry.name.startswith(without)
        and any(_argument_types(signature) not in entry.dispatcher.signatures for signature in entry.signatures)
    )


def _kept(dispatcher: Any, signature: str) -> bool:
    """Return whether a signature is in the cache or already compiled."""
    return dispatcher._cache.keeps(signature, dispatcher.targetctx) or (
        _argument_types(signature) in dispatcher.signatures
    )


def _argument_types(signature: str) -> tuple[Any, ...]:
    return tuple(sigutils.normalize_signature(signature)[0])


def _counts(dispatcher: Any) -> tuple[int, int]:
    stats = dispatcher.stats
    return sum(stats.cache_misses.values()), sum(stats.cache_hits.values())
