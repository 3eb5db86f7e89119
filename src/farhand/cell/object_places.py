"""The poses of all objects, for filters that are attached to one."""

from __future__ import annotations

from farhand.poses import Pose, normalized
from farhand.world import Blueprint, World

__all__ = ["ObjectPlaces"]


class ObjectPlaces:
    """Returns the poses of all objects; those that do not move are computed once per blueprint."""

    def __init__(self) -> None:
        self._still: tuple[Blueprint | None, dict[str, Pose]] = (None, {})

    def __call__(self, world: World) -> dict[str, Pose]:
        """Return the pose of each object in the world frame, by name."""
        blueprint = world.blueprint
        if self._still[0] is not blueprint:
            self._still = blueprint, {o.name: Pose(o.position, normalized(o.rotation)) for o in blueprint.objects}
        return {**self._still[1], **world.state.objects}
