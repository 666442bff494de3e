"""Arrays of all distributions against NumPy's: indices, redistribution and files."""

import itertools
import os
import random
import sys

import numpy as np
from array_model import KINDS, number, numbers, raised_by, random_distributions, random_index
from tasuki import ranks

SHAPE = (5, 1, 7)


def check_indices(shape, distributions, dtype, steps, team) -> None:
    array = ranks.Array(shape, dtype, distributions, team)
    expected = numbers(shape, dtype)
    number(array)
    own = np.ix_(*(array.local_indices(one) for one in range(len(shape))))
    np.testing.assert_array_equal(array.local, expected[own])
    ranks.barrier(team)
    for step in range(5):
        index = random_index(steps, shape)
        np.testing.assert_array_equal(array[index], expected[index])
        np.testing.assert_array_equal(array.read_async(index).get(), expected[index])
        ranks.barrier(team)
        values = np.asarray(expected[index] + step + 1).astype(dtype)
        expected[index] = values
        if step % team.size() == team.rank():
            if step % 2:
                array.write_async(index, values).get()
            else:
                array[index] = values
        ranks.barrier(team)
    np.testing.assert_array_equal(array[...], expected)
    for element in itertools.product(*map(range, shape)):
        owner = array.owner(*element)
        is_mine = all(one in array.local_indices(d) for d, one in enumerate(element))
        assert (owner == team.rank()) == is_mine
    array.free()


def check_redistribution(path, steps, team) -> None:
    one = ranks.Array(SHAPE, np.float32, random_distributions(steps, 3), team)
    other = ranks.Array(SHAPE, np.float32, random_distributions(steps, 3), team)
    number(one)
    other.assign(one)
    expected = numbers(SHAPE, np.float32)
    own = np.ix_(*(other.local_indices(d) for d in range(3)))
    np.testing.assert_array_equal(other.local, expected[own])
    other.save_npy(path)
    np.testing.assert_array_equal(np.load(path), expected)
    ranks.barrier(team)
    if team.rank() == 0:
        np.save(path, np.asfortranarray(expected + 1))
    ranks.barrier(team)
    one.load_npy(path)
    np.testing.assert_array_equal(one[...], expected + 1)
    ranks.barrier(team)
    if team.rank() == 0:
        os.remove(path)
    one.free()
    other.free()


def check_errors(path) -> None:
    world = ranks.world_team()
    array = ranks.Array((4, 3), np.int32, [ranks.Block(), ranks.Cyclic()])
    assert "index 4 along a dimension of 4" in raised_by(array.__getitem__, (4, 0))
    assert "3 indices of an Array of 2 dimensions" in raised_by(array.__getitem__, (0, 0, 0))
    assert "numbers, slices and an ellipsis, no list" in raised_by(array.__getitem__, [1])
    assert "has 2 indices" in raised_by(array.owner, 1)
    wrong = raised_by(ranks.Array, (4, 3), np.int32, [ranks.Block()])
    assert "2 extents and 1 distributions were given" in wrong
    if world.size() > 1:
        whole = raised_by(ranks.Array, 3, np.int32, [ranks.Whole()])
        assert "all its dimensions are whole" in whole
        own = raised_by(ranks.Array, 3 + ranks.rank(), np.int32)
        assert "call it with the same extents, distributions, grid and order" in own
        kind = np.int32 if ranks.rank() == 0 else np.float32
        differs = raised_by(ranks.Array, 3, kind)
        assert "elements of <i4 in memory of its own on rank 0 of the team, but" in differs
    other = ranks.Array((4, 3), np.float32)
    assert "make both arrays with the same dtype" in raised_by(array.assign, other)
    assert "give arrays of the same extents" in raised_by(array.assign, ranks.Array(4, np.int32))
    other.save_npy(path)
    assert "of NumPy's type <f4, not <i4" in raised_by(array.load_npy, path)
    records = ranks.Array(4, np.dtype([("key", "i4")]))
    assert "the elements are records" in raised_by(records.save_npy, path)
    ranks.barrier()
    if ranks.rank() == 0:
        os.remove(path)


def main() -> None:
    path = sys.argv[1]
    world = ranks.world_team()
    steps = random.Random(11)  # The same on all ranks.
    for one in KINDS[:3]:
        check_indices((9,), [one()], np.int64, steps, world)
    for pair in zip(KINDS, [*KINDS[1:3], *KINDS[:2]], strict=True):
        check_indices((6, 5), [one() for one in pair], np.int16, steps, world)
    for _ in range(2):
        check_indices(SHAPE, random_distributions(steps, 3), np.complex128, steps, world)
        check_redistribution(path, steps, world)
    # Teams make arrays of their own, which keep their names apart.
    half = world.split(world.rank() % 2, key=-world.rank())
    check_redistribution(f"{path}.{world.rank() % 2}.npy", steps, half)
    array = ranks.Array((5, 2), np.int64, [ranks.Cyclic(), ranks.Whole()], half)
    array.local[:] = world.rank()
    ranks.barrier()
    there = half.world_rank(0)
    assert (ranks.invoke(there, lambda: array.local.copy()) == there).all()
    ranks.barrier()
    check_errors(path)
    if world.rank() == 0:
        print("all distributions are right")


ranks.run(main)
