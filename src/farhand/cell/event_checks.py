"""The registry of checks, one per kind of event; each is called once, before anything changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from farhand.errors import UnknownNameError
from farhand.types.events.declaration import Handlers
from farhand.world import Blueprint, Placement

__all__ = ["CHECKS", "placement_of"]

CHECKS: Handlers[Callable[[Any, Blueprint], None]] = Handlers("check")
"""The check of each event beyond the name of its robot; a check raises a `FarhandError`."""


def placement_of(robot: str, blueprint: Blueprint) -> Placement:
    """Return the placement of a robot: its model and its place.

    Raises:
        UnknownNameError: If there is no such robot.
    """
    robots = {placement.name: placement for placement in blueprint.robots}
    if robot not in robots:
        raise UnknownNameError("robot", robot, robots)
    return robots[robot]
