"""Pictures made worse on purpose: fewer pixels, and grain. Frames that are late or stand still are chosen elsewhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["coarse_size", "enlarged", "grainy"]

Pixels = NDArray[np.uint8]
GRAIN = 90.0  # standard deviation of the strongest grain, of 255


def coarse_size(width: int, height: int, resolution: float) -> tuple[int, int]:
    """Return the size at which a picture is drawn of which only a share of the pixels shall be left."""
    return max(2, round(width * resolution)), max(2, round(height * resolution))


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
