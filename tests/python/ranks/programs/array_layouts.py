"""Arrays of any grid and order, in memory of their own and in the program's, against NumPy's."""

import os
import random
import sys

import numpy as np
from array_model import (
    number,
    numbers,
    part_indices,
    raised_by,
    random_distributions,
    random_grid,
    random_index,
)
from tasuki import ranks


class Layout:
    """A random one, and what this rank has of an array that is divided so."""

    def __init__(self, steps, shape, team) -> None:
        self.shape = shape
        self.team = team
        self.distributions = random_distributions(steps, len(shape))
        self.grid = random_grid(steps, self.distributions, team.size())
        self.grid_order = steps.choice("CF")
        self.order = steps.choice("CF")
        self.is_given = steps.random() < 0.5
        place = np.unravel_index(team.rank(), self.grid, self.grid_order)
        along = zip(self.distributions, shape, place, self.grid, strict=True)
        self.part = np.ix_(*(part_indices(*one) for one in along))

    def make(self, dtype):
        same = {"team": self.team, "grid": self.grid, "order": self.order}
        same["grid_order"] = self.grid_order
        if not self.is_given:
            return ranks.Array(self.shape, dtype, self.distributions, **same)
        block = np.zeros(np.broadcast_shapes(*map(np.shape, self.part)), dtype, self.order)
        array = ranks.Array.of_block(block, self.shape, self.distributions, **same)
        assert array.local.size == 0 or np.shares_memory(array.local, block)
        return array


def check_local(array, layout, expected) -> None:
    assert (array.order, array.grid) == (layout.order, tuple(layout.grid))
    assert array.grid_order == layout.grid_order
    own = expected[layout.part]
    np.testing.assert_array_equal(array.local, own)
    strides = np.empty(own.shape, own.dtype, layout.order).strides
    assert own.size == 0 or array.local.strides == strides
    for d, indices in enumerate(layout.part):
        np.testing.assert_array_equal(array.local_indices(d), np.ravel(indices))


def check_access(array, expected, steps, team) -> None:
    """Random reads and writes, by one rank after the other."""
    for step in range(4):
        index = random_index(steps, array.shape)
        np.testing.assert_array_equal(array[index], expected[index])
        ranks.barrier(team)
        values = np.asarray(expected[index] + step + 1).astype(array.dtype)
        expected[index] = values
        if step % team.size() == team.rank():
            if step % 2:
                array.write_async(index, values).get()
            else:
                array[index] = values
        ranks.barrier(team)
    np.testing.assert_array_equal(array[...], expected)
    ranks.barrier(team)


def check_exchange(one, other, layout, expected, path, team) -> None:
    """Redistribution and files, also those of NumPy in the other order."""
    other.assign(one)
    check_local(other, layout, expected)
    other.save_npy(path)
    stored = np.load(path)
    np.testing.assert_array_equal(stored, expected)
    assert stored.flags[f"{other.order}_CONTIGUOUS"]
    ranks.barrier(team)
    for order in "CF":
        expected += 1
        if team.rank() == 0:
            np.save(path, np.asarray(expected, order=order))
        ranks.barrier(team)
        one.load_npy(path)
        np.testing.assert_array_equal(one[...], expected)
        ranks.barrier(team)
    if team.rank() == 0:
        os.remove(path)


def check_layouts(shape, dtype, steps, path, team) -> None:
    layouts = [Layout(steps, shape, team) for _ in range(2)]
    one, other = (layout.make(dtype) for layout in layouts)
    expected = numbers(shape, dtype)
    number(one)
    check_local(one, layouts[0], expected)
    ranks.barrier(team)
    check_access(one, expected, steps, team)
    check_exchange(one, other, layouts[1], expected, path, team)
    one.free()
    other.free()


def check_halo(team) -> None:
    """Of columns in blocks of the program's."""
    width, shape = 2, (3, 4 * team.size())
    block = np.zeros((3, 4), np.float32, "F")
    columns = [ranks.Whole(), ranks.Block()]
    array = ranks.Array.of_block(block, shape, columns, team, order="F")
    halo = ranks.Halo(array, width)
    number(array)
    halo.exchange()
    inside = tuple(map(slice, halo.lower, halo.upper))
    np.testing.assert_array_equal(halo.elements, numbers(shape, np.float32)[inside])
    np.testing.assert_array_equal(halo.elements[halo.block], block)
    assert halo.elements.flags.f_contiguous
    ranks.barrier(team)


def check_halo_in_columns_of_ranks(team) -> None:
    shape, both = (6, 8), [ranks.Block(), ranks.Block()]
    array = ranks.Array(shape, np.float32, both, team, grid_order="F")
    halo = ranks.Halo(array, 1)
    number(array)
    halo.exchange()
    inside = tuple(map(slice, halo.lower, halo.upper))
    np.testing.assert_array_equal(halo.elements, numbers(shape, np.float32)[inside])
    ranks.barrier(team)


def check_found_grids() -> None:
    """0 stands for a number of ranks to be found."""
    cyclic = [ranks.Cyclic(), ranks.Cyclic(), ranks.Whole()]
    size = ranks.size()
    for grid in ((0, 1, 0), (0, 1, 1), (size, 0, 0), [np.int64(size), 1, 1]):
        assert ranks.Array((5, 4, 3), np.int8, cyclic, grid=grid).grid == (size, 1, 1)
    assert ranks.Array(7, np.int8, grid=size).grid == ranks.Array(7, np.int8).grid == (size,)


def check_numbers_on_grids() -> None:
    """Of ranks along the first dimension first, also on a grid that is found."""
    shape, cyclic = (8, 8), [ranks.Cyclic(), ranks.Cyclic()]
    for grid in (None, (1, 0), (0, 1)):
        array = ranks.Array(shape, np.int8, cyclic, grid=grid, grid_order="F")
        for index in np.ndindex(*array.grid):
            assert array.owner(*index) == np.ravel_multi_index(index, array.grid, order="F")
    wrong = raised_by(ranks.Array, shape, np.int8, grid_order="column")
    assert 'its grid_order is \'column\'. Remedy: give "C" or "F"' in wrong, wrong
    if ranks.size() > 1:
        other = "CF"[ranks.rank() % 2]
        differs = raised_by(ranks.Array, shape, np.int8, cyclic, grid_order=other)
        assert "column-major grid" in differs, differs


def main() -> None:
    path = sys.argv[1]
    world = ranks.world_team()
    steps = random.Random(5)  # The same on all ranks.
    for shape in ((9,), (6, 5), (7, 8), (5, 1, 7), (2, 3, 2, 3)):
        for dtype in (np.int16, np.complex128):
            check_layouts(shape, dtype, steps, path, world)
    half = world.split(world.rank() % 2, key=-world.rank())
    check_layouts((4, 6), np.float64, steps, f"{path}.{world.rank() % 2}.npy", half)
    check_halo(world)
    check_halo_in_columns_of_ranks(world)
    check_found_grids()
    check_numbers_on_grids()
    if world.rank() == 0:
        print("all layouts are right")


ranks.run(main)
