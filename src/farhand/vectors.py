"""Arithmetic of three numbers, as plain scalars for speed, as in `farhand.poses`."""

from __future__ import annotations

from farhand.poses import Vec3

__all__ = ["cross", "dot", "less", "plus", "times"]


def plus(a: Vec3, b: Vec3) -> Vec3:
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def less(a: Vec3, b: Vec3) -> Vec3:
    """Return a − b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(k: float, v: Vec3) -> Vec3:
    """Return k·v."""
    return (k * v[0], k * v[1], k * v[2])


def dot(a: Vec3, b: Vec3) -> float:
    """Return a·b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    """Return a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
