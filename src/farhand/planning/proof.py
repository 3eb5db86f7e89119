"""The proof that a path is free, edge by edge; quick enough for use in a tick."""

from __future__ import annotations

from farhand.distances.packed_scene import layout_of
from farhand.kernels import Floats, Ints, kernel
from farhand.planning.edge_checker import edge_free, make_checker

__all__ = ["prove"]


@kernel("b1(f8[::1], i8[::1], f8[:, ::1], f8, f8, f8[:, ::1])")
def prove(flat: Floats, whole: Ints, levers: Floats, keep: float, tolerance: float, path: Floats) -> bool:
    """Return whether every edge of a path is proven free; its first point must be free.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        levers: (c, m) lever of each joint on each capsule, per unit of its driven joint; see `Clearance.link_levers`.
        keep: Clearance to keep, metres.
        tolerance: Motion below which an edge is abandoned, metres.
        path: (m, n) joint positions.
    """
    # edge by edge with shared scratch
    at = layout_of(whole)
    k = make_checker(flat, whole, levers, keep, tolerance)
    for i in range(path.shape[0] - 1):  # noqa: SIM110  numba has no all() over a generator
        if not edge_free(k, at, path[i], path[i + 1]):
            return False
    return True
