"""Capsules around links: everything is held, little is wasted, and levers bound every motion."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.distances import Blob, Capsule, Clearance, fit_link, hull_of
from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import SerialChain

SEEDS = st.integers(0, 2**32 - 1)


def random_blob(rng: np.random.Generator) -> Blob:
    kind = int(rng.integers(0, 5))
    size = rng.uniform(0.02, 0.2, 3)
    blob = (
        Blob.box(size.tolist()),
        Blob.cylinder(size[0], size[1]),
        Blob.ellipsoid(size.tolist()),
        Blob(rng.normal(size=(2, 3)) * 0.1, float(size[0])),
        Blob(rng.normal(size=(20, 3)) * size),
    )[kind]
    T, (Q, _) = np.eye(4), np.linalg.qr(rng.normal(size=(3, 3)))
    T[:3, :3], T[:3, 3] = Q * np.sign(np.linalg.det(Q)), rng.normal(size=3) * 0.15
    return blob.moved(T)


def inside_of(blob: Blob, rng: np.random.Generator, count: int) -> Floats:
    """Return points of a blob: mixtures of its corners, shifted by up to its radius."""
    shares = rng.dirichlet(np.full(len(blob.points), 0.3), count)
    way = rng.normal(size=(count, 3))
    return np.asarray(shares @ blob.points + blob.radius * way / np.linalg.norm(way, axis=1)[:, None])


def depths(capsules: Floats, points: Floats) -> Floats:
    """Return how far each point is outside of all capsules."""
    found = np.full(len(points), np.inf)
    for a, b, r in [(row[:3], row[3:6], row[6]) for row in capsules]:
        way = b - a
        t = np.clip((points - a) @ way / max(float(way @ way), 1e-30), 0.0, 1.0)
        found = np.minimum(found, np.linalg.norm(points - a - t[:, None] * way, axis=1) - r)
    return found


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 12), st.integers(1, 4))
def test_every_point_of_a_link_is_held(seed: int, count: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    blobs = [random_blob(rng) for _ in range(count)]
    fit = fit_link(blobs, most)
    assert 1 <= len(fit.capsules) <= most
    for blob in blobs:
        assert depths(fit.capsules, inside_of(blob, rng, 500)).max() <= 1e-7
        assert depths(fit.capsules, blob.points).max() <= 1e-7 - blob.radius or blob.radius > 0.0


def test_a_capsule_is_its_own_fit() -> None:
    blob = Blob(np.array([(0.1, 0.2, 0.0), (0.4, -0.1, 0.3)]), 0.07)
    (row,) = fit_link([blob]).capsules
    assert row[6] == pytest.approx(0.07, rel=1e-3)
    ends = sorted([tuple(row[:3]), tuple(row[3:6])])
    np.testing.assert_allclose(ends, sorted(map(tuple, blob.points)), atol=1e-3)
    assert fit_link([blob]).waste == pytest.approx(0.0, abs=0.02)


def test_a_ball_stays_a_ball() -> None:
    (row,) = fit_link([Blob(np.zeros((1, 3)), 0.05)]).capsules
    assert row[6] == pytest.approx(0.05, rel=1e-6)
    np.testing.assert_allclose(row[:3], row[3:6], atol=1e-9)


def test_long_box_gets_a_capsule_along_it() -> None:
    fit = fit_link([Blob.box((0.02, 0.03, 0.3))], most=1)
    (row,) = fit.capsules
    way = (row[3:6] - row[:3]) / np.linalg.norm(row[3:6] - row[:3])
    assert abs(way[2]) > 0.999
    assert row[6] == pytest.approx(math.hypot(0.02, 0.03), rel=0.02)
    # π·(2² + 3²) instead of 4·2·3, and the caps
    assert 0.6 < fit.waste < 0.9


def test_waste_is_measured_against_the_shapes() -> None:
    cube = fit_link([Blob.box((0.1, 0.1, 0.1))], most=1)
    volume = Capsule(0, tuple(cube.capsules[0][:3]), tuple(cube.capsules[0][3:6]), cube.capsules[0][6]).volume
    assert cube.waste == pytest.approx(volume / 0.008 - 1.0, abs=0.08)
    # √3/2·edge is the ball around a cube: no capsule need be larger
    assert volume <= 4 / 3 * math.pi * (0.1 * math.sqrt(3)) ** 3 * 1.001


def test_bent_link_gets_more_than_one_capsule() -> None:
    upright = Blob.box((0.03, 0.03, 0.2))
    T = np.eye(4)
    T[:3, 3] = 0.2, 0.0, 0.2
    level = Blob.box((0.2, 0.03, 0.03)).moved(T)
    two, one = fit_link([upright, level], most=3), fit_link([upright, level], most=1)
    assert len(two.capsules) == 2
    assert two.waste < 0.5 * one.waste


def test_flat_plate_is_cut_where_it_saves_room() -> None:
    plate = Blob.box((0.3, 0.1, 0.02))
    assert len(fit_link([plate], most=2).capsules) == 2
    assert fit_link([plate], most=2).waste < fit_link([plate], most=1).waste


def test_link_without_shapes_is_refused() -> None:
    with pytest.raises(CommandError, match="a link needs shapes and at least one capsule, found 0 and 3"):
        fit_link([])


def test_hull_knows_planes_and_volume() -> None:
    rng = np.random.default_rng(1)
    box = np.vstack((Blob.box((0.1, 0.2, 0.3)).points, rng.uniform(-0.09, 0.09, (20, 3))))
    hull = hull_of(box)
    assert len(hull.vertices) == 8
    assert hull.volume() == pytest.approx(0.2 * 0.4 * 0.6)
    planes = hull.planes()
    assert sorted(np.round(planes[:, 3], 9).tolist()) == [0.1, 0.1, 0.2, 0.2, 0.3, 0.3]
    np.testing.assert_allclose(np.abs(planes[:, :3]).max(axis=1), 1.0)
    with pytest.raises(CommandError, match="these points have no convex hull"):
        hull_of(np.zeros((5, 3)))


@settings(max_examples=60)
@given(SEEDS)
def test_levers_bound_how_far_capsules_move(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    rows = [(*rng.uniform(-0.3, 0.3, 1), rng.choice([0.0, 1.57, -1.57, 0.6]), rng.uniform(-0.3, 0.3), 0.0,
             str(rng.choice(["revolute", "revolute", "prismatic"]))) for _ in range(n)]  # fmt: skip
    chain = SerialChain.from_dh(rows, [-2.0] * n, [2.0] * n)
    capsule = Capsule(n - 1, tuple(rng.normal(size=3) * 0.1), tuple(rng.normal(size=3) * 0.1), 0.05)
    (levers,) = Clearance(chain, [capsule]).levers
    q, step = rng.uniform(-2, 2, (2, n))
    step *= 0.1
    before, after = chain.frames(q)[n - 1], chain.frames(np.clip(q + step, -2, 2))[n - 1]
    bound = float(levers @ np.abs(np.clip(q + step, -2, 2) - q))
    for end in (capsule.start, capsule.end):
        moved = (after - before) @ np.array([*end, 1.0])
        assert np.linalg.norm(moved) <= bound + 1e-9


def test_levers_of_a_straight_arm_are_its_lengths() -> None:
    rows = [(0, -math.pi / 2, 0.29, 0), (0.27, 0, 0, 0), (0.07, -math.pi / 2, 0, 0), (0, 0, 0.302, 0)]
    chain = SerialChain.from_dh(rows, [-2] * 4, [2] * 4)
    ball = Capsule(3, (0, 0, 0), (0, 0, 0), 0.05)
    (levers,) = Clearance(chain, [ball]).levers
    # about axis 4, on which it sits, it does not move at all; from the shoulder it is 0.27 + √(0.07² + 0.302²) away
    fore = math.hypot(0.07, 0.302)
    np.testing.assert_allclose(levers, [0.27 + fore, 0.27 + fore, fore, 0.0], atol=1e-6)
