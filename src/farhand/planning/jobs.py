"""A plan as a job for a worker: a copy of the scene goes in, a trajectory or a problem comes back."""

from __future__ import annotations

import math
import time

import numpy as np
from msgspec import Struct

from farhand.distances import Clearance
from farhand.errors import FarhandError, PlanningCancelledError, PlanningError
from farhand.kernels import Floats
from farhand.kinematics import JointLimits
from farhand.planning.leaving import leave
from farhand.planning.plan import Plan
from farhand.planning.planner import DEEPEST, Cancelled, Planner
from farhand.poses import Pose, matrix
from farhand.types import Trajectory, Vector

__all__ = ["Found", "PlanJob", "do_plan"]

TOLERANCE = 0.002  # metres of motion below which an edge is abandoned
BESIDE = 1e-4  # metres by which a proof asks for less clearance than there is
INTO = -0.004  # clearance at the goal, where hulls may overlap slightly because the arm touches, metres
SAMPLE = 0.02  # seconds between two points of a trajectory
MOST = 2000  # largest number of points; they are farther apart in a long motion
POSTURES = 24  # attempts to reach a pose, each from other joints


class PlanJob(Struct, frozen=True):
    """A planning problem.

    Args:
        clearance: The arm and its surroundings at the time of the request; a copy.
        limits: Limits of its joints.
        keep: Clearance to keep from everything, metres, as far as start and goal allow it.
        start: Joint positions to start from, radians or metres.
        goal: Joint positions to end at, or a pose of the tip in the base frame.
        seed: Seed of all random choices.
    """

    clearance: Clearance
    limits: JointLimits
    keep: float
    start: Vector
    goal: Vector | Pose
    seed: int = 0


class Found(Struct, frozen=True):
    """Result of a planning problem: a motion, or why there is none.

    Args:
        trajectory: The motion; None if there is none.
        why: Why there is none: "start" or "goal" is blocked, the pose is out of "reach", there is no "way", or planning
            took too long ("late"); empty if there is a motion.
        first: The link that is blocked, if one is.
        second: The solid or link that it is too near to.
        keep: Clearance that the motion keeps between its ends, metres; the ends may touch something.
    """

    trajectory: Trajectory | None = None
    why: str = ""
    first: str = ""
    second: str = ""
    keep: float = 0.0


def do_plan(job: PlanJob, seconds: float = math.inf) -> Found:
    """Return the result of a planning problem.

    Args:
        job: The problem.
        seconds: Time limit.
    """
    ends = time.monotonic() + seconds
    try:
        plan, keep = _plan(job, lambda: time.monotonic() > ends)
    except PlanningCancelledError:
        return Found(None, "late", *_nearest_on_line(job))
    except PlanningError as error:
        why = "start" if "start" in error.problem else "goal" if "goal" in error.problem else "way"
        pair = (error.first, error.second) if error.first else _nearest_on_line(job)
        return Found(None, why, *pair)
    except FarhandError:
        return Found(None, "reach")
    return Found(_sampled(plan), keep=keep)


def _plan(job: PlanJob, cancelled: Cancelled) -> tuple[Plan, float]:
    """Return a plan, and the clearance that it keeps (m)."""
    start = np.array(job.start)
    bare = Planner(job.clearance, job.limits, 0.0, TOLERANCE)
    goal = np.array(job.goal) if not isinstance(job.goal, Pose) else _posture(bare, start, job.goal)
    _refuse_deep(job.clearance, start, "start", DEEPEST + 2.0 * TOLERANCE)
    _refuse_deep(job.clearance, goal, "goal", INTO)
    wanted = job.keep + TOLERANCE + 2.0 * BESIDE
    ends = [leave(job.clearance, job.limits, bare.units, q, wanted, TOLERANCE) for q in (start, goal)]
    reached = min(job.clearance.distance(path[-1]).distance for path in ends)
    keep = max(DEEPEST, min(job.keep, reached - TOLERANCE - BESIDE))
    planner = Planner(job.clearance, job.limits, keep, TOLERANCE)
    path, checks = planner.path(ends[0][-1], ends[1][-1], job.seed, cancelled)
    return planner.timed(np.vstack((ends[0][:-1], path, ends[1][-2::-1])), checks), keep


def _refuse_deep(clearance: Clearance, q: Floats, which: str, least: float) -> None:
    near = clearance.distance(q)
    if near.distance < least:
        problem = f"the {which} is blocked: {near.first} and {near.second} overlap by {-near.distance * 1e3:.1f} mm"
        raise PlanningError(problem, first=near.first, second=near.second)


def _posture(planner: Planner, start: Floats, pose: Pose) -> Floats:
    """Return the joints nearest to the start that reach a pose and are free there.

    Raises:
        PlanningError: If all joints that reach it are blocked.
        FarhandError: If no joints reach it.
    """
    chain, random = planner.clearance.chain, np.random.default_rng(0)
    T, bounds = matrix(pose), planner.bounds(start, start)
    found: list[tuple[float, Floats]] = []
    blocked: PlanningError | None = None
    for number in range(POSTURES):
        solution = chain.inverse(T, start if number == 0 else random.uniform(bounds[0], bounds[1]))
        if not solution.reached:
            continue
        try:
            _refuse_deep(planner.clearance, solution.q, "goal", INTO)
        except PlanningError as error:
            blocked = error
            continue
        found.append((planner.length(np.array([start, solution.q])), solution.q))
    if found:
        return min(found, key=lambda one: one[0])[1]
    raise blocked or FarhandError("no joints reach the pose")


def _nearest_on_line(job: PlanJob) -> tuple[str, str]:
    """Return the nearest pair on the straight motion of the joints."""
    if isinstance(job.goal, Pose):
        return "", ""
    a, b = np.array(job.start), np.array(job.goal)
    line = a + np.linspace(0.0, 1.0, 101)[:, None] * (b - a)
    near = job.clearance.distance(line[int(np.argmin(job.clearance.distances(line)))])
    return near.first, near.second


def _sampled(plan: Plan) -> Trajectory:
    """Return a plan as a trajectory with times and rates."""
    lasts = max(plan.duration, SAMPLE)  # an arm at the goal takes no time
    count = min(math.ceil(lasts / SAMPLE) + 1, MOST)
    times = np.linspace(0.0, lasts, count)
    at = [plan.at(t) for t in times.tolist()]
    points = tuple([tuple(q.tolist()) for q, _, _ in at])
    return Trajectory("planned", points, tuple(times.tolist()), tuple([tuple(v.tolist()) for _, v, _ in at]))
