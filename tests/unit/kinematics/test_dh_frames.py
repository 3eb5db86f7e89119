"""Denavit and Hartenberg's frames are found from the axes alone."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.kinematics.arithmetic.dh_frames import dh_frames

ANGLE = st.sampled_from([0.0, np.pi / 2, -np.pi / 2, 0.7, -1.1])
LENGTH = st.sampled_from([0.0, 0.1, 0.35, 0.02])
ROW = st.tuples(LENGTH, ANGLE, st.floats(-0.5, 0.5), st.floats(-3.0, 3.0))


def step(a: float, alpha: float, d: float, theta: float) -> np.ndarray:
    ct, st_, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [[ct, -st_ * ca, st_ * sa, a * ct], [st_, ct * ca, -ct * sa, a * st_], [0, sa, ca, d], [0, 0, 0, 1]]
    )


@given(st.lists(ROW, min_size=2, max_size=7))
def test_each_frame_is_one_dh_step_from_the_one_before(rows: list[tuple[float, float, float, float]]) -> None:
    """Whatever axes a table gives, the frames found obey the convention: x cuts the axis before, at right angles."""
    T, points, axes = np.eye(4), [], []
    for row in rows:
        points.append(T[:3, 3] + 0.3 * T[:3, 2])  # any point on the axis will do
        axes.append(T[:3, 2])
        T = T @ step(*row)
    frames = dh_frames(points, axes, np.eye(4))
    for point, axis, frame in zip(points, axes, frames, strict=True):
        assert np.allclose(frame[:3, :3] @ frame[:3, :3].T, np.eye(3), atol=1e-9)
        assert np.linalg.det(frame[:3, :3]) == pytest.approx(1.0)
        assert np.allclose(np.cross(frame[:3, 2], axis), 0.0, atol=1e-9)  # z is along the axis
        assert np.allclose(np.cross(frame[:3, 3] - point, axis), 0.0, atol=1e-9)  # and the origin on it
    for before, after in itertools.pairwise(frames):
        x, z0 = after[:3, 0], before[:3, 2]
        assert x @ z0 == pytest.approx(0.0, abs=1e-7)
        # The line from the previous axis along x meets the origin: the rest of the step is along the previous axis.
        way = after[:3, 3] - before[:3, 3]
        assert np.allclose(way - (way @ x) * x - (way @ z0) * z0, 0.0, atol=1e-6)


def test_the_lengths_of_a_table_come_back() -> None:
    rows = [
        (0.0, np.pi / 2, 0.29, 0.0),
        (0.27, 0.0, 0.0, 0.4),
        (0.07, np.pi / 2, 0.0, -0.2),
        (0.0, -np.pi / 2, 0.302, 0.1),
    ]
    T, points, axes = np.eye(4), [], []
    for row in rows:
        points.append(T[:3, 3])
        axes.append(T[:3, 2])
        T = T @ step(*row)
    frames = dh_frames(points, axes, np.eye(4))
    found = [(after[:3, 3] - before[:3, 3]) @ after[:3, 0] for before, after in itertools.pairwise(frames)]
    assert np.allclose(np.abs(found), [row[0] for row in rows[:-1]], atol=1e-9)
