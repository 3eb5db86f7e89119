"""Spawn processes with multiprocessing, without the current directory on their path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from farhand.processes.python_start import SAFE_PATH

__all__ = ["spawn_context"]


@contextmanager
def _safe_path() -> Iterator[None]:
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


class _SafeProcess(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with _safe_path():
            return SpawnProcess._Popen(process_obj)


class _SafeSpawn(SpawnContext):
    Process = _SafeProcess


def spawn_context() -> SpawnContext:
    """Return a spawn context of multiprocessing whose processes have a safe path."""
    if os.name == "posix":
        from multiprocessing import resource_tracker

        with _safe_path():
            resource_tracker.ensure_running()  # it is a process too, else started with the first lock
    return _SafeSpawn()
