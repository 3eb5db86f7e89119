"""Capsules for a link: few, small, and around all of its shapes.

Each shape of a link is a blob, the convex hull of some balls. Every blob gets the smallest capsule that encloses it;
then neighbours are merged into one capsule where that adds little volume, and a bulky blob is cut in two where that
saves much.
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
from farhand.kernels import Floats, Ints
from farhand.poses import Vec3

__all__ = ["Blob", "Capsule", "Fit", "fit_link"]

MERGE = 1.10  # two capsules become one if its volume is at most this multiple of theirs
CUT = 0.70  # a blob is cut in two if its halves' capsules have at most this share of its volume
SAMPLES = 20_000  # random points that measure the excess volume of capsules
RING = 16  # corners of the polygon drawn around a circle
ROUNDED = 1e-9  # share added to a radius against rounding
MANY = 600  # number of points above which a capsule is fitted to the outermost ones, then widened around all
SIGHTS = 256  # directions in which the outermost points are searched
DENSE = 40_000  # lines across a cut above which only the hull's edges are used


class Capsule(Struct, frozen=True):
    """All points within a radius of a segment.

    Args:
        link: Index of the last joint that moves it, from 0; −1 if it is fixed to the base.
        start: One end of the segment in the frame of that joint (of the base), metres.
        end: The other end.
        radius: Metres.
        name: Name of the link, for the operator.
        finger: True if it encloses a finger only, which may touch the grasped object.
    """

    link: int
    start: Vec3
    end: Vec3
    radius: float
    name: str = ""
    finger: bool = False

    @property
    def volume(self) -> float:
        """Volume, m³."""
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
        """Return a box about the origin.

        Args:
            half: Three half lengths, metres.
        """
        return cls(np.array(list(itertools.product(*[(-h, h) for h in half]))))

    @classmethod
    def cylinder(cls, radius: float, half: float) -> Blob:
        """Return a prism around a cylinder along z, its polygon drawn around the circle.

        Args:
            radius: Metres.
            half: Half length, metres.
        """
        angles = (np.arange(RING) + 0.5) * (2.0 * math.pi / RING)
        ring = radius / math.cos(math.pi / RING) * np.column_stack((np.cos(angles), np.sin(angles)))
        return cls(np.vstack([np.column_stack((ring, np.full(RING, z))) for z in (-half, half)]))

    @classmethod
    def ellipsoid(cls, radii: Sequence[float]) -> Blob:
        """Return a polyhedron around an ellipsoid: one around the unit ball, scaled.

        Args:
            radii: Three radii, metres.
        """
        rings = np.linspace(0.0, math.pi, RING // 2 + 1)
        turns = np.arange(RING) * (2.0 * math.pi / RING)
        ball = [(math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a)) for a in rings for b in turns]
        hull = hull_of(np.unique(np.round(ball, 12), axis=0))
        return cls(np.asarray(hull.vertices / hull.planes()[:, 3].min() * np.asarray(radii, dtype=np.float64)))

    def moved(self, T: Floats) -> Blob:
        """Return the blob in another frame.

        Args:
            T: (4, 4) pose of its frame in the other frame.
        """
        return Blob(self.points @ T[:3, :3].T + T[:3, 3], self.radius)

    def contains(self, points: Floats) -> Floats:
        """Return (k,) true for each of (k, 3) points inside.

        Args:
            points: (k, 3) metres.
        """
        if self.radius > 0.0 and len(self.points) <= 2:
            return np.asarray(_segment_distance(points, self.points[0], self.points[-1]) <= self.radius)
        planes = hull_of(self.points).planes()
        return np.asarray((points @ planes[:, :3].T <= planes[:, 3] + self.radius).all(axis=1))


class Fit(NamedTuple):
    """Capsules of one link.

    Args:
        capsules: (k, 7) start, end, radius.
        waste: Excess volume as a share of the link's: 0.5 is half as much again.
    """

    capsules: Floats
    waste: float


def fit_link(blobs: Sequence[Blob], most: int = 3, *, measure: bool = True) -> Fit:
    """Return capsules around all blobs of a link.

    Args:
        blobs: Shapes of the link, in one frame.
        most: Largest number of capsules.
        measure: Whether to measure the excess volume, which takes longer than the rest; if not, it is NaN.

    Raises:
        CommandError: If there are no blobs or no capsules allowed.
    """
    if not blobs or most < 1:
        raise CommandError(f"a link needs shapes and at least one capsule, found {len(blobs)} and {most}")
    lean = {id(thin): (thin, blob) for blob in blobs for thin in [_outermost(blob)]}
    parts = _merged([([thin], _fit([thin])) for thin, _ in lean.values()], most)
    parts = [_around([lean[id(thin)][1] for thin in thins], fit) for thins, fit in parts]
    while len(parts) < most:
        cut = _cut_bulkiest(parts)
        if cut is None:
            break
        parts = cut
    capsules = np.array([capsule for _, (capsule, _) in parts])
    return Fit(capsules, _waste(capsules, blobs) if measure else math.nan)


Part = tuple[list[Blob], tuple[Floats, float]]


def _sights() -> Floats:
    """Return directions spread evenly over the sphere, by the golden angle."""
    k = np.arange(SIGHTS) + 0.5
    z, turn = 1.0 - 2.0 * k / SIGHTS, math.pi * (3.0 - math.sqrt(5.0)) * k
    flat = np.sqrt(1.0 - z * z)
    return np.column_stack((flat * np.cos(turn), flat * np.sin(turn), z))


def _outermost(blob: Blob) -> Blob:
    """Return a blob of many points with only those that are outermost in some direction."""
    if len(blob.points) <= MANY:
        return Blob(blob.points, blob.radius)
    chosen = np.unique((blob.points @ _sights().T).argmax(axis=0))
    return Blob(np.ascontiguousarray(blob.points[chosen]), blob.radius)


def _around(blobs: list[Blob], fit: tuple[Floats, float]) -> Part:
    """Return a part whose capsule, fitted to some points of its blobs, is widened until it encloses them all."""
    capsule = fit[0].copy()
    for blob in blobs:
        reach = float(_segment_distance(blob.points, capsule[:3], capsule[3:6]).max()) + blob.radius
        capsule[6] = max(capsule[6], reach * (1.0 + ROUNDED))
    if capsule[6] == fit[0][6]:
        return blobs, fit
    length, r = float(np.linalg.norm(capsule[3:6] - capsule[:3])), float(capsule[6])
    return blobs, (capsule, math.pi * r * r * (length + 4.0 / 3.0 * r))


def _fit(blobs: list[Blob]) -> tuple[Floats, float]:
    """Return the smallest capsule found around some blobs, and its volume."""
    if sum(len(blob.points) for blob in blobs) > MANY:
        thin = [_outermost(Blob(np.vstack([b.points for b in blobs if b.radius == r]), r)) for r in _radii(blobs)]
        return _around(blobs, _fitted(thin))[1]
    return _fitted(blobs)


def _radii(blobs: list[Blob]) -> list[float]:
    return sorted({blob.radius for blob in blobs})


def _fitted(blobs: list[Blob]) -> tuple[Floats, float]:
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
    """Merge parts, cheapest first, while that is cheap or there are too many."""
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
    """Return the parts with the polyhedron cut in two that saves most volume; None if none saves enough."""
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
    edges = _edges(blob)
    spread = points - points.mean(axis=0)
    found = []
    for axis in np.linalg.svd(spread.T @ spread)[0].T:
        heights = (points - middle) @ axis
        heights -= 0.5 * (heights.min() + heights.max())
        above, below = heights > 1e-9, heights < -1e-9
        if not above.any() or not below.any():
            continue
        rim = _outline(_crossings(points, heights, edges), axis)
        on = points[~above & ~below]
        found.append((Blob(np.vstack((points[above], on, rim))), Blob(np.vstack((points[below], on, rim)))))
    return found


def _edges(blob: Blob) -> Ints | None:
    """Return the edges of a blob's hull as pairs of its points; None if its points are few, or have no hull."""
    if len(blob.points) ** 2 <= 4 * DENSE:
        return None
    try:
        hull = hull_of(blob.points)
    except CommandError:  # flat, or nearly
        return None
    at = {tuple(point): i for i, point in enumerate(blob.points.tolist())}
    corners = np.array([at[tuple(vertex)] for vertex in hull.vertices.tolist()], dtype=np.int64)[hull.faces]
    pairs = np.vstack((corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]))
    return np.asarray(np.unique(np.sort(pairs, axis=1), axis=0))


