"""Clearance of an arm to its surroundings and to itself, with names of the pairs."""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from farhand.distances.capsules import Blob, Capsule, fit_link
from farhand.distances.levers import driven_levers, levers_of
from farhand.distances.packed_scene import PackedScene
from farhand.distances.pairs import LeftOut, choose_pairs
from farhand.distances.queries import NONE, least_distance, many_distances, near_pairs, places_size
from farhand.distances.solids import Solid, SolidRows, rows_of_solids
from farhand.errors import CommandError, UnknownNameError
from farhand.kernels import Floats, Ints
from farhand.kinematics import SerialChain
from farhand.kinematics.argument_checks import check_vector
from farhand.poses import Pose, Vec3, matrix

__all__ = ["Clearance", "Near", "Nearest"]

ROWS = 192  # largest number of pairs of one query
FAR = 1e3  # metres
WITH_BASE = -1  # link index of parts that no joint moves


class Nearest(Struct, frozen=True):
    """The nearest pair of a query.

    Args:
        distance: Signed distance, metres; negative if they overlap.
        first: Name of the link, or of the object that it carries.
        second: Name of the solid, or of another link.
        point: Nearest point on the first one, base frame, metres; the origin if not computed.
        normal: Unit vector there from the second to the first one; zero if not computed.
    """

    distance: float
    first: str
    second: str
    point: Vec3 = (0.0, 0.0, 0.0)
    normal: Vec3 = (0.0, 0.0, 0.0)


class Near(Struct, frozen=True):
    """A near pair, with its gradient.

    Args:
        distance: Signed distance, metres; negative if they overlap.
        gradient: (n,) ∂distance/∂q, metres per radian or metre.
        first: Name of the link, or of the object that it carries.
        second: Name of the solid, or of another link.
        point: Nearest point on the first one, base frame, metres.
        normal: Unit vector there from the second to the first one.
        who: Index of the first one's capsule, and its partner as in `queries`.
    """

    distance: float
    gradient: Floats
    first: str
    second: str
    point: Vec3 = (0.0, 0.0, 0.0)
    normal: Vec3 = (0.0, 0.0, 0.0)
    who: tuple[int, int] = (NONE, NONE)


