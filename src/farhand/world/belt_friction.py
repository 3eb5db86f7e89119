"""The friction of belts on a surface: the smaller of the belt's and the surface's.

MuJoCo takes the friction of the shape with the higher priority, or else the larger of the two. Belts have the higher
priority, so on the usual ground their own friction counts. Each belt and each surface that is more slippery than the
belt become an explicit contact pair with the surface's friction; the pair's other parameters are the belt's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from farhand.world.blueprint import Blueprint, Placement
from farhand.world.surface_kinds import belt_limit

__all__ = ["FLOOR", "limit_belts"]

FLOOR = "floor"
DEFAULT_FRICTION = 1.0  # MuJoCo's, for shapes whose file gives none
MIN_FRICTION = 1e-5  # MuJoCo's


def limit_belts(spec: Any, blueprint: Blueprint) -> None:
    """Add contact pairs for belts and surfaces that are more slippery than the belts.

    Args:
        spec: MuJoCo's specification, with all objects and robots in it.
        blueprint: The blueprint that it was made from.
    """
    tracked = [robot for robot in blueprint.robots if robot.model.tracks]
    if not tracked:
        return
    grounds = list(_grounds(spec, blueprint))
    shapes = {robot.name: list(_shapes(spec, robot)) for robot in blueprint.robots}
    for robot in tracked:
        others = [found for name, own in shapes.items() if name != robot.name for found in own]
        for belt in _belts(spec, robot):
            for geom, friction in (*grounds, *others):
                if friction < belt.friction[0] and _meet(belt, geom):
                    _pair(spec, belt, geom, friction)


def _grounds(spec: Any, blueprint: Blueprint) -> Iterator[tuple[Any, float]]:
    """Yield the shapes of floor and objects that have a friction of their own, with that friction."""
    if blueprint.floor and blueprint.floor_friction is not None:
        yield spec.geom(FLOOR), blueprint.floor_friction
    for item in blueprint.objects:
        limit = belt_limit(item)
        if limit is not None:
            for geom in spec.body(item.name).geoms:
                yield geom, limit


def _shapes(spec: Any, robot: Placement) -> Iterator[tuple[Any, float]]:
    """Yield the shapes of a robot whose file gives their friction.

    Pads of a gripper have almost none, so that the friction of the held object counts; they are left out.
    """
    prefix, tool = f"{robot.name}/", f"{robot.name}/{robot.model.arm.tool}"
    skipped = {body.name for body in _below(spec.body(tool))} if robot.model.gripper else set()
    for geom in spec.geoms:
        body = geom.parent.name
        if body.startswith(prefix) and body not in skipped and geom.friction[0] != DEFAULT_FRICTION:
            yield geom, float(geom.friction[0])


def _below(body: Any) -> Iterator[Any]:
    yield body
    for child in body.bodies:
        yield from _below(child)


def _belts(spec: Any, robot: Placement) -> list[Any]:
    tracks = robot.model.tracks
    assert tracks is not None
    return [spec.geom(f"{robot.name}/{name}") for name in (*tracks.left, *tracks.right)]


def _meet(belt: Any, geom: Any) -> bool:
    return bool(belt.contype & geom.conaffinity or belt.conaffinity & geom.contype)


def _pair(spec: Any, belt: Any, geom: Any, friction: float) -> None:
    if not geom.name:
        geom.name = f"{geom.parent.name}/surface {len(spec.pairs)}"
    pair = spec.add_pair(geomname1=belt.name, geomname2=geom.name)
    sliding = max(friction, MIN_FRICTION)
    pair.friction = [sliding, sliding, belt.friction[1], belt.friction[2], belt.friction[2]]
    pair.condim, pair.solref, pair.solimp = belt.condim, belt.solref, belt.solimp
