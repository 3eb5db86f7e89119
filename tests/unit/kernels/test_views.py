"""Views into a flat array: the same memory as numpy's slices, by other names."""

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.folder import kernel_modules
from farhand.kernels.views import view


@kernel("f8(f8[::1], i8)")
def write_through_views(flat: Floats, n: int) -> float:
    cube, tail = view(flat, 1, (n, 3, 4)), view(flat, 1 + 12 * n, (2,))
    whole: Ints = view(flat.view(np.int64), 3 + 12 * n, (1,))
    for i in range(n):
        for r in range(3):
            for c in range(4):
                cube[i, r, c] = 100 * i + 10 * r + c
    tail[0], tail[1], whole[0] = -1.0, -2.0, 7
    # a view of a view, and a slice of one
    return float(view(tail, 1, (1,))[0] + cube[n - 1, 2].sum())


def test_views_are_parts_of_the_array_they_are_made_of() -> None:
    flat = np.full(1 + 24 + 3 + 1, np.nan)
    assert write_through_views(flat, 2) == -2.0 + 4 * 120 + 6
    cube = flat[1:25].reshape(2, 3, 4)
    assert cube[1, 2, 3] == 123.0
    assert cube[0, 1, 2] == 12.0
    assert flat[25:27].tolist() == [-1.0, -2.0]
    assert flat[27:28].view(np.int64)[0] == 7
    assert np.isnan(flat[[0, 28]]).all()


def test_a_change_of_views_starts_a_new_cache() -> None:
    assert "farhand.kernels.views" in kernel_modules()
