"""Degrade pictures: fewer pixels and grain. `gateway.frame_history` delays and freezes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["add_grain", "coarse_size", "enlarge"]

Pixels = NDArray[np.uint8]
MAX_GRAIN = 90.0  # standard deviation at noise 1, of 255 levels


def coarse_size(own: tuple[int, int], asked: tuple[int, int], resolution: float) -> tuple[int, int]:
    """Return the columns and rows in which a picture is drawn before it is enlarged.

    Args:
        own: Columns and rows of the camera.
        asked: Columns and rows of the requested picture.
        resolution: Share of the camera's columns and rows that remains.
    """
    columns, rows = (min(there, max(2, round(here * resolution))) for here, there in zip(own, asked, strict=True))
    return columns, rows


def enlarge(pixels: Pixels, width: int, height: int) -> Pixels:
    """Return a picture at another size, without smoothing: coarse pixels stay visible as blocks."""
    if pixels.shape[:2] == (height, width):
        return pixels
    rows = np.arange(height) * pixels.shape[0] // height
    columns = np.arange(width) * pixels.shape[1] // width
    larger: Pixels = pixels[rows][:, columns]
    return larger


def add_grain(pixels: Pixels, noise: float, seed: int) -> Pixels:
    """Return a picture with grain; the same seed gives the same grain.

    Args:
        pixels: (height, width, 3).
        noise: From 0 to 1; 1 is the strongest grain.
        seed: Seed of the random grain.
    """
    if noise <= 0.0:
        return pixels
    grain = np.random.default_rng(seed).standard_normal(pixels.shape[:2], dtype=np.float32) * (MAX_GRAIN * noise)
    return np.clip(pixels + grain[:, :, None], 0, 255).astype(np.uint8)
