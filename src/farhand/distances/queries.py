"""Kernels of whole-arm queries: distance of the nearest pair, all near pairs, and their gradients.

A partner is an index: k ≥ 0 is solid k, −1 − j is capsule j of the arm itself.
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

NONE = -(1 << 30)  # partner of a capsule without one within the cap


@kernel(inline=True)
def twins_apart(W: Floats, i: int, j: int, reach: float) -> bool:
    """Return whether the middles of capsules i and j are farther apart than `reach`."""
    # vector between the middles
    x = W[i, 0] - W[j, 0] + 0.5 * (W[i, 3] - W[j, 3])
    y = W[i, 1] - W[j, 1] + 0.5 * (W[i, 4] - W[j, 4])
    z = W[i, 2] - W[j, 2] + 0.5 * (W[i, 5] - W[j, 5])
    return bool(x * x + y * y + z * z > reach * reach)


@kernel(inline=True)
def pair_clearance(flat: Floats, whole: Ints, at: Layout, W: Floats, p: int, cap: float) -> float:
    """Return the distance of the two capsules of pair p, or infinity if the balls around them are `cap` apart."""
    # too far apart by their bounding spheres
    i, j = whole[at.pairs + 2 * p], whole[at.pairs + 2 * p + 1]
    first, second = at.capsules + CAPSULE * i, at.capsules + CAPSULE * j
    if twins_apart(W, i, j, flat[first + 7] + flat[second + 7] + cap):
        return math.inf
    # gap of the cores less the radii, plus the slack
    gap, _, _, _, _, _ = twin_gap(W, i, j)
    return float(gap - flat[first + 6] - flat[second + 6] + flat[at.slacks + p])


@kernel(inline=True)
def farther(flat: Floats, ball: int, radius: int, mx: float, my: float, mz: float, reach: float) -> bool:
    """Return whether a ball about m with radius `reach` misses the ball with centre and radius at these indices."""
    # distance of the centres
    x, y, z, far = mx - flat[ball], my - flat[ball + 1], mz - flat[ball + 2], reach + flat[radius]
    return bool(x * x + y * y + z * z > far * far)


@kernel(inline=True)
def capsule_clearance(
    flat: Floats, whole: Ints, at: Layout, W: Floats, c: int, cap: float, stop: float
) -> tuple[float, int]:
    """Return the distance of capsule c to the nearest solid and its row, or (cap, NONE) if none is nearer than cap.

    Spheres around bunches and solids are tried first. The search ends at the first distance of `stop` or less.
    """
    # sphere around the capsule
    best, partner, link = cap, NONE, whole[at.links + c]
    mx, my, mz = W[c, 0] + 0.5 * W[c, 3], W[c, 1] + 0.5 * W[c, 4], W[c, 2] + 0.5 * W[c, 5]
    size = flat[at.capsules + CAPSULE * c + 7]
    # bunches, then solids, by bounding spheres
    for b in range(at.bunch_count):
        if farther(flat, at.bunches + BUNCH * b, at.bunches + BUNCH * b + 3, mx, my, mz, size + best):
            continue
        for k in range(whole[at.ranges + 2 * b], whole[at.ranges + 2 * b + 1]):
            o = at.solids + SOLID * k
            if farther(flat, o, o + 16, mx, my, mz, size + best) or link < whole[at.spans + SPAN * k + 4]:
                continue
            # distance
            radii = rounded(flat, at, c, k)
            gap, _, _, _, _ = solid_gap(flat, whole, at, W, c, k, best + radii)
            distance = gap - radii
            # keep the nearest; stop early
            if distance < best:
                best, partner = distance, k
                if best <= stop:
                    return best, partner
    return best, partner


@kernel()
def least(flat: Floats, whole: Ints, at: Layout, W: Floats, cap: float, stop: float) -> tuple[float, int, int]:
    """Return the distance of the nearest pair, its capsule and the capsule's partner; see `capsule_clearance`."""
    # capsules against solids, the tip's first
    best, capsule, partner = cap, NONE, NONE
    for c in range(at.capsule_count - 1, -1, -1):
        if whole[at.links + c] < 0:
            continue
        distance, k = capsule_clearance(flat, whole, at, W, c, best, stop)
        if distance < best:
            best, capsule, partner = distance, c, k
            if best <= stop:
                return best, capsule, partner
    # capsules against each other
    for p in range(at.pair_count):
        distance = pair_clearance(flat, whole, at, W, p, best)
        if distance < best:
            best, capsule, partner = distance, whole[at.pairs + 2 * p + 1], -1 - whole[at.pairs + 2 * p]
            if best <= stop:
                return best, capsule, partner
    return best, capsule, partner


