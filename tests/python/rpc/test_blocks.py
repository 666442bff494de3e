"""Blocks of arrays, as functions of Python get them on the ranks."""

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest
from tasuki.rpc.blocks import Block, LayoutInC, block_at

NUMBERS = (ctypes.c_double * 4)(0, 1, 2, 3)


@pytest.fixture
def block() -> Block:
    """All of a vector, on the only rank."""
    extents, one = (ctypes.c_int64 * 1)(len(NUMBERS)), (ctypes.c_int * 1)(1)
    layout = LayoutInC(1, extents, extents, extents, one, one, 1)
    address = ctypes.addressof(NUMBERS)
    return block_at(address, np.dtype(float), lambda _: SimpleNamespace(contents=layout))


def test_a_block_is_the_memory_of_the_rank(block: Block) -> None:
    block[1] = 7
    assert NUMBERS[1] == 7


def test_what_has_the_shape_of_a_block_has_its_layout(block: Block) -> None:
    assert block.layout.extents == (4,)
    assert (2 * block).layout is block.layout


def test_a_part_has_no_layout_and_neither_has_what_is_made_of_it(block: Block) -> None:
    for one in (block[:2], 2 * block[:2]):
        assert not hasattr(one, "layout")
