"""Plans on their way into a running cell: lanes ask in their reports, the answers come as events."""

from __future__ import annotations

from concurrent.futures import Future

from farhand.cell import Cell
from farhand.planning import Found, PlanJob, do_plan
from farhand.types import Note, PlanFound, PlanRequest, Subject, Tick
from farhand.world import CellWorker

__all__ = ["PlanQueue"]

LONGEST = 2.0  # seconds after which a planner gives up
BROKEN = Found(why="none")


class PlanQueue:
    """Has plans made that lanes ask for: aside by a worker, or else at once, which virtual time does not notice.

    Args:
        cell: The cell that they are for.
        worker: What makes them.
    """

    def __init__(self, cell: Cell, worker: CellWorker | None) -> None:
        self._cell, self._worker = cell, worker
        self._asked: dict[str, PlanRequest] = {}
        self._work: dict[str, Future[Found]] = {}
        self._number = cell.number

    def look(self, tick: Tick) -> None:
        """Take what the lanes ask for in a tick; the scene is copied here and now."""
        if tick.number != self._number + 1:  # the cell went back: the same request is another question
            self._forget(list(self._asked))
        self._number = tick.number
        if self._asked:
            self._forget([name for name, asked in self._asked.items() if tick.lanes[name].planning != asked])
        for name, report in tick.lanes.items():
            request, free_space = report.planning, self._cell.lanes[name].free_space
            if request is not None and request.start and name not in self._asked and free_space is not None:
                self._asked[name], self._work[name] = request, self._begin(free_space.job(request))

    def _forget(self, names: list[str]) -> None:
        """Give up what no lane waits for any more; what has begun goes on, but nobody hears of it."""
        for name in names:
            del self._asked[name]
            if name in self._work:
                self._work.pop(name).cancel()

    def _begin(self, job: PlanJob) -> Future[Found]:
        if self._worker is not None:
            return self._worker.run(do_plan, job, LONGEST)
        done: Future[Found] = Future()
        done.set_result(do_plan(job))
        return done

    def found(self) -> tuple[PlanFound, ...]:
        """Return the answers that have come since the last tick."""
        if not self._work:
            return ()
        ready = [name for name, work in self._work.items() if work.done()]
        return tuple([_event(name, self._asked[name], self._work.pop(name)) for name in ready])


def _event(robot: str, request: PlanRequest, work: Future[Found]) -> PlanFound:
    try:
        found = work.result()
    except Exception:  # noqa: BLE001 - the worker was killed over it, or a planner broke: the cell goes on
        found = BROKEN
    if found.trajectory is not None:
        return PlanFound(robot, request, found.trajectory, room=found.keep)
    return PlanFound(robot, request, problem=_problem(found))


def _problem(found: Found) -> Note:
    """Return why there is no plan."""
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
