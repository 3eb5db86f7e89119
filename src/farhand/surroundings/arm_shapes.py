"""Arms in capsules, kept: fitting and calibrating one takes most of a second, and gives the same every time.

They are kept in memory and, for the next start, on disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from farhand import distances
from farhand.distances import ArmShape, Capsule, Clearance, LeftOut, Slacks, arm_shape
from farhand.kernels import cache_folder
from farhand.kinematics import SerialChain

__all__ = ["shape_of"]

MOST = 32  # arms in memory
Fitted = tuple[Clearance, Slacks]  # in capsules and alone, without the slacks
_SHAPES: dict[bytes, tuple[ArmShape, Slacks]] = {}


def shape_of(key: bytes, chain: SerialChain, keep: float, fit: Callable[[], Fitted]) -> ArmShape:
    """Return the arm that is kept under a key; where there is none, it is fitted and kept.

    Args:
        key: All that it is made of.
        chain: Its kinematics.
        keep: Metres that its links keep from each other.
        fit: Makes it.
    """
    if key not in _SHAPES:
        fitted = _read(key, chain)
        if fitted is None:
            fitted = fit()
            _write(key, *fitted)
        if len(_SHAPES) >= MOST:
            _SHAPES.pop(next(iter(_SHAPES)))
        _SHAPES[key] = arm_shape(fitted[0]), fitted[1]
    shape, slacks = _SHAPES[key]
    return shape.slackened(slacks.at(keep))


class _Kept(Struct, frozen=True):
    capsules: tuple[Capsule, ...]
    pairs: tuple[tuple[int, int], ...]
    slacks: Slacks
    left_out: tuple[LeftOut, ...]


def _path(key: bytes) -> Path:
    """Return where an arm is kept: named by what it was made of, and by the text of what made it."""
    found = hashlib.sha256(key)
    for file in sorted(Path(distances.__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    return cache_folder() / f"arm-{found.hexdigest()[:32]}.msgpack"


def _read(key: bytes, chain: SerialChain) -> Fitted | None:
    """Return the arm that was kept on disk; None if there is none that can be read."""
    try:
        found = msgspec.msgpack.decode(_path(key).read_bytes(), type=_Kept)
        pairs = np.array(found.pairs, dtype=np.int64).reshape(-1, 2)
        clearance = Clearance(chain, found.capsules, pairs=pairs)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    clearance.left_out = found.left_out
    return clearance, found.slacks


def _write(key: bytes, clearance: Clearance, slacks: Slacks) -> None:
    """Keep an arm on disk; where that cannot be written, it is made anew at the next start."""
    pairs = tuple((int(first), int(second)) for first, second in clearance.pairs)
    content = msgspec.msgpack.encode(_Kept(clearance.capsules, pairs, slacks, clearance.left_out))
    path = _path(key)
    aside = path.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(content)
        aside.replace(path)
