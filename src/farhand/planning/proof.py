"""The proof that a way is free, edge by edge; so quick that a tick can ask for it."""

from __future__ import annotations

from farhand.distances.packed_scene import layout_of
from farhand.kernels import Floats, Ints, kernel
from farhand.planning.edges import edge_free, make_checker

__all__ = ["prove"]


@kernel("b1(f8[::1], i8[::1], f8[:, ::1], f8, f8, f8[:, ::1])")
def prove(flat: Floats, whole: Ints, levers: Floats, room: float, tolerance: float, path: Floats) -> bool:
    """Prove every edge of a path (m, n) free; its first point must be."""
    at = layout_of(whole)
    k = make_checker(flat, whole, levers, room, tolerance)
    for i in range(path.shape[0] - 1):  # noqa: SIM110  numba has no all() over a generator
        if not edge_free(k, at, path[i], path[i + 1]):
            return False
    return True
