"""Halos of Arrays and of blocks in a grid of ranks, against NumPy's slices and padding."""

import itertools

import numpy as np
from tasuki import ranks


def raised_by(function, *arguments, **named) -> str:
    try:
        function(*arguments, **named)
    except (ranks.Error, IndexError, TypeError) as failure:
        return str(failure)
    raise AssertionError("nothing was raised")


def check_halo(shape, distributions, dtype, width) -> None:
    array = ranks.Array(shape, dtype, distributions)
    halo = ranks.Halo(array, width)
    for step in range(3):
        expected = (np.arange(np.prod(shape)).reshape(shape) + 100 * step).astype(dtype)
        array.for_all(lambda index, elements, all_=expected: np.copyto(elements, all_[index]))
        halo.exchange()
        inside = tuple(map(slice, halo.lower, halo.upper))
        np.testing.assert_array_equal(halo.elements, expected[inside])
        np.testing.assert_array_equal(halo.elements[halo.block], array.local)
    for index in itertools.product(*(range(-1, extent + 1) for extent in shape)):
        is_near = array.local.size > 0 and all(
            abs(array.local_indices(d) - one).min() <= width and 0 <= one < shape[d]
            for d, one in enumerate(index)
        )
        assert halo.has(*index) == is_near
        if is_near:
            assert halo(*index) == expected[index]
        else:
            assert "no element" in raised_by(halo, *index)
    ranks.barrier()


def check_grid() -> None:
    size = ranks.size()
    grid = ranks.CartesianTeam(ranks.world_team(), [0, 1], [True, False])
    assert (grid.dimensions(), grid.extent(0), grid.extent(1)) == (2, size, 1)
    assert grid.is_periodic(0) and not grid.is_periodic(1) and grid.size() == size
    own = grid.coordinates()
    assert own == grid.coordinates(grid.rank()) == [ranks.rank(), 0]
    assert grid.rank_at([-1, 0]) == size - 1 and grid.neighbour([1, 1]) is None
    column = grid.along([0])
    assert column.size() == size and ranks.allreduce(1, team=column) == size
    wrong = raised_by(ranks.CartesianTeam, ranks.world_team(), [size + 1])
    assert f"cannot fill a grid [{size + 1}]" in wrong


def check_exchange(periods, widths, dtype) -> None:
    extents = (3, 4)
    grid = ranks.CartesianTeam(ranks.world_team(), [0, 0], periods)
    whole_extents = [extents[d] * grid.extent(d) for d in range(2)]
    whole = (1 + np.arange(np.prod(whole_extents)).reshape(whole_extents)).astype(dtype)
    padded = np.pad(whole, widths, mode="wrap")
    for d, is_periodic in enumerate(periods):  # Where the grid ends, nothing is written.
        before, after = widths[d]
        if not is_periodic:
            np.moveaxis(padded, d, 0)[:before] = 0
            np.moveaxis(padded, d, 0)[padded.shape[d] - after :] = 0
    first = np.multiply(grid.coordinates(), extents)
    shape = [sum(widths[d]) + extents[d] for d in range(2)]
    expected = padded[first[0] :, first[1] :][: shape[0], : shape[1]]
    halo = ranks.HaloExchange(grid, extents, widths, dtype)
    memory = np.zeros(shape, dtype)
    assert halo.memory_count() == memory.size
    own = memory[widths[0][0] :, widths[1][0] :][: extents[0], : extents[1]]
    assert halo.offset(0, 0) == widths[0][0] * shape[1] + widths[1][0]
    for step in range(3):
        own[:] = whole[first[0] :, first[1] :][: extents[0], : extents[1]] + step
        halo.start(memory)
        halo.finish(memory)
        np.testing.assert_array_equal(memory, np.where(expected == 0, 0, expected + step))
    assert "start() is called while" in raised_by(lambda: [halo.start(memory) for _ in "ab"])
    halo.finish(memory)
    assert "the block with its halo takes" in raised_by(halo.start, memory[:1])
    assert "elements of float16, not" in raised_by(halo.start, memory.astype("f2"))


def main() -> None:
    block, whole = ranks.Block(), ranks.Whole()
    check_halo((9,), [block], np.float64, 2)
    check_halo((2,), [block], np.float32, 1)  # Some ranks have nothing.
    check_halo((6, 5), [block, whole], np.int16, 1)
    check_halo((6, 5), [block, block], np.complex128, 1)
    check_halo((4, 3, 5), [block, block, block], np.int64, 2)
    if ranks.size() > 1:
        cyclic = ranks.Array(9, np.int64, [ranks.Cyclic()])
        assert "dimension 0 of the Array is cyclic" in raised_by(ranks.Halo, cyclic, 1)
    check_grid()
    for periods in itertools.product([True, False], repeat=2):
        check_exchange(periods, [(1, 1), (1, 1)], np.float64)
        check_exchange(periods, [(0, 2), (1, 0)], np.int32)
    ranks.barrier()
    if ranks.rank() == 0:
        print("all halos are right")


ranks.run(main)
