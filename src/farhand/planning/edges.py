"""Edges that are proven free: not sampled, but covered (after Schwarzer, Saha and Latombe, 2005).

Along a straight motion of the joints from a to b a capsule moves by no more than L = Σ lever_i·|b_i − a_i|. Where its
distance at a share u of the way is d, it touches nothing for shares within d/L of u. So a few distances cover the whole
way, each capsule and each pair of links by itself; what is not covered from the middle of a stretch is looked at in its
two rests. An edge counts as free only if all of it is covered.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from farhand.distances.gaps import place_into
from farhand.distances.packed_scene import Layout, driver_of, scene_frames
from farhand.distances.queries import capsule_clearance, least, pair_clearance
from farhand.kernels import Floats, Ints, kernel

__all__ = ["Checker", "edge_free", "make_checker", "point_free"]

STRETCHES = 512  # stretches that may wait to be looked at
ITEMS = 16384  # capsules and pairs listed for them, all in all
BEYOND = 1e-12  # metres farther than needed that is looked: more than a distance is rounded by


class Checker(NamedTuple):
    """What an edge is checked with.

    Args:
        flat: Numbers of the scene.
        whole: Whole numbers of the scene.
        levers: (c, m) how far each joint carries each capsule at most, by its driven joint.
        room: (2,) metres to keep free, and metres of motion below which a stretch is given up.
        frames: (n + 1, 3, 4) scratch.
        W: (c, 6) scratch.
        q: (n,) scratch.
        moves: (c + p,) scratch: how far each capsule or pair moves along the edge.
        stretches: (512, 2) scratch: middle and half length.
        lists: (512, 2) scratch: where their items begin and end.
        items: (16384,) scratch.
        checks: (1,) how many joint positions have been looked at.
    """

    flat: Floats
    whole: Ints
    levers: Floats
    room: Floats
    frames: Floats
    W: Floats
    q: Floats
    moves: Floats
    stretches: Floats
    lists: Ints
    items: Ints
    checks: Ints


@kernel()
def make_checker(flat: Floats, whole: Ints, levers: Floats, room: float, tolerance: float) -> Checker:
    """Return a checker with fresh scratch."""
    c, n = levers.shape
    both = np.empty(2)
    both[0], both[1] = room, tolerance
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
def stand_at(k: Checker, at: Layout) -> None:
    """Place all capsules at the checker's joints."""
    k.checks[0] += 1
    scene_frames(k.flat, k.whole, at, k.q, k.frames)
    place_into(k.flat, k.whole, at, k.frames, k.W)


@kernel()
def point_free(k: Checker, at: Layout, q: Floats) -> bool:
    """Tell whether nothing is nearer than the room at joints q."""
    for i in range(q.shape[0]):
        k.q[i] = q[i]
    stand_at(k, at)
    room = k.room[0]
    distance, _, _ = least(k.flat, k.whole, at, k.W, room + 1e-9, room)
    return bool(distance > room)


@kernel()
def list_moves(k: Checker, at: Layout, a: Floats, b: Floats) -> int:
    """Write how far each capsule, and each pair against each other, moves along an edge; list those that move."""
    count, links, pairs, n = 0, at.links, at.pairs, at.joints
    for c in range(at.capsule_count):
        k.moves[c] = 0.0
        for i in range(k.whole[links + c] + 1):
            d = driver_of(k.flat, at, i)
            k.moves[c] += k.levers[c, i] * abs(b[d] - a[d])
        if k.moves[c] > 0.0:
            k.items[count] = c
            count += 1
    for p in range(at.pair_count):
        first, second = k.whole[pairs + 2 * p], k.whole[pairs + 2 * p + 1]
        item = at.capsule_count + p
        k.moves[item] = 0.0
        # what carries both of them changes nothing
        for i in range(k.whole[links + first] + 1, min(k.whole[links + second] + 1, n)):
            d = driver_of(k.flat, at, i)
            k.moves[item] += k.levers[second, i] * abs(b[d] - a[d])
        if k.moves[item] > 0.0:
            k.items[count] = item
            count += 1
    return count


@kernel()
def edge_free(k: Checker, at: Layout, a: Floats, b: Floats) -> bool:
    """Prove that the straight way between joints a and b is free; a itself must be.

    Stretches wait in a line, so that the whole way is seen coarsely before any of it is seen finely: most edges that
    are not free are found out soon.
    """
    if not point_free(k, at, b):
        return False
    top = list_moves(k, at, a, b)
    k.stretches[0, 0], k.stretches[0, 1], k.lists[0, 0], k.lists[0, 1] = 0.5, 0.5, 0, top
    head, tail = 0, 1
    while head < tail:
        place = head % STRETCHES
        u, half = k.stretches[place, 0], k.stretches[place, 1]
        first, last = k.lists[place, 0], k.lists[place, 1]
        head += 1
        for i in range(a.shape[0]):
            k.q[i] = a[i] + u * (b[i] - a[i])
        stand_at(k, at)
        covered, left = cover(k, at, half, first, last, top)
        if covered < 0.0:
            return False
        if left == top:
            continue
        # what is left lies on both sides of the covered part
        rest = 0.5 * (half - covered)
        if left > ITEMS - at.capsule_count - at.pair_count or tail - head > STRETCHES - 2:
            return False
        for side in (-1.0, 1.0):
            place = tail % STRETCHES
            k.stretches[place, 0], k.stretches[place, 1] = u + side * (covered + rest), rest
            k.lists[place, 0], k.lists[place, 1] = top, left
            tail += 1
        top = left
    return True


@kernel()
def cover(k: Checker, at: Layout, half: float, first: int, last: int, top: int) -> tuple[float, int]:
    """Cover a stretch from its middle, where the capsules stand; list the items that do not reach its ends.

    Returns:
        The share that all of them cover (−1 if something is too near, or comes too near to tell), and the end of the
        list, which begins at `top`.
    """
    room, tolerance, covered, end = k.room[0], k.room[1], half, top
    for place in range(first, last):
        item = k.items[place]
        needed = k.moves[item] * half
        reach = room + needed + BEYOND
        if item < at.capsule_count:
            distance, _ = capsule_clearance(k.flat, k.whole, at, k.W, item, reach, room)
        else:
            distance = pair_clearance(k.flat, k.whole, at, k.W, item - at.capsule_count, reach)
        if distance <= room or (distance < room + needed and needed < tolerance):
            return -1.0, end
        if distance < room + needed:
            covered = min(covered, (distance - room) / k.moves[item])
            k.items[end] = item
            end += 1
    return covered, end
