"""Capsules of an arm and the solids around it, read from a compiled MuJoCo model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from farhand.distances.capsules import Blob, Capsule, fit_link
from farhand.distances.clearance import Clearance, blob_of
from farhand.distances.fingers import FingerSweep
from farhand.distances.hulls import hull_of_mesh
from farhand.distances.pairs import random_joints
from farhand.distances.solids import Solid, SolidShape
from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.poses import Pose, from_matrix

__all__ = [
    "ArmFit",
    "ShapePiece",
    "arm_capsules",
    "base_pieces",
    "ignore_mounting_contact",
    "link_shapes",
    "pieces_around",
    "solids_around",
]

HIDDEN_GROUP = 3
TOUCH_SAMPLES = 200


class ArmFit(Struct, frozen=True):
    """Capsules of an arm, and their excess volume.

    Args:
        capsules: Capsules around every link that has shapes.
        waste: Excess volume by link, as a share of the link's: 0.5 is half as much again.
    """

    capsules: tuple[Capsule, ...]
    waste: dict[str, float]


def arm_capsules(
    model: Any,
    base: str,
    tip: str,
    sweeps: Mapping[str, tuple[float, float]] | None = None,
    most: int = 3,
    ignore: Iterable[str] = (),
    *,
    opened: float | None = None,
    with_base: bool = True,
    measure: bool = True,
) -> ArmFit:
    """Return capsules around the links of an arm, including everything attached to them.

    Args:
        model: Compiled model (``mujoco.MjModel``).
        base: Body whose frame is the base frame.
        tip: Site or body at the tip.
        sweeps: Joints beside the chain that move, such as fingers, and the two ends of their ranges; joints coupled to
            them by an equality move along. All other joints stay at the model's values.
        most: Largest number of capsules of a link, and of a finger that has its own.
        ignore: Bodies to ignore.
        opened: Share of the range at which the fingers stay: 0 at the first ends, 1 at the last ones. Each finger then
            has capsules of its own, so that an open hand has an opening. None: the capsules enclose every position of
            the fingers, and the space between them too.
        with_base: Whether to enclose parts that no joint of the chain moves.
        measure: Whether to measure the excess volume; if not, it is NaN.

    Raises:
        UnknownNameError: If there is no such body or site.
        CommandError: If no chain joins base and tip, a shape cannot be enclosed, or `opened` is not from 0 to 1.
    """
    import mujoco

    if opened is not None and not 0.0 <= opened <= 1.0:
        raise CommandError(f"`opened` must be a share from 0 to 1, found {opened}")
    chain = SerialChain.from_model(model, base, tip)
    data = mujoco.MjData(model)
    q = np.clip(0.0, chain.lower, chain.upper)
    for name, position in zip(chain.names, q, strict=True):
        data.joint(name).qpos[0] = position
    robot = _links(model, base, chain.names, set(ignore))
    geoms = [g for g in _own_shapes(model, robot) if with_base or robot[int(model.geom_bodyid[g])] >= 0]
    fingers = FingerSweep(model, sweeps or {})
    bodies = [int(model.geom_bodyid[g]) for g in geoms]
    shares = fingers.shares(bodies) if opened is None else np.array([opened])
    parts: dict[tuple[int, int], list[Blob]] = {}
    names: dict[tuple[int, int], str] = {}
    for g, blob in _blobs(model, data, geoms, fingers, shares):
        body = int(model.geom_bodyid[g])
        link, finger = robot[body], -1 if opened is None else fingers.root(body) or -1
        T_base_link = np.eye(4) if link < 0 else chain.frames(q)[link]
        T_world_base = _frame(data.body(base).xpos, data.body(base).xmat)
        parts.setdefault((link, finger), []).append(blob.moved(np.linalg.inv(T_world_base @ T_base_link)))
        named = _plain(model.body(body if finger < 0 else finger).name)
        names.setdefault((link, finger), named or f"link {link + 1}")
    capsules, waste = [], {}
    for link, finger in sorted(parts):
        fit, name = fit_link(parts[link, finger], most, measure=measure), names[link, finger]
        waste[name] = fit.waste
        for row in fit.capsules:
            ax, ay, az, bx, by, bz, radius = row.tolist()
            capsules.append(Capsule(link, (ax, ay, az), (bx, by, bz), radius, name, finger=finger >= 0))
    return ArmFit(tuple(capsules), waste)


def link_shapes(model: Any, base: str, joints: Sequence[str]) -> dict[int, list[int]]:
    """Return the shapes of each link of an arm, by the index of the last joint that moves it (−1: none)."""
    links = _links(model, base, joints, set())
    shapes: dict[int, list[int]] = {}
    for g in _own_shapes(model, links):
        shapes.setdefault(links[int(model.geom_bodyid[g])], []).append(g)
    return shapes


def solids_around(model: Any, data: Any, base: str, ignore: Iterable[str] = ()) -> tuple[Solid, ...]:
    """Return all colliding shapes of a model except those of the robot on `base`, in its base frame.

    Args:
        model: Compiled model.
        data: State of the model (``mujoco.MjData``, kinematics up to date).
        base: Body of the robot's base.
        ignore: Bodies to ignore, e.g. the object that the robot carries.

    Raises:
        CommandError: If a shape is not supported (a height field).
    """
    return tuple([piece.solid for piece in _pieces(model, data, base, set(ignore))])


class ShapePiece(Struct, frozen=True):
    """A shape of a body around the arm.

    Args:
        body: Name of the body in the model; empty for the world.
        solid: The shape, in the arm's base frame.
        T_body_solid: Its pose on the body.
    """

    body: str
    solid: Solid
    T_body_solid: Pose


def pieces_around(model: Any, data: Any, base: str) -> tuple[ShapePiece, ...]:
    """Return the solids of `solids_around` with the body that each is part of.

    Args:
        model: Compiled model.
        data: State of the model.
        base: Body of the robot's base.
    """
    return tuple(_pieces(model, data, base, set()))


def base_pieces(model: Any, data: Any, base: str, joints: Sequence[str]) -> tuple[ShapePiece, ...]:
    """Return the shapes of an arm's vehicle: all parts of its robot that no joint of the arm moves.

    Args:
        model: Compiled model.
        data: State of the model.
        base: Body of the robot's base.
        joints: Names of the arm's joints.
    """
    T_base_world = np.linalg.inv(_frame(data.body(base).xpos, data.body(base).xmat))
    pieces = []
    for g in link_shapes(model, base, joints).get(-1, []):
        body = int(model.geom_bodyid[g])
        T_world_geom, T_world_body = (
            _frame(data.geom_xpos[g], data.geom_xmat[g]),
            _frame(data.xpos[body], data.xmat[body]),
        )
        solid = _solid(model, g, _plain(model.body(body).name), T_base_world @ T_world_geom)
        pieces.append(
            ShapePiece(str(model.body(body).name), solid, from_matrix(np.linalg.inv(T_world_body) @ T_world_geom))
        )
    return tuple(pieces)


def ignore_mounting_contact(clearance: Clearance) -> Clearance:
    """Return the arm among the same solids, ignoring contacts of its first links that it can never leave.

    An arm's first links always touch the solid that it stands on; such contacts are found at random joints.

    Args:
        clearance: The arm among solids.
    """
    import msgspec

    chain = clearance.chain
    Q = random_joints(chain, TOUCH_SAMPLES)
    solids = []
    for solid in clearance.solids:
        least = 0
        while least < min(2, chain.links.n - 1) and _always_touches(clearance, solid, least, Q):
            least += 1
        solids.append(msgspec.structs.replace(solid, least_link=max(solid.least_link, least)))
    return clearance.among(solids)


def _pieces(model: Any, data: Any, base: str, skipped: set[str]) -> Iterator[ShapePiece]:
    own = set(_links(model, base, (), set()))
    T_base_world = np.linalg.inv(_frame(data.body(base).xpos, data.body(base).xmat))
    for g in range(model.ngeom):
        body = int(model.geom_bodyid[g])
        if body in own or not _touches(model, g) or model.body(body).name in skipped:
            continue
        T_world_geom = _frame(data.geom_xpos[g], data.geom_xmat[g])
        T_world_body = _frame(data.xpos[body], data.xmat[body])
        name = _plain(model.body(body).name if body else model.geom(g).name) or f"shape {g}"
        solid = _solid(model, g, name, T_base_world @ T_world_geom)
        yield ShapePiece(
            str(model.body(body).name) if body else "", solid, from_matrix(np.linalg.inv(T_world_body) @ T_world_geom)
        )


def _always_touches(clearance: Clearance, solid: Solid, link: int, Q: Floats) -> bool:
    own = [c for c in clearance.capsules if c.link == link]
    if not own:
        return False
    alone = Clearance(clearance.chain, own, [solid], np.zeros((0, 2), np.int64))
    return bool((alone.distances(Q, 1.0) <= 0.0).all())


def _links(model: Any, base: str, joints: Sequence[str], ignore: set[str]) -> dict[int, int]:
    """Return the robot's bodies, each with the index of the chain's last joint that moves it (−1: none)."""
    root = int(model.body(base).id)
    found: dict[int, int] = {root: -1}
    for body in range(root + 1, model.nbody):
        parent = int(model.body_parentid[body])
        if parent not in found or model.body(body).name in ignore:
            continue
        first = int(model.body_jntadr[body])
        own = [str(model.joint(j).name) for j in range(first, first + int(model.body_jntnum[body]))]
        moved = [joints.index(name) for name in own if name in joints]
        found[body] = max(moved, default=found[parent])
    return found


def _own_shapes(model: Any, links: Mapping[int, int]) -> list[int]:
    """Return the shapes of a robot that collide; if none does, the visible ones."""
    geoms = [g for g in range(model.ngeom) if int(model.geom_bodyid[g]) in links]
    return [g for g in geoms if _touches(model, g)] or [g for g in geoms if model.geom_group[g] < HIDDEN_GROUP]


def _touches(model: Any, geom: int) -> bool:
    return bool(model.geom_contype[geom] or model.geom_conaffinity[geom])


def _blobs(model: Any, data: Any, geoms: list[int], fingers: FingerSweep, shares: Floats) -> list[tuple[int, Blob]]:
    """Return every shape as a blob in the world frame; a finger's blob encloses all positions of its range."""
    import mujoco

    seen: dict[int, list[Floats]] = {g: [] for g in geoms}
    shapes = {g: blob_of(_solid(model, g, "", np.eye(4))) for g in geoms}
    reach = dict.fromkeys(geoms, 0.0)
    for share in shares.tolist():
        fingers.put(data, share)
        mujoco.mj_kinematics(model, data)
        for g in geoms:
            points = shapes[g].moved(_frame(data.geom_xpos[g], data.geom_xmat[g])).points
            seen[g].append(points)
            reach[g] = max(reach[g], fingers.reach(data, int(model.geom_bodyid[g]), points))
    found = []
    for g in geoms:
        body = int(model.geom_bodyid[g])
        if len(shares) == 1 or fingers.root(body) is None:
            found.append((g, Blob(seen[g][0], shapes[g].radius)))
            continue
        bulge = fingers.bulge(body, reach[g] + shapes[g].radius, len(shares))
        found.append((g, Blob(np.vstack(seen[g]), shapes[g].radius + bulge)))
    return found


