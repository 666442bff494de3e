"""What an index of an Array means: which indices along each of its dimensions.

Used by array.py. Thread-safety: values.
"""

import operator
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Index: TypeAlias = "int | slice | EllipsisType | tuple[int | slice | EllipsisType, ...]"


class Selection(NamedTuple):
    """Elements whose index along each dimension is one of the given ones."""

    indices: list[NDArray[np.int64]]
    shape: tuple[int, ...]  # Of the result: a dimension that has one index as a number is none.

    @property
    def counts(self) -> tuple[int, ...]:
        """How many indices there are along each dimension."""
        return tuple(len(along) for along in self.indices)


def element_of(index: Any, shape: Sequence[int]) -> list[int] | None:
    """The indices of one element, counted from 0; None if the index is one of several elements.

    Raises IndexError: there is no such element.
    """
    given = index if isinstance(index, tuple) else (index,)
    if len(given) != len(shape) or not all(hasattr(one, "__index__") for one in given):
        return None
    return [_number(*pair) for pair in zip(given, shape, strict=True)]


def select(index: Any, shape: Sequence[int]) -> Selection:
    """As NumPy's basic indexing: numbers, slices and an ellipsis.

    Raises IndexError: there are more indices than dimensions, no such index, or one of another
    kind.
    """
    given = list(index) if isinstance(index, tuple) else [index]
    if given.count(...) > 1 or len(given) - given.count(...) > len(shape):
        raise IndexError(f"{len(given)} indices of an Array of {len(shape)} dimensions")
    missing = [slice(None)] * (len(shape) - len(given) + given.count(...))
    place = given.index(...) if ... in given else len(given)
    given[place : place + 1] = missing
    along = []
    counts = []
    for one, extent in zip(given, shape, strict=True):
        if isinstance(one, slice):
            along.append(np.arange(*one.indices(extent), dtype=np.int64))
            counts.append(len(along[-1]))
        else:
            along.append(np.array([_number(one, extent)], np.int64))
    return Selection(along, tuple(counts))


def _number(one: Any, extent: int) -> int:
    if not hasattr(one, "__index__"):
        raise IndexError(f"an Array takes numbers, slices and an ellipsis, no {type(one).__name__}")
    number = operator.index(one)
    if not -extent <= number < extent:
        raise IndexError(f"index {number} along a dimension of {extent} indices")
    return number + extent if number < 0 else number
