"""Planning aside: a worker process plans while the cell goes on ticking; what it finds is a plain value."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from farhand.errors import FarhandError, PlanningCancelledError, PlanningError
from farhand.planning.planner import Planner
from farhand.planning.values import Plan
from farhand.processes.spawning import spawn_context

__all__ = ["Found", "Job", "PlanningWorker"]


class Found(Struct, frozen=True):
    """What a worker answers: a plan, or why there is none.

    Args:
        plan: The motion.
        problem: Why there is none, as a sentence part; empty if there is one.
        first: The link that is blocked, if that is why.
        second: What blocks it.
        cancelled: Nobody wanted it any more.
    """

    plan: Plan | None = None
    problem: str = ""
    first: str = ""
    second: str = ""
    cancelled: bool = False


class Job(Struct, frozen=True):
    """A plan that was asked for."""

    number: int
    future: Future[bytes]

    def done(self) -> bool:
        """Tell whether the answer is there."""
        return self.future.done()

    def result(self, timeout: float | None = None) -> Found:
        """Wait for the answer and return it."""
        return msgspec.msgpack.decode(self.future.result(timeout), type=Found)


class PlanningWorker:
    """A worker process that plans, one job after the other. Use `open`, so that the process ends with the block."""

    def __init__(self) -> None:
        context = spawn_context()
        # the number of the newest job that nobody wants any more; the worker looks at it now and then
        self._unwanted = context.RawValue("q", 0)
        self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(self._unwanted,))
        self._count = 0

    def plan(self, planner: Planner, start: ArrayLike, goal: ArrayLike, seed: int = 0) -> Job:
        """Ask for a motion from joints to joints; see `Planner.plan`."""
        return self._ask(planner, "plan", np.array(start, dtype=np.float64), np.array(goal, dtype=np.float64), seed)

    def straight(self, planner: Planner, start: ArrayLike, T_goal: ArrayLike, speed: float = 1e3) -> Job:
        """Ask for a straight motion of the tip; see `Planner.straight`."""
        return self._ask(
            planner, "straight", np.array(start, dtype=np.float64), np.array(T_goal, dtype=np.float64), speed
        )

    def cancel(self, job: Job) -> None:
        """Give up a job and all that were asked for before it; its answer says so, unless it is there already."""
        self._unwanted.value = max(int(self._unwanted.value), job.number)

    def warm_up(self) -> None:
        """Wait until the worker has started and its kernels are compiled."""
        self._pool.submit(_ready).result()

    def close(self) -> None:
        """End the worker, whatever it is doing."""
        self._unwanted.value = self._count
        self._pool.shutdown(cancel_futures=True)

    @classmethod
    @contextmanager
    def open(cls) -> Iterator[PlanningWorker]:
        """Start a worker that ends with the block."""
        worker = cls()
        try:
            yield worker
        finally:
            worker.close()

    def _ask(self, planner: Planner, verb: str, *arguments: Any) -> Job:
        self._count += 1
        return Job(self._count, self._pool.submit(_work, self._count, planner, verb, arguments))


_unwanted: Any = None


def _begin(unwanted: Any) -> None:
    global _unwanted  # the one thing that a worker process shares with the one that started it
    _unwanted = unwanted


def _ready() -> None:
    from farhand.kernels import compile_all

    compile_all()


def _work(number: int, planner: Planner, verb: str, arguments: tuple[Any, ...]) -> bytes:
    return msgspec.msgpack.encode(_answer(number, planner, verb, arguments))


def _answer(number: int, planner: Planner, verb: str, arguments: tuple[Any, ...]) -> Found:
    def cancelled() -> bool:
        return bool(_unwanted.value >= number)

    if cancelled():
        return Found(problem="the plan was cancelled", cancelled=True)
    try:
        if verb == "plan":
            start, goal, seed = arguments
            return Found(planner.plan(start, goal, seed, cancelled))
        return Found(planner.straight(*arguments))
    except PlanningCancelledError as error:
        return Found(problem=error.problem, cancelled=True)
    except PlanningError as error:
        return Found(problem=error.problem, first=error.first, second=error.second)
    except FarhandError as error:
        return Found(problem=str(error))
