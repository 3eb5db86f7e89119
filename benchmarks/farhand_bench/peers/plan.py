"""OMPL's RRT-Connect with simplification, given our own collision checker."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from farhand.distances import Clearance
from farhand.kernels import Floats

__all__ = ["Ompl", "ompl_planner"]

REACH, STEP, BUDGET = 0.8, 0.01, 5.0
Ompl = Callable[[Floats, Floats], tuple[Floats | None, float, float]]


def ompl_planner(clearance: Clearance) -> Ompl:
    """Return a function (start, goal) → (path or None, milliseconds of search, milliseconds of simplification)."""
    from ompl import base, geometric, util

    util.setLogLevel(util.LogLevel.LOG_ERROR)
    chain = clearance.chain
    space = base.RealVectorStateSpace(chain.n)
    bounds = base.RealVectorBounds(chain.n)
    for i in range(chain.n):
        bounds.setLow(i, float(chain.lower[i]))
        bounds.setHigh(i, float(chain.upper[i]))
    space.setBounds(bounds)
    setup, joints = geometric.SimpleSetup(space), np.empty(chain.n)

    def valid(state: object) -> bool:
        for i in range(chain.n):
            joints[i] = state[i]  # type: ignore[index]  # OMPL's state is untyped
        return clearance.free(joints)

    setup.setStateValidityChecker(valid)
    information = setup.getSpaceInformation()
    extent = float(np.linalg.norm(chain.upper - chain.lower))
    information.setStateValidityCheckingResolution(STEP * 1.6 / extent)
    planner = geometric.RRTConnect(information)
    planner.setRange(REACH)
    setup.setPlanner(planner)

    def plan(start: Floats, goal: Floats) -> tuple[Floats | None, float, float]:
        setup.clear()
        a, b = space.allocState(), space.allocState()
        for i in range(chain.n):
            a[i], b[i] = float(start[i]), float(goal[i])
        setup.setStartAndGoalStates(a, b)
        begin = time.thread_time()
        setup.solve(BUDGET)
        searched = (time.thread_time() - begin) * 1e3
        if not setup.haveExactSolutionPath():
            return None, searched, 0.0
        begin = time.thread_time()
        setup.simplifySolution(1.0)
        simplified = (time.thread_time() - begin) * 1e3
        path = setup.getSolutionPath()
        rows = [[path.getState(k)[i] for i in range(chain.n)] for k in range(path.getStateCount())]
        return np.array(rows), searched, simplified

    return plan
