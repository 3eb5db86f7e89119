"""A cache of arms fitted with capsules, in memory and on disk: fitting and calibrating one takes most of a second."""

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

MAX_CACHED = 32  # arms in memory
Fitted = tuple[Clearance, Slacks]  # the capsules of an arm without slacks, and its slacks
_SHAPES: dict[bytes, tuple[ArmShape, Slacks]] = {}


def shape_of(key: bytes, chain: SerialChain, keep: float, fit: Callable[[], Fitted]) -> ArmShape:
    """Return the arm of a key from the cache, or fit it and add it.

    Args:
        key: All data that the arm is fitted to.
        chain: Its kinematics.
        keep: Clearance between its links, m.
        fit: Fits it.
    """
    if key not in _SHAPES:
        fitted = _read(key, chain)
        if fitted is None:
            fitted = fit()
            _write(key, *fitted)
        if len(_SHAPES) >= MAX_CACHED:
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
    """Return the cache file of an arm; its name is a hash of the key and of the fitting code."""
    found = hashlib.sha256(key)
    for file in sorted(Path(distances.__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    return cache_folder() / f"arm-{found.hexdigest()[:32]}.msgpack"


def _read(key: bytes, chain: SerialChain) -> Fitted | None:
    """Return an arm from its cache file, or None if that cannot be read."""
    try:
        found = msgspec.msgpack.decode(_path(key).read_bytes(), type=_Kept)
        pairs = np.array(found.pairs, dtype=np.int64).reshape(-1, 2)
        clearance = Clearance(chain, found.capsules, pairs=pairs)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    clearance.left_out = found.left_out
    return clearance, found.slacks


def _write(key: bytes, clearance: Clearance, slacks: Slacks) -> None:
    """Write an arm to its cache file; if that fails, the next start fits it again."""
    pairs = tuple((int(first), int(second)) for first, second in clearance.pairs)
    content = msgspec.msgpack.encode(_Kept(clearance.capsules, pairs, slacks, clearance.left_out))
    path = _path(key)
    aside = path.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(content)
        aside.replace(path)
