"""Distances beside coal's: a second oracle, by another method than MuJoCo's, for single shapes and for a whole arm."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.distances import Capsule, Clearance, Solid
from farhand.distances.solids import SolidShape
from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.poses import Pose, matrix
from farhand_bench.scenes import arm_among, boxes

coal: Any = pytest.importorskip("coal")  # has wheels for Linux only

SIZES: dict[SolidShape, tuple[float, ...]] = {
    "box": (0.3, 0.2, 0.1),
    "sphere": (0.2,),
    "cylinder": (0.15, 0.2),
    "capsule": (0.1, 0.25),
    "ellipsoid": (0.3, 0.2, 0.1),
}
HAND = Capsule(0, (-0.1, 0.05, 0.0), (0.15, 0.0, 0.1), 0.05, "hand")
SLIDE = SerialChain.from_dh([(0.0, 0.0, 0.0, 0.0, "prismatic")], [-1.0], [1.0])


def shape_of(solid: Solid) -> Any:
    size = solid.size
    if solid.shape == "box":
        return coal.Box(*(2.0 * half for half in size))
    if solid.shape == "sphere":
        return coal.Sphere(size[0])
    if solid.shape == "ellipsoid":
        return coal.Ellipsoid(*size)
    if solid.shape == "mesh":
        points = coal.StdVec_Vec3s()
        for point in solid.vertices:
            points.append(np.array(point))
        return coal.Convex.convexHull(points, True, "")  # noqa: FBT003  keeps triangles
    return {"cylinder": coal.Cylinder, "capsule": coal.Capsule}[solid.shape](size[0], 2.0 * size[1])


def place_of(T: Floats) -> Any:
    return coal.Transform3s(T[:3, :3].copy(), T[:3, 3].copy())


def capsule_of(capsule: Capsule, T: Floats) -> tuple[Any, Any]:
    a, b = np.array(capsule.start), np.array(capsule.end)
    length = float(np.linalg.norm(b - a))
    z = (b - a) / length
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    own = np.eye(4)
    own[:3, :3], own[:3, 3] = np.column_stack((x, np.cross(z, x), z)), 0.5 * (a + b)
    return coal.Capsule(capsule.radius, length), place_of(T @ own)


def distance(first: tuple[Any, Any], second: tuple[Any, Any]) -> float:
    request = coal.DistanceRequest()
    request.gjk_tolerance = 1e-9
    return float(coal.distance(*first, *second, request, coal.DistanceResult()))


def random_solid(shape: SolidShape, rng: np.random.Generator) -> Solid:
    w, x, y, z = ((turn := rng.normal(size=4)) / np.linalg.norm(turn)).tolist()
    px, py, pz = rng.uniform(-0.8, 0.8, 3).tolist()
    pose = Pose((px, py, pz), (w, x, y, z))
    if shape == "mesh":
        points = rng.uniform(-0.3, 0.3, (12, 3))
        points -= points.mean(axis=0)
        return Solid("it", shape, pose, (), tuple((a, b, c) for a, b, c in points.tolist()))
    return Solid("it", shape, pose, tuple((rng.uniform(0.5, 1.5) * np.array(SIZES[shape])).tolist()))


@settings(max_examples=250)
@given(st.sampled_from([*SIZES, "mesh"]), st.integers(0, 2**32 - 1))
def test_distance_to_every_shape_is_coals(shape: SolidShape, seed: int) -> None:
    rng = np.random.default_rng(seed)
    solid, q = random_solid(shape, rng), rng.uniform(-1.0, 1.0, 1)
    found = Clearance(SLIDE, [HAND], [solid]).distance(q).distance
    wanted = distance(capsule_of(HAND, SLIDE.frames(q)[0]), (shape_of(solid), place_of(matrix(solid.pose))))
    if found > 0.0 or wanted > 0.0:
        assert found == pytest.approx(wanted, abs=1e-5)


def test_whole_arm_among_boxes_is_as_near_as_coal_finds_it() -> None:
    clearance = arm_among(boxes())
    chain = clearance.chain
    placed = [(shape_of(s), place_of(matrix(s.pose))) for s in clearance.solids]
    free = 0
    for q in np.random.default_rng(2).uniform(chain.lower, chain.upper, (40, chain.n)):
        frames = np.vstack((chain.frames(q), np.eye(4)[None]))
        own = [capsule_of(c, frames[c.link]) for c in clearance.capsules]
        least = math.inf
        for k, capsule in enumerate(clearance.capsules):
            if capsule.link >= 0:
                least = min(least, *(distance(own[k], solid) for solid in placed))
        least = min(least, *(distance(own[i], own[j]) for i, j in clearance.pairs.tolist()))
        found = clearance.distance(q).distance
        assert (found > 0.0) == (least > 0.0)
        if found > 0.0:
            free += 1
            assert found == pytest.approx(least, abs=1e-6)
    assert free > 10
