"""Array: a NumPy array whose rows lie on the ranks in blocks, read and written from any rank.

Reads and writes are one-sided: the rank that holds the rows does nothing for them. As for a
GlobalPtr of C++, a write is visible at the latest when `fence()` or a barrier returns, or the
future of its `_async` form is ready.

Thread-safety: the rank's own thread.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tasuki.ranks import extension
from tasuki.ranks.extension import Error, Future

# Rank and number -> the array's part there; where ranks share a process, those of all.
_known: dict[tuple[int, int], "Array"] = {}
_numbers: dict[int, Iterator[int]] = {}


class _Piece(NamedTuple):
    """Rows that lie on one rank one after the other."""

    rank: int
    address: int
    first: int  # Of the rows that are read or written together.
    end: int


class Array:
    """Rows of elements, block by block on the ranks; without further axes a row is one element.

        array = ranks.Array((1000, 3), np.float64)  # collective; zeros
        array.local[:] = ranks.rank()  # the rows of this rank, in place
        ranks.barrier()
        last = array[999]
        array[10:20] = np.ones((10, 3))

    Sent to another rank, it is that rank's own part of the same array.
    """

    def __init__(self, shape: int | tuple[int, ...], dtype: DTypeLike = np.float64) -> None:
        """Collective over all ranks, with the same arguments."""
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = np.dtype(dtype)
        if self.dtype.hasobject or not self.shape or min(self.shape) < 0:
            raise self._error(
                "making an Array",
                f"there is none of shape {self.shape} and dtype {self.dtype}",
                "give one or more lengths, and a dtype of numbers or records",
            )
        size = extension.size()
        self.block_rows = -(-self.shape[0] // size)
        self._row_bytes = math.prod(self.shape[1:]) * self.dtype.itemsize
        own = self._rows_of(extension.rank())
        own_bytes = len(own) * self._row_bytes
        self._address = extension.allocate(max(own_bytes, 1))
        memory = extension.memory_at(self._address, own_bytes)
        #: The rows of this rank, in place.
        self.local: NDArray[Any] = np.frombuffer(memory, self.dtype).reshape(
            len(own), *self.shape[1:]
        )
        #: The index of the first of them.
        self.first_row = own.start
        self._addresses = np.empty(size, np.uint64)
        extension.allgather(np.array([self._address], np.uint64), self._addresses)
        self._number = next(_numbers.setdefault(extension.rank(), itertools.count()))
        _known[extension.rank(), self._number] = self

    def __len__(self) -> int:
        return self.shape[0]

    def owner(self, row: int) -> int:
        """The rank that holds a row."""
        return self._checked(row) // self.block_rows

    def __getitem__(self, rows: int | slice) -> Any:
        """A copy of a row, or of several one after the other."""
        first, end = self._range_of(rows)
        into = np.empty((end - first, *self.shape[1:]), self.dtype)
        for piece in self._pieces(first, end):
            extension.nread(piece.rank, piece.address, into[piece.first : piece.end])
        return into if isinstance(rows, slice) else into[0]

    def __setitem__(self, rows: int | slice, values: ArrayLike) -> None:
        """Writes a row, or several one after the other; as in NumPy, values are broadcast."""
        first, end = self._range_of(rows)
        source = self._rows_from(values, end - first)
        for piece in self._pieces(first, end):
            extension.nwrite(piece.rank, piece.address, source[piece.first : piece.end])

    def read_async(self, rows: int | slice) -> Future[Any]:
        """Like `array[rows]`."""
        first, end = self._range_of(rows)
        into = np.empty((end - first, *self.shape[1:]), self.dtype)
        reads = [
            extension.nread_async(piece.rank, piece.address, into[piece.first : piece.end])
            for piece in self._pieces(first, end)
        ]
        return extension.when_all(reads).then(
            lambda _: into if isinstance(rows, slice) else into[0]
        )

    def write_async(self, rows: int | slice, values: ArrayLike) -> Future[None]:
        """Like `array[rows] = values`, of a copy; ready when they are visible at their ranks."""
        first, end = self._range_of(rows)
        source = self._rows_from(values, end - first).copy()
        writes = [
            extension.nwrite_async(piece.rank, piece.address, source[piece.first : piece.end])
            for piece in self._pieces(first, end)
        ]
        return extension.when_all(writes).then(lambda _: None)

    def fetch_add(self, row: int, increment: float) -> Any:
        """Adds to an element, atomically. Returns: what it was before. For one axis, and int32,
        int64, float32 or float64.
        """
        add = getattr(extension, f"fetch_add_{self.dtype.name}", None)
        if add is None or len(self.shape) != 1:
            raise self._error(
                "fetch_add",
                f"it does not apply to an Array of shape {self.shape} and dtype {self.dtype}",
                "use an Array of one axis, of int32, int64, float32 or float64",
            )
        row = self._checked(row)
        (piece,) = self._pieces(row, row + 1)
        return add(piece.rank, piece.address, increment)

    def free(self) -> None:
        """Frees the memory. Collective; `local` must not be used afterwards."""
        extension.barrier()
        del _known[extension.rank(), self._number], self.local
        extension.free(self._address)

    def _rows_of(self, rank: int) -> range:
        first = min(rank * self.block_rows, self.shape[0])
        return range(first, min(first + self.block_rows, self.shape[0]))

    def _range_of(self, rows: int | slice) -> tuple[int, int]:
        if not isinstance(rows, slice):
            row = self._checked(rows)
            return row, row + 1
        first, end, step = rows.indices(self.shape[0])
        if step != 1:
            raise self._error(
                "indexing an Array",
                f"rows {step} apart are not read or written together",
                "give a slice without a step",
            )
        return first, max(first, end)

    def _checked(self, row: int) -> int:
        if not -self.shape[0] <= row < self.shape[0]:
            raise IndexError(f"row {row} of an Array of {self.shape[0]} rows")
        return int(row) % self.shape[0]

    def _rows_from(self, values: ArrayLike, count: int) -> NDArray[Any]:
        given = np.asarray(values, self.dtype)
        return np.ascontiguousarray(np.broadcast_to(given, (count, *self.shape[1:])))

    def _pieces(self, first: int, end: int) -> Iterator[_Piece]:
        """The rows `first` to `end` - 1, rank by rank."""
        at = first
        while at < end:
            rank = at // self.block_rows
            rows = self._rows_of(rank)
            stop = min(end, rows.stop)
            address = int(self._addresses[rank]) + (at - rows.start) * self._row_bytes
            yield _Piece(rank, address, at - first, stop - first)
            at = stop

    def __reduce__(self) -> tuple[Any, ...]:
        return _array_of, (self._number,)

    @staticmethod
    def _error(operation: str, happened: str, remedy: str) -> Error:
        return Error(f"tasuki: rank {extension.rank()}: {operation}: {happened}. Remedy: {remedy}")


def _array_of(number: int) -> Array:
    """What arrives on this rank for an Array."""
    found = _known.get((extension.rank(), number))
    if found is None:
        raise Array._error(
            "receiving an Array",
            "it is not made yet on this rank, or freed",
            "call barrier() between making an Array and sending it",
        )
    return found
