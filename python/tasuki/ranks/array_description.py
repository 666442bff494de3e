"""ArrayDescription: what a rank says of an Array, checked before all ranks make it together.

Used by array.py. Thread-safety: the rank's own thread.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tasuki.ranks import extension
from tasuki.ranks.extension import ArrayBlocks, Block, BlockCyclic, Cyclic, Error, Team, Whole

Distribution: TypeAlias = Block | Cyclic | BlockCyclic | Whole
Order: TypeAlias = Literal["C", "F"]

_T = TypeVar("_T")

_COPY_IN_ORDER = {"C": "numpy.ascontiguousarray(block)", "F": "numpy.asfortranarray(block)"}


class DescriptionError(Exception):
    """What has happened, and the remedy."""


class ArrayDescription(NamedTuple):
    """Parts that fit each other, as far as one rank can know without the layout."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    distributions: Sequence[Distribution]
    grid: tuple[int, ...]  # Empty, or a number of ranks for each dimension.
    grid_order: Order
    order: Order
    block: NDArray[Any] | None = None  # Memory of the program's.

    def make_blocks(self, team: Team) -> ArrayBlocks:
        """Collective. Raises Error on all ranks: they have different ones, or the layout does not
        fit.
        """
        return ArrayBlocks(
            self.shape,
            self.distributions,
            self.grid,
            self.grid_order == "F",
            self.order == "F",
            self.dtype.str if self.dtype.names is None else repr(self.dtype),
            self.dtype.itemsize,
            team,
            None if self.block is None else bytes_of(self.block, self.order),
            [] if self.block is None else self.block.shape,
        )


def describe(
    shape: int | Sequence[int],
    dtype: DTypeLike,
    distributions: Sequence[Distribution] | None,
    grid: int | Sequence[int] | None,
    grid_order: Order,
    order: Order,
) -> ArrayDescription:
    """Raises DescriptionError: something is of a kind or size that no Array has."""
    lengths = _lengths(shape)
    elements = np.dtype(dtype)
    if elements.hasobject or elements.subdtype or not lengths or min(lengths) < 0:
        raise DescriptionError(
            f"there is none of shape {lengths} and dtype {elements}",
            "give one or more lengths, and a dtype of numbers or records",
        )
    for name, given in (("order", order), ("grid_order", grid_order)):
        if given not in ("C", "F"):
            raise DescriptionError(f"its {name} is {given!r}", 'give "C" or "F"')
    if distributions is None:
        distributions = [Block(), *(Whole() for _ in lengths[1:])]
    distributions = list(distributions)
    for one in distributions:
        if not isinstance(one, Block | Cyclic | BlockCyclic | Whole):
            raise DescriptionError(
                f"{one!r} is no distribution",
                "give ranks.Block(), Cyclic(), BlockCyclic(k), Whole()",
            )
    ranks_along = () if grid is None else _lengths(grid)
    return ArrayDescription(lengths, elements, distributions, ranks_along, grid_order, order)


def describe_block(
    block: Any,
    shape: int | Sequence[int],
    distributions: Sequence[Distribution] | None,
    grid: int | Sequence[int] | None,
    grid_order: Order,
    order: Order,
) -> ArrayDescription:
    """The same for one with a block of the program's."""
    array = _array_over(block)
    description = describe(shape, array.dtype, distributions, grid, grid_order, order)
    is_in_order = {"C": array.flags.c_contiguous, "F": array.flags.f_contiguous}
    if not is_in_order[order]:
        remedy = f"give {_COPY_IN_ORDER[order]}, which is a copy"
        if any(is_in_order.values()):
            remedy = f"make the Array with order={'F' if order == 'C' else 'C'!r}"
        raise DescriptionError(
            f"the block of this rank, with the strides {array.strides}, is not contiguous in order"
            f" {order}",
            remedy,
        )
    if not array.flags.writeable:
        raise DescriptionError("the block of this rank may not be written", "give block.copy()")
    if not array.flags.aligned:
        raise DescriptionError(
            f"the block of this rank does not lie where elements of {array.dtype} may lie",
            "give block.copy()",
        )
    return description._replace(block=array)


def made_on_all(operation: str, team: Team, make: Callable[[], _T]) -> _T:
    """Returns: what `make` returns. Collective. Raises Error on all ranks if it raises on one."""
    try:
        made = make()
    except Exception as failure:
        extension.throw_together(operation, *_reason(operation, failure), team)
        raise
    extension.throw_together(operation, "", "", team)
    return made


def bytes_of(array: NDArray[Any], order: Order) -> NDArray[np.uint8]:
    """Those of the elements as they lie in memory: no copy, and also of types that the buffer
    protocol does not know. Requires: no gaps, in that order.
    """
    return array.reshape(-1, order=order).view(np.uint8)


def _lengths(given: int | Sequence[int]) -> tuple[int, ...]:
    """Raises TypeError or OverflowError: one is no integer of 64 bits."""
    several = given if isinstance(given, Sequence | np.ndarray) else [given]
    return tuple(np.int64(operator.index(one)).item() for one in several)


def _array_over(block: Any) -> NDArray[Any]:
    """The memory of the block itself as an array of NumPy."""
    if isinstance(block, np.ndarray):
        return np.asarray(block)
    try:
        return np.asarray(memoryview(block))
    except TypeError:
        return extension.numpy_over(block)


def _reason(operation: str, failure: Exception) -> tuple[str, str]:
    if isinstance(failure, DescriptionError):
        happened, remedy = failure.args
        return happened, remedy
    if isinstance(failure, Error):
        is_of_it = failure.operation == operation
        happened = failure.happened if is_of_it else f"{failure.operation}: {failure.happened}"
        return happened, failure.remedy
    return f"{type(failure).__name__}: {failure}", "give arguments of the kinds that are documented"
