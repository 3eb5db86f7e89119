"""Pictures of the real process: objects appear where optics puts them, and degraded pictures look degraded."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
import simplejpeg
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from farhand import Cell
from farhand.client.standalone_pictures import StandalonePictures, picture_scene_of_cell, poses_of, standalone_pictures
from farhand.errors import CommandError
from farhand.poses import IDENTITY
from farhand.server.pictures.degradation import Pixels, add_grain, coarse_size, enlarge
from farhand.server.pictures.picture_messages import PictureRequest, PictureScene
from farhand.server.protocol.messages import CameraInfo, Place
from farhand.world.visual_scene import GeomLook

RED = (1.0, 0.0, 0.0, 1.0)
FOV = math.radians(60.0)
SHOT = PictureRequest(id=1, cell="ball", poses=b"", camera=0, width=320, height=240)


@pytest.fixture(scope="module")
def renderer() -> Iterator[StandalonePictures]:
    """The process, with a red ball on its first stage, at whose place the only body is; the camera is at the origin."""
    ball = GeomLook(body=0, shape="sphere", size=(0.1,), pose=IDENTITY, colour=RED)
    skin = GeomLook(body=0, shape="sphere", size=(5.0,), pose=IDENTITY, colour=(0.0, 1.0, 0.0, 1.0), virtual=True)
    camera = CameraInfo(name="eye", label="eye", place=Place(body=-1, pose=IDENTITY), fov=FOV, width=320, height=240)
    with standalone_pictures() as process:
        process.set(PictureScene(cell="ball", scene=1, bodies=1, geoms=(ball, skin), cameras=(camera,), meshes={}))
        yield process


def ball_at(x: float, y: float, z: float, **changes: object) -> PictureRequest:
    row = np.zeros(1, dtype=[("p", "<f4", 3), ("q", "<i2", 4)])
    row["p"], row["q"] = (x, y, z), (32767, 0, 0, 0)
    return replace(SHOT, poses=row.tobytes(), **changes)


def seen(renderer: StandalonePictures, shot: PictureRequest) -> Pixels:
    pixels: Pixels = simplejpeg.decode_jpeg(renderer.jpeg(shot))
    return pixels


def red(pixels: Pixels) -> tuple[float, float]:
    """Return the centre of the red pixels: columns from the left, rows from the top."""
    rows, columns = np.nonzero((pixels[:, :, 0] > 120) & (pixels[:, :, 1] < 80))
    assert len(rows) > 8
    return float(columns.mean()), float(rows.mean())


@pytest.mark.parametrize("zoom", [1.0, 2.0])
@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (0.3, 0.0), (-0.2, 0.25), (0.1, -0.3)])
def test_a_ball_is_seen_where_optics_says(renderer: StandalonePictures, x: float, y: float, zoom: float) -> None:
    """x to the right, y up, along -z; zoom divides the tangent of half the field of view."""
    pixels = seen(renderer, ball_at(x, y, -2.0, zoom=zoom))
    focal = 120.0 / math.tan(0.5 * FOV) * zoom
    assert red(pixels) == pytest.approx((159.5 + focal * x / 2.0, 119.5 - focal * y / 2.0), abs=1.5)


def test_the_same_frame_gives_the_same_bytes_and_another_one_others(renderer: StandalonePictures) -> None:
    shot = ball_at(0.1, 0.0, -2.0, noise=0.3, seed=5)
    assert renderer.jpeg(shot) == renderer.jpeg(shot)
    assert renderer.jpeg(shot) != renderer.jpeg(replace(shot, seed=6))
    assert renderer.jpeg(shot) != renderer.jpeg(ball_at(0.2, 0.0, -2.0, noise=0.3, seed=5))


def test_a_coarse_picture_has_the_same_size_and_fewer_edges(renderer: StandalonePictures) -> None:
    fine, coarse = (seen(renderer, ball_at(0.0, 0.0, -0.5, resolution=share)) for share in (1.0, 0.05))
    assert fine.shape == coarse.shape == (240, 320, 3)

    def edges(pixels: Pixels) -> int:
        return int(np.count_nonzero(np.abs(np.diff(pixels.astype(int)[:, :, 0], axis=1)).max(axis=0) > 60))

    assert edges(coarse) <= 15 < edges(fine)


@pytest.mark.parametrize("width", [128, 640, 1280])
def test_a_coarse_picture_shows_the_same_however_large_it_is_asked(renderer: StandalonePictures, width: int) -> None:
    """Of the camera's 320 columns 32 remain, each with its grain: a larger picture has larger blocks."""
    shot = ball_at(0.0, 0.0, -0.5, resolution=0.1, noise=0.5, seed=3)
    here, there = (
        seen(renderer, replace(shot, width=columns, height=columns * 3 // 4)).mean(axis=2) for columns in (320, width)
    )
    size = width // 32
    assert np.abs(here[5::10, 5::10] - there[size // 2 :: size, size // 2 :: size]).mean() < 5.0
    blocks = there.reshape(24, size, 32, size)
    assert blocks.std(axis=(1, 3)).mean() < 0.25 * blocks.mean(axis=(1, 3)).std()


def test_grain_is_as_strong_as_it_says(renderer: StandalonePictures) -> None:
    clean, some, much = (seen(renderer, ball_at(0.0, 0.0, -2.0, noise=n)).astype(float) for n in (0.0, 0.2, 0.8))
    assert 5.0 < np.std(some - clean) < 0.5 * np.std(much - clean)


def test_a_small_picture_after_a_large_one_is_whole(renderer: StandalonePictures) -> None:
    large = seen(renderer, ball_at(0.0, 0.0, -2.0, width=640, height=480))
    small = seen(renderer, ball_at(0.0, 0.0, -2.0, width=64, height=48))
    assert red(large) == pytest.approx((319.5, 239.5), abs=1.5)
    assert red(small) == pytest.approx((31.5, 23.5), abs=1.0)


def test_what_cannot_be_drawn_is_answered(renderer: StandalonePictures) -> None:
    for shot, words in (
        (replace(SHOT, cell="moon"), "There is no scene of cell 'moon' to draw"),
        (SHOT, "expected the poses of 1 bodies"),
    ):
        with pytest.raises(CommandError, match=words):
            renderer.jpeg(shot)


def test_all_six_cameras_of_the_telemax_see_something_of_their_own(renderer: StandalonePictures) -> None:
    cell = Cell.load("telemax")
    poses = poses_of(cell)
    renderer.set(picture_scene_of_cell(cell, "cell"))
    shots = [PictureRequest(id=1, cell="cell", poses=poses, camera=i, width=160, height=120) for i in range(6)]
    pictures = [seen(renderer, shot).astype(float) for shot in shots]
    for i, picture in enumerate(pictures):
        assert 40.0 < picture.mean() < 180.0
        assert picture.std() > 12.0
        assert all(np.abs(picture - other).mean() > 5.0 for other in pictures[:i])


# ── Pictures made worse ──────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=30)
@given(st.integers(16, 200), st.integers(16, 200), st.floats(0.02, 1.0), st.integers(0, 99))
def test_a_coarse_picture_has_as_many_different_columns_as_it_has_pixels_left(
    width: int, height: int, share: float, seed: int
) -> None:
    columns, rows = coarse_size((width, height), (width, height), share)
    drawn = np.random.default_rng(seed).integers(0, 255, (rows, columns, 3), dtype=np.uint8)
    shown = enlarge(drawn, width, height)
    assert shown.shape == (height, width, 3)
    assert len(np.unique(shown, axis=1)[0]) <= columns
    assert columns <= max(2, round(share * width))


@given(st.floats(0.0, 1.0), st.integers(0, 2**32))
def test_grain_is_seeded_and_stays_within_what_a_pixel_holds(noise: float, seed: int) -> None:
    flat = np.full((32, 48, 3), 128, dtype=np.uint8)
    first = add_grain(flat, noise, seed)
    assert np.array_equal(first, add_grain(flat, noise, seed))
    assert first.dtype == np.uint8
    assert abs(float(first.mean()) - 128.0) < 2.0 + 10.0 * noise
    assert np.array_equal(first[:, :, 0], first[:, :, 2])  # grain is grey


def test_cells_and_gateway_do_without_opengl() -> None:
    """Only the picture process may need libraries that a machine may lack."""
    ask = (
        "import sys, farhand.cli.run, farhand.server.gateway.gateway_process, farhand.server.cell_process.live_cell;"
        "print([m for m in sys.modules if m.split('.')[0] in ('OpenGL', 'glfw', 'simplejpeg')])"
    )
    found = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