class Clearance:
    """An arm as capsules among solids. Immutable: changes return a new one.

    Args:
        chain: The arm's kinematics.
        capsules: Capsules around its links and its base.
        solids: Solids around it, in its base frame.
        pairs: (p, 2) capsules to keep clear of each other; None: chosen by `choose_pairs`.
        rest: (n,) joints at which the arm does not touch itself, radians or metres, for that choice.
        slacks: (p,) metres by which the links of each pair are at least farther apart than their capsules; see
            `calibrate_slacks`.

    Raises:
        CommandError: If a capsule or a solid is malformed.
    """

    def __init__(
        self,
        chain: SerialChain,
        capsules: Sequence[Capsule],
        solids: Sequence[Solid] = (),
        pairs: Ints | None = None,
        rest: ArrayLike | None = None,
        slacks: Floats | None = None,
    ) -> None:
        self.chain, self.capsules, self.solids = chain, tuple(capsules), tuple(solids)
        self.left_out: tuple[LeftOut, ...] = ()
        _check(self.capsules, chain.links.n)
        if pairs is None:
            at = None if rest is None else check_vector(rest, chain.n, "the joints at rest")
            bare = _scene(chain, self.capsules, np.zeros((0, 2), np.int64), rows_of_solids(()))
            pairs, self.left_out = choose_pairs(chain, self.capsules, bare, at)
        self.pairs = pairs
        self.slacks: Floats = np.zeros(len(pairs)) if slacks is None else slacks
        rows = rows_of_solids(self.solids)
        self._order = rows.order
        self.scene = _scene(chain, self.capsules, pairs, rows, self.slacks)
        self.flat, self.whole = self.scene.packed()
        self._places = np.empty(places_size(chain.links.n, len(self.capsules)))
        self._D, self._A, self._who = np.empty(ROWS), np.empty((ROWS, chain.n)), np.empty((ROWS, 2), np.int64)
        self._where = np.empty((ROWS, 6))

    @functools.cached_property
    def levers(self) -> Floats:
        """(c, n) lever of each joint and its followers on each capsule: largest motion, metres per unit of joint."""
        return driven_levers(self.chain, self.link_levers)

    @functools.cached_property
    def link_levers(self) -> Floats:
        """(c, m) the same for each joint of the chain alone, per unit of its driven joint."""
        return levers_of(self.chain, self.scene)

    def distance(self, q: ArrayLike) -> Nearest:
        """Return the nearest pair at joints q.

        Args:
            q: (n,) joint positions, radians or metres.

        Raises:
            CommandError: If q is not n finite numbers.
        """
        joints = check_vector(q, self.chain.n, "joint positions")
        found, capsule, partner = least_distance(self.flat, self.whole, joints, FAR, -math.inf, self._places)
        return Nearest(float(found), *self.names(capsule, partner))

    def distances(self, Q: ArrayLike, cap: float = FAR) -> Floats:
        """Return the distance (m) of the nearest pair at each of many joint positions.

        Args:
            Q: (k, n) joint positions, radians or metres.
            cap: Largest distance to report, metres; a small one is quicker.
        """
        rows = np.ascontiguousarray(Q, dtype=np.float64)
        out = np.empty(len(rows))
        many_distances(self.flat, self.whole, rows, cap, out)
        return out

    def free(self, q: Floats, margin: float = 0.0) -> bool:
        """Return whether every pair is farther apart than a margin.

        Args:
            q: (n,) joint positions, contiguous float64; not checked.
            margin: The margin, metres.
        """
        found, _, _ = least_distance(self.flat, self.whole, q, margin + 1e-9, margin, self._places)
        return bool(found > margin)

    def near(self, q: ArrayLike, margin: float) -> tuple[Near, ...]:
        """Return all pairs nearer than a margin, the nearest first; at most 192.

        Args:
            q: (n,) joint positions, radians or metres.
            margin: Metres.

        Raises:
            CommandError: If q is not n finite numbers.
        """
        joints = check_vector(q, self.chain.n, "joint positions")
        count, _ = near_pairs(
            self.flat, self.whole, joints, margin, self._places, self._D, self._A, self._where, self._who
        )
        order = np.argsort(self._D[:count], kind="stable")
        return tuple([self._near(k) for k in order.tolist()])

    def _near(self, k: int) -> Near:
        capsule, partner = self._who[k].tolist()
        names = self.names(capsule, partner)
        spot = self.surface(capsule, self._where[k])
        return Near(float(self._D[k]), self._A[k].copy(), *names, *spot, (capsule, partner))

    def surface(self, capsule: int, where: Floats) -> tuple[Vec3, Vec3]:
        """Return the point on a capsule's surface and the normal there.

        Args:
            capsule: Index of the capsule.
            where: (6,) nearest point on its core, metres, and normal.
        """
        px, py, pz, nx, ny, nz = where.tolist()
        radius = self.capsules[capsule].radius
        return (px - radius * nx, py - radius * ny, pz - radius * nz), (nx, ny, nz)

    def names(self, capsule: int, partner: int) -> tuple[str, str]:
        """Return the names of a capsule and its partner, given their indices as in `queries`.

        Args:
            capsule: Index of the capsule.
            partner: Its partner as in `queries`.
        """
        if capsule == NONE:
            return "", ""
        second = self.solids[self._order[partner]].name if partner >= 0 else self.capsules[-1 - partner].name
        return self.capsules[capsule].name, second

    def copied(self) -> Clearance:
        """Return an independent copy, whose scene does not change with this one's."""
        other = copy.copy(self)
        other.flat, other.whole = self.flat.copy(), self.whole.copy()
        other._places, other._where = self._places.copy(), self._where.copy()
        other._D, other._A, other._who = self._D.copy(), self._A.copy(), self._who.copy()
        return other

    def among(self, solids: Sequence[Solid]) -> Clearance:
        """Return the same arm among other solids.

        Args:
            solids: The solids, in its base frame.
        """
        return self._same_arm(solids, self.slacks)

    def slackened(self, slacks: Floats) -> Clearance:
        """Return the same arm with other slacks of its pairs.

        Args:
            slacks: (p,) metres.
        """
        return self._same_arm(self.solids, slacks)

    def _same_arm(self, solids: Sequence[Solid], slacks: Floats) -> Clearance:
        other = self._like(self.capsules, solids, self.pairs, slacks)
        if "link_levers" in self.__dict__:
            other.link_levers, other.levers = self.link_levers, self.levers  # they depend on the arm alone
        return other

    def row_of(self, solid: int) -> int:
        """Return the scene row of a solid, given its index in `solids`.

        Args:
            solid: The index.
        """
        return self._order.index(solid)

    def carrying(self, item: Solid, T_tip_item: Pose, rest: ArrayLike | None = None, most: int = 2) -> Clearance:
        """Return the arm with an object in its gripper, which moves with the tip; solids of that name are removed.

        Args:
            item: The object; its own pose is ignored.
            T_tip_item: Its pose in the tip's frame.
            rest: (n,) joints at which it touches only the gripper.
            most: Largest number of capsules around it.

        Raises:
            CommandError: If it is infinite, or the arm has capsules of that name, as after `grasping`.
        """
        chain = self.chain
        if any(capsule.name == item.name for capsule in self.capsules):
            raise CommandError(f"the arm already has capsules named {item.name!r}: start from an arm without them")
        T_link_item = _square(chain.arrays.tool) @ matrix(T_tip_item)
        fit = fit_link([blob_of(item).moved(T_link_item)], most)
        load = [_capsule(chain.links.n - 1, row, item.name) for row in fit.capsules]
        capsules = (*self.capsules, *load)
        bare = _scene(chain, capsules, np.zeros((0, 2), np.int64), rows_of_solids(()))
        at = None if rest is None else check_vector(rest, chain.n, "the joints at rest")
        more, left_out = choose_pairs(chain, capsules, bare, at, carried=len(load))
        added = more[more[:, 1] >= len(self.capsules)]
        pairs, slacks = np.vstack((self.pairs, added)), np.concatenate((self.slacks, np.zeros(len(added))))
        loaded = self._like(capsules, [s for s in self.solids if s.name != item.name], pairs, slacks)
        loaded.left_out = left_out
        return loaded

    def grasping(self, name: str, most: int = 4) -> Clearance:
        """Return the same arm, whose fingers may touch the solids of a name; all other parts keep clear of them.

        These solids become capsules fixed to the base, paired with all of the arm but its fingers.

        Args:
            name: Name of the object to grasp.
            most: Largest number of capsules around each of its solids.

        Raises:
            UnknownNameError: If there is no such solid.
            CommandError: If it is infinite, or no capsule encloses a finger only; see `opened` of `arm_capsules`.
        """
        wanted = [solid for solid in self.solids if solid.name == name]
        if not wanted:
            raise UnknownNameError("solid", name, {solid.name for solid in self.solids})
        if not any(capsule.finger for capsule in self.capsules):
            raise CommandError(f"no finger can grasp {name!r}: give the arm capsules with a hand that is `opened`")
        capsules, added = list(self.capsules), []
        for solid in wanted:
            watching = [i for i, c in enumerate(self.capsules) if not c.finger and c.link >= max(solid.least_link, 0)]
            for row in fit_link([blob_of(solid).moved(matrix(solid.pose))], most, measure=False).capsules:
                added += [(len(capsules), i) for i in watching]
                capsules.append(_capsule(WITH_BASE, row, name))
        pairs = np.vstack((self.pairs, np.array(added, dtype=np.int64).reshape(-1, 2)))
        slacks = np.concatenate((self.slacks, np.zeros(len(added))))
        return self._like(capsules, [solid for solid in self.solids if solid.name != name], pairs, slacks)

    def _like(self, capsules: Sequence[Capsule], solids: Sequence[Solid], pairs: Ints, slacks: Floats) -> Clearance:
        other = Clearance(self.chain, capsules, solids, np.ascontiguousarray(pairs), slacks=slacks)
        other.left_out = self.left_out
        return other


