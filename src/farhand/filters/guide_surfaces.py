"""Surfaces that guide the tip: the distance of a point from each, and the outward direction."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

import numpy as np
from msgspec import Struct

from farhand.distances.triangles import TriangleMesh
from farhand.poses import Vec3
from farhand.vectors import dot, less, times

__all__ = ["Ball", "Block", "Can", "Flat", "GuideLine", "GuideSurface", "MeshSurface", "Pill", "Side"]

Side = tuple[float, Vec3]
"""Metres from a surface, negative inside, and the unit vector that leads outward."""

UP: Vec3 = (0.0, 0.0, 1.0)


class GuideSurface(Protocol):
    """A surface in its own frame."""

    def nearest(self, p: Vec3) -> Side:
        """Return the signed distance of a point from the surface, and the outward direction."""

    def sides(self, p: Vec3, reach: float) -> Iterator[Side]:
        """Yield every side within reach that a point inside could run into."""


class _OneSided:
    """A surface with one side: the nearest."""

    def sides(self: GuideSurface, p: Vec3, reach: float) -> Iterator[Side]:
        """Yield the nearest side, if it is within reach."""
        side = self.nearest(p)
        if abs(side[0]) < reach:
            yield side


class GuideLine(_OneSided, Struct, frozen=True):
    """A straight line between two points, or a tube around it."""

    start: Vec3
    end: Vec3
    radius: float = 0.0

    def nearest(self, p: Vec3) -> Side:
        """Return the distance of a point from the line, and the direction from the line to the point."""
        way, off = less(self.end, self.start), less(p, self.start)
        length = dot(way, way)
        share = min(max(dot(off, way) / length, 0.0), 1.0) if length > 0.0 else 0.0
        away, out = _outward(less(off, times(share, way)), _square_to(way))
        return away - self.radius, out


class Flat(_OneSided, Struct, frozen=True):
    """An endless plane through a point; its normal leads outward."""

    point: Vec3
    normal: Vec3

    def nearest(self, p: Vec3) -> Side:
        """Return the height of a point above the plane, and the normal."""
        return dot(self.normal, less(p, self.point)), self.normal


class Ball(_OneSided, Struct, frozen=True):
    """A sphere about the origin."""

    radius: float

    def nearest(self, p: Vec3) -> Side:
        """Return the signed distance of a point from the sphere, and the outward direction."""
        away, out = _outward(p)
        return away - self.radius, out


class Pill(_OneSided, Struct, frozen=True):
    """A capsule along z."""

    radius: float
    half: float

    def nearest(self, p: Vec3) -> Side:
        """Return the signed distance of a point from the capsule, and the outward direction."""
        x, y, z = p
        away, out = _outward((x, y, z - min(max(z, -self.half), self.half)), (1.0, 0.0, 0.0))
        return away - self.radius, out


class Block(Struct, frozen=True):
    """A box about the origin, by its half lengths."""

    half: Vec3

    def nearest(self, p: Vec3) -> Side:
        """Return the signed distance of a point from the box, and the outward direction."""
        return _corner(p, [abs(v) - h for v, h in zip(p, self.half, strict=True)])

    def sides(self, p: Vec3, reach: float) -> Iterator[Side]:
        """Yield the faces within reach, as seen from inside."""
        for axis in range(3):
            for sign in (1.0, -1.0):
                gap = sign * p[axis] - self.half[axis]
                if abs(gap) < reach:
                    yield gap, _axis(axis, sign)


class Can(Struct, frozen=True):
    """A cylinder along z."""

    radius: float
    half: float

    def nearest(self, p: Vec3) -> Side:
        """Return the signed distance of a point from the cylinder, and the outward direction."""
        x, y, z = p
        away = math.hypot(x, y)
        across, over = away - self.radius, abs(z) - self.half
        out: Vec3 = (x / away, y / away, 0.0) if away > 0.0 else (1.0, 0.0, 0.0)
        lid = (0.0, 0.0, math.copysign(1.0, z))
        if across > 0.0 and over > 0.0:
            gap, (share, rise, _) = _outward((across, over, 0.0))
            return gap, (share * out[0], share * out[1], rise * lid[2])
        return (across, out) if across > over else (over, lid)

    def sides(self, p: Vec3, reach: float) -> Iterator[Side]:
        """Yield the mantle and the two lids within reach, as seen from inside."""
        x, y, z = p
        away = math.hypot(x, y)
        sides = (
            (away - self.radius, (x / away, y / away, 0.0) if away > 0.0 else (1.0, 0.0, 0.0)),
            (z - self.half, UP),
            (-z - self.half, (0.0, 0.0, -1.0)),
        )
        yield from (side for side in sides if abs(side[0]) < reach)


class MeshSurface:
    """A triangle mesh of any form; a closed mesh has an inside.

    Args:
        mesh: The mesh.
    """

    def __init__(self, mesh: TriangleMesh) -> None:
        self._mesh = mesh
        self._last = 0  # face at which the search begins; the answer does not depend on it
        self.nearest((0.0, 0.0, 0.0))  # loads the kernels before the first tick
        mesh.within(np.zeros(3), 0.0)

    def nearest(self, p: Vec3) -> Side:
        """Return the signed distance of a point from the mesh, and the outward direction."""
        distance, out, self._last = self._mesh.nearest(np.array(p), self._last)
        x, y, z = out.tolist()
        return distance, (x, y, z)

    def sides(self, p: Vec3, reach: float) -> Iterator[Side]:
        """Yield one side for each direction that faces within reach point in: the nearest."""
        for distance, x, y, z in self._mesh.within(np.array(p), reach).tolist():
            yield distance, (x, y, z)


def _corner(p: Vec3, gaps: list[float]) -> Side:
    """Return distance and outward direction at a box, from the distances beyond each pair of faces."""
    if max(gaps) <= 0.0:
        axis = gaps.index(max(gaps))
        return gaps[axis], _axis(axis, math.copysign(1.0, p[axis]))
    x, y, z = [math.copysign(max(gap, 0.0), v) for gap, v in zip(gaps, p, strict=True)]
    return _outward((x, y, z))


def _axis(axis: int, sign: float) -> Vec3:
    return (sign * (axis == 0), sign * (axis == 1), sign * (axis == 2))


def _outward(v: Vec3, else_: Vec3 = UP) -> Side:
    """Return a vector's length and direction; the direction `else_` if it has none."""
    length = math.sqrt(dot(v, v))
    return length, (times(1.0 / length, v) if length > 0.0 else else_)


def _square_to(v: Vec3) -> Vec3:
    """Return a direction perpendicular to a vector."""
    x, y, z = v
    across: Vec3 = (0.0, -z, y) if abs(x) < max(abs(y), abs(z)) else (-y, x, 0.0) if y else (-z, 0.0, x)
    return _outward(across)[1]
