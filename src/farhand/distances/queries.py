"""Whole-arm questions: how near is the nearest pair, which pairs are near, and how do the joints change that.

Partners are numbered: k ≥ 0 is solid k, −1 − j is capsule j of the arm itself.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.distances.gaps import place_into, rounded, solid_gap, solid_normal, twin_gap
from farhand.distances.packed_scene import (
    BUNCH,
    CAPSULE,
    COUNTS,
    SOLID,
    SPAN,
    Layout,
    driver_of,
    layout_of,
    multiplier_of,
    scene_frames,
)
from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.arithmetic.link_frames import TURNS

__all__ = [
    "NONE",
    "capsule_clearance",
    "least",
    "least_distance",
    "many_distances",
    "near_into",
    "near_pairs",
    "pair_clearance",
    "pair_distances",
    "places_size",
    "tied_along",
]

NONE = -(1 << 30)  # the partner of a capsule that has none within the cap


@kernel(inline=True)
def twins_apart(W: Floats, i: int, j: int, reach: float) -> bool:
    """Tell whether the middles of capsules i and j are farther apart than the balls around both reach."""
    x = W[i, 0] - W[j, 0] + 0.5 * (W[i, 3] - W[j, 3])
    y = W[i, 1] - W[j, 1] + 0.5 * (W[i, 4] - W[j, 4])
    z = W[i, 2] - W[j, 2] + 0.5 * (W[i, 5] - W[j, 5])
    return bool(x * x + y * y + z * z > reach * reach)


@kernel(inline=True)
def pair_clearance(flat: Floats, whole: Ints, at: Layout, W: Floats, p: int, cap: float) -> float:
    """Return the distance of the two capsules of pair p, or infinity if the balls around them are `cap` apart."""
    i, j = whole[at.pairs + 2 * p], whole[at.pairs + 2 * p + 1]
    first, second = at.capsules + CAPSULE * i, at.capsules + CAPSULE * j
    if twins_apart(W, i, j, flat[first + 7] + flat[second + 7] + cap):
        return math.inf
    gap, _, _, _, _, _ = twin_gap(W, i, j)
    return float(gap - flat[first + 6] - flat[second + 6] + flat[at.slacks + p])


@kernel(inline=True)
def farther(flat: Floats, ball: int, radius: int, mx: float, my: float, mz: float, reach: float) -> bool:
    """Tell whether a ball about m with radius `reach` misses the one whose centre and radius are at these places."""
    x, y, z, far = mx - flat[ball], my - flat[ball + 1], mz - flat[ball + 2], reach + flat[radius]
    return bool(x * x + y * y + z * z > far * far)


@kernel(inline=True)
def capsule_clearance(
    flat: Floats, whole: Ints, at: Layout, W: Floats, c: int, cap: float, stop: float
) -> tuple[float, int]:
    """Return the distance of capsule c to the nearest solid and its number, or (cap, NONE) if none is nearer than cap.

    Spheres around bunches and solids are tried first. The search ends at the first distance of `stop` or less.
    """
    best, partner, link = cap, NONE, whole[at.links + c]
    mx, my, mz = W[c, 0] + 0.5 * W[c, 3], W[c, 1] + 0.5 * W[c, 4], W[c, 2] + 0.5 * W[c, 5]
    size = flat[at.capsules + CAPSULE * c + 7]
    for b in range(at.bunch_count):
        if farther(flat, at.bunches + BUNCH * b, at.bunches + BUNCH * b + 3, mx, my, mz, size + best):
            continue
        for k in range(whole[at.ranges + 2 * b], whole[at.ranges + 2 * b + 1]):
            o = at.solids + SOLID * k
            if farther(flat, o, o + 16, mx, my, mz, size + best) or link < whole[at.spans + SPAN * k + 4]:
                continue
            radii = rounded(flat, at, c, k)
            gap, _, _, _, _ = solid_gap(flat, whole, at, W, c, k, best + radii)
            distance = gap - radii
            if distance < best:
                best, partner = distance, k
                if best <= stop:
                    return best, partner
    return best, partner


@kernel()
def least(flat: Floats, whole: Ints, at: Layout, W: Floats, cap: float, stop: float) -> tuple[float, int, int]:
    """Return the distance of the nearest pair, its capsule and the capsule's partner; see `capsule_clearance`."""
    best, capsule, partner = cap, NONE, NONE
    for c in range(at.capsule_count - 1, -1, -1):
        if whole[at.links + c] < 0:
            continue
        distance, k = capsule_clearance(flat, whole, at, W, c, best, stop)
        if distance < best:
            best, capsule, partner = distance, c, k
            if best <= stop:
                return best, capsule, partner
    for p in range(at.pair_count):
        distance = pair_clearance(flat, whole, at, W, p, best)
        if distance < best:
            best, capsule, partner = distance, whole[at.pairs + 2 * p + 1], -1 - whole[at.pairs + 2 * p]
            if best <= stop:
                return best, capsule, partner
    return best, capsule, partner


