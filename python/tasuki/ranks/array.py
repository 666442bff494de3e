"""Array: a NumPy array divided among ranks by blocks, cyclic or block-cyclic along each dimension.

Reads and writes are one-sided: the rank that holds the elements calls nothing for them. As for a
GlobalPtr of C++, a write is visible at the latest when `fence()` or a barrier returns, or the
future of its `_async` form is ready.

Thread-safety: the rank's own thread.
"""

import itertools
import math
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tasuki.ranks import extension
from tasuki.ranks.array_description import (
    ArrayDescription,
    Distribution,
    Order,
    bytes_of,
    describe,
    describe_block,
    made_on_all,
)
from tasuki.ranks.extension import ArrayBlocks, Future, Team
from tasuki.ranks.selection import Index, Selection, element_of, select

if TYPE_CHECKING:  # Only the stub has it.
    from tasuki.ranks.extension import _Array

# This rank, and what all ranks of an Array call it -> the Array; where ranks share a process, those
# of all.
_known: dict[tuple[int, int, int], "Array"] = {}
_numbers: dict[int, Iterator[int]] = {}


class _Part(NamedTuple):
    """Selected elements of one rank."""

    where: tuple[Any, ...]  # The index of them in what is selected.
    counts: tuple[int, ...]
    rank: int
    addresses: list[int]  # Of pieces of one length.


