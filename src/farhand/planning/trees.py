"""Kernels of RRT-Connect (Kuffner and LaValle, 2000): two trees grow towards each other, every edge proven free."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from farhand.distances.packed_scene import Layout, layout_of
from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.inverse import draw
from farhand.planning.edge_checker import Checker, edge_free, make_checker

__all__ = ["FULL", "GROWING", "Bits", "grow"]

Bits = NDArray[np.uint64]

GROWING, FULL = 0, -1
FEW, SHORT = 20, 0.2  # a tree with fewer nodes also tries this share of the reach, where the full reach is not free


@kernel(
    "i8(f8[::1], i8[::1], f8[:, ::1], f8, f8, f8[:, ::1], f8, i8, u8[::1], f8[:, :, ::1], i8[:, ::1], i8[::1],"
    " f8[:, ::1], i8[::1])"
)
def grow(
    flat: Floats,
    whole: Ints,
    levers: Floats,
    keep: float,
    tolerance: float,
    bounds: Floats,
    reach: float,
    rounds: int,
    random: Bits,
    nodes: Floats,
    parents: Ints,
    counts: Ints,
    path: Floats,
    checks: Ints,
) -> int:
    """Grow two trees for some rounds; write the path once they meet.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        levers: (c, m) lever of each joint on each capsule, per unit of its driven joint.
        keep: Clearance to keep, metres.
        tolerance: Motion below which an edge is abandoned, metres.
        bounds: (3, n) lowest and highest joints to sample, and the weight of a motion of each joint.
        reach: Length of the longest edge.
        rounds: Number of rounds.
        random: (1,) state of the generator.
        nodes: (2, most, n) joints of the trees, the first of each is set.
        parents: (2, most) index of each node's parent.
        counts: (3,) number of nodes of each tree, and the tree that grows next.
        path: (2·most, n) result.
        checks: (1,) joint positions checked so far; incremented.

    Returns:
        The number of points of the path; GROWING if the trees have not met yet, FULL if no more nodes fit.
    """
    # scratch
    at, n = layout_of(whole), bounds.shape[1]
    k = make_checker(flat, whole, levers, keep, tolerance)
    wanted, step, most = np.empty(n), np.empty(n), nodes.shape[1]
    found = GROWING
    for _ in range(rounds):
        # stop when a tree is full
        a = counts[2]
        if counts[0] >= most or counts[1] >= most:
            found = FULL
            break
        # a random target
        for i in range(n):
            wanted[i] = bounds[0, i] + (bounds[1, i] - bounds[0, i]) * draw(random)
        # extend one tree towards it
        start = nearest(bounds, nodes, counts, a, wanted)
        new, _ = extend(k, at, bounds, reach, nodes, parents, counts, a, start, wanted, step)
        if new < 0 and counts[a] < FEW:
            # shorter steps lead out of a narrow start
            new, _ = extend(k, at, bounds, SHORT * reach, nodes, parents, counts, a, start, wanted, step)
        # connect the other tree to the new node
        if new >= 0:
            other = connect(k, at, bounds, reach, nodes, parents, counts, 1 - a, nodes[a, new], step)
            if other >= 0:
                found = trace(nodes, parents, new if a == 0 else other, other if a == 0 else new, path)
                break
        # the smaller tree grows next
        counts[2] = 0 if counts[0] <= counts[1] else 1
    checks[0] += k.checks[0]
    return found


@kernel()
def nearest(bounds: Floats, nodes: Floats, counts: Ints, tree: int, q: Floats) -> int:
    """Return the node of a tree that is nearest to q."""
    # weighted squared distance to each node
    best, node = np.inf, 0
    for k in range(counts[tree]):
        squared = 0.0
        for i in range(q.shape[0]):
            d = bounds[2, i] * (nodes[tree, k, i] - q[i])
            squared += d * d
        if squared < best:
            best, node = squared, k
    return node


@kernel()
def extend(
    k: Checker, at: Layout, bounds: Floats, reach: float, nodes: Floats, parents: Ints, counts: Ints,
    tree: int, node: int, q: Floats, step: Floats,
) -> tuple[int, bool]:  # fmt: skip
    """Add a node on the edge from a node to q, at most `reach` away; return it (−1: not free) and whether it is q."""
    # point at most `reach` away
    n, squared = q.shape[0], 0.0
    for i in range(n):
        squared += (bounds[2, i] * (q[i] - nodes[tree, node, i])) ** 2
    share = min(1.0, reach / max(math.sqrt(squared), 1e-12))
    for i in range(n):
        step[i] = q[i] if share >= 1.0 else nodes[tree, node, i] + share * (q[i] - nodes[tree, node, i])
    # prove the edge
    if not edge_free(k, at, nodes[tree, node], step):
        return -1, False
    # add the node
    new = counts[tree]
    for i in range(n):
        nodes[tree, new, i] = step[i]
    parents[tree, new] = node
    counts[tree] = new + 1
    return new, share >= 1.0


@kernel()
def connect(
    k: Checker, at: Layout, bounds: Floats, reach: float, nodes: Floats, parents: Ints, counts: Ints,
    tree: int, q: Floats, step: Floats,
) -> int:  # fmt: skip
    """Grow a tree straight towards q while the edges are free; return the node that is q, or −1."""
    # from the nearest node, step by step
    node = nearest(bounds, nodes, counts, tree, q)
    while counts[tree] < nodes.shape[1]:
        node, there = extend(k, at, bounds, reach, nodes, parents, counts, tree, node, q, step)
        if node < 0 or there:
            return node
    return -1


@kernel()
def trace(nodes: Floats, parents: Ints, first: int, second: int, path: Floats) -> int:
    """Write the path from the first tree's root to the node where the trees meet, and on to the second one's root."""
    # length of the first branch
    count, n = 0, path.shape[1]
    node = first
    while node >= 0:
        count += 1
        node = parents[0, node]
    # first branch, root first
    node = first
    for place in range(count - 1, -1, -1):
        for i in range(n):
            path[place, i] = nodes[0, node, i]
        node = parents[0, node]
    # second branch, from the meeting point to its root
    node = parents[1, second]
    while node >= 0:
        for i in range(n):
            path[count, i] = nodes[1, node, i]
        count += 1
        node = parents[1, node]
    return count