@kernel("i8(i8, i8)")
def places_size(n: int, c: int) -> int:
    """Return how many numbers the frames of n joints, c placed capsules and their margins are."""
    return int(12 * (n + 1) + 7 * c)


@kernel(inline=True)
def placed(flat: Floats, whole: Ints, at: Layout, q: Floats, scratch: Floats) -> tuple[Floats, Floats]:
    """Return frames (n + 1, 3, 4) and capsules (c, 6) placed at joints q, in scratch of `places_size(n, c)` numbers."""
    frames, W = view(scratch, 0, (at.joints + 1, 3, 4)), view(scratch, 12 * (at.joints + 1), (at.capsule_count, 6))
    scene_frames(flat, whole, at, q, frames)
    place_into(flat, whole, at, frames, W)
    return frames, W


@kernel("Tuple((f8, i8, i8))(f8[::1], i8[::1], f8[::1], f8, f8, f8[::1])")
def least_distance(
    flat: Floats, whole: Ints, q: Floats, cap: float, stop: float, scratch: Floats
) -> tuple[float, int, int]:
    """Return the distance of the nearest pair at joints q, its capsule and the capsule's partner.

    Args:
        flat: Numbers of the scene.
        whole: Whole numbers of the scene.
        q: (n,) joints.
        cap: Metres beyond which nothing matters.
        stop: The search ends at the first pair this near.
        scratch: (`places_size(n, c)`,) numbers.
    """
    at = layout_of(whole)
    _, W = placed(flat, whole, at, q, scratch)
    return least(flat, whole, at, W, cap, stop)


@kernel(inline=True)
def moves_along(
    frames: Floats, whole: Ints, i: int, px: float, py: float, pz: float, nx: float, ny: float, nz: float
) -> float:
    """Return how fast a point p that joint i carries moves along n: n·(z × (p − o)) for a turn, n·z for a slide."""
    zx, zy, zz = frames[i, 0, 2], frames[i, 1, 2], frames[i, 2, 2]
    if whole[COUNTS + i] != TURNS:
        return float(zx * nx + zy * ny + zz * nz)
    x, y, z = px - frames[i, 0, 3], py - frames[i, 1, 3], pz - frames[i, 2, 3]
    return float((zy * z - zz * y) * nx + (zz * x - zx * z) * ny + (zx * y - zy * x) * nz)


@kernel(inline=True)
def tied_along(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, first: int, last: int, i: int,
    px: float, py: float, pz: float, nx: float, ny: float, nz: float,
) -> float:  # fmt: skip
    """Return how fast a point moves along n by all joints after `first` up to `last` that go with driven joint i."""
    total = 0.0
    for k in range(first + 1, last + 1):
        if driver_of(flat, at, k) == i:
            total += multiplier_of(flat, at, k) * moves_along(frames, whole, k, px, py, pz, nx, ny, nz)
    return total


