"""The clearance of an arm with collision avoidance, for the page."""

from __future__ import annotations

from farhand.distances import Arena, clearance_report
from farhand.poses import inverse, transform_point
from farhand.server.cell_process.packing import floats
from farhand.server.protocol.messages import ClearanceUpdate
from farhand.types import Vector

__all__ = ["near_update"]


def near_update(arena: Arena, q: Vector) -> ClearanceUpdate | None:
    """Return the clearance of an arm; None if no body is near.

    Args:
        arena: The arm and its surroundings.
        q: Joint positions of the arm.
    """
    seen = clearance_report(arena, q)
    if seen is None:
        return None
    pair, T_world_base = seen.pair, inverse(arena.T_base_world)
    x, y, z = pair.point
    nx, ny, nz = pair.normal
    other = (x - pair.distance * nx, y - pair.distance * ny, z - pair.distance * nz)
    return ClearanceUpdate(
        first=pair.first,
        second=pair.second,
        room=round(seen.room, 4),
        gently=seen.gently,
        line=floats((*transform_point(T_world_base, pair.point), *transform_point(T_world_base, other))),
        ways=seen.ways,
        limits=floats((*seen.lower, *seen.upper)),
    )
