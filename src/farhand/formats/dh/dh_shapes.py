"""Shapes of a DH robot's links, from the file or drawn from the table."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

from farhand.errors import RobotFileError
from farhand.formats.dh.dh_file import ShapeFile, Triple
from farhand.formats.xmltext import Element, written
from farhand.poses import from_rpy

__all__ = ["drawn", "geoms_of", "volume"]


def drawn(points: list[Triple], radius: float, *, housing: float | None) -> list[ShapeFile]:
    """Return a joint housing about z at a height, if wanted, and capsules along a line of points."""
    shapes = []
    if housing is not None:
        half, z = 1.1 * radius, housing
        shapes.append(ShapeFile("cylinder", start=(0.0, 0.0, z - half), to=(0.0, 0.0, z + half), radius=1.2 * radius))
    for first, second in itertools.pairwise(points):
        if math.dist(first, second) > 1e-3:
            shapes.append(ShapeFile("capsule", start=first, to=second, radius=radius))
    return shapes


def geoms_of(shapes: list[ShapeFile], mass: float, colour: Triple, path: Path, field: str) -> list[Element]:
    """Return the geoms of a link: all are visible, some collide; they share the mass by volume."""
    total = sum(volume(shape, path, f"{field}.shapes[{i}]") for i, shape in enumerate(shapes))
    geoms = []
    for i, shape in enumerate(shapes):
        place = f"{field}.shapes[{i}]"
        attributes = _placed(shape)
        attributes["mass"] = written(mass * volume(shape, path, place) / total)
        attributes["rgba"] = written(*(shape.colour or colour), 1.0)
        attributes |= {"group": "2"} if shape.collides else {"group": "2", "contype": "0", "conaffinity": "0"}
        geoms.append(Element("geom", attributes))
    return geoms


def volume(shape: ShapeFile, path: Path, field: str) -> float:
    """Return the volume of a shape.

    Raises:
        RobotFileError: If a size is missing or not above zero.
    """
    if shape.kind == "box":
        size = shape.size
        if size is None or min(size) <= 0:
            raise RobotFileError(path, "a box needs size = three lengths above zero", field=field)
        return size[0] * size[1] * size[2]
    radius = shape.radius
    if radius is None or radius <= 0:
        raise RobotFileError(path, f"a {shape.kind} needs a radius above zero, found {radius}", field=field)
    ball = 4 / 3 * math.pi * radius**3
    if shape.kind == "sphere":
        return ball
    if shape.start is None or shape.to is None or math.dist(shape.start, shape.to) < 1e-6:
        raise RobotFileError(path, f"a {shape.kind} needs from and to, two different points", field=field)
    rod = math.pi * radius**2 * math.dist(shape.start, shape.to)
    return rod + (ball if shape.kind == "capsule" else 0.0)


def _placed(shape: ShapeFile) -> dict[str, str]:
    if shape.kind == "box":
        assert shape.size is not None
        roll, pitch, yaw = (math.radians(v) for v in shape.rpy_deg)
        turn = written(*from_rpy(roll, pitch, yaw))
        return {"type": "box", "pos": written(*shape.at), "size": written(*(s / 2 for s in shape.size)), "quat": turn}
    assert shape.radius is not None
    if shape.kind == "sphere":
        return {"type": "sphere", "pos": written(*shape.at), "size": written(shape.radius)}
    assert shape.start is not None
    assert shape.to is not None
    return {"type": shape.kind, "fromto": written(*shape.start, *shape.to), "size": written(shape.radius)}