def blob_of(solid: Solid) -> Blob:
    """Return a solid as a blob in its own frame.

    Raises:
        CommandError: If it is infinite.
    """
    size = solid.size
    if solid.shape == "box":
        return Blob.box(size)
    if solid.shape == "sphere":
        return Blob(np.zeros((1, 3)), size[0])
    if solid.shape == "capsule":
        return Blob(np.array([(0.0, 0.0, -size[1]), (0.0, 0.0, size[1])]), size[0])
    if solid.shape == "cylinder":
        return Blob.cylinder(size[0], size[1])
    if solid.shape == "ellipsoid":
        return Blob.ellipsoid(size)
    if solid.shape == "mesh":
        return Blob(np.array(solid.vertices, dtype=np.float64))
    raise CommandError(f"{solid.name!r} is infinite and cannot be carried")


def _capsule(link: int, row: Floats, name: str) -> Capsule:
    ax, ay, az, bx, by, bz, radius = row.tolist()
    return Capsule(link, (ax, ay, az), (bx, by, bz), radius, name)


def _check(capsules: Sequence[Capsule], n: int) -> None:
    for capsule in capsules:
        numbers = (*capsule.start, *capsule.end, capsule.radius)
        if not -1 <= capsule.link < n or not all(map(math.isfinite, numbers)) or capsule.radius <= 0.0:
            raise CommandError(
                f"capsule of {capsule.name!r}: expected a link from -1 to {n - 1}, finite ends and a positive radius,"
                f" found {capsule}"
            )


def _scene(
    chain: SerialChain, capsules: Sequence[Capsule], pairs: Ints, rows: SolidRows, slacks: Floats | None = None
) -> PackedScene:
    table = [(*c.start, *c.end, c.radius, c.radius + 0.5 * math.dist(c.start, c.end)) for c in capsules]
    return PackedScene(
        chain.arrays.fixed,
        chain.links.arrays.kinds,
        chain.n,
        chain.arrays.tool,
        np.array([c.link for c in capsules], dtype=np.int64),
        np.array(table, dtype=np.float64).reshape(-1, 8),
        pairs,
        np.zeros(len(pairs)) if slacks is None else slacks,
        rows.shapes,
        rows.solids,
        rows.spans,
        rows.bunches,
        rows.ranges,
        rows.vertices,
        rows.planes,
    )


def _square(M: Floats) -> Floats:
    return np.vstack((M[:3], (0.0, 0.0, 0.0, 1.0)))