@kernel()
def slot_for(distance: float, count: int, D: Floats) -> int:
    """Return where a pair belongs: the next free row, or that of the farthest pair if this one is nearer, or −1."""
    if count < D.shape[0]:
        return count
    farthest = 0
    for i in range(1, count):
        if D[i] > D[farthest]:
            farthest = i
    return farthest if distance < D[farthest] else -1


@kernel()
def near_into(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats, margins: Floats, both: float,
    D: Floats, A: Floats, where: Floats, who: Ints,
) -> tuple[int, float]:  # fmt: skip
    """Write all pairs nearer than a margin: distance, its change with the joints ∂d/∂q, where, and who they are.

    Where there are more of them than rows, the nearest are kept.

    Args:
        flat: Numbers of the scene.
        whole: Whole numbers of the scene.
        at: Where they are.
        frames: (n + 1, 3, 4) frames of the joints.
        W: (c, 6) placed capsules.
        margins: (c,) metres, of each capsule.
        both: The margin of two capsules of the arm is the larger of theirs and this share of the smaller one.
        D: (r,) result: distances.
        A: (r, n) result: ∂d/∂q.
        where: (r, 6) result: the nearest point of the capsule's core, and the normal from the partner to it.
        who: (r, 2) result: capsule and partner.

    Returns:
        How many rows were written, and the least distance (the least margin, if none is nearer).
    """
    count, best = 0, math.inf
    for c in range(at.capsule_count):
        if whole[at.links + c] >= 0:
            best = min(best, margins[c])
    for c in range(at.capsule_count):
        link, size, margin = whole[at.links + c], flat[at.capsules + CAPSULE * c + 7], margins[c]
        if link < 0:
            continue
        mx, my, mz = W[c, 0] + 0.5 * W[c, 3], W[c, 1] + 0.5 * W[c, 4], W[c, 2] + 0.5 * W[c, 5]
        for b in range(at.bunch_count):
            if farther(flat, at.bunches + BUNCH * b, at.bunches + BUNCH * b + 3, mx, my, mz, size + margin):
                continue
            for k in range(whole[at.ranges + 2 * b], whole[at.ranges + 2 * b + 1]):
                o = at.solids + SOLID * k
                if farther(flat, o, o + 16, mx, my, mz, size + margin) or link < whole[at.spans + SPAN * k + 4]:
                    continue
                radii = rounded(flat, at, c, k)
                gap, t, lx, ly, lz = solid_gap(flat, whole, at, W, c, k, margin + radii)
                distance = gap - radii
                row = slot_for(distance, count, D) if distance < margin else -1
                if row < 0:
                    continue
                best, count = min(best, distance), max(count, row + 1)
                D[row], who[row, 0], who[row, 1] = distance, c, k
                nx, ny, nz = solid_normal(flat, at, k, lx, ly, lz)
                px, py, pz = W[c, 0] + t * W[c, 3], W[c, 1] + t * W[c, 4], W[c, 2] + t * W[c, 5]
                write_where(where, row, px, py, pz, nx, ny, nz)
                for i in range(at.driven):
                    if at.tied == 1:
                        A[row, i] = tied_along(flat, whole, at, frames, -1, link, i, px, py, pz, nx, ny, nz)
                    else:
                        A[row, i] = moves_along(frames, whole, i, px, py, pz, nx, ny, nz) if i <= link else 0.0
    return near_twins(flat, whole, at, frames, W, margins, both, count, best, D, A, where, who)


@kernel(inline=True)
def write_where(where: Floats, row: int, px: float, py: float, pz: float, nx: float, ny: float, nz: float) -> None:
    """Write a point and a normal into a row."""
    where[row, 0], where[row, 1], where[row, 2] = px, py, pz
    where[row, 3], where[row, 4], where[row, 5] = nx, ny, nz


