"""Pictures made worse on purpose: fewer pixels, and grain. Frames that are late or stand still are chosen elsewhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["coarse_size", "enlarged", "grainy"]

Pixels = NDArray[np.uint8]
GRAIN = 90.0  # standard deviation of the strongest grain, of 255


def coarse_size(own: tuple[int, int], asked: tuple[int, int], resolution: float) -> tuple[int, int]:
    """Return the size at which a picture is drawn: what is left of the camera's own pixels, however large it is asked.

    Args:
        own: Columns and rows of the camera.
        asked: Columns and rows of the picture.
        resolution: Share of the camera's own that is left, in each direction.
    """
    columns, rows = (min(there, max(2, round(here * resolution))) for here, there in zip(own, asked, strict=True))
    return columns, rows


def enlarged(pixels: Pixels, width: int, height: int) -> Pixels:
    """Return a picture at another size, each pixel taken as it is: blocks stay blocks."""
    if pixels.shape[:2] == (height, width):
        return pixels
    rows = np.arange(height) * pixels.shape[0] // height
    columns = np.arange(width) * pixels.shape[1] // width
    larger: Pixels = pixels[rows][:, columns]
    return larger


def grainy(pixels: Pixels, noise: float, seed: int) -> Pixels:
    """Return a picture with grain; the same seed gives the same grain.

    Args:
        pixels: (height, width, 3).
        noise: From 0 to 1.
        seed: Any number.
    """
    if noise <= 0.0:
        return pixels
    grain = np.random.default_rng(seed).standard_normal(pixels.shape[:2], dtype=np.float32) * (GRAIN * noise)
    return np.clip(pixels + grain[:, :, None], 0, 255).astype(np.uint8)
