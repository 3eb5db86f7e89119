"""Plans on their way into a running cell: lanes ask in their reports, the answers come as events."""

from __future__ import annotations

from concurrent.futures import Future

from farhand.cell import Cell
from farhand.errors import FarhandError
from farhand.planning import Found, PlanJob, do_plan
from farhand.types import Note, PlanFound, PlanRequest, Subject, Tick
from farhand.world import Workshop

__all__ = ["PlanDesk"]

LONGEST = 2.0  # seconds after which a planner gives up
BROKEN = Found(why="none")


class PlanDesk:
    """Has plans made that lanes ask for: aside by a workshop, or else at once, which virtual time does not notice.

    Args:
        cell: The cell that they are for.
        workshop: What makes them.
    """

    def __init__(self, cell: Cell, workshop: Workshop | None) -> None:
        self._cell, self._shop = cell, workshop
        self._asked: dict[str, PlanRequest] = {}
        self._work: list[tuple[str, PlanRequest, Future[Found]]] = []

    def look(self, tick: Tick) -> None:
        """Take what the lanes ask for in a tick; the scene is copied here and now."""
        for name, report in tick.lanes.items():
            request = report.planning
            if request is None or not request.start or self._asked.get(name) == request:
                continue
            self._asked[name], free_space = request, self._cell.lanes[name].free_space
            if free_space is not None:
                self._work.append((name, request, self._begin(free_space.job(request))))

    def _begin(self, job: PlanJob) -> Future[Found]:
        if self._shop is not None:
            return self._shop.run(do_plan, job, LONGEST)
        done: Future[Found] = Future()
        done.set_result(do_plan(job))
        return done

    def found(self) -> tuple[PlanFound, ...]:
        """Return the answers that have come since the last tick."""
        if not self._work:
            return ()
        ready = [one for one in self._work if one[2].done()]
        self._work = [one for one in self._work if not one[2].done()]
        return tuple([_event(*one) for one in ready])


def _event(robot: str, request: PlanRequest, work: Future[Found]) -> PlanFound:
    try:
        found = work.result()
    except FarhandError:  # the worker was killed over it
        found = BROKEN
    if found.trajectory is not None:
        return PlanFound(robot, request, found.trajectory)
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