@kernel("i8(i8, i8)")
def places_size(n: int, c: int) -> int:
    """Return the scratch size of the frames of n joints, c placed capsules and their margins."""
    # frames, capsules, margins
    return int(12 * (n + 1) + 7 * c)


@kernel(inline=True)
def placed(flat: Floats, whole: Ints, at: Layout, q: Floats, scratch: Floats) -> tuple[Floats, Floats]:
    """Return frames (n + 1, 3, 4) and capsules (c, 6) placed at joints q, in scratch of `places_size(n, c)` numbers."""
    # frames, then the capsules that they carry
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
        whole: Integers of the scene.
        q: (n,) joints.
        cap: Largest distance of interest, metres.
        stop: Distance at which the search ends early, metres.
        scratch: (`places_size(n, c)`,) numbers.
    """
    # place the capsules, then search
    at = layout_of(whole)
    _, W = placed(flat, whole, at, q, scratch)
    return least(flat, whole, at, W, cap, stop)


@kernel(inline=True)
def moves_along(
    frames: Floats, whole: Ints, i: int, px: float, py: float, pz: float, nx: float, ny: float, nz: float
) -> float:
    """Return the speed along n of a point p per unit rate of joint i: n·(z × (p − o)) for a turn, n·z for a slide."""
    # slide
    zx, zy, zz = frames[i, 0, 2], frames[i, 1, 2], frames[i, 2, 2]
    if whole[COUNTS + i] != TURNS:
        return float(zx * nx + zy * ny + zz * nz)
    # turn
    x, y, z = px - frames[i, 0, 3], py - frames[i, 1, 3], pz - frames[i, 2, 3]
    return float((zy * z - zz * y) * nx + (zz * x - zx * z) * ny + (zx * y - zy * x) * nz)


@kernel(inline=True)
def tied_along(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, first: int, last: int, i: int,
    px: float, py: float, pz: float, nx: float, ny: float, nz: float,
) -> float:  # fmt: skip
    """Return the speed of a point along n per unit rate of driven joint i, by its joints after `first` up to `last`."""
    # sum over the joints that it drives
    total = 0.0
    for k in range(first + 1, last + 1):
        if driver_of(flat, at, k) == i:
            total += multiplier_of(flat, at, k) * moves_along(frames, whole, k, px, py, pz, nx, ny, nz)
    return total


@kernel()
def slot_for(distance: float, count: int, D: Floats) -> int:
    """Return the row of a new pair: the next free one, or that of the farthest pair if this one is nearer, or −1."""
    # a free row
    if count < D.shape[0]:
        return count
    # else the farthest pair makes room
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
    """Write all pairs nearer than a margin: distance, gradient ∂d/∂q, point and normal, capsule and partner.

    If there are more of them than rows, the nearest are kept.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        at: Layout of the scene.
        frames: (n + 1, 3, 4) frames of the joints.
        W: (c, 6) placed capsules.
        margins: (c,) margin of each capsule, metres.
        both: The margin of two capsules of the arm is the larger of theirs and this share of the smaller one.
        D: (r,) result: distances.
        A: (r, n) result: ∂d/∂q.
        where: (r, 6) result: the nearest point of the capsule's core, and the normal from the partner to it.
        who: (r, 2) result: capsule and partner.

    Returns:
        The number of rows written, and the least distance (the least margin, if no pair is nearer).
    """
    # least margin
    count, best = 0, math.inf
    for c in range(at.capsule_count):
        if whole[at.links + c] >= 0:
            best = min(best, margins[c])
    # moving capsules
    for c in range(at.capsule_count):
        link, size, margin = whole[at.links + c], flat[at.capsules + CAPSULE * c + 7], margins[c]
        if link < 0:
            continue
        mx, my, mz = W[c, 0] + 0.5 * W[c, 3], W[c, 1] + 0.5 * W[c, 4], W[c, 2] + 0.5 * W[c, 5]
        # bunches, then solids, by bounding spheres
        for b in range(at.bunch_count):
            if farther(flat, at.bunches + BUNCH * b, at.bunches + BUNCH * b + 3, mx, my, mz, size + margin):
                continue
            for k in range(whole[at.ranges + 2 * b], whole[at.ranges + 2 * b + 1]):
                o = at.solids + SOLID * k
                if farther(flat, o, o + 16, mx, my, mz, size + margin) or link < whole[at.spans + SPAN * k + 4]:
                    continue
                # distance, and the row that it gets
                radii = rounded(flat, at, c, k)
                gap, t, lx, ly, lz = solid_gap(flat, whole, at, W, c, k, margin + radii)
                distance = gap - radii
                row = slot_for(distance, count, D) if distance < margin else -1
                if row < 0:
                    continue
                # distance and partners, point and normal
                best, count = min(best, distance), max(count, row + 1)
                D[row], who[row, 0], who[row, 1] = distance, c, k
                nx, ny, nz = solid_normal(flat, at, k, lx, ly, lz)
                px, py, pz = W[c, 0] + t * W[c, 3], W[c, 1] + t * W[c, 4], W[c, 2] + t * W[c, 5]
                write_where(where, row, px, py, pz, nx, ny, nz)
                # gradient
                for i in range(at.driven):
                    if at.tied == 1:
                        A[row, i] = tied_along(flat, whole, at, frames, -1, link, i, px, py, pz, nx, ny, nz)
                    else:
                        A[row, i] = moves_along(frames, whole, i, px, py, pz, nx, ny, nz) if i <= link else 0.0
    # then the arm's own pairs
    return near_twins(flat, whole, at, frames, W, margins, both, count, best, D, A, where, who)


@kernel(inline=True)
def write_where(where: Floats, row: int, px: float, py: float, pz: float, nx: float, ny: float, nz: float) -> None:
    """Write a point and a normal to a row."""
    # three numbers each
    where[row, 0], where[row, 1], where[row, 2] = px, py, pz
    where[row, 3], where[row, 4], where[row, 5] = nx, ny, nz


@kernel()
def near_twins(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats, margins: Floats, both: float,
    count: int, best: float, D: Floats, A: Floats, where: Floats, who: Ints,
) -> tuple[int, float]:  # fmt: skip
    """Add the near pairs of the arm's own capsules to those of `near_into`.

    Joints that carry both capsules move them alike; only the joints between the two change their distance.
    """
    for p in range(at.pair_count):
        # margin of the two, and bounding spheres
        i, j = whole[at.pairs + 2 * p], whole[at.pairs + 2 * p + 1]
        one, two = at.capsules + CAPSULE * i, at.capsules + CAPSULE * j
        margin = max(margins[i], margins[j]) + both * min(margins[i], margins[j])
        if twins_apart(W, i, j, flat[one + 7] + flat[two + 7] + margin):
            continue
        # distance, and the row that it gets
        gap, _, t, nx, ny, nz = twin_gap(W, i, j)
        distance = gap - flat[one + 6] - flat[two + 6] + flat[at.slacks + p]
        row = slot_for(distance, count, D) if distance < margin else -1
        if row < 0:
            continue
        # distance and partners, point and normal
        best, count = min(best, distance), max(count, row + 1)
        D[row], who[row, 0], who[row, 1] = distance, j, -1 - i
        px, py, pz = W[j, 0] + t * W[j, 3], W[j, 1] + t * W[j, 4], W[j, 2] + t * W[j, 5]
        write_where(where, row, px, py, pz, -nx, -ny, -nz)
        # gradient over the joints between
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
    """Write all pairs nearer than the margin at joints q; see `near_into` and `least_distance` for the arguments."""
    # place the capsules
    at = layout_of(whole)
    frames, W = placed(flat, whole, at, q, scratch)
    # one margin for all
    margins = view(scratch, 12 * (at.joints + 1) + 6 * at.capsule_count, (at.capsule_count,))
    for c in range(at.capsule_count):
        margins[c] = margin
    return near_into(flat, whole, at, frames, W, margins, 0.0, D, A, where, who)


@kernel("void(f8[::1], i8[::1], f8[:, ::1], f8, f8[::1])")
def many_distances(flat: Floats, whole: Ints, Q: Floats, cap: float, out: Floats) -> None:
    """Write the distance of the nearest pair at each of many joint positions (k, n)."""
    # one placement and search per row
    at = layout_of(whole)
    frames, W = np.empty((at.joints + 1, 3, 4)), np.empty((at.capsule_count, 6))
    for k in range(Q.shape[0]):
        scene_frames(flat, whole, at, Q[k], frames)
        place_into(flat, whole, at, frames, W)
        out[k], _, _ = least(flat, whole, at, W, cap, -math.inf)


@kernel("void(f8[::1], i8[::1], f8[::1], f8[::1])")
def pair_distances(flat: Floats, whole: Ints, q: Floats, out: Floats) -> None:
    """Write the distance of each pair of the arm's own capsules at joints q."""
    # place the capsules
    at = layout_of(whole)
    frames, W = np.empty((at.joints + 1, 3, 4)), np.empty((at.capsule_count, 6))
    scene_frames(flat, whole, at, q, frames)
    place_into(flat, whole, at, frames, W)
    # each pair by itself
    for p in range(at.pair_count):
        out[p] = pair_clearance(flat, whole, at, W, p, math.inf)
