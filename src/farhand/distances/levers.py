"""Levers: how far a joint's motion can move each capsule, the bounds behind proven edges.

A point x_k on the axis of joint k keeps its distance to a point x_{k+1} on the axis of joint k + 1: both belong to
link k. So at any joint positions, a point p of link l is at most

    |x_{i+1} − x_i| + … + |p − x_l|

from joint i's axis (plus the travel of slides between them), and a turn by Δq moves it by at most that times |Δq|.
The points x may be anywhere on their axes; they are chosen so that the sum is small.
"""

from __future__ import annotations

import numpy as np

from farhand.distances.packed_scene import PackedScene
from farhand.kernels import Floats
from farhand.kinematics import CoupledChain, SerialChain
from farhand.kinematics.arithmetic.link_frames import SLIDES

__all__ = ["driven_levers", "levers_of"]

ROUNDS = 60


def levers_of(chain: SerialChain, scene: PackedScene) -> Floats:
    """Return (c, m) the largest motion of a core point of each capsule, metres per radian (metre) of each joint.

    Joints that follow others are included, per unit of their driven joint.
    """
    links = chain.links
    levers = np.zeros((len(scene.links), links.n))
    for c, link in enumerate(scene.links.tolist()):
        for end in (scene.capsules[c, :3], scene.capsules[c, 3:6]):
            for i in range(link + 1):
                levers[c, i] = max(levers[c, i], _lever(links, i, link, end))
    return levers * np.abs(chain.multipliers) if isinstance(chain, CoupledChain) else levers


def driven_levers(chain: SerialChain, levers: Floats) -> Floats:
    """Return (c, n) the same for driven joints, with the levers of their followers added."""
    if not isinstance(chain, CoupledChain):
        return levers
    summed = np.zeros((len(levers), chain.n))
    for k, driver in enumerate(chain.drivers.tolist()):
        summed[:, driver] += levers[:, k]
    return summed


def _lever(chain: SerialChain, i: int, link: int, point: Floats) -> float:
    fixed, kinds, _ = chain.arrays
    if kinds[i] == SLIDES:
        return 1.0
    # heights of the points x_i … x_link on their axes
    heights = np.zeros(link - i + 1)
    total = _chain_length(fixed, i, link, point, heights)
    for _ in range(ROUNDS):
        for a in range(len(heights)):
            heights[a] = _best_height(fixed, i, link, point, heights, a)
        shorter = _chain_length(fixed, i, link, point, heights)
        if shorter > total - 1e-6:
            break
        total = shorter
    total = min(total, _chain_length(fixed, i, link, point, heights))
    # a slide in between adds its travel
    for k in range(i + 1, link + 1):
        if kinds[k] == SLIDES:
            total += float(max(abs(chain.lower[k]), abs(chain.upper[k])))
    return total


def _chain_length(fixed: Floats, i: int, link: int, point: Floats, heights: Floats) -> float:
    """Return Σ |x_{k+1} − x_k| + |p − x_l|, every difference in the frame of joint k."""
    total = 0.0
    for k in range(i, link + 1):
        here = np.array([0.0, 0.0, heights[k - i]])
        total += float(np.linalg.norm(_next(fixed, k, link, point, heights, i) - here))
    return total


def _next(fixed: Floats, k: int, link: int, point: Floats, heights: Floats, i: int) -> Floats:
    """Return x_{k+1}, or the point itself at the last link, in the frame of joint k."""
    if k == link:
        return point
    return np.asarray(fixed[k + 1, :, 3] + heights[k + 1 - i] * fixed[k + 1, :, 2])


def _best_height(fixed: Floats, i: int, link: int, point: Floats, heights: Floats, a: int) -> float:
    """Return the height of x_a that makes the two pieces beside it shortest together, like light at a mirror."""
    k = i + a
    after = _next(fixed, k, link, point, heights, i)
    out, up = float(np.hypot(after[0], after[1])), float(after[2])
    if a == 0:
        return up
    # the point before it, seen from joint k's own frame
    before = fixed[k, :, :3].T @ (np.array([0.0, 0.0, heights[a - 1]]) - fixed[k, :, 3])
    out_before, up_before = float(np.hypot(before[0], before[1])), float(before[2])
    if out + out_before < 1e-12:
        return 0.5 * (up + up_before)
    return (up * out_before + up_before * out) / (out + out_before)
