"""An arm's capsules and the solids around it as two flat arrays, and the layout of their parts.

Passing two arrays instead of a dozen saves microseconds at each call from Python. All solids are in the arm's base
frame. Solids near each other form a bunch with a sphere around it, so that most of them need no check.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.arithmetic.link_frames import frames_into
from farhand.kinematics.arithmetic.ties import all_frames_into

__all__ = [
    "BOX",
    "BUNCH",
    "CAPSULE",
    "COUNTS",
    "CYLINDER",
    "ELLIPSOID",
    "HULL",
    "PLANE",
    "ROD",
    "SOLID",
    "SPAN",
    "Layout",
    "PackedScene",
    "driver_of",
    "layout_of",
    "multiplier_of",
    "scene_frames",
]

# Kinds of solids by their cores; a sphere is a rod without length, a capsule a rod with a radius.
BOX, ROD, CYLINDER, PLANE, HULL, ELLIPSOID = 0, 1, 2, 3, 4, 5

COUNTS = 8  # integers at the head: joints, capsules, pairs, solids, bunches, vertices, planes, driven
# numbers in a row of each part
CAPSULE, SOLID, BUNCH, SPAN = 8, 17, 4, 5


class PackedScene(NamedTuple):
    """The scene of the distance kernels.

    Args:
        fixed: (n, 3, 4) transforms before the joints; then, if joints follow others, their couplings, see `ties`.
        kinds: (n,) kinds of joints, driven or not.
        driven: Number of driven joints.
        tool: (3, 4) transform after the last joint.
        links: (c,) index of the last joint that moves each capsule; −1 if it is fixed to the base.
        capsules: (c, 8) start, end, radius in the frame of that joint, and the radius of the sphere around it.
        pairs: (p, 2) capsules that must keep clear of each other, the one nearer to the base first.
        slacks: (p,) metres by which the links of these pairs are at least farther apart than their capsules.
        shapes: (m,) kinds of the solids.
        solids: (m, 17) centre, rotation by rows, three sizes, rounding radius, radius of the sphere around it.
        spans: (m, 5) first vertex and number of vertices, the same for faces, and the first link that it counts for.
        bunches: (b, 4) centres and radii of the spheres around the bunches.
        ranges: (b, 2) first solid of each bunch and the one after its last.
        vertices: (v, 3) of all hulls, each in its own frame.
        planes: (f, 4) of all hulls: outward normal and offset of each face.
    """

    fixed: Floats
    kinds: Ints
    driven: int
    tool: Floats
    links: Ints
    capsules: Floats
    pairs: Ints
    slacks: Floats
    shapes: Ints
    solids: Floats
    spans: Ints
    bunches: Floats
    ranges: Ints
    vertices: Floats
    planes: Floats

    def packed(self) -> tuple[Floats, Ints]:
        """Return the two flat arrays that `layout_of` describes."""
        numbers = (
            self.fixed, self.tool, self.capsules, self.solids, self.bunches, self.slacks, self.vertices, self.planes
        )  # fmt: skip
        counts = [
            len(self.kinds), len(self.links), len(self.pairs), len(self.shapes), len(self.bunches),
            len(self.vertices), len(self.planes), self.driven,
        ]  # fmt: skip
        whole = (self.kinds, self.links, self.pairs, self.shapes, self.spans, self.ranges)
        flat = np.concatenate([np.asarray(part, dtype=np.float64).reshape(-1) for part in numbers])
        ints = np.concatenate([counts, *[np.asarray(part).reshape(-1) for part in whole]]).astype(np.int64)
        return flat, ints


class Layout(NamedTuple):
    """The starts and numbers of rows of the parts of a packed scene.

    Integers only: kernels pass them on for free, while numba counts the references of each array passed on.
    `driven` is the number of driven joints; `tied` is 1 if others follow them, and `ties` is where the couplings begin.
    """

    joints: int
    driven: int
    tied: int
    ties: int
    capsule_count: int
    pair_count: int
    bunch_count: int
    capsules: int
    solids: int
    bunches: int
    slacks: int
    vertices: int
    planes: int
    links: int
    pairs: int
    shapes: int
    spans: int
    ranges: int


@kernel(inline=True)
def layout_of(whole: Ints) -> Layout:
    """Return the layout of the arrays from `PackedScene.packed`."""
    # numbers of rows
    n, c, p, m, b, v = whole[0], whole[1], whole[2], whole[3], whole[4], whole[5]
    driven = whole[7]
    tied = 1 if driven < n else 0
    # parts of the numbers
    ties = 12 * n
    capsules = ties + ties * tied + 12
    solids = capsules + CAPSULE * c
    bunches = solids + SOLID * m
    slacks = bunches + BUNCH * b
    vertices = slacks + p
    # parts of the integers
    links = COUNTS + n
    pairs = links + c
    shapes = pairs + 2 * p
    spans = shapes + m
    ranges = spans + SPAN * m
    planes = vertices + 3 * v
    return Layout(
        n, driven, tied, ties, c, p, b,
        capsules, solids, bunches, slacks, vertices, planes, links, pairs, shapes, spans, ranges,
    )  # fmt: skip


@kernel(inline=True)
def driver_of(flat: Floats, at: Layout, k: int) -> int:
    """Return the index of the driven joint that moves joint k."""
    # the joint itself, unless joints are coupled
    return int(flat[at.ties + 12 * k]) if at.tied == 1 else k


@kernel(inline=True)
def multiplier_of(flat: Floats, at: Layout, k: int) -> float:
    """Return the motion of joint k per unit of its driven joint."""
    # 1, unless joints are coupled
    return float(flat[at.ties + 12 * k + 2]) if at.tied == 1 else 1.0


@kernel()
def scene_frames(flat: Floats, whole: Ints, at: Layout, q: Floats, frames: Floats) -> None:
    """Write the frames (n + 1, 3, 4) of the scene's chain at driven joints q."""
    # coupled joints, or a plain chain
    n = at.joints
    if at.tied == 1:
        all_frames_into(view(flat, 0, (2 * n, 3, 4)), view(flat, 24 * n, (3, 4)), q, frames)
        return
    frames_into(view(flat, 0, (n, 3, 4)), view(whole, COUNTS, (n,)), view(flat, 12 * n, (3, 4)), q, frames)
