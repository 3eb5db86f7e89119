"""Virtual fixtures as shapes to draw: lines, planes, and skins over objects."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from farhand.cell import Cell
from farhand.filters import Fixture
from farhand.filters.guide_surfaces import Flat, GuideLine
from farhand.poses import IDENTITY, Pose, Quaternion, Vec3, compose, normalized
from farhand.world.visual_scene import FIXED, GeomLook

__all__ = ["fixture_geoms"]

Colour = tuple[float, float, float, float]
COLOURS: dict[str, Colour] = {
    "keep-out": (0.91, 0.33, 0.28, 0.28),
    "keep-in": (0.36, 0.62, 0.92, 0.22),
    "attract": (0.30, 0.78, 0.55, 0.34),
}
LINE_RADIUS_M, PLANE_HALF_THICKNESS_M, PLANE_HALF_WIDTH_M = 0.002, 0.0005, 0.35
SKIN_M = 0.001  # distance of a skin from the object that it covers


def fixture_geoms(cell: Cell) -> Iterator[GeomLook]:
    """Yield the shapes of all fixtures of all robots."""
    for robot, lane in cell.lanes.items():
        body, T_body_base = _base(cell, robot)
        for stage in lane.filters:
            if isinstance(stage, Fixture):
                yield from _shapes(cell, stage, body, T_body_base)


def _base(cell: Cell, robot: str) -> tuple[int, Pose]:
    """Return the index of the streamed body that carries a robot's base, and the base's pose there or in the world."""
    rig = cell.world.rig(robot)
    if rig.tracks is None:
        return FIXED, rig.T_world_base
    return cell.world.compiled.look.body_ids.index(int(rig.index.base_body)), IDENTITY


def _shapes(cell: Cell, fixture: Fixture, body: int, T_body_base: Pose) -> Iterator[GeomLook]:
    spec, surface = fixture.spec, fixture.surface
    look = GeomLook(body, "box", (), T_body_base, COLOURS[spec.act], touched=False, name=spec.name, virtual=True)
    if isinstance(surface, GuideLine):
        middle, half, turn = _between(surface.start, surface.end)
        pose = compose(T_body_base, Pose(middle, turn))
        yield replace(look, shape="capsule", size=(LINE_RADIUS_M, half), pose=pose, colour=(*look.colour[:3], 1.0))
        radius = surface.radius or spec.margin or (spec.width if spec.act == "attract" else 0.0)
        if radius:
            yield replace(look, shape="capsule", size=(radius, half), pose=pose)
    elif isinstance(surface, Flat):
        pose = compose(T_body_base, Pose(surface.point, _upright(surface.normal)))
        yield replace(look, size=(PLANE_HALF_WIDTH_M, PLANE_HALF_WIDTH_M, PLANE_HALF_THICKNESS_M), pose=pose)
    else:
        yield from _skins(cell, look, spec.object, spec.margin)


def _skins(cell: Cell, look: GeomLook, name: str, margin: float) -> Iterator[GeomLook]:
    """Yield a skin over each shape of an object; a mesh gets a copy of itself, without a margin."""
    grow = SKIN_M + margin
    for geom in cell.world.compiled.look.geoms:
        if geom.name != name:
            continue
        skin = replace(geom, colour=look.colour, touched=False, name=look.name, virtual=True)
        if geom.shape == "box":
            yield replace(skin, size=tuple(s + grow for s in geom.size))
        elif geom.shape in ("sphere", "capsule"):
            yield replace(skin, size=(geom.size[0] + grow, *geom.size[1:]))
        elif geom.shape == "cylinder":
            yield replace(skin, size=(geom.size[0] + grow, geom.size[1] + grow, *geom.size[2:]))
        else:
            yield skin


def _between(a: Vec3, b: Vec3) -> tuple[Vec3, float, Quaternion]:
    """Return the middle and half length of a line, and the rotation that turns z along it."""
    x, y, z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    middle = (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]))
    length = math.hypot(x, y, z)
    return middle, 0.5 * length, _upright((x / length, y / length, z / length))


def _upright(normal: Vec3) -> Quaternion:
    """Return the smallest rotation that turns z to a direction."""
    x, y, z = normal
    return (0.0, 1.0, 0.0, 0.0) if z < -1.0 + 1e-9 else normalized((1.0 + z, -y, x, 0.0))
