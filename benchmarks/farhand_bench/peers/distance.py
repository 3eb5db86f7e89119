"""Distances of peers: each a pair of functions of joints, (touches, least distance or None)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from farhand.distances import Clearance
from farhand.kernels import Floats
from farhand.poses import matrix
from farhand_bench.peers.robots import mjcf_with_capsules, urdf_of

__all__ = ["coal_checker", "mujoco_checker"]

Touches = Callable[[Floats], bool]
Distance = Callable[[Floats], float]


def mujoco_checker(clearance: Clearance) -> tuple[Touches, Distance]:
    """Return MuJoCo's collision check (with its own broad phase), and its distance over all pairs."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf_with_capsules(clearance))
    data = mujoco.MjData(model)
    own = [int(model.geom(f"c{k}").id) for k in range(len(clearance.capsules))]
    solids = [int(model.geom(f"s{k}").id) for k in range(len(clearance.solids))]
    pairs = [(own[i], own[j]) for i, j in clearance.pairs.tolist()]
    pairs += [(own[k], s) for k, c in enumerate(clearance.capsules) if c.link >= 0 for s in solids]

    def touches(q: Floats) -> bool:
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        return bool(data.ncon > 0)

    def distance(q: Floats) -> float:
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        return float(min(mujoco.mj_geomDistance(model, data, a, b, 1.0, None) for a, b in pairs))

    return touches, distance


def coal_checker(clearance: Clearance) -> tuple[Touches, Distance, Touches]:
    """Return coal's collision check over all pairs, its distance over all pairs, and its check with a broad phase."""
    import coal
    import pinocchio

    chain = clearance.chain
    model = pinocchio.buildModelFromXML(urdf_of(chain))
    data, geometry = model.createData(), pinocchio.GeometryModel()
    own = []
    for k, c in enumerate(clearance.capsules):
        a, b = np.array(c.start), np.array(c.end)
        length = float(np.linalg.norm(b - a))
        place = pinocchio.SE3(_turned_to((b - a) / length), 0.5 * (a + b))
        joint = 0 if c.link < 0 else model.getJointId(f"j{c.link + 1}")
        shape = pinocchio.GeometryObject(f"c{k}", joint, place, coal.Capsule(c.radius, length))
        own.append(geometry.addGeometryObject(shape))
    solids = []
    for k, s in enumerate(clearance.solids):
        T = matrix(s.pose)
        place = pinocchio.SE3(T[:3, :3].copy(), T[:3, 3].copy())
        box = coal.Box(*(2.0 * size for size in s.size))
        solids.append(geometry.addGeometryObject(pinocchio.GeometryObject(f"s{k}", 0, place, box)))
    for i, j in clearance.pairs.tolist():
        geometry.addCollisionPair(pinocchio.CollisionPair(own[i], own[j]))
    for k, c in enumerate(clearance.capsules):
        for s in solids if c.link >= 0 else []:
            geometry.addCollisionPair(pinocchio.CollisionPair(own[k], s))
    results = pinocchio.GeometryData(geometry)

    def touches(q: Floats) -> bool:
        return bool(pinocchio.computeCollisions(model, data, geometry, results, q, True))  # noqa: FBT003  stop at first

    def distance(q: Floats) -> float:
        pinocchio.computeDistances(model, data, geometry, results, q)
        return float(min((r.min_distance for r in results.distanceResults), default=math.inf))

    manager: Any = pinocchio.BroadPhaseManager_DynamicAABBTreeCollisionManager(model, geometry, results)

    def touches_broad(q: Floats) -> bool:
        return bool(pinocchio.computeCollisions(model, data, manager, q, True))  # noqa: FBT003  stop at first

    return touches, distance, touches_broad


def _turned_to(z: Floats) -> Floats:
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.column_stack((x, np.cross(z, x), z))
