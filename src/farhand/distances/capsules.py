"""Capsules for a link: few, small, and around everything the link is made of.

Each shape of a link is a blob, the convex hull of some balls. Every blob gets the smallest capsule that holds it; then
neighbours are put into one capsule where that costs little room, and a bulky blob is cut in two where that saves much.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from farhand.distances.fit import fit_along
from farhand.distances.hulls import hull_of
from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.poses import Vec3

__all__ = ["Blob", "Capsule", "Fit", "fit_link"]

MERGE = 1.10  # two capsules become one if that takes at most this many times their room
CUT = 0.70  # a blob is cut in two if its halves take at most this share of its room
SAMPLES = 20_000  # points by which the room that capsules waste is measured
RING = 16  # corners of the polygon drawn around a circle


class Capsule(Struct, frozen=True):
    """All points within a radius of a segment.

    Args:
        link: The joint that moves it last, counted from 0; −1 for what stands with the base.
        start: One end of the segment in the frame of that joint (of the base), metres.
        end: The other end.
        radius: Metres.
        name: Of the link, for the operator.
    """

    link: int
    start: Vec3
    end: Vec3
    radius: float
    name: str = ""

    @property
    def volume(self) -> float:
        """Cubic metres."""
        length = math.dist(self.start, self.end)
        return math.pi * self.radius**2 * (length + 4.0 / 3.0 * self.radius)


class Blob(NamedTuple):
    """The convex hull of balls of one radius.

    Args:
        points: (k, 3) their centres.
        radius: Metres; 0 for a polyhedron.
    """

    points: Floats
    radius: float = 0.0

    @classmethod
    def box(cls, half: Sequence[float]) -> Blob:
        """Return a box about the origin."""
        return cls(np.array(list(itertools.product(*[(-h, h) for h in half]))))

    @classmethod
    def cylinder(cls, radius: float, half: float) -> Blob:
        """Return a prism around a cylinder along z, its polygon drawn around the circle."""
        angles = (np.arange(RING) + 0.5) * (2.0 * math.pi / RING)
        ring = radius / math.cos(math.pi / RING) * np.column_stack((np.cos(angles), np.sin(angles)))
        return cls(np.vstack([np.column_stack((ring, np.full(RING, z))) for z in (-half, half)]))

    @classmethod
    def ellipsoid(cls, radii: Sequence[float]) -> Blob:
        """Return a polyhedron around an ellipsoid: what stands around the unit ball, stretched."""
        rings = np.linspace(0.0, math.pi, RING // 2 + 1)
        turns = np.arange(RING) * (2.0 * math.pi / RING)
        ball = [(math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a)) for a in rings for b in turns]
        hull = hull_of(np.unique(np.round(ball, 12), axis=0))
        return cls(np.asarray(hull.vertices / hull.planes()[:, 3].min() * np.asarray(radii, dtype=np.float64)))

    def moved(self, T: Floats) -> Blob:
        """Return it in another frame."""
        return Blob(self.points @ T[:3, :3].T + T[:3, 3], self.radius)

    def contains(self, points: Floats) -> Floats:
        """Return which of (k, 3) points lie inside."""
        if self.radius > 0.0 and len(self.points) <= 2:
            return np.asarray(_segment_distance(points, self.points[0], self.points[-1]) <= self.radius)
        planes = hull_of(self.points).planes()
        return np.asarray((points @ planes[:, :3].T <= planes[:, 3] + self.radius).all(axis=1))


class Fit(NamedTuple):
    """Capsules of one link.

    Args:
        capsules: (k, 7) start, end, radius.
        waste: How much more room they take than the link itself: 0.5 is half as much again.
    """

    capsules: Floats
    waste: float


def fit_link(blobs: Sequence[Blob], most: int = 3) -> Fit:
    """Return capsules around all blobs of a link.

    Args:
        blobs: Its shapes, in one frame.
        most: How many capsules it may get.

    Raises:
        CommandError: If there are no blobs or no capsules allowed.
    """
    if not blobs or most < 1:
        raise CommandError(f"a link needs shapes and at least one capsule, found {len(blobs)} and {most}")
    parts = [([blob], _fit([blob])) for blob in blobs]
    parts = _merged(parts, most)
    while len(parts) < most:
        cut = _cut_bulkiest(parts)
        if cut is None:
            break
        parts = cut
    capsules = np.array([capsule for _, (capsule, _) in parts])
    return Fit(capsules, _waste(capsules, blobs))


Part = tuple[list[Blob], tuple[Floats, float]]


def _fit(blobs: list[Blob]) -> tuple[Floats, float]:
    """Return the smallest capsule found around some blobs, and its volume."""
    points = np.ascontiguousarray(np.vstack([blob.points for blob in blobs]))
    radii = np.concatenate([np.full(len(blob.points), blob.radius) for blob in blobs])
    spread = points - points.mean(axis=0)
    directions = [*np.linalg.svd(spread.T @ spread)[0].T, *np.eye(3)]
    best, volume = np.empty(7), math.inf
    for direction in directions:
        capsule = np.empty(7)
        found = fit_along(points, radii, np.ascontiguousarray(direction), capsule)
        if found < volume:
            best, volume = capsule, found
    return best, volume


def _merged(parts: list[Part], most: int) -> list[Part]:
    """Put parts together, cheapest first, while that is cheap or they are too many."""
    tried: dict[tuple[int, ...], tuple[Floats, float]] = {}
    while len(parts) > 1:
        choices = []
        for (i, a), (j, b) in itertools.combinations(enumerate(parts), 2):
            key = tuple([id(blob) for blob in (*a[0], *b[0])])  # blobs outlive this, lists of them do not
            if key not in tried:
                tried[key] = _fit([*a[0], *b[0]])
            choices.append((tried[key][1] / (a[1][1] + b[1][1]), i, j, tried[key]))
        cost, i, j, together = min(choices, key=lambda choice: choice[0])
        if cost > MERGE and len(parts) <= most:
            break
        merged = ([*parts[i][0], *parts[j][0]], together)
        parts = [part for k, part in enumerate(parts) if k not in (i, j)] + [merged]
    return parts


def _cut_bulkiest(parts: list[Part]) -> list[Part] | None:
    """Return the parts with one of a single polyhedron cut in two, where that saves most; None if it hardly does."""
    best: tuple[float, list[Part]] | None = None
    for k, (blobs, (capsule, volume)) in enumerate(parts):
        if len(blobs) != 1 or blobs[0].radius > 0.0:
            continue
        for halves in _halves(blobs[0]):
            pieces: list[Part] = [([half], _fit([half])) for half in halves]
            share = sum(piece[1][1] for piece in pieces) / volume
            if share < CUT and (best is None or volume * (1.0 - share) > best[0]):
                best = volume * (1.0 - share), [*parts[:k], *pieces, *parts[k + 1 :]]
        del capsule
    return None if best is None else best[1]


def _halves(blob: Blob) -> list[tuple[Blob, Blob]]:
    """Return a polyhedron cut in the middle across each of its own axes."""
    points, middle = blob.points, 0.5 * (blob.points.min(axis=0) + blob.points.max(axis=0))
    spread = points - points.mean(axis=0)
    found = []
    for axis in np.linalg.svd(spread.T @ spread)[0].T:
        heights = (points - middle) @ axis
        heights -= 0.5 * (heights.min() + heights.max())
        above, below = heights > 1e-9, heights < -1e-9
        if not above.any() or not below.any():
            continue
        # where every line between the two sides crosses the cut; the outline of the cut is among them
        up, down = points[above][:, None], points[below][None]
        share = heights[above][:, None] / (heights[above][:, None] - heights[below][None])
        rim = _outline((up + share[..., None] * (down - up)).reshape(-1, 3), axis)
        on = points[~above & ~below]
        found.append((Blob(np.vstack((points[above], on, rim))), Blob(np.vstack((points[below], on, rim)))))
    return found


def _outline(points: Floats, axis: Floats) -> Floats:
    """Return those of some points in a plane square to the axis that span them all (Andrew's monotone chain)."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(helper, axis)
    x /= np.linalg.norm(x)
    flat = np.column_stack((points @ x, points @ np.cross(axis, x)))
    order = np.lexsort((flat[:, 1], flat[:, 0]))
    chain: list[int] = []
    for half in (order, order[::-1]):
        start = len(chain)
        for k in half.tolist():
            while len(chain) - start >= 2 and _turn(flat, chain[-2], chain[-1], k) <= 0.0:
                chain.pop()
            chain.append(k)
        chain.pop()
    return np.asarray(points[chain] if chain else points)


def _turn(flat: Floats, a: int, b: int, c: int) -> float:
    u, v = flat[b] - flat[a], flat[c] - flat[a]
    return float(u[0] * v[1] - u[1] * v[0])


def _segment_distance(points: Floats, a: Floats, b: Floats) -> Floats:
    """Return how far each of (k, 3) points is from a segment."""
    way = b - a
    length = float(way @ way)
    t = np.clip((points - a) @ way / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(points))
    return np.asarray(np.linalg.norm(points - a - t[:, None] * way, axis=1))


def _waste(capsules: Floats, blobs: Sequence[Blob]) -> float:
    """Return by how much the capsules exceed the blobs, overlaps counted once, by points strewn over both."""
    low = np.minimum(capsules[:, :3], capsules[:, 3:6]).min(axis=0) - capsules[:, 6].max()
    high = np.maximum(capsules[:, :3], capsules[:, 3:6]).max(axis=0) + capsules[:, 6].max()
    points = np.random.default_rng(0).uniform(low, high, (SAMPLES, 3))
    held = np.any([_segment_distance(points, c[:3], c[3:6]) <= c[6] for c in capsules], axis=0)
    solid = np.any([blob.contains(points) for blob in blobs], axis=0)
    return float(held.sum() / max(solid.sum(), 1) - 1.0)
