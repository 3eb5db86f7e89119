"""Grasp problems: both ends of the way to an object are free for a hand that is open, and the way between is proven.

MuJoCo decides which problems are sound: random objects that fit between the open fingers, at postures where the open
hand around the object touches nothing.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import numpy as np
import pytest
from handed import Hand, fingers_of, outward

from farhand.distances import Clearance, Solid
from farhand.distances.pairs import random_joints
from farhand.errors import PlanningError
from farhand.kernels import Floats
from farhand.planning import Planner
from farhand.poses import compose, from_matrix, matrix
from farhand.types import ObjectSpec

# Not the Kinova, whose own fingers cannot move and stand where our tool grasps, nor hands with more than two fingers.
GRASPERS = ("panda", "irb120", "ur5", "vx300s", "baxter")
END = 0.02  # m of a finger's end, between which the object is
BACK = 0.08  # m from before the grasp to the grasp
THING = "thing"
TOLERANCE = 5e-4  # m; the palm comes near to the grasped object


@dataclass(frozen=True)
class Problem:
    """An object, and the postures before and at its grasp.

    Args:
        thing: The object, base frame.
        before: (n,) joints with the open hand before the object.
        grasp: (n,) joints with the open hand around it.
    """

    thing: Solid
    before: Floats
    grasp: Floats


def between(hand: Hand, q: Floats) -> tuple[Floats, float]:
    """Return the frame between the ends of the open fingers (x across, y outward; world), and their gap (m)."""
    (across, first), (_, second) = fingers_of(hand, q)[:2]
    palm = hand.put(q, 1.0).body(f"arm/{hand.model.arm.tool}").xpos
    both = np.vstack((first, second))
    out = outward(both, palm, across)
    top = float((both @ out).max())
    ends = [points[points @ out > top - END] for points in (first, second)]
    T = np.eye(4)
    T[:3, :3] = np.column_stack((across, out, np.cross(across, out)))
    T[:3, 3] = 0.5 * sum(0.5 * (end.min(axis=0) + end.max(axis=0)) for end in ends)
    return T, float((ends[0] @ across).min() - (ends[1] @ across).max())


def problems(name: str, count: int, seed: int) -> list[Problem]:
    """Return sound problems: the hand can be moved in to the object, and MuJoCo sees it touch nothing at both ends."""
    hand, random, found = Hand.among(name), np.random.default_rng(seed), list[Problem]()
    alone, limits = hand.clearance(1.0), hand.limits
    T_base_world = np.linalg.inv(matrix(hand.compiled.bases["arm"]))
    for q in random_joints(hand.chain, 200 * count):
        if len(found) == count:
            break
        T, gap = between(hand, q)
        size = (random.uniform(0.3, 0.9) * gap, random.uniform(0.015, 0.04), random.uniform(0.02, 0.08))
        T_before = hand.chain.forward(q)
        T_before[:3, 3] -= BACK * (T_base_world[:3, :3] @ T[:3, 1])
        solved = hand.chain.inverse(T_before, q)
        within = (solved.q >= limits.lower).all() and (solved.q <= limits.upper).all()
        if not solved.reached or not within or np.abs(solved.q - q).max() > 1.0:
            continue
        if min(alone.distances(np.array([q, solved.q]))) < 0.004:
            continue
        pose = from_matrix(T)
        spec = ObjectSpec(name=THING, size=size, position=pose.position, rotation=pose.rotation, mass=0.0)
        truly = Hand.among(name, [spec])
        if not truly.touches(q, 1.0) and not truly.touches(solved.q, 1.0):
            half = tuple(0.5 * s for s in size)
            found.append(Problem(Solid(THING, "box", from_matrix(T_base_world @ T), half), solved.q, q))
    return found


def free_ends(clearance: Clearance, problem: Problem) -> bool:
    """Return whether nothing touches at both ends."""
    return bool((clearance.distances(np.array([problem.before, problem.grasp])) > 0.0).all())


@pytest.mark.parametrize(
    ("name", "count"),
    [("irb120", 6), *[pytest.param(name, 20, marks=pytest.mark.slow) for name in GRASPERS]],
)
def test_both_ends_of_a_grasp_are_free_for_an_open_hand_and_the_path_is_proven(name: str, count: int) -> None:
    found, hand = problems(name, count, seed=0), Hand.among(name)
    assert len(found) >= count // 2
    swept, opened = hand.clearance(), hand.clearance(1.0)
    # a hand that is swept from closed to open fills the grasp
    assert not any(free_ends(swept.among([problem.thing]), problem) for problem in found)
    solved = [problem for problem in found if free_ends(opened.among([problem.thing]).grasping(THING), problem)]
    assert len(solved) >= 0.6 * len(found)
    proven = 0
    for problem in solved:
        grasping = opened.among([problem.thing]).grasping(THING)
        planner = Planner(grasping, hand.limits, tolerance=TOLERANCE)
        with contextlib.suppress(PlanningError):
            planner.straight(problem.before, hand.chain.forward(problem.grasp))
            proven += 1
            assert not touched_on_the_way(name, hand, problem)
    assert proven >= 0.5 * len(found)


def touched_on_the_way(name: str, hand: Hand, problem: Problem) -> set[str]:
    """Return the bodies other than fingers that MuJoCo sees touch the object, on the straight way to the grasp."""
    T_world_thing = compose(hand.compiled.bases["arm"], problem.thing.pose)
    size = tuple(2.0 * s for s in problem.thing.size)
    spec = ObjectSpec(name=THING, size=size, position=T_world_thing.position, rotation=T_world_thing.rotation, mass=0.0)
    truly, q, touched = Hand.among(name, [spec]), problem.before, set[str]()
    start, end = hand.chain.forward(problem.before), hand.chain.forward(problem.grasp)
    for share in np.linspace(0.0, 1.0, 41).tolist():
        T = end.copy()
        T[:3, 3] = (1.0 - share) * start[:3, 3] + share * end[:3, 3]
        q = hand.chain.inverse(T, q).q
        touched |= {mine for mine, _ in truly.touches(q, 1.0)}
    m = truly.compiled.model
    return {body for body in touched if not truly.is_finger(m.body(body).id)}