def _solid(model: Any, geom: int, name: str, T: Floats) -> Solid:
    import mujoco

    shapes: dict[int, tuple[SolidShape, int]] = {
        int(mujoco.mjtGeom.mjGEOM_PLANE): ("plane", 0),
        int(mujoco.mjtGeom.mjGEOM_SPHERE): ("sphere", 1),
        int(mujoco.mjtGeom.mjGEOM_CAPSULE): ("capsule", 2),
        int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): ("ellipsoid", 3),
        int(mujoco.mjtGeom.mjGEOM_CYLINDER): ("cylinder", 2),
        int(mujoco.mjtGeom.mjGEOM_BOX): ("box", 3),
        int(mujoco.mjtGeom.mjGEOM_MESH): ("mesh", 0),
    }
    kind = int(model.geom_type[geom])
    if kind not in shapes:
        raise CommandError(f"{name or model.geom(geom).name!r} is a height field or another unsupported shape")
    shape, count = shapes[kind]
    vertices: tuple[tuple[float, float, float], ...] = ()
    if shape == "mesh":
        points = hull_of_mesh(model, int(model.geom_dataid[geom])).vertices
        vertices = tuple((x, y, z) for x, y, z in points.tolist())
    size = tuple(model.geom_size[geom, :count].tolist())
    return Solid(name, shape, from_matrix(T), size, vertices)


def _frame(position: Floats, turn: Floats) -> Floats:
    T = np.eye(4)
    T[:3, 3], T[:3, :3] = position, np.asarray(turn).reshape(3, 3)
    return T


def _plain(name: str) -> str:
    return name.rpartition("/")[2]
