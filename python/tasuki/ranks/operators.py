"""Operators of reductions that Python makes: functions of two arrays, and values with a location.

Thread-safety: the rank's own thread.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from tasuki.ranks import extension


class Located(NamedTuple):
    """A value and where it is, for MinLocation and MaxLocation.

    least, its_rank = ranks.allreduce(ranks.Located(0.5, ranks.rank()), op=ranks.MinLocation)
    """

    value: Any
    location: int

    @staticmethod
    def dtype(value: DTypeLike) -> Any:
        """That of an array of such pairs, which has the fields `value` and `location`.

        pairs = np.zeros(3, ranks.Located.dtype(np.float64))
        pairs["location"] = ranks.rank()
        ranks.allreduce(pairs, op=ranks.MaxLocation)
        """
        return np.dtype([("value", value), ("location", np.int64)], align=True)


def _dtype_of(array: Any) -> Any:
    if hasattr(array, "__dlpack__") and not isinstance(array, np.ndarray):
        return np.from_dlpack(array).dtype
    return np.asarray(array).dtype


def _combine(
    function: Callable[[Any, Any], Any],
    dtype: Any,
    one: memoryview,
    other: memoryview,
    result: memoryview,
) -> None:
    """Calls the function with copies, which it may keep: the memory is soon another's."""
    operands = (np.frombuffer(bytes(operand), dtype) for operand in (one, other))
    np.copyto(np.frombuffer(result, dtype), function(*operands), casting="same_kind")


extension.set_operator_handlers(_dtype_of, _combine)
extension.set_number_types(Located, np.generic)
