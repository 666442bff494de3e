"""Halo and HaloExchange: the elements of neighbours that a stencil reads beside a rank's block.

All ranks of a team make them together and exchange together. Thread-safety: the rank's own thread.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tasuki.ranks.array import Array
from tasuki.ranks.array_description import bytes_of
from tasuki.ranks.extension import CartesianTeam, GridHalo, HaloBlocks, HaloReach


class Halo:
    """Copies of the elements at most `width` indices beside the rank's block in any direction,
    corners included, as far as the Array goes, and of the block.

        heat = ranks.Array((8, 8), np.float64, [ranks.Block(), ranks.Block()])
        halo = ranks.Halo(heat, 1)
        halo.exchange()  # after each change of the Array
        if halo.has(3, 4):
            print(halo(3, 4))

    `elements` has them in place, and `block` is the index by which it gives the rank's own ones.
    """

    def __init__(self, array: Array, width: int) -> None:
        """Collective. Raises Error: a dimension of the Array is cyclic."""
        self._blocks = HaloBlocks(array.blocks, width)
        #: The index of the first element along each dimension, and the one behind the last.
        self.lower, self.upper = self._blocks.lower(), self._blocks.upper()
        self._order = array.order
        extents = [upper - lower for lower, upper in zip(self.lower, self.upper, strict=True)]
        self.elements: NDArray[Any] = np.zeros(extents, array.dtype, array.order)
        is_empty = array.local.size == 0
        firsts = [0 if is_empty else int(array.local_indices(d)[0]) for d in range(len(extents))]
        self.block = tuple(
            slice(first - lower, first - lower + extent)
            for first, lower, extent in zip(firsts, self.lower, array.local.shape, strict=True)
        )

    def exchange(self) -> None:
        """Copies the elements as they are now. Collective; waits for all that ranks of the team
        have written into the Array before.
        """
        self._blocks.exchange(bytes_of(self.elements, self._order))

    def has(self, *index: int) -> bool:
        """Is there a copy of the element? False outside of the Array, too."""
        return len(index) == self.elements.ndim and all(
            lower <= one < upper
            for lower, one, upper in zip(self.lower, index, self.upper, strict=True)
        )

    def __call__(self, *index: int) -> Any:
        """The copy of an element of the Array. Raises IndexError: there is none."""
        if not self.has(*index):
            raise IndexError(f"no element {index} in a halo from {self.lower} to {self.upper}")
        return self.elements[tuple(np.subtract(index, self.lower))]


class HaloExchange:
    """Fills the halos of blocks with the elements that the neighbours in a grid of ranks have
    there. Where the grid ends, the halo stays as it is. The memory is the program's.

        grid = ranks.CartesianTeam(ranks.world_team(), [0, 0], [True, True])
        halo = ranks.HaloExchange(grid, extents=(8, 8), widths=(1, 1))
        block = np.zeros((10, 10))
        halo.start(block)
        block[4, 4] *= 2  # anything but the halo may be used meanwhile
        halo.finish(block)
        halo.exchange(block)  # both
    """

    def __init__(
        self,
        grid: CartesianTeam,
        extents: Sequence[int],
        widths: Sequence[int | tuple[int, int]],
        dtype: DTypeLike = np.float64,
        reach: HaloReach = HaloReach.corners,
        strides: Sequence[int] = (),
    ) -> None:
        """`extents` are those of the block without its halo, `widths` how many elements of
        neighbours lie before and after it. `strides`, in elements, are those of NumPy without gaps
        if there are none. Collective over the grid. Raises Error on all ranks: a shape is wrong.
        """
        self.dtype = np.dtype(dtype)
        pairs = [(one, one) if isinstance(one, int) else one for one in widths]
        self._halo = GridHalo(grid, extents, pairs, reach, strides, self.dtype.itemsize)

    def start(self, memory: NDArray[Any]) -> None:
        """Sends the edges of the block in `memory`, which begins with the first element of the
        halo. All but the halo may be changed when this returns. Does not wait for other ranks.

        Raises Error: the memory is too short, or an exchange is under way.
        """
        self._halo.start(self._checked(memory))

    def finish(self, memory: NDArray[Any]) -> None:
        """Waits for the neighbours to have started the same exchange, and fills the halo."""
        self._halo.finish(self._checked(memory))

    def exchange(self, memory: NDArray[Any]) -> None:
        """Both."""
        self.start(memory)
        self.finish(memory)

    def memory_count(self) -> int:
        """Elements that the memory must have at least."""
        return self._halo.memory_count()

    def offset(self, *index: int) -> int:
        """Where an element is in the memory. The first one of the block has the indices 0; those of
        the halo before it are negative.
        """
        return self._halo.offset(index)

    def _checked(self, memory: NDArray[Any]) -> NDArray[Any]:
        if memory.dtype != self.dtype:
            raise TypeError(f"the memory has elements of {memory.dtype}, not {self.dtype}")
        return memory
