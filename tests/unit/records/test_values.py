"""Saved values come back as they were, and hostile ones are refused."""

import contextlib
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.poses import Pose
from farhand.records.errors import RecordError
from farhand.records.values import pack, unpack
from farhand.types import Note, Quantity, Reading, Subject, Wrench

PLAIN = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text() | st.binary()
)
TREES = st.recursive(
    PLAIN,
    lambda inner: st.tuples(inner, inner) | st.dictionaries(st.text(), inner, max_size=4) | st.frozensets(st.text()),
    max_leaves=20,
)


@given(TREES)
def test_plain_values_come_back(value: object) -> None:
    assert unpack(pack(value), type(value)) == value


def test_structs_come_back_with_their_types() -> None:
    note = Note("limits.speed", "slow", (Subject("robot", "arm"),), (Quantity("speed", 0.25, "m/s"),))
    found = unpack(pack({"note": note, "pose": Pose((1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0))}), dict)
    assert found == {"note": note, "pose": Pose((1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0))}


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.bool_])
def test_arrays_come_back(dtype: type) -> None:
    array: np.ndarray[Any, Any] = np.arange(12).reshape(3, 4).astype(dtype)
    found = unpack(pack(array), np.ndarray)
    assert found.dtype == array.dtype
    assert np.array_equal(found, array)
    found[0, 0] = 1  # it is no view of the file


def test_what_is_no_value_is_not_saved() -> None:
    with pytest.raises(TypeError, match="a value of type object cannot be saved"):
        pack({"it": object()})


def tampered(tree: object) -> bytes:
    return msgspec.msgpack.encode(tree)


@pytest.mark.parametrize(
    ("tree", "problem"),
    [
        (["S", "os.system", "true"], "has no type 'os.system'"),
        (["S", "subprocess.Popen", ["(", "true"]], "has no type 'subprocess.Popen'"),
        (["S", "farhand.types.quantities.Wrench"], "Wrench has 0 fields; this version of Farhand has 2"),
        (["S", "farhand.types.quantities.Wrench", "abc", ["("]], "Wrench.force is of type str"),
        (["[", "|O", [1], b"12345678"], "an array is of type '|O'"),
        (["[", "<f8", [10**9], b""], "cannot have 0 bytes"),
        (["[", "<f8", [-1], b""], "has the shape"),
        (["?", 1], "cannot be read"),
        ([], "cannot be read"),
        (["{", "a"], "cannot be read"),
        (["*", 1], "other values than texts"),
    ],
)
def test_hostile_values_are_refused(tree: object, problem: str) -> None:
    Wrench()  # the type is loaded
    with pytest.raises(RecordError) as error:
        unpack(tampered(tree), object)
    assert problem in str(error.value)


def test_a_deep_value_is_refused() -> None:
    tree: object = 1
    for _ in range(500):
        tree = ["(", tree]
    with pytest.raises(RecordError):
        unpack(tampered(tree), object)


def test_another_type_than_expected_is_refused() -> None:
    with pytest.raises(RecordError, match="of type Reading; expected Pose"):
        unpack(pack(Reading()), Pose)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_an_error(content: bytes) -> None:
    with contextlib.suppress(RecordError):
        unpack(content, object)
