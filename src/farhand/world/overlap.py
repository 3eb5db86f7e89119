"""Overlaps of bodies, by name: checked before a robot or object is placed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import mujoco
import numpy as np

from farhand.kernels import Floats, Ints
from farhand.world.attach import geom_of, links_of, title_of
from farhand.world.compiled import Compiled, fresh_data
from farhand.world.index import ObjectIndex
from farhand.world.placing import DEEP, NO_BELTS, awake, below, overlapping

__all__ = ["OverlapTrial", "Overlaps", "body_name", "owner"]


class Overlaps:
    """Finds overlapping bodies in a state of a world.

    Args:
        compiled: The world.
        data: The state, with its contacts.
    """

    def __init__(self, compiled: Compiled, data: Any) -> None:
        self._compiled, self._model, self._data = compiled, compiled.model, data
        self._robots = {placement.name: placement for placement in compiled.blueprint.robots}

    def of_object(self, name: str) -> str:
        """Return the robot that overlaps an object or its attachments, or an empty text."""
        for body in overlapping(self._model, self._data, below(self._model, int(self._model.body(name).id))):
            robot = body_name(self._model, body).partition("/")[0]
            if robot in self._robots:
                return robot
        return ""

    def around_object(self, name: str) -> str:
        """Return the name of anything that overlaps an object or its attachments, or an empty text."""
        return self._first(overlapping(self._model, self._data, below(self._model, int(self._model.body(name).id))))

    def of_tool(self, robot: str) -> str:
        """Return the name of anything that overlaps the tool of a robot, or an empty text."""
        tool = f"{robot}/{self._robots[robot].model.arm.tool}"
        return self._first(overlapping(self._model, self._data, below(self._model, int(self._model.body(tool).id))))

    def of_robot(self, robot: str, deeper: float = DEEP) -> tuple[str, str] | None:
        """Return the name of anything that overlaps a robot, and the link; belts may sink a little into the ground."""
        model, tracks = self._model, self._compiled.index.robots[robot].tracks
        bodies = [i for i in range(model.nbody) if body_name(model, i).startswith(f"{robot}/")]
        belts = tracks.belts if tracks else NO_BELTS
        found = overlapping(model, self._data, bodies, deeper, belts)
        if not found:
            return None
        link = next(body for body in bodies if found[0] in overlapping(model, self._data, [body], deeper, belts))
        own = body_name(model, link).removeprefix(f"{robot}/")
        return self._first(found), title_of(self._robots[robot].model, own)

    def of_attached(self, robot: str, deeper: float = DEEP) -> tuple[int, str] | None:
        """Return the number of an attachment of a robot that overlaps another of its links, and that link."""
        model, placement, contact = self._model, self._robots[robot], self._data.contact
        attached = {int(model.geom(f"{robot}/{geom_of(i)}").id): i for i in range(len(placement.attached))}
        names = {f"{robot}/{body}": link for link, body in links_of(placement.model).items()} if attached else {}
        for (first, second), dist in zip(contact.geom.tolist(), contact.dist.tolist(), strict=True):
            for mine, other in ((first, second), (second, first)):
                link = body_name(model, int(model.geom_bodyid[other]))
                if dist < -deeper and mine in attached and link in names:
                    return attached[mine], names[link]
        return None

    def _first(self, bodies: tuple[int, ...]) -> str:
        if not bodies:
            return ""
        name = owner(self._model, bodies[0], self._robots)
        return name if body_name(self._model, bodies[0]).partition("/")[0] in self._robots else f"the {name}"


class OverlapTrial:
    """Checks whether an object would overlap a robot, in a state of its own: the world runs on.

    Objects are dragged tick by tick, so this is cheap: only shapes near each other are examined closely.

    Args:
        compiled: The world.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._compiled, self._model, self._data = compiled, compiled.model, fresh_data(compiled)
        robots = tuple(f"{placement.name}/" for placement in compiled.blueprint.robots)
        model = compiled.model
        links = [i for i in range(model.nbody) if robots and body_name(model, i).startswith(robots)]
        solid = (model.geom_contype | model.geom_conaffinity) != 0
        self._links = np.flatnonzero(solid & np.isin(model.geom_bodyid, links))
        self._reaches: dict[int, tuple[Ints, Floats]] = {}

    def robot_at(self, item: ObjectIndex, at: Floats, qpos: Floats) -> str:
        """Return the robot that a loose object would overlap, or an empty text.

        Args:
            item: The object.
            at: Its position and quaternion there.
            qpos: Positions of everything else.
        """
        self._data.qpos[:] = qpos
        self._data.qpos[item.at] = at
        with awake(self._model):
            mujoco.mj_kinematics(self._model, self._data)
        for mine, link in self._near(item.body):
            if mujoco.mj_geomDistance(self._model, self._data, mine, link, 0.0, None) < -DEEP:
                return body_name(self._model, int(self._model.geom_bodyid[link])).partition("/")[0]
        return ""

    def _near(self, body: int) -> list[tuple[int, int]]:
        """Return pairs of a body's shape and a robot's link whose bounding spheres overlap."""
        if body not in self._reaches:
            self._reaches[body] = self._reach(body)
        mine, reach = self._reaches[body]
        places = self._data.geom_xpos
        apart = places[mine, None] - places[self._links]
        first, second = np.nonzero((apart * apart).sum(axis=2) < reach)
        return list(zip(mine[first].tolist(), self._links[second].tolist(), strict=True))

    def _reach(self, body: int) -> tuple[Ints, Floats]:
        """Return the shapes of a body and its attachments, and squared distances at which bounding spheres touch.

        Pairs that MuJoCo lets pass through each other never touch.
        """
        model, links = self._model, self._links
        mine = np.flatnonzero(np.isin(model.geom_bodyid, list(below(model, body))))
        reach = model.geom_rbound[mine, None] + model.geom_rbound[links]
        collide = model.geom_contype[mine, None] & model.geom_conaffinity[links]
        collide |= model.geom_conaffinity[mine, None] & model.geom_contype[links]
        return mine, np.where(collide != 0, reach * reach, 0.0)


def owner(model: Any, body: int, robots: Collection[str]) -> str:
    """Return the owner of a body: a robot, the base of a robot (which moves nothing), an object, or the floor."""
    name = body_name(model, body)
    robot = name.partition("/")[0]
    if robot not in robots:
        return name
    return f"the base of {robot}" if model.body_weldid[body] == 0 else robot


def body_name(model: Any, body: int) -> str:
    """Return a body's name; the only shape of the world itself is the floor."""
    return str(model.body(body).name) if body else "floor"
