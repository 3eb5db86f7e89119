"""Ticks as columns come back: whole numbers exactly, others as float32."""

import msgspec
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from farhand import Cell
from farhand.records.collector import plain
from farhand.records.columns import columns_of, floats_of, ints_of, paths_of, qpos_of, ticks_of

ROWS = st.lists(
    st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats(width=32, allow_nan=False)), min_size=1, max_size=20
)


@given(rows=ROWS, sorted_keys=st.booleans())
def test_numbers_come_back(*, rows: list[tuple[int, float]], sorted_keys: bool) -> None:
    order = "deterministic" if sorted_keys else None
    encode = msgspec.msgpack.Encoder(order=order).encode  # type: ignore[arg-type]  # None is allowed
    ticks = [encode({"z": {"n": number, "text": "a"}, "a": [value, True, None]}) for number, value in rows]
    (columns,) = columns_of(ticks)
    places = paths_of(columns.skeleton)
    assert (list(places.ints), list(places.floats)) == (["z.n"], ["a[0]"])
    assert ints_of(columns)[:, 0].tolist() == [number for number, _ in rows]
    assert floats_of(columns)[:, 0].tolist() == [value if abs(value) >= 1e-9 else 0.0 for _, value in rows]


def test_ticks_of_two_shapes_are_kept_apart() -> None:
    encode = msgspec.msgpack.encode
    found = columns_of([encode({"a": 1.0}), encode({"a": 2.0}), encode({"a": 3.0, "b": 1}), encode({"a": 4.0})])
    assert [columns.rows for columns in found] == [2, 1, 1]


def test_ticks_of_a_cell_come_back_with_their_positions() -> None:
    cell = Cell.load("irb120-grasp")
    encode = msgspec.msgpack.Encoder(order="deterministic", enc_hook=plain).encode
    ticks, qpos = [], []
    for _ in range(30):
        ticks.append(cell.step())
        qpos.append(cell.world.qpos.copy())
    kept = columns_of([encode(tick) for tick in ticks], [positions.tobytes() for positions in qpos])
    found = [tick for columns in kept for tick in ticks_of(columns)]
    assert [tick.number for tick in found] == list(range(1, 31))
    for tick, made in zip(found, ticks, strict=True):
        assert np.allclose(
            tick.state.robots["arm"].T_base_tip.position, made.state.robots["arm"].T_base_tip.position, 1e-6
        )
        assert tick.lanes["arm"].notes == made.lanes["arm"].notes
        assert tick.state.asleep == made.state.asleep
    joints = np.vstack([positions for columns in kept if (positions := qpos_of(columns)) is not None])
    assert np.allclose(joints, np.array(qpos, np.float32), rtol=0.0, atol=1e-9)
