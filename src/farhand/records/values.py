"""Values of a lane's memory as bytes, and back: exact, and safe to read from a stranger's file.

A value becomes a tree of msgpack lists, each headed by its kind::

    ["(", items…]                     tuple
    ["{", key, value, …]              dict
    ["*", items…]                     frozenset, sorted
    ["[", dtype, shape, bytes]        numpy array
    ["S", type, fields…]              Struct, by the name of its type

None, bool, int, float, str and bytes stand for themselves. Types are looked up by name among the frozen Structs of
Farhand that this process has loaded: nothing is imported and nothing is called that a file names.
"""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from farhand.errors import FarhandError
from farhand.records.errors import RecordError

__all__ = ["pack", "unpack"]

T = TypeVar("T")
MAX_DEPTH = 64
MAX_BYTES = 1 << 26
DTYPES = {"<f8", "<f4", "<i8", "<i4", "|b1", "|u1"}
REFUSALS = (msgspec.DecodeError, LookupError, TypeError, ValueError, NameError, ArithmeticError, RecursionError)
SCALARS = (bool, int, float, str, bytes)

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


def pack(value: object) -> bytes:
    """Return a value as bytes.

    Raises:
        TypeError: If it holds something that is neither a plain value, an array nor a Struct of Farhand.
    """
    return _encode(_tree(value))


def unpack(content: bytes, expected: type[T]) -> T:
    """Return the value of some bytes.

    Args:
        content: Bytes that `pack` made, perhaps in another process.
        expected: Type of the value.

    Raises:
        RecordError: If they are not such a value.
    """
    if len(content) > MAX_BYTES:
        raise RecordError(f"a saved value has {len(content)} bytes; at most {MAX_BYTES} are read")
    try:
        value = _value(_decode(content), 0)
    except (FarhandError, *REFUSALS) as error:
        raise RecordError(f"a saved value cannot be read: {error}") from error
    if not isinstance(value, expected):
        raise RecordError(f"a saved value is of type {type(value).__name__}; expected {expected.__name__}")
    return value


# ── To a tree ────────────────────────────────────────────────────────────────────────────────────────────────────


def _tree(value: object) -> object:
    if value is None or type(value) in SCALARS:
        return value
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    if isinstance(value, Struct):
        return ["S", _name_of(type(value)), *[_tree(getattr(value, field)) for field in value.__struct_fields__]]
    raise TypeError(f"a value of type {type(value).__name__} cannot be saved")


def _tree_of_array(array: np.ndarray[Any, Any]) -> object:
    if array.dtype.str not in DTYPES:
        raise TypeError(f"an array of {array.dtype} cannot be saved")
    return ["[", array.dtype.str, list(array.shape), np.ascontiguousarray(array).tobytes()]


_WRITERS: dict[type, Callable[[Any], object]] = {
    tuple: lambda value: ["(", *[_tree(item) for item in value]],
    dict: lambda value: ["{", *[part for key, item in value.items() for part in (_key(key), _tree(item))]],
    frozenset: lambda value: ["*", *sorted(value)],
    np.ndarray: _tree_of_array,
    np.float64: float,
}


def _key(key: object) -> object:
    if type(key) not in (str, int):
        raise TypeError(f"a dict with keys of type {type(key).__name__} cannot be saved")
    return key


# ── From a tree ──────────────────────────────────────────────────────────────────────────────────────────────────


def _value(tree: Any, depth: int) -> object:
    if not isinstance(tree, list):
        return tree
    if depth > MAX_DEPTH:
        raise ValueError(f"it is nested more than {MAX_DEPTH} levels deep")
    kind, *rest = tree
    return _READERS[kind](rest, depth + 1)


def _tuple(rest: list[Any], depth: int) -> tuple[object, ...]:
    return tuple([_value(item, depth) for item in rest])


def _dict(rest: list[Any], depth: int) -> dict[Any, object]:
    return {_key(key): _value(item, depth) for key, item in zip(rest[::2], rest[1::2], strict=True)}


def _set(rest: list[Any], depth: int) -> frozenset[str]:
    del depth
    if not all(isinstance(item, str) for item in rest):
        raise ValueError("a set holds other values than texts")
    return frozenset(rest)


def _array(rest: list[Any], depth: int) -> np.ndarray[Any, Any]:
    del depth
    dtype, shape, content = rest
    if dtype not in DTYPES:
        raise ValueError(f"an array is of type {dtype!r}; expected one of {', '.join(sorted(DTYPES))}")
    if not all(isinstance(size, int) and size >= 0 for size in shape):
        raise ValueError(f"an array has the shape {shape}")
    if math.prod(shape) * np.dtype(dtype).itemsize != len(content):
        raise ValueError(f"an array of shape {shape} cannot have {len(content)} bytes")
    return np.frombuffer(content, dtype).reshape(shape).copy()


def _struct(rest: list[Any], depth: int) -> Struct:
    name, *values = rest
    found = _known_types().get(name)
    if found is None:
        raise ValueError(f"this version of Farhand has no type {name!r}")
    checks = _checks_of(found)
    if len(values) != len(checks):
        raise ValueError(f"{name} has {len(values)} fields; this version of Farhand has {len(checks)}")
    fields = {}
    for (field, allowed, default), tree in zip(checks, values, strict=True):
        value = _value(tree, depth)
        if allowed and not isinstance(value, allowed):
            raise ValueError(f"{name}.{field} is of type {type(value).__name__}")
        # msgspec leaves out a default only if it is that very object
        fields[field] = default if type(value) is type(default) in (str, int) and value == default else value
    return found(**fields)


_READERS: dict[str, Callable[[list[Any], int], object]] = {
    "(": _tuple,
    "{": _dict,
    "*": _set,
    "[": _array,
    "S": _struct,
}


# ── Types ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _name_of(kind: type[Struct]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


_types: dict[str, type[Struct]] = {}
_seen = 0


def _known_types() -> dict[str, type[Struct]]:
    """Return the Structs of Farhand that are loaded, by name; looked for again when more have been loaded."""
    global _seen
    count = len(Struct.__subclasses__())
    if count != _seen:
        _seen = count
        _types.update({_name_of(kind): kind for kind in _subtypes(Struct) if kind.__module__.startswith("farhand.")})
    return _types


def _subtypes(kind: type[Struct]) -> Iterator[type[Struct]]:
    for found in kind.__subclasses__():
        yield found
        yield from _subtypes(found)


@cache
def _checks_of(kind: type[Struct]) -> tuple[tuple[str, tuple[type, ...], object], ...]:
    """Return the fields of a Struct, each with the types that its values may have (none: any) and its default."""
    hints = typing.get_type_hints(kind)
    return tuple((field.name, _allowed(hints[field.name]), field.default) for field in msgspec.structs.fields(kind))


def _allowed(hint: Any) -> tuple[type, ...]:
    if hint is Any:
        return ()
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        return _allowed(hint.__origin__)
    if origin in (typing.Union, types.UnionType):
        parts = [_allowed(part) for part in typing.get_args(hint)]
        return () if () in parts else tuple({kind for part in parts for kind in part})
    if origin is typing.Literal:
        return tuple({type(item) for item in typing.get_args(hint)})
    kind = origin or hint
    if kind is float:
        return (float, int)
    if kind in (int, str, bool, bytes, tuple, dict, frozenset, types.NoneType, np.ndarray):
        return (kind,)
    return (kind,) if isinstance(kind, type) and issubclass(kind, Struct) else ()
