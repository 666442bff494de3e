"""Arrays as a routine in Python gets them: this rank's blocks, with how they lie in the whole."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


class LayoutInC(ctypes.Structure):
    """tasuki_array_layout of include/tasuki/routines.h."""

    _fields_ = (
        ("dimensions", ctypes.c_int),
        ("extents", ctypes.POINTER(ctypes.c_int64)),
        ("local_extents", ctypes.POINTER(ctypes.c_int64)),
        ("block_extents", ctypes.POINTER(ctypes.c_int64)),
        ("grid", ctypes.POINTER(ctypes.c_int)),
        ("coordinates", ctypes.POINTER(ctypes.c_int)),
        ("leading_dimension", ctypes.c_int64),
        ("descriptor", ctypes.c_int * 9),
    )


@dataclass(frozen=True)
class Layout:
    """How an array lies on the ranks, as this rank sees it; each tuple has an entry a dimension.

    `extents` are those of the whole array and `local_extents` of this rank's block; runs of
    `block_extents` indices go to one rank; `grid` is how many ranks there are along each dimension
    and `coordinates` this rank's place; `descriptor` is ScaLAPACK's, of a[columns][rows], or zeros.
    """

    extents: tuple[int, ...]
    local_extents: tuple[int, ...]
    block_extents: tuple[int, ...]
    grid: tuple[int, ...]
    coordinates: tuple[int, ...]
    leading_dimension: int
    descriptor: tuple[int, ...]

    @classmethod
    def from_c(cls, layout: LayoutInC) -> "Layout":
        count = layout.dimensions
        lists = (layout.extents, layout.local_extents, layout.block_extents, layout.grid)
        extents, local, blocks, grid = (tuple(one[:count]) for one in lists)
        coordinates = tuple(layout.coordinates[:count])
        descriptor = tuple(layout.descriptor)
        return cls(extents, local, blocks, grid, coordinates, layout.leading_dimension, descriptor)

    def global_indices(self, dimension: int) -> np.ndarray:
        """Of this rank's indices along a dimension, in order."""
        local = np.arange(self.local_extents[dimension])
        extent = self.block_extents[dimension]
        rounds = local // extent * self.grid[dimension] + self.coordinates[dimension]
        return rounds * extent + local % extent


class Block(np.ndarray):
    """A rank's block, in the memory from and into which the client's data goes."""

    layout: Layout

    def __array_finalize__(self, other: Any) -> None:
        if isinstance(other, Block) and other.shape == self.shape and hasattr(other, "layout"):
            self.layout = other.layout


def block_at(address: int, dtype: np.dtype, layout_of: Callable[[int], Any]) -> Block:
    """The block whose memory is there; `layout_of` is tasuki_layout."""
    layout = Layout.from_c(layout_of(address).contents)
    count = int(np.prod(layout.local_extents))
    memory: Any = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    block = np.frombuffer(memory, dtype, count).reshape(layout.local_extents).view(Block)
    block.layout = layout
    return block