@kernel()
def near_twins(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats, margins: Floats, both: float,
    count: int, best: float, D: Floats, A: Floats, where: Floats, who: Ints,
) -> tuple[int, float]:  # fmt: skip
    """Add the near pairs of the arm's own capsules to those of `near_into`.

    Joints that carry both move them alike; only those between the two change their distance.
    """
    for p in range(at.pair_count):
        i, j = whole[at.pairs + 2 * p], whole[at.pairs + 2 * p + 1]
        one, two = at.capsules + CAPSULE * i, at.capsules + CAPSULE * j
        margin = max(margins[i], margins[j]) + both * min(margins[i], margins[j])
        if twins_apart(W, i, j, flat[one + 7] + flat[two + 7] + margin):
            continue
        gap, _, t, nx, ny, nz = twin_gap(W, i, j)
        distance = gap - flat[one + 6] - flat[two + 6] + flat[at.slacks + p]
        row = slot_for(distance, count, D) if distance < margin else -1
        if row < 0:
            continue
        best, count = min(best, distance), max(count, row + 1)
        D[row], who[row, 0], who[row, 1] = distance, j, -1 - i
        px, py, pz = W[j, 0] + t * W[j, 3], W[j, 1] + t * W[j, 4], W[j, 2] + t * W[j, 5]
        write_where(where, row, px, py, pz, -nx, -ny, -nz)
        first, last = whole[at.links + i], whole[at.links + j]
        for a in range(at.driven):
            if at.tied == 1:
                A[row, a] = -tied_along(flat, whole, at, frames, first, last, a, px, py, pz, nx, ny, nz)
            else:
                A[row, a] = -moves_along(frames, whole, a, px, py, pz, nx, ny, nz) if first < a <= last else 0.0
    return count, best


@kernel("Tuple((i8, f8))(f8[::1], i8[::1], f8[::1], f8, f8[::1], f8[::1], f8[:, ::1], f8[:, ::1], i8[:, ::1])")
def near_pairs(
    flat: Floats, whole: Ints, q: Floats, margin: float, scratch: Floats, D: Floats, A: Floats, where: Floats, who: Ints
) -> tuple[int, float]:
    """Write all pairs nearer than the margin at joints q; see `near_into` and `least_distance`."""
    at = layout_of(whole)
    frames, W = placed(flat, whole, at, q, scratch)
    margins = view(scratch, 12 * (at.joints + 1) + 6 * at.capsule_count, (at.capsule_count,))
    for c in range(at.capsule_count):
        margins[c] = margin
    return near_into(flat, whole, at, frames, W, margins, 0.0, D, A, where, who)


@kernel("void(f8[::1], i8[::1], f8[:, ::1], f8, f8[::1])")
def many_distances(flat: Floats, whole: Ints, Q: Floats, cap: float, out: Floats) -> None:
    """Write the distance of the nearest pair at each of many joint positions (k, n)."""
    at = layout_of(whole)
    frames, W = np.empty((at.joints + 1, 3, 4)), np.empty((at.capsule_count, 6))
    for k in range(Q.shape[0]):
        scene_frames(flat, whole, at, Q[k], frames)
        place_into(flat, whole, at, frames, W)
        out[k], _, _ = least(flat, whole, at, W, cap, -math.inf)


@kernel("void(f8[::1], i8[::1], f8[::1], f8[::1])")
def pair_distances(flat: Floats, whole: Ints, q: Floats, out: Floats) -> None:
    """Write the distance of each pair of the arm's own capsules at joints q."""
    at = layout_of(whole)
    frames, W = np.empty((at.joints + 1, 3, 4)), np.empty((at.capsule_count, 6))
    scene_frames(flat, whole, at, q, frames)
    place_into(flat, whole, at, frames, W)
    for p in range(at.pair_count):
        out[p] = pair_clearance(flat, whole, at, W, p, math.inf)