class Array:
    """Elements on the ranks of a team. Without distributions the rows are in blocks.

        rows = ranks.Array((1000, 3), np.float64)  # collective; zeros
        rows.local[:] = ranks.rank()  # the block of this rank, in place
        ranks.barrier()
        last = rows[999]
        rows[10:20, 1] = 7
        table = ranks.Array((8, 8), np.int64, [ranks.Cyclic(), ranks.BlockCyclic(2)])
        table.for_all(lambda index, elements: np.add(*index, out=elements))

    `team` has its ranks, `shape` and `dtype` are NumPy's. `grid` are the ranks along each
    dimension, numbered along the last one first with `grid_order` "C", along the first with "F".
    `order` is that of the elements in a rank's block: "C", the last index fastest, or "F", the
    first. Sent to another rank of the team, an Array is that rank's own part of it.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    order: Order
    grid: tuple[int, ...]
    grid_order: Order
    team: Team
    #: The elements of this rank in place, by ascending indices.
    local: NDArray[Any]
    #: For halo.py.
    blocks: ArrayBlocks

    def __init__(
        self,
        shape: int | Sequence[int],
        dtype: DTypeLike = np.float64,
        distributions: Sequence[Distribution] | None = None,
        team: Team | None = None,
        *,
        grid: int | Sequence[int] | None = None,
        grid_order: Order = "C",
        order: Order = "C",
    ) -> None:
        """Collective over the team, with the same arguments. `grid` has a number of ranks for each
        dimension; their product is the size of the team. 0 stands for a number to be found. Without
        a grid the ranks are divided among the dimensions that are not Whole as evenly as possible.
        Ranks are numbered along its last dimension first, with grid_order="F" along its first.

            both = [ranks.BlockCyclic(64), ranks.BlockCyclic(64)]
            matrix = ranks.Array((n, n), np.float64, both, grid=(2, 0), order="F")  # as ScaLAPACK
            assert matrix.local.flags.f_contiguous

        Raises Error on all ranks: something does not fit on one, or differs between ranks.
        """
        self._make(lambda: describe(shape, dtype, distributions, grid, grid_order, order), team)

    @classmethod
    def of_block(
        cls,
        block: "_Array",
        shape: int | Sequence[int],
        distributions: Sequence[Distribution] | None = None,
        team: Team | None = None,
        *,
        grid: int | Sequence[int] | None = None,
        grid_order: Order = "C",
        order: Order = "C",
    ) -> "Array":
        """An Array of this `shape` whose elements of this rank are those of `block`, an array that
        the program has: nothing is copied, and the block is kept as long as the Array. It has the
        shape of the rank's part, is contiguous in the order, and may be written. A rank without
        elements gives one without elements. Anything with the buffer protocol or DLPack will do;
        its dtype is that of the Array. Collective over the team.

            mine = np.zeros((3, 5), order="F")  # rows in blocks
            table = ranks.Array.of_block(mine, (3 * ranks.size(), 5), order="F")
            assert np.shares_memory(table.local, mine)

        Raises Error on all ranks: a block or something else does not fit on one, or differs.
        """
        array = cls.__new__(cls)
        array._make(
            lambda: describe_block(block, shape, distributions, grid, grid_order, order), team
        )
        return array

    def __len__(self) -> int:
        return self.shape[0]

    def owner(self, *index: int) -> int:
        """The rank in the team that holds an element."""
        return self.blocks.owner(self._element(index))

    def local_indices(self, dimension: int) -> NDArray[np.int64]:
        """Those that the elements of this rank have along a dimension: element `i` of `local` is
        element `local_indices(0)[i]` of an array of one dimension.
        """
        indices = np.empty(self.local.shape[dimension], np.int64)
        self.blocks.own_indices(dimension % len(self.shape), indices)
        return indices

    # ---- elements of any rank --------------------------------------------------------------------

    def __getitem__(self, index: Index) -> Any:
        """A copy of an element or of several, as NumPy's basic indexing selects them."""
        element = element_of(index, self.shape)
        if element is None:
            return self.read_async(index).get()
        into = np.empty(1, self.dtype)
        rank, address = self.blocks.place(element)
        extension.nread(rank, [address], into.view(np.uint8))
        return into[0]

    def __setitem__(self, index: Index, values: ArrayLike) -> None:
        """Writes an element or several; as in NumPy, values are broadcast."""
        element = element_of(index, self.shape)
        if element is None:
            for part, source in self._sources(index, values):
                extension.nwrite(part.rank, part.addresses, source)
            return
        rank, address = self.blocks.place(element)
        source = np.asarray(values, self.dtype).reshape(1)
        extension.nwrite(rank, [address], source.view(np.uint8))

    def read_async(self, index: Index) -> Future[Any]:
        """Like `array[index]`."""
        selection = select(index, self.shape)
        into = np.empty(selection.counts, self.dtype, self.order)
        parts = list(self._parts(selection))
        arrived = [self._room(part, into) for part in parts]
        reads = [
            extension.nread_async(part.rank, part.addresses, bytes_of(buffer, self.order))
            for part, buffer in zip(parts, arrived, strict=True)
        ]

        def result(_: Any) -> Any:
            for part, buffer in zip(parts, arrived, strict=True):
                if buffer.base is not into:
                    into[part.where] = buffer
            return into.reshape(selection.shape)[()]

        return extension.when_all(reads).then(result)

    def write_async(self, index: Index, values: ArrayLike) -> Future[None]:
        """Like `array[index] = values`, of a copy; ready when they are visible at their ranks."""
        writes = [
            extension.nwrite_async(part.rank, part.addresses, source.copy())
            for part, source in self._sources(index, values)
        ]
        return extension.when_all(writes).then(lambda _: None)

    def fetch_add(self, index: int | tuple[int, ...], increment: float) -> Any:
        """Adds to an element, atomically. Returns: what it was before. For int32, int64, float32 or
        float64.
        """
        add = getattr(extension, f"fetch_add_{self.dtype.name}", None)
        if add is None:
            raise extension.make_error(
                "fetch_add",
                f"it does not apply to an Array of dtype {self.dtype}",
                "use an Array of int32, int64, float32 or float64",
            )
        rank, address = self.blocks.place(
            self._element(index if isinstance(index, tuple) else (index,))
        )
        return add(rank, address, increment)

    # ---- all elements ----------------------------------------------------------------------------

    def local_for_all(self, function: Callable[[tuple[NDArray[np.int64], ...], Any], Any]) -> None:
        """Calls `function(index, elements)` once, with `local` and the indices of its elements, an
        array for each dimension that NumPy broadcasts to the shape of `local`.

        rows.local_for_all(lambda index, elements: np.copyto(elements, index[0]))
        """
        function(np.ix_(*map(self.local_indices, range(len(self.shape)))), self.local)

    def for_all(self, function: Callable[[tuple[NDArray[np.int64], ...], Any], Any]) -> None:
        """The same on every rank, after all that any rank of the team has written before.
        Collective.
        """
        extension.barrier(self.team)
        self.local_for_all(function)

    def assign(self, other: "Array") -> None:
        """Takes all elements of an array of the same shape and dtype that may be divided otherwise,
        by one exchange of all ranks. Collective. Raises Error on all ranks: shape, dtype or team
        differ.

        columns = ranks.Array((8, 8), np.float64, [ranks.Whole(), ranks.Block()])
        columns.assign(rows)
        """
        self.blocks.assign(other.blocks)

    def save_npy(self, path: str | os.PathLike[str]) -> None:
        """Writes a file that numpy.load reads, each rank its part of it, in the Array's order.
        Collective. Raises the same Error on all ranks if that fails.
        """
        self._require_npy("Array.save_npy")
        self.blocks.save_npy(os.fspath(path))

    def load_npy(self, path: str | os.PathLike[str]) -> None:
        """Takes all elements from a file that numpy.save has written, of the same shape and dtype.
        Collective. Raises the same Error on all ranks if that fails.
        """
        self._require_npy("Array.load_npy")
        self.blocks.load_npy(os.fspath(path))

    def free(self) -> None:
        """Frees the memory, or lets go of the program's block. Collective; `local` must not be used
        afterwards. Raises Error, as all that needs the elements then does: it was freed before.
        """
        self.blocks.free()
        _known.pop((extension.rank(), *self._key))
        self.__dict__.pop("local", None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _array_of, self._key

    # ---- inside ----------------------------------------------------------------------------------

    def _make(self, describe_it: Callable[[], ArrayDescription], team: Team | None) -> None:
        """Collective."""
        self.team = extension.world_team() if team is None else team
        description = made_on_all("making an Array", self.team, describe_it)
        self.shape, self.dtype, self.order = description.shape, description.dtype, description.order
        self.blocks = description.make_blocks(self.team)
        self.grid, self.grid_order = tuple(self.blocks.grid()), description.grid_order
        extents = self.blocks.block_extents(self.team.rank())
        given = description.block
        elements = np.frombuffer(self.blocks.memory(), self.dtype) if given is None else given
        self.local = elements.reshape(extents, order=self.order)
        self._key = self._agreed_key()
        _known[(extension.rank(), *self._key)] = self

    def _room(self, part: _Part, into: NDArray[Any]) -> NDArray[Any]:
        """Where a part can arrive: its own place if that has no gaps."""
        own = into[part.where]
        is_place = own.base is into and own.flags[f"{self.order}_CONTIGUOUS"]
        return own if is_place else np.empty(part.counts, self.dtype, self.order)

    def _element(self, index: tuple[int, ...]) -> list[int]:
        found = element_of(index, self.shape)
        if found is None:
            raise IndexError(f"an element of this Array has {len(self.shape)} indices")
        return found

    def _agreed_key(self) -> tuple[int, int]:
        """What all ranks of the team call it: its first rank, and a number of that."""
        own = _numbers.setdefault(extension.rank(), itertools.count())
        number = np.array([next(own) if self.team.rank() == 0 else 0], np.int64)
        extension.broadcast(number, 0, self.team)
        return self.team.world_rank(0), int(number[0])

    def _sources(
        self, index: Index, values: ArrayLike
    ) -> Iterator[tuple[_Part, NDArray[np.uint8]]]:
        """The bytes that are written where."""
        selection = select(index, self.shape)
        given = np.broadcast_to(np.asarray(values, self.dtype), selection.shape)
        given = given.reshape(selection.counts)
        for part in self._parts(selection):
            yield part, given[part.where].ravel(self.order).view(np.uint8)

    def _parts(self, selection: Selection) -> Iterator[_Part]:
        """The selected elements, rank by rank."""
        along = [self._by_process(*one) for one in enumerate(selection.indices)]
        for coordinates in itertools.product(*along):
            places, locals_ = zip(
                *(one[at] for one, at in zip(along, coordinates, strict=True)), strict=True
            )
            rank = self.blocks.rank_at(coordinates)
            yield _Part(
                _box(places),
                tuple(map(len, places)),
                self.team.world_rank(rank),
                self._addresses(rank, locals_),
            )

    def _by_process(
        self, dimension: int, indices: NDArray[np.int64]
    ) -> dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Process along the dimension -> places of its indices among these, and in its block."""
        processes, locals_ = np.empty_like(indices), np.empty_like(indices)
        self.blocks.locate(dimension, indices, processes, locals_)
        found = {}
        for process in np.unique(processes).tolist():
            places = np.flatnonzero(processes == process)
            found[process] = places, locals_[places]
        return found

    def _addresses(self, rank: int, locals_: tuple[NDArray[np.int64], ...]) -> list[int]:
        """Those of the pieces, as long as possible, of which a box of a rank's block consists."""
        extents = self.blocks.block_extents(rank)
        if self.order == "F":  # The dimension that changes slowest comes first.
            extents, locals_ = extents[::-1], locals_[::-1]
        strides = [math.prod(extents[d + 1 :]) for d in range(len(extents))]
        outer = len(extents)  # The dimensions before it are walked through.
        while outer > 0:
            along = locals_[outer - 1]
            if along[-1] - along[0] != len(along) - 1:
                break
            outer -= 1
            if len(along) != extents[outer]:
                break  # The next piece is not beside this one.
        offsets = np.array(
            sum(int(locals_[d][0]) * strides[d] for d in range(outer, len(extents))), np.int64
        )
        for d in range(outer):
            offsets = np.add.outer(offsets, locals_[d] * strides[d])
        addresses = self.blocks.address(rank) + offsets.astype(np.uint64) * self.dtype.itemsize
        return np.ravel(addresses).tolist()

    def _require_npy(self, operation: str) -> None:
        if self.dtype.names is not None:
            raise extension.make_error(
                operation,
                f"the elements are records of {self.dtype}",
                "write each field from an Array of its own",
            )


def _box(places: tuple[NDArray[np.int64], ...]) -> tuple[Any, ...]:
    """The index of what has one of these places along each dimension: slices, if they will do."""
    if all(along[-1] - along[0] == len(along) - 1 for along in places):
        return tuple(slice(int(along[0]), int(along[-1]) + 1) for along in places)
    return np.ix_(*places)


def _array_of(first_rank: int, number: int) -> Array:
    """What arrives on this rank for an Array."""
    found = _known.get((extension.rank(), first_rank, number))
    if found is None:
        raise extension.make_error(
            "receiving an Array",
            "it is not made yet on this rank, or freed",
            "call barrier() between making an Array and sending it",
        )
    return found