def _crossings(points: Floats, heights: Floats, edges: Ints | None) -> Floats:
    """Return the points where lines between the two sides of a cut cross it; its outline is among them."""
    if edges is None:
        above, below = np.flatnonzero(heights > 1e-9), np.flatnonzero(heights < -1e-9)
        first, second = np.repeat(above, len(below)), np.tile(below, len(above))
    else:
        first, second = edges[:, 0], edges[:, 1]
        across = np.minimum(heights[first], heights[second]) < -1e-9
        across &= np.maximum(heights[first], heights[second]) > 1e-9
        first, second = first[across], second[across]
        upper = heights[first] > heights[second]
        first, second = np.where(upper, first, second), np.where(upper, second, first)
    up, down = points[first], points[second]
    share = heights[first] / (heights[first] - heights[second])
    return np.asarray(up + share[:, None] * (down - up))


def _outline(points: Floats, axis: Floats) -> Floats:
    """Return the convex outline of points in a plane perpendicular to the axis (Andrew's monotone chain)."""
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
    """Return the distance of each of (k, 3) points from a segment."""
    way = b - a
    length = float(way @ way)
    t = np.clip((points - a) @ way / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(points))
    return np.asarray(np.linalg.norm(points - a - t[:, None] * way, axis=1))


def _waste(capsules: Floats, blobs: Sequence[Blob]) -> float:
    """Return the excess volume of capsules as a share of the blobs', overlaps counted once, by random points."""
    low = np.minimum(capsules[:, :3], capsules[:, 3:6]).min(axis=0) - capsules[:, 6].max()
    high = np.maximum(capsules[:, :3], capsules[:, 3:6]).max(axis=0) + capsules[:, 6].max()
    points = np.random.default_rng(0).uniform(low, high, (SAMPLES, 3))
    held = np.any([_segment_distance(points, c[:3], c[3:6]) <= c[6] for c in capsules], axis=0)
    solid = np.any([blob.contains(points) for blob in blobs], axis=0)
    return float(held.sum() / max(solid.sum(), 1) - 1.0)
