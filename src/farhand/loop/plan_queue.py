"""Plans for a running cell: lanes request them in their reports, and the answers enter as events."""

from __future__ import annotations

from concurrent.futures import Future

from farhand.cell import Cell
from farhand.planning import Found, PlanJob, do_plan
from farhand.types import Note, PlanFound, PlanRequest, Subject, Tick
from farhand.world import CellWorker

__all__ = ["PlanQueue"]

PLANNING_TIMEOUT_S = 2.0
NO_PLAN = Found(why="none")


class PlanQueue:
    """Computes the plans that lanes request: in a worker, or without one between two ticks, as virtual time allows.

    Args:
        cell: The cell.
        worker: The worker that computes plans, or None.
    """

    def __init__(self, cell: Cell, worker: CellWorker | None) -> None:
        self._cell, self._worker = cell, worker
        self._asked: dict[str, PlanRequest] = {}
        self._work: dict[str, Future[Found]] = {}
        self._number = cell.number

    def look(self, tick: Tick) -> None:
        """Start the plans that the lanes request in a tick, each from a copy of the present scene."""
        if tick.number != self._number + 1:  # the cell was restored: an equal request is a new one
            self._forget(list(self._asked))
        self._number = tick.number
        if self._asked:
            self._forget([name for name, asked in self._asked.items() if tick.lanes[name].planning != asked])
        for name, report in tick.lanes.items():
            request, free_space = report.planning, self._cell.lanes[name].free_space
            if request is not None and request.start and name not in self._asked and free_space is not None:
                self._asked[name], self._work[name] = request, self._begin(free_space.job(request))

    def _forget(self, names: list[str]) -> None:
        """Cancel the plans that no lane waits for any more; the result of a running one is dropped."""
        for name in names:
            del self._asked[name]
            if name in self._work:
                self._work.pop(name).cancel()

    def _begin(self, job: PlanJob) -> Future[Found]:
        if self._worker is not None:
            return self._worker.run(do_plan, job, PLANNING_TIMEOUT_S)
        done: Future[Found] = Future()
        done.set_result(do_plan(job))
        return done

    def found(self) -> tuple[PlanFound, ...]:
        """Return the plans finished since the last tick."""
        if not self._work:
            return ()
        ready = [name for name, work in self._work.items() if work.done()]
        return tuple([_event(name, self._asked[name], self._work.pop(name)) for name in ready])


def _event(robot: str, request: PlanRequest, work: Future[Found]) -> PlanFound:
    try:
        found = work.result()
    except Exception:  # noqa: BLE001 - the worker was killed or the planner failed: the cell goes on
        found = NO_PLAN
    if found.trajectory is not None:
        return PlanFound(robot, request, found.trajectory, room=found.keep)
    return PlanFound(robot, request, problem=_problem(found))


def _problem(found: Found) -> Note:
    """Return the reason that there is no plan."""
    if found.why == "late":
        return Note("plan.late")
    if found.why == "reach":
        return Note("plan.reach")
    if not found.first:
        return Note("plan.none")
    pair = (Subject("link", found.first), Subject("body", found.second))
    if found.why == "start":
        return Note("plan.start", about=pair)
    return Note("plan.goal", about=pair) if found.why == "goal" else Note("plan.way", about=pair)
