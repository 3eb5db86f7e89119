"""Planned paths of arms with fingers, judged by MuJoCo with the hand closed, half open and open."""

from __future__ import annotations

import math

import numpy as np
import pytest
from handed import WITH_FINGERS, Hand

from farhand.distances import Clearance
from farhand.distances.pairs import random_joints
from farhand.errors import PlanningError
from farhand.kernels import Floats
from farhand.planning import Planner
from farhand.types import ObjectSpec

APART = 0.004  # m that starts and goals are away from everything
NEAR = 0.04  # m within which something is at starts and goals
PILLARS = 40
COUNT = 30


def pillars(name: str, seed: int) -> list[ObjectSpec]:
    """Return pillars where an arm's tip can be: each around a point that it reaches at random joints."""
    hand, random = Hand.among(name), np.random.default_rng(seed)
    base = hand.compiled.bases["arm"].position
    reached = [hand.chain.forward(q)[:3, 3] for q in random_joints(hand.chain, 40 * PILLARS)]
    far = [p for p in reached if math.hypot(p[0], p[1]) > 0.4 * max(math.hypot(*r[:2]) for r in reached)]
    found = []
    for k, p in enumerate(far[:PILLARS]):
        size, height = random.uniform(0.02, 0.05, 2).tolist(), random.uniform(0.2, 0.5)
        x, y, z = np.add(np.add(p, base), (0.0, 0.0, random.uniform(-0.1, 0.1))).tolist()
        found.append(ObjectSpec(name=f"pillar {k + 1}", size=(*size, height), position=(x, y, z), mass=0.0))
    return found


def between_pillars(name: str) -> tuple[Hand, Clearance]:
    """Return an arm among pillars, without those that its first links can never leave."""
    found = pillars(name, 0)
    hand = Hand.among(name, found)
    clearance = hand.clearance()
    never_left = {solid.name for solid in clearance.solids if solid.least_link}
    if not never_left:
        return hand, clearance
    hand = Hand.among(name, [pillar for pillar in found if pillar.name not in never_left])
    return hand, hand.clearance()


def ways(hand: Hand, clearance: Clearance, count: int, seed: int) -> list[Floats]:
    """Return proven ways between random postures."""
    planner, found = Planner(clearance, hand.limits), list[Floats]()
    free = [q for q in random_joints(hand.chain, 300 * count) if APART < clearance.distance(q).distance < NEAR]
    for a, b in zip(free[::2], free[1::2], strict=False):
        if len(found) == count:
            break
        try:
            found.append(planner.path(a, b, seed)[0])
        except PlanningError:
            continue
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_FINGERS)
def test_proven_ways_touch_nothing_with_the_hand_open_or_closed(name: str) -> None:
    hand, clearance = between_pillars(name)
    found = ways(hand, clearance, COUNT, seed=1)
    assert len(found) >= 3
    assert max(hand.deepest(way) for way in found) == 0.0
