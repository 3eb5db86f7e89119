"""Views into a flat array, for kernels that keep all their memory in one: unchecked, uncounted and therefore free.

Numba's own slices check bounds, `reshape` is a call, and numba counts the references of each wherever it is passed on:
about 50 ns in all, and a servo step needs two dozen of them.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

__all__ = ["view"]


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def view(_typing: Any, flat: Any, start: Any, shape: Any) -> Any:
    """Return the part of a flat array from `start` on, in a shape given as a tuple of integers.

    The caller ensures that the part lies within the array and that the array stays alive: a view does not keep it. So
    the array must come from Python, which holds it; one that a kernel makes may be freed after its last use.
    """
    # only flat arrays have views
    if not (isinstance(flat, types.Array) and flat.ndim == 1 and flat.layout == "C"):
        return None
    result = types.Array(flat.dtype, len(shape), "C")

    # a structure that points into the array: data, sizes and strides, and no reference to count
    def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        source = context.make_array(flat)(context, builder, args[0])
        given = zip(cgutils.unpack_tuple(builder, args[2]), shape, strict=True)
        sizes = [context.cast(builder, size, kind, types.intp) for size, kind in given]
        strides = [context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(flat.dtype)))]
        for size in reversed(sizes[1:]):
            strides.insert(0, builder.mul(size, strides[0]))
        made = context.make_array(result)(context, builder)
        populate_array(
            made,
            data=builder.gep(source.data, [context.cast(builder, args[1], start, types.intp)]),
            shape=sizes,
            strides=strides,
            itemsize=source.itemsize,
            meminfo=cgutils.get_null_value(source.meminfo.type),
        )
        return made._getvalue()

    return result(flat, start, shape), build
