"""Kernels that prove edges free: not sampled, but covered (after Schwarzer, Saha and Latombe, 2005).

Along a straight motion of the joints from a to b a capsule moves by no more than L = Σ lever_i·|b_i − a_i|. Where its
distance at a share u of the edge is d, it touches nothing for shares within d/L of u. So a few distances cover the
whole edge, for each capsule and each pair of links separately; the parts of a stretch that its middle does not cover
are checked as two shorter stretches. An edge counts as free only if all of it is covered.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from farhand.distances.gaps import place_into
from farhand.distances.packed_scene import Layout, driver_of, scene_frames
from farhand.distances.queries import capsule_clearance, least, pair_clearance
from farhand.kernels import Floats, Ints, kernel

__all__ = ["Checker", "edge_free", "make_checker", "point_free"]

STRETCHES = 512  # capacity of the queue of stretches
ITEMS = 16384  # capacity of their lists of capsules and pairs
ROUNDING = 1e-12  # metres added to the search distance, more than the rounding of a distance


class Checker(NamedTuple):
    """Scene, tolerances and scratch of the edge checks.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        levers: (c, m) lever of each joint on each capsule, per unit of its driven joint.
        keep: (2,) clearance to keep, and motion below which a stretch is abandoned, metres.
        frames: (n + 1, 3, 4) scratch.
        W: (c, 6) scratch.
        q: (n,) scratch.
        moves: (c + p,) scratch: motion of each capsule or pair along the edge.
        stretches: (512, 2) scratch: middle and half length.
        lists: (512, 2) scratch: start and end of their items.
        items: (16384,) scratch.
        checks: (1,) number of joint positions checked.
    """

    flat: Floats
    whole: Ints
    levers: Floats
    keep: Floats
    frames: Floats
    W: Floats
    q: Floats
    moves: Floats
    stretches: Floats
    lists: Ints
    items: Ints
    checks: Ints


@kernel()
def make_checker(flat: Floats, whole: Ints, levers: Floats, keep: float, tolerance: float) -> Checker:
    """Return a checker with fresh scratch."""
    # scalars in one array
    c, n = levers.shape
    both = np.empty(2)
    both[0], both[1] = keep, tolerance
    # references to the scene, then scratch
    return Checker(
        flat,
        whole,
        levers,
        both,
        np.empty((n + 1, 3, 4)),
        np.empty((c, 6)),
        np.empty(n),
        np.empty(c + whole[2]),
        np.empty((STRETCHES, 2)),
        np.empty((STRETCHES, 2), np.int64),
        np.empty(ITEMS, np.int64),
        np.zeros(1, np.int64),
    )


@kernel()
def place_at(k: Checker, at: Layout) -> None:
    """Place all capsules at the checker's joints."""
    # count the check, then place the capsules
    k.checks[0] += 1
    scene_frames(k.flat, k.whole, at, k.q, k.frames)
    place_into(k.flat, k.whole, at, k.frames, k.W)


@kernel()
def point_free(k: Checker, at: Layout, q: Floats) -> bool:
    """Return whether everything is farther than the clearance to keep at joints q."""
    # place the capsules
    for i in range(q.shape[0]):
        k.q[i] = q[i]
    place_at(k, at)
    # search with an early stop
    keep = k.keep[0]
    distance, _, _ = least(k.flat, k.whole, at, k.W, keep + 1e-9, keep)
    return bool(distance > keep)


@kernel()
def list_moves(k: Checker, at: Layout, a: Floats, b: Floats) -> int:
    """Write the motion along an edge of each capsule, and of each pair relative to each other; list those that move."""
    # capsules against solids: levers of all joints that carry them
    count, links, pairs, n = 0, at.links, at.pairs, at.joints
    for c in range(at.capsule_count):
        k.moves[c] = 0.0
        for i in range(k.whole[links + c] + 1):
            d = driver_of(k.flat, at, i)
            k.moves[c] += k.levers[c, i] * abs(b[d] - a[d])
        if k.moves[c] > 0.0:
            k.items[count] = c
            count += 1
    # pairs: levers of the joints between
    for p in range(at.pair_count):
        first, second = k.whole[pairs + 2 * p], k.whole[pairs + 2 * p + 1]
        item = at.capsule_count + p
        k.moves[item] = 0.0
        # joints that carry both do not count
        for i in range(k.whole[links + first] + 1, min(k.whole[links + second] + 1, n)):
            d = driver_of(k.flat, at, i)
            k.moves[item] += k.levers[second, i] * abs(b[d] - a[d])
        if k.moves[item] > 0.0:
            k.items[count] = item
            count += 1
    return count


@kernel()
def edge_free(k: Checker, at: Layout, a: Floats, b: Floats) -> bool:
    """Prove that the straight edge between joints a and b is free; a itself must be free.

    Stretches wait in a queue, so that the whole edge is checked coarsely before any of it is checked finely: most edges
    that are not free are rejected early.
    """
    # the far end, then one stretch over the whole edge
    if not point_free(k, at, b):
        return False
    top = list_moves(k, at, a, b)
    k.stretches[0, 0], k.stretches[0, 1], k.lists[0, 0], k.lists[0, 1] = 0.5, 0.5, 0, top
    head, tail = 0, 1
    while head < tail:
        # next stretch: place the capsules at its middle
        place = head % STRETCHES
        u, half = k.stretches[place, 0], k.stretches[place, 1]
        first, last = k.lists[place, 0], k.lists[place, 1]
        head += 1
        for i in range(a.shape[0]):
            k.q[i] = a[i] + u * (b[i] - a[i])
        place_at(k, at)
        # cover it; nothing left means done
        covered, left = cover(k, at, half, first, last, top)
        if covered < 0.0:
            return False
        if left == top:
            continue
        # the rest is on both sides of the covered part
        rest = 0.5 * (half - covered)
        if left > ITEMS - at.capsule_count - at.pair_count or tail - head > STRETCHES - 2:
            return False
        # queue the two rests with the items that are left
        for side in (-1.0, 1.0):
            place = tail % STRETCHES
            k.stretches[place, 0], k.stretches[place, 1] = u + side * (covered + rest), rest
            k.lists[place, 0], k.lists[place, 1] = top, left
            tail += 1
        top = left
    return True


@kernel()
def cover(k: Checker, at: Layout, half: float, first: int, last: int, top: int) -> tuple[float, int]:
    """Cover a stretch from its middle, where the capsules are placed; list the items that do not cover all of it.

    Returns:
        The share that all of them cover (−1 if something is too near, or too near to decide), and the end of the list,
        which begins at `top`.
    """
    # each item: the distance that covers the whole stretch
    keep, tolerance, covered, end = k.keep[0], k.keep[1], half, top
    for place in range(first, last):
        item = k.items[place]
        needed = k.moves[item] * half
        reach = keep + needed + ROUNDING
        # its distance, searched no farther than that
        if item < at.capsule_count:
            distance, _ = capsule_clearance(k.flat, k.whole, at, k.W, item, reach, keep)
        else:
            distance = pair_clearance(k.flat, k.whole, at, k.W, item - at.capsule_count, reach)
        # too near, or not decidable within the tolerance
        if distance <= keep or (distance < keep + needed and needed < tolerance):
            return -1.0, end
        # covered in part: list the item for the rests
        if distance < keep + needed:
            covered = min(covered, (distance - keep) / k.moves[item])
            k.items[end] = item
            end += 1
    return covered, end
