"""Compiling aside: a worker process makes the next world while the cell goes on ticking with the present one."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager

import msgspec

from farhand.world.blueprint import Blueprint
from farhand.world.compiled import Compiled, compile_world, from_bytes, to_bytes

__all__ = ["Workshop"]


class Workshop:
    """A worker process that compiles blueprints, one after the other.

    Use it as a context manager, so that the process ends with it.
    """

    def __init__(self) -> None:
        # A fresh process, not a fork: the cell's threads and its physics stay out of it.
        self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))

    def compile(self, blueprint: Blueprint) -> Future[bytes]:
        """Start compiling; give the result to `finished` once the future is done."""
        return self._pool.submit(_work, msgspec.msgpack.encode(blueprint))

    def warm_up(self) -> None:
        """Wait until the worker has started and loaded what it needs."""
        self._pool.submit(_ready).result()

    @staticmethod
    def finished(future: Future[bytes]) -> Compiled:
        """Return the compiled world of a future that is done.

        Raises:
            WorldError: If MuJoCo cannot make a model of it.
            DriveError: If a drive would be unstable.
        """
        return from_bytes(future.result())

    def close(self) -> None:
        """End the worker."""
        self._pool.shutdown(cancel_futures=True)

    @classmethod
    @contextmanager
    def open(cls) -> Iterator[Workshop]:
        """Start a workshop that ends with the block."""
        shop = cls()
        try:
            yield shop
        finally:
            shop.close()


def _work(content: bytes) -> bytes:
    return to_bytes(compile_world(msgspec.msgpack.decode(content, type=Blueprint)))


def _ready() -> None:
    return None
