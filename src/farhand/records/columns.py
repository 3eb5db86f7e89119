"""Kept ticks as columns: small enough to keep an hour, exact enough to look at, and arrays without building ticks.

A tick is a tree whose shape seldom changes: the *skeleton* is that tree with its numbers taken out. Ticks in a row that
have the same skeleton become two matrices, one row a tick: whole numbers exactly, others as float32, and as 0 if they
are smaller than 1e-9. Both are written
column by column as differences along time, byte planes apart, which is what the file's compression needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from farhand.records.errors import RecordError
from farhand.types import Tick

__all__ = ["Columns", "columns_of", "paths_of", "ticks_of"]

INT, FLOAT = msgspec.msgpack.Ext(1, b""), msgspec.msgpack.Ext(2, b"")
MAX_CELLS = 1 << 24  # numbers of a matrix that is read
MAX_ROWS = 1 << 16  # ticks of a matrix that is read
MAX_SKELETON = 1 << 20  # bytes of a skeleton that is read
TINY = 1e-9  # smaller numbers are kept as 0: they are noise of the computation, in any unit of a tick
INT64 = range(-(1 << 63), 1 << 63)
_encode = msgspec.msgpack.Encoder().encode  # keys in the order of the tick: that of the numbers
_decode = msgspec.msgpack.Decoder().decode


class Columns(Struct, frozen=True, array_like=True):
    """Ticks of one skeleton.

    Args:
        rows: Number of ticks.
        skeleton: The tree without its numbers, as msgpack.
        ints: Whole numbers, packed.
        floats: Other numbers, packed.
        qpos: Joint positions of the physics, packed; empty: not kept.
    """

    rows: int
    skeleton: bytes
    ints: bytes
    floats: bytes
    qpos: bytes = b""


Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


def columns_of(ticks: Sequence[bytes], qpos: Sequence[bytes] = ()) -> list[Columns]:
    """Return ticks as columns, in order.

    Args:
        ticks: As msgpack.
        qpos: Joint positions of the physics (float64) of each of them.
    """
    found: list[Columns] = []
    rows: list[tuple[list[int], list[float], bytes]] = []
    last = b""
    for i, content in enumerate(ticks):
        ints: list[int] = []
        floats: list[float] = []
        skeleton = _encode(_bare(_decode(content), ints, floats))
        if rows and skeleton != last:
            found.append(_columns(last, rows))
            rows = []
        last = skeleton
        rows.append((ints, floats, qpos[i] if qpos else b""))
    if rows:
        found.append(_columns(last, rows))
    return found


def _bare(tree: Any, ints: list[int], floats: list[float]) -> Any:
    kind = type(tree)
    if kind is float:
        floats.append(tree)
        return FLOAT
    if kind is int and tree in INT64:
        ints.append(tree)
        return INT
    if kind is list:
        return [_bare(item, ints, floats) for item in tree]
    if kind is dict:
        return {key: _bare(item, ints, floats) for key, item in tree.items()}
    return tree


def _columns(skeleton: bytes, rows: list[tuple[list[int], list[float], bytes]]) -> Columns:
    ints = np.array([row[0] for row in rows], np.int64)
    with np.errstate(over="ignore"):  # beyond float32: infinite
        floats = _quiet(np.array([row[1] for row in rows], np.float64))
    widths = {len(row[2]) for row in rows}
    qpos = b""
    if len(widths) == 1 and widths != {0}:
        joints = np.frombuffer(b"".join(row[2] for row in rows), np.float64).reshape(len(rows), -1)
        with np.errstate(over="ignore"):
            qpos = _packed(_quiet(joints).view(np.uint32))
    return Columns(len(rows), skeleton, _packed(ints.view(np.uint64)), _packed(floats.view(np.uint32)), qpos)


def _quiet(numbers: NDArray[np.float64]) -> Floats:
    return np.where(np.abs(numbers) < TINY, 0.0, numbers).astype(np.float32)


# ── Bytes of a matrix ────────────────────────────────────────────────────────────────────────────────────────────


def _packed(matrix: NDArray[Any]) -> bytes:
    """Return a matrix of unsigned words as byte planes of differences along time, column by column."""
    delta = matrix.copy()
    delta[1:] -= matrix[:-1]
    return delta.T.copy().view(np.uint8).reshape(-1, matrix.itemsize).T.tobytes()


def _unpacked(content: bytes, rows: int, word: type[np.unsignedinteger[Any]]) -> NDArray[Any]:
    size = np.dtype(word).itemsize
    if not 0 < rows <= MAX_ROWS or len(content) % (size * rows) or len(content) // size > MAX_CELLS:
        raise RecordError(f"{len(content)} bytes are no matrix of {rows} rows")
    planes = np.frombuffer(content, np.uint8).reshape(size, -1)
    delta = np.ascontiguousarray(planes.T).view(word).reshape(-1, rows).T
    return np.add.accumulate(delta, axis=0, dtype=word)


# ── Back to ticks, or to arrays ──────────────────────────────────────────────────────────────────────────────────


def ints_of(columns: Columns) -> Ints:
    """Return the whole numbers, a row for each tick.

    Raises:
        RecordError: If they do not fit the skeleton.
    """
    return _fitting(_unpacked(columns.ints, columns.rows, np.uint64), len(paths_of(columns.skeleton).ints)).view(
        np.int64
    )


def with_ints(columns: Columns, ints: Ints) -> Columns:
    """Return the same ticks with other whole numbers, as for a copy of a run at another time."""
    return replace(columns, ints=_packed(ints.view(np.uint64)))


def floats_of(columns: Columns) -> Floats:
    """Return the other numbers, a row for each tick.

    Raises:
        RecordError: If they do not fit the skeleton.
    """
    found = _unpacked(columns.floats, columns.rows, np.uint32)
    return _fitting(found, len(paths_of(columns.skeleton).floats)).view(np.float32)


def _fitting(matrix: NDArray[Any], width: int) -> NDArray[Any]:
    if matrix.shape[1] != width:
        raise RecordError(f"a matrix has {matrix.shape[1]} columns; its skeleton has {width} numbers")
    return matrix


def qpos_of(columns: Columns) -> Floats | None:
    """Return the joint positions of the physics, a row for each tick; None if they were not kept."""
    return _unpacked(columns.qpos, columns.rows, np.uint32).view(np.float32) if columns.qpos else None


def ticks_of(columns: Columns, rows: Iterable[int] | None = None) -> Iterator[Tick]:
    """Yield the ticks, with numbers as precise as they were kept.

    Args:
        columns: The ticks.
        rows: Which of them; None: all.

    Raises:
        RecordError: If they are no ticks of this version of Farhand.
    """
    ints, floats = ints_of(columns), floats_of(columns)
    try:
        skeleton = _decode(columns.skeleton)
        for row in range(columns.rows) if rows is None else rows:
            tree = _filled(skeleton, iter(ints[row].tolist()), iter(floats[row].tolist()))
            yield msgspec.convert(tree, Tick)
    except (msgspec.MsgspecError, StopIteration, RuntimeError) as error:
        raise RecordError(f"kept ticks cannot be read: {error}") from error


def _filled(tree: Any, ints: Iterator[int], floats: Iterator[float]) -> Any:
    if isinstance(tree, msgspec.msgpack.Ext):
        return next(ints) if tree.code == INT.code else next(floats)
    if isinstance(tree, list):
        return [_filled(item, ints, floats) for item in tree]
    if isinstance(tree, dict):
        return {key: _filled(item, ints, floats) for key, item in tree.items()}
    return tree


class Places(Struct, frozen=True):
    """Where each number of a skeleton is: its column, by its path, as in ``lanes.arm.setpoints.arm.positions[0]``."""

    ints: dict[str, int]
    floats: dict[str, int]


@lru_cache(maxsize=256)
def paths_of(skeleton: bytes) -> Places:
    """Return the paths of all numbers of a skeleton.

    Raises:
        RecordError: If it is none.
    """
    places = Places({}, {})
    if len(skeleton) > MAX_SKELETON:
        raise RecordError(f"a skeleton of {len(skeleton)} bytes; at most {MAX_SKELETON} are read")
    try:
        for path, ext in _walked(_decode(skeleton), ""):
            column = places.ints if ext.code == INT.code else places.floats
            column[path] = len(column)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError(f"kept ticks cannot be read: {error}") from error
    return places


def _walked(tree: Any, path: str) -> Iterator[tuple[str, msgspec.msgpack.Ext]]:
    if isinstance(tree, msgspec.msgpack.Ext):
        yield path, tree
    elif isinstance(tree, list):
        for i, item in enumerate(tree):
            yield from _walked(item, f"{path}[{i}]")
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield from _walked(item, f"{path}.{key}" if path else str(key))
