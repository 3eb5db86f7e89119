"""The cell's worker process: it compiles the next world and finds plans while the cell goes on ticking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import msgspec

from farhand.kernels import compile_all
from farhand.processes.worker import Worker
from farhand.world.blueprint import Blueprint
from farhand.world.compiled import Compiled, compile_world, from_bytes, to_bytes

__all__ = ["CellWorker"]

P = ParamSpec("P")
R = TypeVar("R")


class CellWorker:
    """A worker process that compiles blueprints and runs other functions, one after the other.

    Use it as a context manager, so that the process ends with it.

    Args:
        at_start: Called in the worker before anything else.
    """

    def __init__(self, at_start: Callable[[], None] | None = None) -> None:
        # a new process, not a fork, without the cell's threads and physics
        self._worker = Worker(at_start)

    def compile(self, blueprint: Blueprint) -> Future[bytes]:
        """Start compiling a blueprint; pass the future to `finished` once it is done."""
        return self._worker.submit(_work, msgspec.msgpack.encode(blueprint))

    def run(self, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> Future[R]:
        """Run a function of a module in the worker, after its present work."""
        return self._worker.submit(function, *arguments, **named)

    def warm_up(self, *, wait: bool = True) -> None:
        """Start the worker and let it load its modules; wait until it is ready."""
        ready = self._worker.submit(_ready)
        if wait:
            ready.result()

    @staticmethod
    def finished(future: Future[bytes]) -> Compiled:
        """Return the compiled world of a future that is done.

        Raises:
            WorldError: If MuJoCo cannot compile it.
            DriveError: If a drive would be unstable.
            WorkerError: If the worker ended.
        """
        return from_bytes(future.result())

    def close(self) -> None:
        """End the worker."""
        self._worker.close()

    @classmethod
    @contextmanager
    def open(cls, at_start: Callable[[], None] | None = None) -> Iterator[CellWorker]:
        """Start a worker that ends with the block."""
        shop = cls(at_start)
        try:
            yield shop
        finally:
            shop.close()


def _work(content: bytes) -> bytes:
    return to_bytes(compile_world(msgspec.msgpack.decode(content, type=Blueprint)))


def _ready() -> None:
    compile_all()  # so that a plan never waits for the compiler
